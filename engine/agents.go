package engine

import (
	"cmp"
	"context"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// agents makes the worker behind agent(), whose agents work in workspace.
func agents(runner agent.Runner, workspace string, meta vm.Meta) worker {
	return worker{
		counted: true,
		parse:   func(c vm.Call) (Request, error) { return parseAgent(c, meta) },
		do: func(ctx context.Context, c *call, step *journal.Step) answer {
			if runner == nil {
				return answer{err: errNoAgent, class: journal.FailureFatal}
			}
			asked := c.request.Value.(agent.Call)
			readOnly := c.request.ReadOnly
			asked.Options.ReadOnly = &readOnly
			response, err := agent.Do(ctx, runner, asked, agent.Request{
				Run: step.RunID(), Call: c.Key, Label: c.request.Label, Phase: c.Phase, Cwd: workspace, ReadOnly: readOnly,
			}, step)
			return answer{value: response.Value, usage: response.Usage, note: response.Note, err: err, class: agentClass(err)}
		},
	}
}

// parseAgent checks a call of agent(). An agent that names no model gets its phase's, or the
// script's; what it gets is part of its identity.
func parseAgent(c vm.Call, meta vm.Meta) (Request, error) {
	asked, err := agent.Parse(c.Args)
	if err != nil {
		return Request{}, err
	}
	phaseModel := ""
	for _, p := range meta.Phases {
		if p.Title == c.Phase {
			phaseModel = p.Model
		}
	}
	asked.Options.Model = cmp.Or(asked.Options.Model, phaseModel, meta.Model)
	id, err := asked.Identity()
	if err != nil {
		return Request{}, err
	}
	return Request{
		Identity: id, canonical: true, Label: asked.Options.Label, Value: asked,
		ReadOnly: asked.Options.ReadOnly != nil && *asked.Options.ReadOnly,
	}, nil
}

// agentClass is the class of an agent's failure. A usage limit ends the attempt and is no
// answer: when the run goes on, the agent is asked again.
func agentClass(err error) string {
	switch {
	case err == nil:
		return ""
	case fault.Is(err, fault.UsageLimit):
		return journal.FailureFatal
	default:
		return agent.Class(err)
	}
}

var errNoAgent = fault.New(fault.AgentNotConfigured, "the script calls agent(), and no agent is configured",
	"name one: --agent 'COMMAND ARGS', --agent script:FILE, or [agents.NAME] in .assent/config.toml")
