package process

import (
	"context"
	"io"
	"time"
)

// converse lets talk have the child's input and output, and returns when it is done. A talk that
// does not end with ctx, or after the child, is ended by its pipes, which break. held says that
// something which the child left behind still held its output.
func (c *child) converse(ctx context.Context, talk func(context.Context, io.WriteCloser, io.Reader) error, grace time.Duration) (late, held bool, err error) {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	reader, writer := io.Pipe()
	go func() {
		defer close(c.stdoutDone)
		_, err := io.Copy(writer, c.out)
		_ = writer.CloseWithError(err)
	}()
	talked := make(chan error, 1)
	go func() { talked <- talk(within, c.in, reader) }()
	// What is broken for talk: what it waits for in its output ends, and what it waits for in its
	// input fails.
	breakOff := func() {
		_ = c.in.Close()
		_ = writer.Close() // first: the deadline's error is no end
		_ = c.out.file.SetReadDeadline(time.Now())
	}
	defer func() {
		_ = c.in.Close()
		close(c.fed)
		_ = reader.Close()
	}()

	exited, ended := c.exited, ctx.Done()
	var looks func() bool
	var graceOver <-chan time.Time
	for {
		select {
		case err = <-talked:
			return late || err != nil && ctx.Err() != nil, held, err
		case <-exited:
			exited, looks = nil, c.out.watchOver()
			if graceOver == nil {
				graceOver = time.After(grace)
			}
		case <-ended:
			ended, graceOver = nil, time.After(grace) // it may take its leave, such as a request to cancel
		case <-graceOver:
			graceOver = nil
			late = ctx.Err() != nil
			if !late && c.holds() {
				if held = looks(); !held {
					if !c.out.waiting.Load() { // talk has not read what is there: it may wait for its input
						_ = c.in.Close()
					}
					graceOver = time.After(hurry)
					continue
				}
			}
			breakOff()
		}
	}
}

// holds says that the output has not ended.
func (c *child) holds() bool {
	select {
	case <-c.stdoutDone:
		return false
	default:
		return true
	}
}
