package acp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Probe says what can be told of an agent without a request to a model: it starts the program, greets
// it, and has it make a session in an empty folder.
func Probe(ctx context.Context, o Options) runners.Probe {
	r := New(o)
	var found runners.Probe
	dir, err := os.MkdirTemp("", "assent-probe-*")
	if err != nil {
		return runners.Probe{Problem: "no folder can be made for it: " + err.Error()}
	}
	defer os.RemoveAll(dir)
	req := agent.Request{Run: "probe", Call: "/probe", Cwd: dir, ReadOnly: true}
	j, err := r.job(req)
	if err != nil {
		return problem(found, err, presetOf(r.program()).Install)
	}
	found.Path = j.Argv[0]
	s, err := r.session(req, nil, j.Env)
	if err != nil {
		return problem(found, err, "")
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	doing := "its start"
	j.Talk = func(ctx context.Context, in io.WriteCloser, out io.Reader) error {
		s.connect(ctx, in, out)
		defer s.shut()
		doing = "the greeting"
		if err := s.initialize(); err != nil {
			return err
		}
		doing = "the start of a session"
		_, err := s.begin()
		if own := refusal(err); own != nil && own.Code == authRequired {
			found.SignedIn = sdk.Ptr(false)
		} else if err == nil && len(s.methods) > 0 {
			found.SignedIn = sdk.Ptr(true)
		}
		if err != nil {
			return s.failure("the start of a session", err)
		}
		return nil
	}
	out, err := j.Run(ctx, nil)
	s.end()
	if err != nil {
		return problem(found, agent.NotStarted(j, r.program(), err), "")
	}
	if s.conn == nil {
		return problem(found, agent.Ended(ctx), "")
	}
	if s.info != nil {
		found.Version = cut(strings.TrimSpace(s.info.Name+" "+s.info.Version), 200)
	}
	_, err = s.response(ctx, j, out)
	if _, broken := s.wire.state(); broken == nil && err != nil && ctx.Err() != nil {
		err = fmt.Errorf("it did not get through %s within %s, and was ended", doing, probeTime)
		if last := process.LastOf(out.Stderr, j.Env); last != "" {
			err = fmt.Errorf("%w; standard error ends: %s", err, last)
		}
	}
	return problem(found, err, "")
}

// problem adds what went wrong, and what to do about it.
func problem(p runners.Probe, err error, next string) runners.Probe {
	if err == nil {
		return p
	}
	p.Problem, p.Next = err.Error(), next
	if e, ok := errors.AsType[*fault.Error](err); ok {
		p.Problem = e.What
		if next == "" {
			p.Next = e.Next
		}
	}
	return p
}
