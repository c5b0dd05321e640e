package agenttest_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/journal"
)

func TestMain(m *testing.M) {
	agenttest.Main(map[string]agenttest.Speaker{"lines": {Hear: hear, Say: say}})
	goleak.VerifyTestMain(m)
}

// hear hears the program of the runner below: the prompt is its input, and its end.
func hear(p *agenttest.Program) (agenttest.Heard, error) {
	prompt, err := io.ReadAll(p.In)
	if len(p.Args) > 0 {
		prompt = append(prompt, strings.Join(p.Args, " ")...)
	}
	return agenttest.Heard{Prompt: string(prompt)}, err
}

// say speaks as that program does: a line for what is said, and one for what it came to.
func say(p *agenttest.Program, b agenttest.Behaviour) error {
	for _, e := range b.Events {
		if err := p.Line(map[string]any{"say": e.Text}); err != nil {
			return err
		}
	}
	switch {
	case b.Wait:
		return nil
	case b.Failure != "":
		return p.Last(map[string]any{"failed": b.Failure, "in": b.Usage.Input, "out": b.Usage.Output})
	}
	return p.Last(map[string]any{"done": b.Text, "in": b.Usage.Input, "out": b.Usage.Output})
}

// subject is the runner below, with a fault or none.
func subject(f fault) agenttest.Subject {
	return agenttest.Subject{
		Speaker: "lines",
		New: func(_ *testing.T, s agenttest.Start) agent.Runner {
			return &runner{program: s.Program, env: s.Env, most: s.MaxOutput, grace: s.Grace, fault: f, another: make(chan struct{})}
		},
		Lacks: map[agenttest.Trait]string{
			agenttest.Structured: "no schemas", agenttest.Cost: "tokens alone", agenttest.Sessions: "none", agenttest.Tools: "none",
			agenttest.ToolLists: "none", agenttest.Limits: "none", agenttest.NoModels: "none", agenttest.Models: "one",
			agenttest.Efforts: "none", agenttest.Instructions: "none", agenttest.Fences: "only speaks",
		},
	}
}

// runner is a small one, and right without a fault.
type runner struct {
	program string
	env     []string
	most    int64
	grace   time.Duration
	fault   fault

	// Of the fault "shares what it heard": that, and how many calls have ended.
	last    line
	ended   atomic.Int64
	another chan struct{}
}

type line struct {
	Say    string  `json:"say"`
	Done   *string `json:"done"`
	Failed string  `json:"failed"`
	In     int64   `json:"in"`
	Out    int64   `json:"out"`
}

func (r *runner) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	if r.fault == eager {
		ctx = context.WithoutCancel(ctx)
	}
	if ctx.Err() != nil {
		return agent.Response{}, agent.Ended(ctx)
	}
	path, err := agent.FindProgram(r.program, "")
	if err != nil {
		return agent.Response{}, err
	}
	var own line
	last, broken := &own, false
	job := agent.NewJob(req, r.env, nil)
	job.Argv, job.Stdin, job.MaxOutput, job.Grace = []string{path}, []byte(req.Prompt), r.most, r.grace
	job.Lines = func(text []byte) {
		var l line
		switch err := json.Unmarshal(text, &l); {
		case err != nil:
			broken = true
		case l.Say != "":
			req.Say(agent.Event{Type: agent.EventText, Text: l.Say})
		default:
			*last = l
		}
	}
	r.fault.spoil(&job, req, &step, r)
	if r.fault == shared {
		last = &r.last
	}
	out, err := job.Run(ctx, step)
	if r.fault == shared {
		// The first to end waits for another, which has written over what it heard by then.
		if r.ended.Add(1) == 2 {
			close(r.another)
		}
		select {
		case <-r.another:
		case <-ctx.Done():
		}
	}
	resp := agent.Response{Usage: journal.Usage{Input: last.In, Output: last.Out}}
	return r.judge(ctx, resp, job, out, *last, broken, err)
}

func (r *runner) judge(ctx context.Context, resp agent.Response, job process.Job, out process.Outcome, last line, broken bool, err error) (agent.Response, error) {
	switch {
	case err != nil:
		return resp, agent.NotStarted(job, r.program, err)
	case out.Late:
		return resp, agent.Ended(ctx)
	case out.Over:
		return resp, agent.TooLarge(r.most)
	case last.Failed != "", !out.Success() && r.fault != trusting:
		if r.fault == forgetful {
			resp.Usage = journal.Usage{}
		}
		return resp, agent.Exited("the agent lines", job, out, last.Failed, "")
	case (broken || last.Done == nil) && r.fault != guessing:
		return resp, agent.Unusable("the output is damaged", nil)
	case last.Done == nil:
		last.Done = new(string)
	}
	resp.Value, err = agent.Text(*last.Done)
	return resp, err
}
