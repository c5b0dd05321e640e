package process

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
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
	// group is ended; when the child ends, the output does. Its ctx ends with that of Run. MaxOutput
	// is not watched over: what it keeps is its own business.
	Talk func(ctx context.Context, in io.WriteCloser, out io.Reader) error
	// MaxOutput caps standard output in bytes, 0 is DefaultMaxOutput, or DefaultMaxStream with Lines;
	// Grace is how long the group may take to end, 0 is DefaultGrace.
	MaxOutput int64
	Grace     time.Duration

	attempt string // the value of attemptMarker in Env
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
	// Over says that the child printed more than it may, Late that ctx ended it.
	Over, Late bool
	// Held says that something the child left behind still held its output, and was ended.
	Held bool
	// Talked is what Talk returned.
	Talked error
}

// Success reports whether the child ended by itself, with exit code 0.
func (o Outcome) Success() bool { return o.State != nil && o.State.Success() }

// Run starts the child, hands it its input, and returns when the child and its whole process
// group have ended. The error is that of starting it.
func (j Job) Run(ctx context.Context, step Step) (Outcome, error) {
	j = j.withDefaults()
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
		out.Late, out.Talked = c.converse(ctx, j.Talk, j.Grace)
	} else {
		go c.feed(j.Stdin)
		out.Over, out.Late = c.await(ctx)
		if !out.Over && !out.Late {
			out.Held = !c.drain(ctx, j.Grace)
		}
	}
	c.end(j.Grace)
	if out.Over || out.Late || out.Held || j.Talk != nil {
		endStrays(j.attempt)
	}
	c.close()
	out.Stdout, out.Stderr = c.stdout.data, c.stderr.data
	out.Over = out.Over || c.stdout.over
	select {
	case <-c.exited:
		out.State = c.cmd.ProcessState
	default:
	}
	return out, nil
}

// await waits for the child's end, the end of ctx, or too much output.
func (c *child) await(ctx context.Context) (over, late bool) {
	select {
	case <-c.exited:
	case <-c.over:
		over = true
	case <-ctx.Done():
		select {
		case <-c.exited: // it had ended by itself: its answer is paid for
		default:
			late = true
		}
	}
	return over, late
}

// converse lets talk have the child's input and output, and returns when it is done. A talk that
// does not end with ctx is ended with the child: its pipes break.
func (c *child) converse(ctx context.Context, talk func(context.Context, io.WriteCloser, io.Reader) error, grace time.Duration) (late bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	talked := make(chan error, 1)
	reader, writer := io.Pipe()
	go func() {
		defer close(c.stdoutDone)
		_, err := io.Copy(writer, c.out)
		_ = writer.CloseWithError(err)
	}()
	go func() { talked <- talk(ctx, c.in, reader) }()
	finish := func() error {
		_ = c.in.Close()
		close(c.fed)
		_ = reader.Close()
		return err
	}
	select {
	case err = <-talked:
		return ctx.Err() != nil, finish()
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err = <-talked: // it may take its leave, such as a request to cancel
	case <-timer.C:
		_ = c.in.Close()
		_ = reader.CloseWithError(context.Cause(ctx))
		err = <-talked
	}
	return true, finish()
}

// child is a running job.
type child struct {
	cmd    *exec.Cmd
	pid    int
	exited chan struct{} // closed when the child itself has ended and cmd.ProcessState is set
	over   chan struct{} // closed when stdout has passed its limit

	in, out, err *os.File // our ends of its pipes
	fed          chan struct{}
	stdout       capped
	stderr       tail
	stdoutDone   chan struct{}
	stderrDone   chan struct{}
}

func (j Job) start() (*child, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, closeAll(inR, inW))
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, closeAll(inR, inW, outR, outW))
	}
	cmd := exec.Command(j.Argv[0], j.Argv[1:]...)
	cmd.Dir, cmd.Env = j.Dir, j.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
	cmd.SysProcAttr = attributes()
	started := cmd.Start()
	if err := closeAll(inR, outW, errW); started == nil && err != nil {
		started = err
	}
	if started != nil {
		if cmd.Process != nil {
			endGroup(cmd.Process, cmd.Process.Pid)
			_ = cmd.Wait()
		}
		return nil, errors.Join(started, closeAll(inW, outR, errR))
	}
	c := &child{
		cmd: cmd, pid: cmd.Process.Pid, in: inW, out: outR, err: errR,
		exited: make(chan struct{}), over: make(chan struct{}), fed: make(chan struct{}),
		stdoutDone: make(chan struct{}), stderrDone: make(chan struct{}),
		stdout: capped{limit: j.MaxOutput}, stderr: tail{limit: stderrKept},
	}
	go func() { defer close(c.exited); _ = cmd.Wait() }()
	switch over := func() { close(c.over) }; {
	case j.Talk != nil: // converse reads it
	case j.Lines != nil:
		go func() { defer close(c.stdoutDone); c.stdout.lines(outR, j.MaxLine, j.Lines, over) }()
	default:
		go func() { defer close(c.stdoutDone); c.stdout.read(outR, over) }()
	}
	go func() { defer close(c.stderrDone); c.stderr.read(errR) }()
	return c, nil
}

func closeAll(files ...*os.File) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// feed hands the child its input and closes it. A child that does not read it is no error.
func (c *child) feed(input []byte) {
	defer close(c.fed)
	_, _ = c.in.Write(input)
	_ = c.in.Close()
}

// drain waits, after the child has ended, for the end of its output; false if something else
// holds a pipe after grace, or when ctx ends.
func (c *child) drain(ctx context.Context, grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	stop := context.AfterFunc(ctx, func() { timer.Reset(min(grace, hurry)) })
	defer stop()
	for _, done := range []chan struct{}{c.stdoutDone, c.stderrDone} {
		select {
		case <-done:
		case <-timer.C:
			return false
		}
	}
	return true
}

// end ends the whole group: it is asked to, and after grace made to. A process that even then
// does not end (one of another user, one stuck in the kernel) is not waited for.
func (c *child) end(grace time.Duration) {
	askGroup(c.cmd.Process, c.pid)
	if c.gone(grace) {
		return
	}
	endGroup(c.cmd.Process, c.pid)
	c.gone(grace)
}

// gone waits until the child and its group have ended, for at most limit.
func (c *child) gone(limit time.Duration) bool {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	select {
	case <-c.exited:
	case <-deadline.C:
		return false
	}
	pause := time.Millisecond
	for groupAlive(c.pid) {
		select {
		case <-deadline.C:
			return false
		case <-time.After(pause):
			pause = min(2*pause, 20*time.Millisecond)
		}
	}
	return true
}

// close closes our ends of the pipes, which ends the goroutines that use them.
func (c *child) close() {
	_ = closeAll(c.in, c.out, c.err)
	<-c.fed
	<-c.stdoutDone
	<-c.stderrDone
}
