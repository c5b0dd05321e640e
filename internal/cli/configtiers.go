package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// tierTables are the tiers as they are written. One that is not there says nothing; one that is
// there stands for the whole tier.
type tierTables struct {
	Small  *tierTable `toml:"small"`
	Medium *tierTable `toml:"medium"`
	Big    *tierTable `toml:"big"`
}

type tierTable struct {
	Agent  string `toml:"agent"`
	Model  string `toml:"model"`
	Effort string `toml:"effort"`
}

// tiers checks what each tier stands for by itself.
func (t tierTables) tiers(path string) (all journal.Tiers, err error) {
	for _, tier := range []struct {
		name  string
		table *tierTable
		to    *journal.Tier
	}{{"small", t.Small, &all.Small}, {"medium", t.Medium, &all.Medium}, {"big", t.Big, &all.Big}} {
		if tier.table == nil {
			continue
		}
		*tier.to = journal.Tier(*tier.table)
		if *tier.to == (journal.Tier{}) {
			return all, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [tiers.%s] says nothing", path, tier.name), `write model = "large-2" below it, or take it out`)
		}
	}
	return all, nil
}

// named is a tier with its name.
type named struct {
	name string
	journal.Tier
}

// tiersOf are the tiers that stand for something.
func tiersOf(t journal.Tiers) []named {
	all := []named{{"small", t.Small}, {"medium", t.Medium}, {"big", t.Big}}
	return slices.DeleteFunc(all, func(n named) bool { return n.Tier == journal.Tier{} })
}

// mergedTiers takes each tier from the first that has it.
func mergedTiers(a, b journal.Tiers) journal.Tiers {
	return journal.Tiers{Small: cmp.Or(a.Small, b.Small), Medium: cmp.Or(a.Medium, b.Medium), Big: cmp.Or(a.Big, b.Big)}
}

// tiersNow are the tiers for a run that is there already, whose agent has that name. None at all would
// change nothing in it.
func (c config) tiersNow(name string) (journal.Tiers, error) {
	tiers := c.tiersFor(name)
	if tiers == (journal.Tiers{}) {
		return tiers, fault.New(fault.ConfigInvalid, "--tiers takes the tiers of the configuration, and it has none", "write [tiers.small] with a model into "+configName)
	}
	return tiers, nil
}

// knownAgents are the names that an agent can have in the configuration: those that it has, and the
// kinds by their own.
func (c config) knownAgents() []string {
	names := slices.Concat(slices.Collect(maps.Keys(c.agents)), kindNames(), presetNames())
	slices.Sort(names)
	return slices.Compact(names)
}

// checkNames refuses a default agent that there is not, and a tier whose agent or model is not there:
// that is said at the start, not by the call that needs it. own is what the workspace's file says.
func (a *app) checkNames(c, own config, userFile, ownFile string) error {
	names := c.knownAgents()
	file := func(workspace bool) string {
		if workspace {
			return ownFile
		}
		return userFile
	}
	if c.agent != "" && !slices.Contains(names, c.agent) {
		at := file(own.agent != "")
		return fault.New(fault.ConfigInvalid, fmt.Sprintf("the default agent %q is not configured: %s has agent = %q and no [agents.%s]", c.agent, at, c.agent, c.agent),
			nearest(c.agent, names, fmt.Sprintf("add [agents.%s] to %s, take agent out, or name one of", c.agent, at)))
	}
	for _, tier := range tiersOf(c.settings.Tiers) {
		at := file(slices.ContainsFunc(tiersOf(own.settings.Tiers), func(n named) bool { return n.name == tier.name }))
		if tier.Agent != "" && !slices.Contains(names, tier.Agent) {
			return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [tiers.%s] has the agent %q, which is not configured; there are %s", at, tier.name, tier.Agent, strings.Join(names, ", ")),
				nearest(tier.Agent, names, "add [agents."+tier.Agent+"], or name one of"))
		}
		if models := c.agents[tier.Agent].models; tier.Model != "" && len(models) > 0 && !slices.Contains(models, tier.Model) {
			return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [tiers.%s] has the model %q, which is none of the models of the agent %s", at, tier.name, tier.Model, tier.Agent),
				nearest(tier.Model, models, "these are"))
		}
	}
	return nil
}
