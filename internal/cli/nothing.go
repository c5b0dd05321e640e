package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// reviewReport is what review --json prints where nobody is asked.
type reviewReport struct {
	Format  int       `json:"format"`
	Run     string    `json:"run"`
	Title   string    `json:"title"`
	Exit    int       `json:"exit"`
	Waiting []gateRow `json:"waiting"`
	Next    []string  `json:"next"`
}

// nothingHere ends a review of no run in particular, where none has a question.
func (a *app) nothingHere() error {
	if a.json {
		return a.emit(reviewReport{Format: jsonFormat, Waiting: []gateRow{}, Next: []string{}})
	}
	a.say("nothing waits here")
	return nil
}

// nothingWaits ends a review of a run that has no question now, and says whether one may come.
func (a *app) nothingWaits(st *journal.State, owned bool) error {
	at := a.standingOf(st, owned)
	hints := at.hints()
	if owned {
		hints = []hint{{"assent review " + st.ID + " --wait", "waits for the next question"}}
	}
	if a.json {
		return a.emit(reviewReport{jsonFormat, st.ID, st.Started.Title, exitOK, []gateRow{}, commands(hints)})
	}
	if owned {
		a.say("run " + st.ID + " is still at work, no question yet")
	} else {
		a.say(fmt.Sprintf("nothing waits for an answer in run %s, which is %s", st.ID, at.state))
	}
	a.hints(hints)
	return nil
}

// awaitQuestion waits until a run asks something, or nobody executes it any more. Ctrl-C leaves.
func (a *app) awaitQuestion(ctx context.Context, visit journal.Visit) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := a.onSignals(cancel, func() { a.Exit(exitAtOnce) })
	defer stop()
	changes := visit.Changes()
	for {
		if _, err := visit.Sync(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		_, owned := visit.Owner()
		if len(visit.State().Pending()) > 0 || !owned {
			return nil
		}
		select {
		case <-ctx.Done():
			a.say(term.ErrInterrupted.Error())
			return exitCode(exitInterrupted)
		case <-changes:
		case <-time.After(ownerPoll): // a process that dies changes no journal
		}
	}
}

// ownerPoll is how often a waiting review looks whether the run's process is alive.
const ownerPoll = 500 * time.Millisecond
