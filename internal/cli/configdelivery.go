package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// deliveryTable is [delivery] as it is written.
type deliveryTable struct {
	Base         string              `toml:"base"`
	Remote       string              `toml:"remote"`
	Reviewers    []string            `toml:"reviewers"`
	Labels       []string            `toml:"labels"`
	Ready        *bool               `toml:"ready"`
	MaxSteps     *int                `toml:"max-steps"`
	CheckTimeout string              `toml:"check-timeout"`
	Env          []string            `toml:"env"`
	Checks       map[string][]string `toml:"checks"`
	Setup        map[string][]string `toml:"setup"`
}

// deliveryConfig is what the files say of deliveries: to the functions of the host, and to the script by
// its arguments.
type deliveryConfig struct {
	issuedelivery.Config

	reviewers, labels []string
	ready             *bool
	maxSteps          int
}

// mostSteps is how many steps a plan of the pipeline may have.
const mostSteps = 40

// delivery checks the table.
func (t deliveryTable) delivery(path string) (deliveryConfig, error) {
	c := deliveryConfig{
		Config:    issuedelivery.Config{Base: t.Base, Remote: t.Remote, Checks: t.Checks, Setup: t.Setup, Env: t.Env},
		reviewers: t.Reviewers, labels: t.Labels, ready: t.Ready,
	}
	refuse := func(key, what string) (deliveryConfig, error) {
		_, example := keyTakes([]string{"delivery", key})
		return c, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: delivery.%s: %s", path, key, what), "write "+key+" = "+example)
	}
	for key, name := range map[string]string{"base": t.Base, "remote": t.Remote} {
		if strings.HasPrefix(name, "-") {
			return refuse(key, fmt.Sprintf("%q begins with -, and git would take it for an option", name))
		}
	}
	if n := t.MaxSteps; n != nil {
		if *n < 1 || *n > mostSteps {
			return refuse("max-steps", fmt.Sprintf("%d is not between 1 and %d", *n, mostSteps))
		}
		c.maxSteps = *n
	}
	if t.CheckTimeout != "" {
		limit, err := duration(t.CheckTimeout)
		if err != nil {
			return refuse("check-timeout", err.Error())
		}
		c.CheckTimeout = limit
	}
	if i := slices.IndexFunc(t.Env, ours); i >= 0 {
		return c, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: delivery.env lets %s through, and no check gets a variable of Assent's own", path, t.Env[i]), "take it out of env")
	}
	for table, commands := range map[string]map[string][]string{"checks": t.Checks, "setup": t.Setup} {
		for _, name := range slices.Sorted(maps.Keys(commands)) {
			if argv := commands[name]; name == "" || len(argv) == 0 || argv[0] == "" {
				return c, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [delivery.%s] %q names no program", path, table, name), `write `+cmp.Or(name, "NAME")+` = ["PROGRAM", "ARGUMENT"]`)
			}
		}
	}
	return c, nil
}

// over joins two files, c being that of the repository: what it says comes first, commands by their
// names; but the stricter number of steps counts.
func (c deliveryConfig) over(user deliveryConfig) deliveryConfig {
	c.Base, c.Remote = cmp.Or(c.Base, user.Base), cmp.Or(c.Remote, user.Remote)
	c.CheckTimeout = cmp.Or(c.CheckTimeout, user.CheckTimeout)
	c.Checks, c.Setup = joined(c.Checks, user.Checks), joined(c.Setup, user.Setup)
	c.Env = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.Env, user.Env))))
	if c.reviewers == nil {
		c.reviewers = user.reviewers
	}
	if c.labels == nil {
		c.labels = user.labels
	}
	c.ready = cmp.Or(c.ready, user.ready)
	c.maxSteps = narrower(c.maxSteps, user.maxSteps)
	return c
}

// joined has the commands of both by name; those of the first win.
func joined(first, second map[string][]string) map[string][]string {
	all := maps.Clone(second)
	if all == nil {
		return first
	}
	maps.Copy(all, first)
	return all
}

// arguments are what the files say to the script itself.
func (c deliveryConfig) arguments() []member {
	var list []member
	say := func(name string, value any, there bool) {
		if there {
			list = append(list, member{name, jsonOf(value)})
		}
	}
	say("reviewers", c.reviewers, len(c.reviewers) > 0)
	say("labels", c.labels, len(c.labels) > 0)
	say("ready", c.ready, c.ready != nil)
	say("maxSteps", c.maxSteps, c.maxSteps > 0)
	return list
}
