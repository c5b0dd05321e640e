package cli

import (
	"context"
	"errors"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// offerResume asks whether the run, which nothing executes, goes on in this terminal now that its
// last question is answered.
func (a *app) offerResume(ctx context.Context, store *journal.Store, visit journal.Visit, said *recordedAnswer) error {
	id := visit.ID()
	if err := visit.Close(); err != nil {
		return err
	}
	command := "assent resume " + tail(id)
	word, screen := "", a.openTerminal()
	if screen == nil { // it is gone, and the answer is recorded
		return nil
	}
	err := a.asks(ctx, func(ctx context.Context) (err error) {
		word, err = term.AskChoice(ctx, screen, "Nothing executes the run now. Go on with it?", nil, []term.Choice{
			{Word: "yes", Help: "goes on, in this terminal"}, {Word: "no", Help: "leaves it; " + command + " goes on later"},
		})
		return err
	})
	if word == "yes" {
		return a.resumeAfter(ctx, store, id, said)
	}
	a.next(command)
	switch {
	case errors.Is(err, term.ErrInterrupted):
		return exitCode(exitInterrupted)
	case err == nil, errors.Is(err, term.ErrClosed), errors.Is(err, term.ErrNoAnswer):
		return nil // the answer is recorded
	}
	return err
}
