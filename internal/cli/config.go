package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/journal"
)

// configName is where a workspace keeps its configuration.
const configName = ".assent/config.toml"

// maxConfig is the largest file of configuration.
const maxConfig = 1 << 20

// configFile is one file as it is written (docs/reference/config.md). There is no key that
// answers a gate, and an unknown key is an error. Who is asked and who is told is the user's to
// say: a workspace's file that names either is refused.
type configFile struct {
	Agent    string                `toml:"agent"`
	Agents   map[string]agentTable `toml:"agents"`
	Tiers    tierTables            `toml:"tiers"`
	Approval struct {
		Timeout      string   `toml:"timeout"`
		Asker        []string `toml:"asker"`
		AskerTimeout string   `toml:"asker-timeout"`
	} `toml:"approval"`
	Notify   *notifyTable  `toml:"notify"`
	Delivery deliveryTable `toml:"delivery"`
	Limits   struct {
		MaxAgents   int    `toml:"max-agents"`
		Concurrency int    `toml:"concurrency"`
		Budget      string `toml:"budget"`
		MaxTime     string `toml:"max-time"`
		ReadOnly    bool   `toml:"read-only"`
		LoopGuard   string `toml:"loop-guard"`
		Repeats     int    `toml:"loop-guard-repeats"`

		ContextWarning *float64 `toml:"context-warning"`
	} `toml:"limits"`
}

type notifyTable struct {
	Bell    *bool    `toml:"bell"`
	Title   *bool    `toml:"title"`
	Command []string `toml:"command"`
}

// config is what the user's file and the workspace's add up to.
type config struct {
	// agent is the default agent's name, "" if there is none.
	agent  string
	agents map[string]agentConfig
	// settings are limits, and what the tiers stand for; the flags of a command win over them.
	settings journal.Settings
	// asker carries questions to a person where there is no terminal; nil if there is none.
	// askerLimit bounds each asking, 0 is no bound but the gate's deadline.
	asker      *userProgram
	askerLimit time.Duration
	notify     notifyConfig
	// delivery says how this repository is delivered to.
	delivery deliveryConfig
	// mine are the keys of the file that only the user's own may have.
	mine []string
}

// config reads the user's configuration and the workspace's. The workspace's agents come
// before the user's; its limits count where they are stricter.
func (a *app) config(workspace string) (config, error) {
	f, err := a.folders()
	if err != nil {
		return config{}, err
	}
	user, err := readConfig(f.config)
	if err != nil {
		return config{}, err
	}
	own, err := readConfig(filepath.Join(workspace, filepath.FromSlash(configName)))
	if err != nil {
		return config{}, err
	}
	if len(own.mine) > 0 {
		return config{}, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: %s belongs in your own configuration alone: a repository does not say who answers for you, nor who is told",
			filepath.Join(workspace, filepath.FromSlash(configName)), own.mine[0]), "take it out, and write it into "+f.config+" if you want it")
	}
	if err := user.repositorys(own, filepath.Join(workspace, filepath.FromSlash(configName)), f.config); err != nil {
		return config{}, err
	}
	user.agent = cmp.Or(own.agent, user.agent)
	user.delivery = own.delivery.over(user.delivery)
	tiers := mergedTiers(own.settings.Tiers, user.settings.Tiers)
	user.settings = stricter(user.settings, own.settings)
	user.settings.Tiers = tiers
	return user, a.checkNames(user, own, f.config, filepath.Join(workspace, filepath.FromSlash(configName)))
}

// readConfig reads one file; none is an empty one.
func readConfig(path string) (config, error) {
	c := config{agents: map[string]agentConfig{}, notify: notifyConfig{bell: true, title: true}}
	text, err := regular.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) {
		return c, nil
	}
	if err != nil {
		return c, fault.Wrap(err, fault.ConfigInvalid, "the configuration cannot be read", "")
	}
	var file configFile
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return c, atLine(path, err)
	}
	c.agent = file.Agent
	for name, table := range file.Agents {
		if c.agents[name], err = table.agent(path, name); err != nil {
			return c, err
		}
	}
	if err := c.people(path, file); err != nil {
		return c, err
	}
	if c.settings, err = file.settings(path); err != nil {
		return c, err
	}
	if c.delivery, err = file.Delivery.delivery(path); err != nil {
		return c, err
	}
	c.settings.Tiers, err = file.Tiers.tiers(path)
	return c, err
}

func (f configFile) settings(path string) (journal.Settings, error) {
	s := journal.Settings{
		MaxCalls: f.Limits.MaxAgents, Concurrency: f.Limits.Concurrency, ReadOnly: f.Limits.ReadOnly,
		LoopGuard: f.Limits.LoopGuard, LoopGuardRepeats: f.Limits.Repeats,
	}
	refuse := func(key, what string) (journal.Settings, error) {
		_, example := keyTakes(strings.Split(key, "."))
		return s, fault.New(fault.ConfigInvalid, path+": "+key+": "+what, "write "+key[strings.LastIndexByte(key, '.')+1:]+" = "+example)
	}
	for _, n := range []struct {
		key   string
		value int
	}{{"limits.max-agents", s.MaxCalls}, {"limits.concurrency", s.Concurrency}} {
		if n.value < 0 {
			return refuse(n.key, fmt.Sprintf("%d is less than 1", n.value))
		}
	}
	if s.LoopGuard != "" && !slices.Contains(guards, s.LoopGuard) {
		return refuse("limits.loop-guard", fmt.Sprintf("%q is neither warn, stop nor off", s.LoopGuard))
	}
	if n := s.LoopGuardRepeats; n < 0 || n == 1 {
		return refuse("limits.loop-guard-repeats", fmt.Sprintf("%d is less than 2, and what is asked once is no loop", n))
	}
	if part := f.Limits.ContextWarning; part != nil {
		if !(*part > 0 && *part <= 1) {
			return refuse("limits.context-warning", fmt.Sprintf("%v is no part of maxContextTokens: more than 0, and 1 at most", *part))
		}
		s.ContextWarning = max(1, int(math.Round(*part*100)))
	}
	if text := f.Limits.Budget; text != "" {
		budget, err := engine.ParseBudget(text)
		if err != nil {
			return refuse("limits.budget", fmt.Sprintf("%q is neither tokens such as 200k nor dollars such as 5usd", text))
		}
		s.Budget = budget
	}
	for _, d := range []struct {
		key, text string
		to        *int64
	}{{"approval.timeout", f.Approval.Timeout, &s.GateTimeoutMs}, {"limits.max-time", f.Limits.MaxTime, &s.WallMs}} {
		if d.text == "" {
			continue
		}
		value, err := duration(d.text)
		if err != nil {
			return refuse(d.key, err.Error())
		}
		*d.to = value.Milliseconds()
	}
	return s, nil
}

// duration reads a length of time of a millisecond or more.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond {
		return 0, fmt.Errorf("%q is not a length of time such as 90s or 24h", text)
	}
	return d, nil
}

// stricter joins two settings to the narrower of each; 0 is no limit. Budgets in different
// units cannot be compared: the first stands.
func stricter(a, b journal.Settings) journal.Settings {
	return journal.Settings{
		MaxCalls: narrower(a.MaxCalls, b.MaxCalls), Concurrency: narrower(a.Concurrency, b.Concurrency),
		WallMs: narrower(a.WallMs, b.WallMs), GateTimeoutMs: narrower(a.GateTimeoutMs, b.GateTimeoutMs),
		Budget: narrowerBudget(a.Budget, b.Budget), ReadOnly: a.ReadOnly || b.ReadOnly,
		LoopGuard: stricterGuard(a.LoopGuard, b.LoopGuard), LoopGuardRepeats: narrower(a.LoopGuardRepeats, b.LoopGuardRepeats),
		ContextWarning: narrower(a.ContextWarning, b.ContextWarning),
	}
}

// guards are the values of loop-guard, the strictest last.
var guards = []string{"off", "warn", "stop"}

func stricterGuard(a, b string) string {
	if slices.Index(guards, a) < slices.Index(guards, b) {
		return b
	}
	return a
}

func narrower[N int | int64](a, b N) N {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func narrowerBudget(a, b journal.Usage) journal.Usage {
	none := journal.Usage{}
	if a == none || b != none && a.Tokens > 0 && b.Tokens > 0 && b.Tokens < a.Tokens ||
		a.CostMicroUSD > 0 && b.CostMicroUSD > 0 && b.CostMicroUSD < a.CostMicroUSD {
		return b
	}
	return a
}
