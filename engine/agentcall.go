package engine

import (
	"cmp"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// parseAgent checks a call of agent(). An agent that names no model gets its phase's, or the
// script's; what it gets is part of its identity.
func (a *attempt) parseAgent(c vm.Call) (Request, error) {
	asked, err := agent.Parse(c.Args)
	if err != nil {
		return Request{}, err
	}
	if asked.Options.Isolation != "" {
		if err := isolatedSchema(asked.Options.Schema); err != nil {
			return Request{}, err
		}
	}
	named := asked
	named.Options.Model = cmp.Or(asked.Options.Model, a.fallbackModel(c))
	id, err := named.Identity()
	if err != nil {
		return Request{}, err
	}
	r := Request{Identity: id, canonical: true, Label: asked.Options.Label, Isolated: asked.Options.Isolation != ""}
	full, err := a.resolve(asked, a.fallbackModel(c))
	r.Value, r.refusal, r.ReadOnly = full, err, full.Options.ReadOnly != nil && *full.Options.ReadOnly
	return r, nil
}

// fallbackModel is the model of a call that nothing nearer to it names: its phase's, or its script's.
func (a *attempt) fallbackModel(c vm.Call) string {
	meta := a.program.Meta()
	if n := len(c.Within); n > 0 {
		meta = c.Within[n-1].Meta
	}
	for _, p := range meta.Phases {
		if p.Title == c.Phase && p.Model != "" {
			return p.Model
		}
	}
	return meta.Model
}

// stamp fixes, when the script makes a call of agent(), what it may do: under which policy, and
// whether it only reads. A call that comes before the plan that has to be approved first only reads,
// for its whole life, unless the script says that it does not: then it is refused.
func (a *attempt) stamp(c vm.Call, p *prepared) error {
	asked := p.request.Value.(resolved)
	p.outside = asked.outside
	if err := a.underPolicy(c, p); err != nil {
		return err
	}
	writes := asked.Options.ReadOnly != nil && !*asked.Options.ReadOnly
	if a.st.Settings.ReadOnly || !writes && !a.opened(c) {
		p.request.ReadOnly = true
	}
	p.apart = p.request.ReadOnly && p.request.Isolated && len(a.approved) > 0
	var err error
	if p.request.Outside, err = p.outside.JSON(); err != nil {
		return err
	}
	return a.asRecorded(c, p)
}

// asRecorded takes what a call stood for outside of the script from the journal, where that is executed
// again only to be compared: the definitions and agents of that time need not be here.
func (a *attempt) asRecorded(c vm.Call, p *prepared) error {
	old := a.st.Calls[c.Key]
	if a.proving == nil && a.course == nil || old == nil {
		return nil
	}
	id, err := identity(c.Name, p.request)
	if err != nil || id != old.Identity {
		return err
	}
	p.request.Outside = old.Call.Outside
	if a.proving != nil && old.Call.ReadOnly {
		p.request.ReadOnly = true // by an agent type that need not be here
	}
	return nil
}

// wasStamped reports whether an old answer is one of a call that only read, where now it may change
// something: then it is not what the script asks for.
func wasStamped(old *journal.CallState, c *call) bool {
	return c.Name == agentName && old.Call.ReadOnly && !c.request.ReadOnly
}
