package cli

import (
	"path/filepath"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttype"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// equipped gives a run what its script can name beside the run's own agent: agents, their models, agent
// types, and the functions of the host. The store is in the options already.
func (a *app) equipped(o engine.Options, c config, workspace string) (engine.Options, error) {
	types, err := a.agentTypes(workspace)
	if err != nil {
		return o, err
	}
	f, err := a.folders()
	if err != nil {
		return o, err
	}
	o.Agents, o.Models, o.Types, o.Work = a.namedAgents(c, workspace), c.models, types, f.work
	own := filepath.Dir(f.config)
	o.Guarded = []string{f.config, filepath.Join(own, "agents"), filepath.Join(own, "workflows")}
	return a.withDelivery(o, c, workspace), nil
}

// tiersFor are what the tiers of a run stand for whose agent has that name: what the configuration says,
// and where it says nothing, what the kind of the agent has. Those are of that agent alone, also when
// the run goes on with another one.
func (c config) tiersFor(name string) journal.Tiers {
	kind := name
	if t, ok := c.agents[name]; ok {
		kind = t.kind
	}
	k, _ := runners.KindOf(kind)
	for _, tier := range []*journal.Tier{&k.Tiers.Small, &k.Tiers.Medium, &k.Tiers.Big} {
		if *tier != (journal.Tier{}) {
			tier.Agent = name
		}
	}
	return mergedTiers(c.settings.Tiers, k.Tiers)
}

// agentTypes are the types that lie in the workspace, in the user's folder, and in the program.
func (a *app) agentTypes(workspace string) (*agenttype.Library, error) {
	f, err := a.folders()
	if err != nil {
		return nil, err
	}
	return agenttype.Load(agenttype.Places(workspace, filepath.Dir(f.config))), nil
}

// namedAgents are all agents that go by a name: the configured ones, and the kinds by their own
// names. Each is made when it is first asked.
func (a *app) namedAgents(c config, workspace string) map[string]agent.Runner {
	all := map[string]agent.Runner{}
	for _, name := range c.knownAgents() {
		all[name] = a.tune(name, c.table(name, workspace))
	}
	return all
}

// table is what the configuration says of an agent, or what holds for its kind where it says nothing.
func (c config) table(name, workspace string) agentConfig {
	t, ok := c.agents[name]
	if !ok {
		t = unconfigured(name, workspace)
	}
	t.workspace = workspace
	return t
}

// models are those that an agent has, nil if any may be named.
func (c config) models(name string) []string { return c.agents[name].models }

// pretended is what a test of workflows has of all that: agent types and tiers, with their models;
// but whatever agent they name, the answers of the test answer.
func (a *app) pretended(o engine.Options, workspace string) (engine.Options, error) {
	c, err := a.config(workspace)
	if err != nil {
		return o, err
	}
	types, err := a.agentTypes(workspace)
	if err != nil {
		return o, err
	}
	o.Types, o.Settings.Tiers = nobodys{types}, c.settings.Tiers
	for _, tier := range []*journal.Tier{&o.Settings.Tiers.Small, &o.Settings.Tiers.Medium, &o.Settings.Tiers.Big} {
		tier.Agent = ""
	}
	return o, nil
}

// nobodys are agent types without their agents.
type nobodys struct{ engine.Types }

// Lookup finds a type.
func (n nobodys) Lookup(name string) (agenttype.Type, error) {
	t, err := n.Types.Lookup(name)
	t.Agent = ""
	return t, err
}
