package agent

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// Program is a program of the user's that is no agent and gets an agent's fences: it carries a
// question to a person, or the news that one waits. It runs as a Command does: in a session and
// group of its own, without a terminal, with a filtered environment, and with the mark by which a
// process below it is known, so that what it starts cannot answer by another way.
type Program struct {
	// Argv is the program, by its path, and its arguments.
	Argv []string
	// Dir is the folder that it runs in.
	Dir string
	// Env is the environment before FilterEnv; Keep names variables that FilterEnv would withhold.
	Env, Keep []string
	// MaxOutput caps standard output in bytes.
	MaxOutput int64
	// Grace is how long its group may take to end; 0 is DefaultGrace.
	Grace time.Duration
}

// Run starts the program with mark (RUN/WHAT), hands it its input, and gives what it printed if
// it ended by itself, with exit code 0, and left nothing behind that could print more. When ctx
// ends, the whole group is ended, and the error is the cause.
func (p *Program) Run(ctx context.Context, run, what string, input []byte) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	j := newJob(Request{Run: run, Call: what, Cwd: p.Dir}, p.Env, p.Keep)
	j.argv, j.stdin, j.maxOutput, j.grace = p.Argv, input, p.MaxOutput, p.Grace
	out, err := j.withDefaults().run(ctx, nil)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be started: %w", p.name(), err)
	case out.late:
		return nil, context.Cause(ctx)
	case out.over:
		return nil, fmt.Errorf("%s printed more than %d bytes", p.name(), j.withDefaults().maxOutput)
	case out.state == nil:
		return nil, errors.New(p.name() + " could not be ended")
	case !out.state.Success():
		return nil, p.failure(out, j.env)
	case out.held:
		return nil, errors.New(p.name() + " ended, but something that it started still held its output")
	}
	return out.stdout, nil
}

func (p *Program) failure(out outcome, env []string) error {
	what := out.state.String() // "exit status 3", "signal: killed"
	if out.state.Exited() {
		what = fmt.Sprintf("exit code %d", out.state.ExitCode())
	}
	if text := lastOf(out.stderr, env); text != "" {
		what += "; standard error ends: " + text
	}
	return fmt.Errorf("%s failed with %s", p.name(), what)
}

func (p *Program) name() string { return filepath.Base(p.Argv[0]) }
