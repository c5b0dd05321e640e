package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// child is a running job.
type child struct {
	cmd    *exec.Cmd
	pid    int
	exited chan struct{} // closed when the child itself has ended and cmd.ProcessState is set
	over   chan struct{} // closed when stdout has passed its limit

	in, err    *os.File // our ends of its pipes, as is out
	out        *source
	fed        chan struct{}
	stdout     capped
	stderr     tail
	stdoutDone chan struct{}
	stderrDone chan struct{}
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
		cmd: cmd, pid: cmd.Process.Pid, in: inW, out: &source{file: outR}, err: errR,
		exited: make(chan struct{}), over: make(chan struct{}), fed: make(chan struct{}),
		stdoutDone: make(chan struct{}), stderrDone: make(chan struct{}),
		stdout: capped{limit: j.MaxOutput}, stderr: tail{limit: stderrKept},
	}
	go func() { defer close(c.exited); _ = cmd.Wait() }()
	switch over := func() { close(c.over) }; {
	case j.Talk != nil: // converse reads it
	case j.Lines != nil:
		go func() { defer close(c.stdoutDone); c.stdout.lines(c.out, j.MaxLine, j.Lines, over) }()
	default:
		go func() { defer close(c.stdoutDone); c.stdout.read(c.out, over) }()
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

// drain waits, after the child has ended, for the end of its output; false if something else
// holds a pipe after grace, or soon after ctx ends.
func (c *child) drain(ctx context.Context, grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	stop := context.AfterFunc(ctx, func() { timer.Reset(min(grace, hurry)) })
	defer stop()
	held := c.out.watchOver()
	for open := true; open; {
		select {
		case <-c.stdoutDone:
			open = false
		case <-timer.C:
			if held() {
				return false
			}
			timer.Reset(hurry)
		}
	}
	select {
	case <-c.stderrDone:
		return true
	case <-timer.C:
		return false
	}
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

// settle lets what the child printed before its end reach us: once the group has ended nothing holds
// the pipes, but what left it may.
func (c *child) settle(limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for _, done := range []chan struct{}{c.stdoutDone, c.stderrDone} {
		select {
		case <-done:
		case <-timer.C:
			return
		}
	}
}

// close closes our ends of the pipes, which ends the goroutines that use them.
func (c *child) close() {
	_ = closeAll(c.in, c.out.file, c.err)
	<-c.fed
	<-c.stdoutDone
	<-c.stderrDone
}
