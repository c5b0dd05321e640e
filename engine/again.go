package engine

import (
	"context"
	"errors"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// askAgain is a call's question whether it may be tried once more.
type askAgain struct {
	call  *call
	next  agent.Next
	reply chan<- error
}

// mayGoOn asks the attempt, from a call's own goroutine, whether that call may begin another try.
// Whoever cancels the call ends the waiting.
func (a *attempt) mayGoOn(ctx context.Context, c *call, next agent.Next) error {
	reply := make(chan error, 1)
	select {
	case a.asksAgain <- askAgain{c, next, reply}:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answerAgain says whether a call at work may be tried once more, by the newest state of the run: a
// try is work that begins, as much as a call is.
func (a *attempt) answerAgain(ctx context.Context, asked askAgain) error {
	err := a.sync(ctx)
	switch {
	case err != nil:
		asked.reply <- err
	case a.stop == nil:
		if spent := a.withinBudgets(a.st, asked.call, asked.next.Used); spent != nil {
			asked.reply <- spent
			break
		}
		asked.call.trying = &asked.next
		e := asked.call.event(CallRetried)
		e.Next = &asked.next
		a.observe(e)
		asked.reply <- nil
	case a.stop.err != nil:
		asked.reply <- a.stop.err
	default:
		asked.reply <- errEnding
	}
	return err
}

// errEnding keeps a call from another try where the run ends for no fault of its own.
var errEnding = errors.New("the run is ending")

// attemptsOf are the attempts that the answer took which is being delivered.
func (a *attempt) attemptsOf(d due) []journal.CallAttempt {
	if c := a.st.Calls[d.call.Key]; c != nil && c.Finish != nil && c.Finish.Seq == d.seq {
		return c.Finish.Attempts
	}
	return nil
}
