package engine

import (
	"cmp"
	"context"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/watch"
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
			var watched *watch.Watched
			if folder, err := agent.ResolveCwd(workspace, asked.Options.Cwd); err == nil && !readOnly {
				watched = watch.Begin(ctx, folder, step.RunID()+"/"+strings.TrimPrefix(c.Key, "/"), step)
			}
			response, err := agent.Do(ctx, runner, asked, agent.Request{
				Run: step.RunID(), Call: c.Key, Label: c.request.Label, Phase: c.Phase, Cwd: workspace, ReadOnly: readOnly,
				PermissionMode: c.policy.Mode, Model: c.policy.Model, Effort: c.policy.Effort, Again: c.again,
				ContextWarning: c.contextWarning,
			}, step)
			err = blocked(step.RunID(), c.policy, err)
			result := answer{
				value: response.Value, usage: response.Usage, note: response.Note, attempts: response.Attempts, warning: response.Warning,
				err: err, class: agentClass(err),
			}
			if watched != nil && result.class != journal.FailureCancelled {
				result.changes, result.note = changesOf(ctx, watched, result.note)
			}
			return result
		},
	}
}

// changesOf looks at what a call did to the repository that it worked in, and adds the remark of
// a look that came to nothing.
func changesOf(ctx context.Context, watched *watch.Watched, note string) (*journal.Changes, string) {
	changes, remark := watched.Changes(ctx)
	if note != "" && remark != "" {
		note += "; "
	}
	return changes, note + remark
}

// parseAgent checks a call of agent(). An agent that names no model gets its phase's, or the
// script's; what it gets is part of its identity.
func parseAgent(c vm.Call, meta vm.Meta) (Request, error) {
	asked, err := agent.Parse(c.Args)
	if err != nil {
		return Request{}, err
	}
	if n := len(c.Within); n > 0 {
		meta = c.Within[n-1].Meta
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

// agentClass is the class of an agent's failure. A usage limit, and a policy that the agent
// cannot keep, are no answers: when the run goes on, the agent is asked again.
func agentClass(err error) string {
	switch {
	case err == nil:
		return ""
	case fault.Is(err, fault.UsageLimit), fault.Is(err, fault.PlanConfiguration):
		return journal.FailureFatal
	default:
		return agent.Class(err)
	}
}

var errNoAgent = fault.New(fault.AgentNotConfigured, "the script calls agent(), and no agent is configured",
	"name one: --agent 'COMMAND ARGS', --agent script:FILE, or [agents.NAME] in .assent/config.toml")
