package cli

import (
	"context"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// questionsApart is how long a question is held back after the one before it: what a person still
// types then was meant for the first.
const questionsApart = time.Second

// pace lets one question follow another only after a pause. What is typed in it is dropped, for a
// question drops all that was typed before it is shown.
type pace struct {
	pause time.Duration
	turn  chan struct{} // holds one token while a question is asked
	ended time.Time     // when the last question ended; belongs to the holder of turn
}

func newPace(pause time.Duration) *pace { return &pace{pause: pause, turn: make(chan struct{}, 1)} }

// asks waits for the turn of a question, asks it, and gives back what ask gives. Ctrl-C while it
// waits is Ctrl-C at the question.
func (a *app) asks(ctx context.Context, ask func(context.Context) error) error {
	select {
	case a.pace.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() {
		a.pace.ended = time.Now()
		<-a.pace.turn
	}()
	if left := time.Until(a.pace.ended.Add(a.pace.pause)); left > 0 {
		a.say("another question follows; what is typed before it is shown does not count")
		if err := a.holdBack(ctx, left); err != nil {
			return err
		}
	}
	return ask(ctx)
}

// holdBack waits, unless the question ends before it was asked.
func (a *app) holdBack(ctx context.Context, left time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := a.onSignals(func() { cancel(term.ErrInterrupted) }, func() { a.Exit(exitAtOnce) })
	defer stop()
	select {
	case <-time.After(left):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
