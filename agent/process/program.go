package process

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
	// Env is the environment before FilterEnv; Keep names variables that
	// programs do not get by themselves.
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
	j := New(p.Dir, run+"/"+what, p.Env, p.Keep)
	j.Argv, j.Stdin, j.MaxOutput, j.Grace = p.Argv, input, p.MaxOutput, p.Grace
	out, err := j.Run(ctx, nil)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be started: %w", p.name(), err)
	case out.Late:
		return nil, context.Cause(ctx)
	case out.Over:
		return nil, fmt.Errorf("%s printed more than %d bytes", p.name(), j.withDefaults().MaxOutput)
	case out.State == nil:
		return nil, errors.New(p.name() + " could not be ended")
	case !out.State.Success():
		return nil, p.failure(out, j.Env)
	case out.Held:
		return nil, errors.New(p.name() + " ended, but something that it started still held its output")
	}
	return out.Stdout, nil
}

func (p *Program) failure(out Outcome, env []string) error {
	what := out.State.String() // "exit status 3", "signal: killed"
	if out.State.Exited() {
		what = fmt.Sprintf("exit code %d", out.State.ExitCode())
	}
	if text := LastOf(out.Stderr, env); text != "" {
		what += "; standard error ends: " + text
	}
	return fmt.Errorf("%s failed with %s", p.name(), what)
}

func (p *Program) name() string { return filepath.Base(p.Argv[0]) }
