package acp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Run has the agent make one attempt.
func (r *Runner) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	if ctx.Err() != nil {
		return agent.Response{}, agent.Ended(ctx)
	}
	req.Cwd = cmp.Or(req.Cwd, r.o.Dir, ".")
	j, err := r.job(req)
	if err != nil {
		return agent.Response{}, err
	}
	s, err := r.session(req, step, j.Env)
	if err != nil {
		return agent.Response{}, err
	}
	j.Talk = s.talk
	out, err := j.Run(ctx, step)
	s.end()
	if err != nil {
		return agent.Response{}, agent.NotStarted(j, r.program(), err)
	}
	if s.conn == nil { // ctx ended before the program was started
		return agent.Response{}, agent.Ended(ctx)
	}
	return s.response(ctx, j, out)
}

// job is the agent's program with its fences.
func (r *Runner) job(req agent.Request) (process.Job, error) {
	path, err := agent.FindProgram(r.program(), r.o.Dir)
	if err != nil {
		return process.Job{}, err
	}
	j := agent.NewJob(req, r.o.Env, r.o.Keep)
	j.Argv = append([]string{path}, r.o.Command[1:]...)
	j.Grace = r.o.Grace
	if req.ReadOnly {
		j.Env = append(j.Env, gitFences...)
	}
	if req.ReadOnly && presetOf(path).Name == "codex-acp" {
		fence, err := r.codexFence(req.Cwd)
		if err != nil {
			return process.Job{}, err
		}
		j.Argv = append(j.Argv, fence...)
	}
	for _, set := range presetOf(path).Set {
		name, value, _ := strings.Cut(set, "=")
		has := func(v string) bool { return strings.HasPrefix(v, name+"=") }
		switch {
		case value == "":
			j.Env = slices.DeleteFunc(j.Env, has)
		case !slices.ContainsFunc(j.Env, has):
			j.Env = append(j.Env, set)
		}
	}
	return j, nil
}

// codexFence are arguments that keep Codex's adapter from starting, beside the sandbox, what its user's
// configuration names or that of a repository which the user trusts.
func (r *Runner) codexFence(cwd string) ([]string, error) {
	args := r.o.Command[1:]
	if i := slices.IndexFunc(args, func(arg string) bool { return strings.Contains(arg, "mcp_servers") || arg == "--" }); i >= 0 {
		return nil, fault.New(fault.AgentUnable, fmt.Sprintf("%s cannot be kept from writing with the argument %.100q", r.called(), args[i]),
			"take it out of the agent's command in the configuration, or give calls that only read another agent")
	}
	return runners.CodexReadOnly(runners.Options{Dir: r.o.Dir, Env: r.o.Env, Keep: r.o.Keep}, cwd)
}

// response is what the conversation came to. What was used is told in any case.
func (s *session) response(ctx context.Context, j process.Job, out process.Outcome) (agent.Response, error) {
	text := s.finish()
	resp := agent.Response{Usage: s.usage(s.answer.Usage)}
	odd, broken := s.wire.state()
	switch err := out.Talked; {
	case broken != nil:
		return resp, broken
	case err == nil:
		resp.Note = s.remark(odd)
		resp.Value, err = agent.Text(text)
		return resp, err
	case ctx.Err() != nil:
		return resp, agent.Ended(ctx)
	case errors.Is(err, errGone):
		return resp, agent.Exited(s.r.called(), j, out, errGone.Error(), "")
	default:
		return resp, err
	}
}

// remark says what a person should know beside the answer.
func (s *session) remark(odd int) string {
	var remarks []string
	if odd > 0 {
		remarks = append(remarks, fmt.Sprintf("%d lines that the agent wrote were no messages of the protocol", odd))
	}
	if named := s.req.Tools != nil || len(s.req.DisallowedTools) > 0; named && (s.info == nil || !strings.Contains(s.info.Name, "claude")) {
		remarks = append(remarks, "the agent client protocol cannot choose an agent's tools, so tools and disallowedTools are not enforced")
	}
	return strings.Join(remarks, "; ")
}

// promptText is what the agent is told: the instructions of the agent type, the prompt, and what the
// answer has to be, for which the protocol has no field.
func promptText(req agent.Request) string {
	text := req.Prompt
	if req.Instructions != "" {
		text = req.Instructions + "\n\n" + text
	}
	if len(req.Schema) > 0 {
		text += "\n\nEnd with a last message that is one JSON value and nothing else, neither a remark nor a fence. It has to satisfy this JSON Schema:\n" + string(req.Schema)
	}
	if strings.HasPrefix(strings.TrimSpace(text), "/") {
		text = "The task:\n\n" + text // which adapters would take for a command of theirs, such as /logout
	}
	return text
}

// called is how messages call the agent.
func (r *Runner) called() string {
	if r.o.Name != "" {
		return "the agent " + r.o.Name
	}
	return "the agent " + filepath.Base(r.program())
}

// leave is how long the agent has to say that it was cancelled, before its pipes break.
func (r *Runner) leave() time.Duration {
	return min(leaveTime, cmp.Or(r.o.Grace, process.DefaultGrace)/2)
}

// program is what the command line begins with.
func (r *Runner) program() string {
	if len(r.o.Command) == 0 {
		return ""
	}
	return r.o.Command[0]
}
