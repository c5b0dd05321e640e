package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttype"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/journal"
)

// Types finds agent types by their names. *agenttype.Library is one.
type Types interface {
	// Lookup gives the type; its error names those that there are.
	Lookup(name string) (agenttype.Type, error)
}

// resolved is a call of agent() with what its agent type and its tier stand for, which the script
// does not say.
type resolved struct {
	agent.Call
	// by is the name of the agent that answers, "" for the run's own.
	by string
	// instructions are those of the agent type.
	instructions string
	outside      outside
}

// outside is the part of a call's identity that comes from outside the script.
type outside struct {
	AgentType *typePart   `json:"agentType,omitempty"`
	Tier      *tierPart   `json:"tier,omitempty"`
	Policy    *policyPart `json:"policy,omitempty"`
}

// typePart is an agent type and the content of its definition.
type typePart struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// tierPart is a tier and what it stands for in this run.
type tierPart struct {
	Name string `json:"name"`
	journal.Tier
}

// JSON gives the part as the journal has it; nil if there is none.
func (o outside) JSON() (json.RawMessage, error) {
	if o == (outside{}) {
		return nil, nil
	}
	return marshal(o)
}

// inherit is what an agent type says where it wants what it would get without it.
const inherit = "inherit"

// resolve finds what the call's agent type and tier stand for, and puts it where the script said
// nothing of its own. The order of models is: the script's at the call, the agent type's, the tier's,
// and then fallback, the phase's or the header's.
func (a *attempt) resolve(asked agent.Call, fallback string) (resolved, error) {
	r := resolved{Call: asked}
	o := &r.Options
	var kind agenttype.Type
	if o.AgentType != "" {
		var err error
		if kind, err = a.agentType(o.AgentType); err != nil {
			return r, err
		}
		r.instructions = kind.Instructions
		r.outside.AgentType = &typePart{kind.Name, kind.SHA256}
	}
	var tier journal.Tier
	if name := cmp.Or(o.Tier, kind.Tier); name != "" {
		if tier = tierOf(cmp.Or(a.o.Settings.Tiers, a.st.Settings.Tiers), name); kind.Agent != "" && a.nameOf(tier.Agent) != a.nameOf(kind.Agent) {
			tier = journal.Tier{} // its model is another agent's
		}
		o.Tier = name
		r.outside.Tier = &tierPart{name, tier}
	}
	r.by = cmp.Or(kind.Agent, tier.Agent)
	named := cmp.Or(o.Model, ownName(kind.Model))
	o.Model = cmp.Or(named, tier.Model, fallback)
	o.Effort = cmp.Or(o.Effort, ownName(kind.Effort), tier.Effort)
	if o.Tools == nil {
		o.Tools = kind.Tools
	}
	if o.Skills == nil {
		o.Skills = kind.Skills
	}
	o.DisallowedTools = union(o.DisallowedTools, kind.DisallowedTools)
	if kind.ReadOnly {
		o.ReadOnly = new(true)
	}
	return r, a.canAnswer(r, tier, named != "")
}

// nameOf is the name of an agent, of which "" is the run's own.
func (a *attempt) nameOf(agent string) string { return cmp.Or(agent, a.o.AgentName) }

func ownName(name string) string {
	if name == inherit {
		return ""
	}
	return name
}

func union(a, b []string) []string {
	for _, name := range b {
		if !slices.Contains(a, name) {
			a = append(slices.Clip(a), name)
		}
	}
	return a
}

func tierOf(tiers journal.Tiers, name string) journal.Tier {
	switch name {
	case "small":
		return tiers.Small
	case "medium":
		return tiers.Medium
	case "big":
		return tiers.Big
	default:
		return journal.Tier{}
	}
}

func (a *attempt) agentType(name string) (agenttype.Type, error) {
	if a.o.Types == nil {
		return agenttype.Type{}, fault.New(fault.AgentTypeUnknown, fmt.Sprintf("agent() option \"agentType\" is %q, and there are no agent types here", name), "leave it out")
	}
	return a.o.Types.Lookup(name)
}

// canAnswer refuses a call whose agent, model or tier is not there: going on with another one would
// be a silent choice of ours. A tier that stands for nothing is the agent's own business, if it is
// one that is told of tiers; and where a model is named, nothing depends on it.
func (a *attempt) canAnswer(r resolved, tier journal.Tier, named bool) error {
	runner, err := a.runner(r.by)
	if err != nil {
		return err
	}
	if t, ok := runner.(agent.TierTaker); r.Options.Tier != "" && !named && tier == (journal.Tier{}) && runner != nil && (!ok || !t.TakesTiers()) {
		return fault.New(fault.TierNotConfigured, fmt.Sprintf("the tier %q stands for nothing in this run", r.Options.Tier),
			"write [tiers."+r.Options.Tier+"] with a model into the configuration, and assent resume "+a.st.ID+" --tiers")
	}
	if a.o.Models == nil || r.Options.Model == "" {
		return nil
	}
	known := a.o.Models(cmp.Or(r.by, a.o.AgentName))
	if len(known) == 0 || slices.Contains(known, r.Options.Model) {
		return nil
	}
	next := "name one of them"
	if near := options.Nearest(r.Options.Model, known); near != "" {
		next = fmt.Sprintf("did you mean %q?", near)
	}
	return fault.New(fault.ModelUnknown, fmt.Sprintf("the agent %s has no model %q; it has %s", cmp.Or(r.by, a.o.AgentName), r.Options.Model, strings.Join(known, ", ")), next)
}

// runner gives an agent by its name, "" is the run's own, which may be nil.
func (a *attempt) runner(name string) (agent.Runner, error) {
	if name == "" || name == a.o.AgentName {
		return a.o.Agent, nil
	}
	if runner, ok := a.o.Agents[name]; ok {
		return runner, nil
	}
	names := slices.Sorted(maps.Keys(a.o.Agents))
	next := "add [agents." + name + "] to the configuration"
	if near := options.Nearest(name, names); near != "" {
		next = fmt.Sprintf("did you mean %q?", near)
	}
	what := "there are no others"
	if len(names) > 0 {
		what = "there are " + strings.Join(names, ", ")
	}
	return nil, fault.New(fault.AgentNotConfigured, fmt.Sprintf("there is no agent %q; %s", name, what), next)
}
