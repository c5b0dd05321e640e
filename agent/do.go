package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Do makes call c with r: attempts with their timeout, retries of ordinary failures, and for
// a call with a schema the check of the answer and up to two repair rounds.
//
// base says where the call stands: Run, Call, Tier, and Cwd, which is the workspace; the
// call's own cwd is resolved inside it. Label, Phase, Model and Effort are the call's own unless
// base has them, PermissionMode is base's, and ReadOnly is set if either says so. The rest is
// filled in.
//
// Before each further attempt, base.Again is asked. If it refuses, the call ends as the last
// attempt left it, with the refusal as a part of its error.
//
// The Response has the usage of all attempts, also beside an error, and each attempt by itself if
// there were several. An answer that is there is returned even if ctx ended meanwhile: it is paid
// for.
func Do(ctx context.Context, r Runner, c Call, base Request, step Step) (Response, error) {
	req, schema, err := c.request(base)
	if err != nil {
		return Response{}, err
	}
	if err := c.fits(c.Prompt); err != nil {
		return Response{}, err
	}
	req.Again, req.ContextWarning = nil, 0
	t := tries{retries: c.Options.Retries}
	for req.Attempt = 1; ; req.Attempt++ {
		began := time.Now()
		resp, err := attempt(ctx, r, c, req, step)
		t.made(time.Since(began), resp.Usage)
		var wrong *AnswerError
		if err == nil {
			resp.Value, wrong = accept(schema, c.Options.Strict, resp)
		}
		switch {
		case wrong != nil:
			err = fault.Wrap(wrong, fault.SchemaNoncompliance,
				fmt.Sprintf("no answer in %d satisfies the schema", req.Attempt), "make the schema simpler, or the prompt more exact")
		case err == nil:
			if schema == nil && string(resp.Value) == `""` {
				resp.Note = joined(resp.Note, "the agent's answer is empty")
			}
			return c.ended(t, resp, base), nil
		case ctx.Err() != nil && Class(err) == journal.FailureOrdinary:
			err = cancelled(ctx)
		}
		t.failed(err, wrong)
		next, more := t.next(err, wrong != nil)
		if more && ctx.Err() == nil {
			prompt := req.Prompt
			if wrong != nil {
				prompt = repairPrompt(c.Prompt, wrong)
			}
			if err = c.leave(ctx, base.Again, next, prompt, err); err == nil {
				if wrong != nil {
					req.Prompt, req.asked = prompt, c.Prompt
				}
				continue
			}
		}
		return c.ended(t, Response{Note: resp.Note}, base), err
	}
}

// leave is nil if the call may be tried again, with prompt, else the error that it ends with: failed,
// and why that is the last word. A call that was cancelled while it waited for leave is no failure.
func (c Call) leave(ctx context.Context, again func(context.Context, Next) error, next Next, prompt string, failed error) error {
	refusal := c.fits(prompt)
	if refusal == nil && again != nil {
		refusal = again(ctx, next)
	}
	switch {
	case refusal == nil:
		return nil
	case ctx.Err() != nil:
		return cancelled(ctx)
	}
	return notAgain(failed, refusal)
}

// request is the request of the first attempt.
func (c Call) request(base Request) (Request, *jsonschema.Schema, error) {
	o := c.Options
	req := base
	req.Version, req.Prompt, req.Schema = Version, c.Prompt, o.Schema
	req.Tools, req.DisallowedTools, req.Skills = o.Tools, o.DisallowedTools, o.Skills
	req.MaxContextTokens = o.MaxContextTokens
	req.ReadOnly = base.ReadOnly || o.ReadOnly != nil && *o.ReadOnly
	for _, own := range []struct{ to, from *string }{{&req.Label, &o.Label}, {&req.Phase, &o.Phase}, {&req.Model, &o.Model}, {&req.Effort, &o.Effort}} {
		if *own.to == "" {
			*own.to = *own.from
		}
	}
	var err error
	if req.Cwd, err = ResolveCwd(base.Cwd, o.Cwd); err != nil {
		return Request{}, nil, err
	}
	if o.Schema == nil {
		return req, nil, nil
	}
	schema, err := compile(o.Schema)
	return req, schema, err
}

// attempt is one attempt within its time. What a runner gives is checked here, so that no
// runner can hand on what is not JSON.
func attempt(ctx context.Context, r Runner, c Call, req Request, step Step) (Response, error) {
	if timeout := c.Options.Timeout; timeout > 0 {
		late := fault.New(fault.AgentTimeout, fmt.Sprintf("the agent did not answer within %s", timeout), "raise timeoutMs")
		limited, cancel := context.WithTimeoutCause(ctx, timeout, late)
		defer cancel()
		ctx = limited
	}
	if ctx.Err() != nil {
		return Response{}, ended(ctx)
	}
	resp, err := r.Run(ctx, req, step)
	if err != nil {
		// Whatever a runner calls it, an attempt that failed when its time was up was ended.
		own := fault.CodeOf(err)
		if ctx.Err() != nil && (own == "" || own == fault.AgentFailed) {
			err = ended(ctx)
		}
		return resp, err
	}
	if len(resp.Value) > MaxValueBytes {
		return resp, tooLarge(MaxValueBytes)
	}
	if c.Options.Schema != nil {
		return resp, nil // accept checks it, and a repair round can mend it
	}
	if resp.Value, err = checked(resp.Value); err != nil {
		return resp, bad("the agent's answer cannot be used", resp.Value, err.Error())
	}
	return resp, nil
}

// accept returns the value that a response holds, strictly nothing else if so, or what is wrong with it.
func accept(schema *jsonschema.Schema, strict bool, resp Response) (json.RawMessage, *AnswerError) {
	if schema == nil {
		return resp.Value, nil
	}
	raw := string(resp.Value)
	value, err := checked(resp.Value)
	if err == nil && !resp.Structured && kindOf(value) == "a string" {
		if err = json.Unmarshal(value, &raw); err == nil {
			find := Extract
			if strict {
				find = Alone
			}
			value, err = find(raw)
		}
	}
	if err != nil {
		return nil, &AnswerError{Raw: raw, Problems: []string{err.Error()}}
	}
	problems, err := validate(schema, value)
	if err != nil {
		problems = []string{err.Error()}
	}
	if len(problems) > 0 {
		return nil, &AnswerError{Raw: raw, Problems: problems}
	}
	return value, nil
}

// joined adds a remark to those that are there.
func joined(note, more string) string {
	switch {
	case note == "":
		return more
	case more == "":
		return note
	}
	return note + "; " + more
}

func tooLarge(limit int64) error {
	return fault.New(fault.AgentOutputTooLarge, fmt.Sprintf("the agent's answer has more than %d bytes", limit),
		"have the agent write large results to a file and answer with its path")
}
