package cli

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// tuned is an agent as its table in the configuration wants it: with a model and an effort for
// requests that name none, and an end to attempts that take too long.
type tuned struct {
	// runner makes the agent, once.
	runner        func() (agent.Runner, error)
	name          string
	model, effort string
	limit         time.Duration
	// about, if there is something to say, is said once before the agent is first asked.
	about string
	told  *sync.Once
	say   func(text string)
}

var (
	_ agent.Runner    = (*tuned)(nil)
	_ agent.TierTaker = (*tuned)(nil)
)

// tune gives the agent of a table. The agent itself is made when it is first needed: the answers of a
// script of answers are not read for a run that does not ask it.
func (a *app) tune(name string, c agentConfig) *tuned {
	return &tuned{
		runner: sync.OnceValues(func() (agent.Runner, error) { return a.runnerFor(name, c) }),
		name:   name, model: c.model, effort: c.effort, limit: c.timeout,
		about: c.introduction(name), told: c.told, say: a.say,
	}
}

// Run makes an attempt.
func (t *tuned) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	runner, err := t.runner()
	if err != nil {
		return agent.Response{}, err
	}
	if t.about != "" {
		t.told.Do(func() { t.say(t.about) })
	}
	req.Model, req.Effort = cmp.Or(req.Model, t.model), cmp.Or(req.Effort, t.effort)
	if t.limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, t.limit, fault.New(fault.AgentTimeout,
			fmt.Sprintf("the agent %s did not answer within %s", t.name, t.limit), "raise [agents."+t.name+"] timeout"))
		defer cancel()
		ctx = limited
	}
	return runner.Run(ctx, req, step)
}

// TakesTiers says whether the agent itself is told of a tier that stands for nothing in the
// configuration.
func (t *tuned) TakesTiers() bool {
	runner, err := t.runner()
	if err != nil {
		return false
	}
	taker, ok := runner.(agent.TierTaker)
	return ok && taker.TakesTiers()
}
