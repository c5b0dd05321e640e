package runners

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// pi is the pi coding agent: `pi --print --mode json`, with the prompt as its standard input.
//
// It has no sandbox and asks nobody: its fence is the list of tools that it gets. A call that only
// reads gets tools that only read, and no extension, which is code; one in the mode "ask" or
// "accept-edits" gets no shell, since it could not ask before it uses it; any other all that it has.
var pi = Kind{
	Name: piName, Program: piName, Install: piInstall,
	Tiers: byEffort,
	New:   func(o Options) agent.Runner { return &piRunner{o} },
	Probe: probePi,
}

const (
	piName    = "pi"
	piInstall = "npm install -g @mariozechner/pi-coding-agent"

	// piSignIn is what to do about a pi that its provider does not know.
	piSignIn = "pi   # then /login; or set the provider's key, such as ANTHROPIC_API_KEY"

	// piMost caps pi's output: with each piece of a message it prints all of it again, so that a long
	// file is printed thousands of times. Nothing of that is kept.
	piMost = 64 << 30
)

// piEfforts are the levels that pi knows; it ignores any other with a warning.
var piEfforts = []string{"off", "minimal", "low", "medium", "high", "xhigh"}

type piRunner struct{ Options }

var _ agent.Runner = (*piRunner)(nil)

// Run makes one attempt.
func (p *piRunner) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	if ctx.Err() != nil {
		return agent.Response{}, agent.Ended(ctx)
	}
	plan, err := p.plan(req)
	if err != nil {
		return agent.Response{}, err
	}
	defer plan.remove()
	said := &piSaid{req: req}
	h := &headless{
		Options: p.Options, argv: plan.args, stdin: plan.prompt, environ: plan.environ, most: piMost,
		event: said.event, skip: piRepeats,
	}
	err = h.run(ctx, req, step, piName)
	resp := agent.Response{Usage: said.usage.used, Note: notes(plan.note, h.note())}
	if err != nil {
		return resp, err
	}
	return p.judge(h, said, resp, plan.model)
}

// judge says what an attempt came to. Pi ends with exit code 0 also if its provider failed.
func (p *piRunner) judge(h *headless, said *piSaid, resp agent.Response, model string) (agent.Response, error) {
	called := p.called(piName)
	if !h.out.Success() {
		word := process.LastOf(h.out.Stderr, h.job.Env)
		if err := refusal(lastLine(word), time.Now()); err != nil && said.last == nil {
			return resp, err
		}
		return resp, agent.Exited(called, h.job, h.out, "", nextOf(word, piSignIn))
	}
	switch {
	case h.damaged != nil:
		return resp, h.unusable(called)
	case said.last == nil || !said.ended:
		return resp, agent.Unusable(called+" ended without an answer", nil, "there is no agent_end with a message of the model's before it")
	}
	text := said.last.text()
	switch stop := said.last.StopReason; stop {
	case "error", "aborted":
		word := cmp.Or(said.last.ErrorMessage, "the request was "+stop)
		if err := refusal(word, time.Now()); err != nil {
			return resp, err
		}
		return resp, agent.Exited(called, h.job, h.out, word, nextOf(word, piSignIn))
	case "length":
		return resp, agent.Unusable(called+" has only the beginning of its model's answer", []byte(text), "the answer was longer than the model may make it")
	case "stop":
		if said.usage.wrong != nil {
			return resp, said.usage.uncounted(called)
		}
	default:
		return resp, agent.Unusable(called+" ended in the middle of its work", []byte(text), "the last message stopped for "+stop)
	}
	if used := said.last.model(); model != "" && used != model && said.last.Model != model {
		resp.Note = notes(resp.Note, "pi took "+used+" for the model "+model)
	}
	var err error
	resp.Value, err = agent.Text(text)
	return resp, err
}

// piPlan is what a request becomes for the program.
type piPlan struct {
	args, environ []string
	prompt, model string
	note          string
	// remove removes the file that the instructions are in.
	remove func()
}

// plan makes the arguments and the prompt of a request.
func (p *piRunner) plan(req agent.Request) (piPlan, error) {
	plan := piPlan{
		args: []string{"--print", "--mode", "json", "--no-prompt-templates"}, remove: func() {},
		prompt: piPrompt(withSchema(req.Prompt, req.Schema)), model: cmp.Or(req.Model, p.Model),
	}
	if err := plan.fence(req, p.Options); err != nil {
		return plan, err
	}
	if plan.model != "" {
		plan.args = append(plan.args, "--model", plan.model)
	}
	if effort := cmp.Or(req.Effort, p.Effort); effort != "" {
		if !slices.Contains(piEfforts, effort) {
			return plan, agent.Unable("effort", "pi knows "+strings.Join(piEfforts, ", ")+", and not "+effort)
		}
		plan.args = append(plan.args, "--thinking", effort)
	}
	if err := plan.skills(req, p.Options); err != nil {
		return plan, err
	}
	if req.Instructions != "" {
		// As a file: an argument has a length that it may not exceed.
		path, remove, err := scrap("instructions.md", []byte(req.Instructions))
		if err != nil {
			return plan, err
		}
		plan.remove = remove
		plan.args = append(plan.args, "--append-system-prompt", path)
	}
	return plan, nil
}

// piPrompt is a prompt that pi takes for one: what begins with a slash it takes for a command of an
// extension or a skill, and what a script wrote is neither.
func piPrompt(prompt string) string {
	if strings.HasPrefix(strings.TrimSpace(prompt), "/") {
		return "The task:\n\n" + prompt
	}
	return prompt
}
