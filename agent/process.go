package agent

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// job is one child process to run, with everything that it starts.
type job struct {
	argv      []string
	dir       string
	env       []string
	stdin     []byte
	maxOutput int64
	grace     time.Duration
	attempt   string // the value of attemptMarker in env
}

// outcome is how a child ended.
type outcome struct {
	state  *os.ProcessState // nil if the child could not be ended
	stdout []byte
	stderr []byte
	// over says that the child printed more than it may, late that ctx ended it.
	over, late bool
	// held says that something the child left behind still held its output, and was ended.
	held bool
}

// run starts the child, hands it its input, and returns when the child and its whole process
// group have ended. The error is that of starting it.
func (j job) run(ctx context.Context, step Step) (outcome, error) {
	c, err := j.start()
	if err != nil {
		return outcome{}, err
	}
	done := func() {}
	if step != nil {
		done = step.Process(c.pid, c.pid)
	}
	defer done()
	go c.feed(j.stdin)

	var out outcome
	select {
	case <-c.exited:
	case <-c.over:
		out.over = true
	case <-ctx.Done():
		select {
		case <-c.exited: // it had ended by itself: its answer is paid for
		default:
			out.late = true
		}
	}
	if !out.over && !out.late {
		out.held = !c.drain(ctx, j.grace)
	}
	c.end(j.grace)
	if out.over || out.late || out.held {
		endStrays(j.attempt)
	}
	c.close()
	out.stdout, out.stderr = c.stdout.data, c.stderr.data
	out.over = out.over || c.stdout.over
	select {
	case <-c.exited:
		out.state = c.cmd.ProcessState
	default:
	}
	return out, nil
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

func (j job) start() (*child, error) {
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
	cmd := exec.Command(j.argv[0], j.argv[1:]...)
	cmd.Dir, cmd.Env = j.dir, j.env
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
		stdout: capped{limit: j.maxOutput}, stderr: tail{limit: stderrKept},
	}
	go func() { defer close(c.exited); _ = cmd.Wait() }()
	go func() { defer close(c.stdoutDone); c.stdout.read(outR, func() { close(c.over) }) }()
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

// hurry is how long the end of an output may take to reach us once ctx has ended.
const hurry = 100 * time.Millisecond

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
