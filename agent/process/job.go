package process

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"time"
)

// Step is told of each process group that is started, before that gets its work, so that whoever
// takes a run over after a crash can end it; done is called when the group has ended. *journal.Step
// is one. Process may be called from several goroutines at once, as may each done.
type Step interface {
	Process(pid, pgid int) (done func())
}

// Job is one child process to run, with everything that it starts.
type Job struct {
	// Argv is the program, by its path, and its arguments; Dir is the folder it runs in.
	Argv []string
	Dir  string
	// Env is the whole environment; New makes one with the marks by which agents are known.
	Env []string
	// Stdin is what the child reads before the end of its input.
	Stdin []byte
	// Lines, if set, is handed each line that the child prints, without its end and when it is
	// there; Outcome.Stdout is then empty. A line is valid during the call only. A line of more than
	// MaxLine bytes (0 is DefaultMaxOutput) counts as too much output.
	Lines   func(line []byte)
	MaxLine int
	// Talk, if set, converses with the child in place of Stdin and Lines: it writes to the child's
	// input, which it may close, and reads its output. When it returns, the input is closed and the
	// group is ended; when the child ends, the output does, and something left behind that holds a
	// pipe keeps it for Grace. Its ctx ends with that of Run, and it has Grace to take its leave
	// before its pipes break; if it then returns nil, it had come to its end all the same. MaxOutput is
	// not watched over: what it keeps is its own business.
	Talk func(ctx context.Context, in io.WriteCloser, out io.Reader) error
	// MaxOutput caps standard output in bytes, 0 is DefaultMaxOutput, or DefaultMaxStream with Lines;
	// Grace is how long the group may take to end, 0 is DefaultGrace.
	MaxOutput int64
	Grace     time.Duration

	attempt  string // the value of attemptMarker in Env
	readOnly bool
}

// New is a job in a folder, with the fences that every child gets: an environment that FilterEnv
// made of environ, and the marks by which a process below it is known. mark is RUN/WHAT.
func New(dir, mark string, environ, keep []string) Job {
	if environ == nil {
		environ = os.Environ()
	}
	attempt := rand.Text()
	return Job{
		Dir: dir, attempt: attempt,
		Env: append(FilterEnv(environ, keep), Marker+"="+mark, attemptMarker+"="+attempt),
	}
}

func (j Job) withDefaults() Job {
	if j.MaxOutput <= 0 {
		j.MaxOutput = DefaultMaxOutput
		if j.Lines != nil {
			j.MaxOutput = DefaultMaxStream
		}
	}
	if j.MaxLine <= 0 {
		j.MaxLine = DefaultMaxOutput
	}
	if j.Grace <= 0 {
		j.Grace = DefaultGrace
	}
	return j
}

// Outcome is how a child ended.
type Outcome struct {
	// State is nil if the child could not be ended.
	State *os.ProcessState
	// Stdout is what it printed, Stderr the end of what it wrote to standard error.
	Stdout, Stderr []byte
	// Over says that the child printed more than it may, Late that ctx ended before the child had, or
	// Talk had come to its end.
	Over, Late bool
	// LongLine says that it was a line that had more than a line may have, and not the whole.
	LongLine bool
	// Held says that something the child left behind still held its output, and was ended.
	Held bool
	// Talked is what Talk returned.
	Talked error
}

// Success reports whether the child ended by itself, with exit code 0.
func (o Outcome) Success() bool { return o.State != nil && o.State.Success() }

// Run starts the child, hands it its input, and returns when the child and its whole process
// group have ended. The error is that of starting it. With a ctx that has ended nothing is started,
// and the outcome is late.
func (j Job) Run(ctx context.Context, step Step) (Outcome, error) {
	j = j.withDefaults()
	if ctx.Err() != nil {
		return Outcome{Late: true}, nil
	}
	c, err := j.start()
	if err != nil {
		return Outcome{}, err
	}
	done := func() {}
	if step != nil {
		done = step.Process(c.pid, c.pid)
	}
	defer done()
	var out Outcome
	if j.Talk != nil {
		out.Late, out.Held, out.Talked = c.converse(ctx, j.Talk, j.Grace)
	} else {
		go c.feed(j.Stdin)
		out.Over, out.Late = c.await(ctx)
		if !out.Over && !out.Late {
			out.Held = !c.drain(ctx, j.Grace)
		}
	}
	c.end(j.Grace)
	// Otherwise what left the group goes on: a server that builds share, which other calls may use. But
	// below a call that only reads nobody looks any more at what it would do later.
	if out.Over || out.Late || out.Held || j.Talk != nil || j.readOnly {
		endStrays(j.attempt)
	}
	c.settle(hurry)
	c.close()
	out.Stdout, out.Stderr = c.stdout.data, c.stderr.data
	out.Over, out.LongLine = out.Over || c.stdout.over, c.stdout.long
	select {
	case <-c.exited:
		out.State = c.cmd.ProcessState
	default:
	}
	return out, nil
}
