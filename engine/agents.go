package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/watch"
	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// agents makes the worker behind agent().
func (a *attempt) agents() worker {
	return worker{
		counted: true,
		parse:   a.parseAgent,
		do:      a.askAgent,
	}
}

// askAgent does the work of a live call of agent().
func (a *attempt) askAgent(ctx context.Context, c *call, step *journal.Step) answer {
	asked := c.request.Value.(resolved)
	runner, err := a.runner(asked.by)
	switch {
	case err != nil:
		return failed(err)
	case runner == nil:
		return failed(errNoAgent)
	}
	place, err := a.place(ctx, c, asked, step)
	if err != nil {
		return failed(err)
	}
	c.place.Store(place)
	defer c.place.Store(nil)
	readOnly := c.request.ReadOnly
	asked.Options.ReadOnly, asked.Options.Cwd = &readOnly, ""
	response, err := do(ctx, runner, asked.Call, agent.Request{
		Run: step.RunID(), Call: c.Key, Label: c.request.Label, Phase: c.Phase, Cwd: place.folder, ReadOnly: readOnly,
		Isolated: place.tree != nil, Scratch: place.scratch, Tier: asked.Options.Tier, AgentType: asked.Options.AgentType, Instructions: asked.instructions,
		PermissionMode: c.policy.Mode, Model: c.policy.Model, Effort: c.policy.Effort, Again: c.again,
		ContextWarning: c.contextWarning, Tell: c.told.Tell, Ask: a.permission(c),
	}, step)
	err = blocked(step.RunID(), c.policy, err)
	result := answer{
		value: response.Value, usage: response.Usage, note: response.Note, attempts: response.Attempts, warning: response.Warning,
		err: err, class: agentClass(err), transcript: c.told.Finish(),
	}
	a.leavePlace(ctx, c, place, &result)
	return result
}

// do is agent.Do; a runner that panics has failed, and what it did is looked at all the same.
func do(ctx context.Context, r agent.Runner, c agent.Call, base agent.Request, step *journal.Step) (response agent.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the runner of %s panicked: %v", agentName, p)
		}
	}()
	return agent.Do(ctx, r, c, base, step)
}

func failed(err error) answer { return answer{err: err, class: agentClass(err)} }

// workplace is where one call works, and what looks after it there.
type workplace struct {
	folder string
	// scratch is the folder outside of it where also a call that only reads may write.
	scratch string
	// tree is the working tree of the call's own; nil if it has none.
	tree *worktree.Tree
	// guards look whether a call that only reads changed something: the workspace first, then what that
	// does not cover. looking is held while they do.
	guards  []*watch.Guarded
	looking sync.Mutex
	// own are the user's files outside of the workspace that such a call must not change either.
	own fingerprint
	// watched looks what another one did.
	watched *watch.Watched
}

// place finds, or makes, the folder that a call works in.
func (a *attempt) place(ctx context.Context, c *call, asked resolved, step *journal.Step) (*workplace, error) {
	folder, err := agent.ResolveCwd(a.workspace, asked.Options.Cwd)
	if err != nil {
		return nil, err
	}
	p := &workplace{folder: folder}
	mark := step.RunID() + "/" + strings.TrimPrefix(c.Key, "/")
	if c.request.Isolated {
		if p.tree, err = a.worktree(ctx, c, folder, asked.Options.Base, mark, step); err != nil {
			return nil, err
		}
		p.folder = p.tree.Folder()
	}
	switch {
	case c.request.ReadOnly:
		p.scratch, p.own = a.scratch(), fingerprintOf(a.o.Guarded)
		for _, place := range []string{a.workspace, p.folder} {
			if place != "" && !slices.ContainsFunc(p.guards, func(g *watch.Guarded) bool { return g.Covers(place) }) {
				p.guards = append(p.guards, watch.Guard(ctx, place, mark, step, a.ownFolders()...))
			}
		}
	case p.tree == nil:
		p.watched = watch.Begin(ctx, p.folder, mark, step)
	}
	return p, nil
}

// leavePlace looks at what the call did where it worked, and adds that to its answer.
func (a *attempt) leavePlace(ctx context.Context, c *call, p *workplace, result *answer) {
	if c.request.ReadOnly {
		a.heedGuards(ctx, c, p, result)
	}
	if result.class == journal.FailureCancelled {
		return // it is interrupted, and looked at when it is made again
	}
	if p.tree != nil {
		a.leaveTree(ctx, p.tree, result)
	}
	if p.watched != nil {
		changes, note := p.watched.Changes(ctx)
		result.changes, result.note = changes, remark(result.note, note)
	}
}

// remark adds a remark for people to those that are there.
func remark(note, more string) string {
	if note != "" && more != "" {
		note += "; "
	}
	return note + more
}

// scratch is the run's own folder outside of every repository; "" if there is none.
func (a *attempt) scratch() string {
	if a.o.Work == "" {
		return ""
	}
	folder := filepath.Join(a.o.Work, a.id, "scratch")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		a.o.Logger.Warn("there is no folder in which read-only agents may write", "run", a.id, "cause", err)
		return ""
	}
	return folder
}

// agentClass is the class of an agent's failure. A usage limit, a policy that the agent cannot keep, a
// fence that did not hold and a tree that cannot be had are no answers: when the run goes on, the agent is asked again.
func agentClass(err error) string {
	switch {
	case err == nil:
		return ""
	case fault.Is(err, fault.UsageLimit), fault.Is(err, fault.PlanConfiguration), fault.Is(err, fault.ReadOnlyViolated),
		fault.Is(err, fault.WorktreeUnavailable), fault.Is(err, fault.WorktreeConflict):
		return journal.FailureFatal
	default:
		return agent.Class(err)
	}
}

var errNoAgent = fault.New(fault.AgentNotConfigured, "the script calls agent(), and no agent is configured",
	"name one: --agent 'COMMAND ARGS', --agent script:FILE, or [agents.NAME] in .assent/config.toml")
