package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// recovery is a Recovery that is before the person now.
type recovery struct {
	calls     []*call
	following []RepeatedCall
	cancel    context.CancelFunc
	back      chan recovered
}

type recovered struct {
	choice Choice
	err    error
}

// seekLeave finds out whether calls that may repeat work may begin. It gives false while a
// person is being asked, and when the run has to stop.
func (a *attempt) seekLeave(ctx context.Context, held []*call) bool {
	if a.recovery != nil {
		return false
	}
	var open []*call
	for _, c := range held {
		if c.allowed = a.hasLeave(c); !c.allowed {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return true
	}
	question := a.question(open)
	if a.o.Recover == nil {
		a.stop = &ending{state: journal.StatusInterrupted, err: question.refusal(), recovery: question}
		return false
	}
	shown, cancel := context.WithCancel(ctx)
	a.recovery = &recovery{calls: open, following: question.Following, cancel: cancel, back: make(chan recovered, 1)}
	back := a.recovery.back
	go func() {
		choice, err := a.askRecover(shown, *question)
		back <- recovered{choice, err}
	}()
	return false
}

// hasLeave reports whether a flag, or a person's earlier choice, lets the call repeat its work.
func (a *attempt) hasLeave(c *call) bool {
	switch c.repeats {
	case repeatsInterrupted:
		return a.o.RerunInterrupted
	case repeatsChanged:
		return a.o.RerunChanged || a.leaveFor[c.Key]
	default:
		return false
	}
}

// askRecover asks the person; a panic is no choice.
func (a *attempt) askRecover(ctx context.Context, q Recovery) (choice Choice, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the function Options.Recover panicked: %v", p)
		}
	}()
	return a.o.Recover(ctx, q)
}

func (a *attempt) question(open []*call) *Recovery {
	q := &Recovery{Run: a.st.ID}
	for _, c := range open {
		r := c.repeated()
		if c.repeats == repeatsInterrupted {
			q.Interrupted = append(q.Interrupted, r)
		} else {
			q.Changed = append(q.Changed, r)
		}
	}
	q.Following = a.following(open)
	return q
}

// following are the finished calls that may have changed something and that the script has not
// come to: if what comes before them is run again, they may run again too.
func (a *attempt) following(open []*call) []RepeatedCall {
	asked := map[string]bool{}
	for _, c := range open {
		asked[c.Key] = true
	}
	var list []RepeatedCall
	for _, key := range slices.Sorted(maps.Keys(a.st.Calls)) {
		old := a.st.Calls[key]
		if asked[key] || old.Call.ReadOnly || old.Call.Idempotent || old.Call.Name == sleepName || old.Unfinished() || old.Finish.Failure != nil || a.order.wasDelivered(old.Finish.Seq) {
			continue
		}
		list = append(list, RepeatedCall{Key: key, Name: old.Call.Name, Label: old.Call.Label, Reason: "it comes after one of them", Call: old.Call})
	}
	return list
}

// leave gives the channel of the person's choice; nil, which never delivers, if none is out.
func (a *attempt) leave() <-chan recovered {
	if a.recovery == nil {
		return nil
	}
	return a.recovery.back
}

// chose acts on what the person chose.
func (a *attempt) chose(ctx context.Context, r recovered) error {
	calls, following := a.recovery.calls, a.recovery.following
	a.recovery.cancel()
	a.recovery = nil
	if a.stop != nil {
		return nil // it was put away because the attempt ends
	}
	if r.err != nil {
		a.o.Logger.Warn("no answer to what runs again", "run", a.st.ID, "cause", r.err)
		r.choice = ChooseStop
	}
	switch r.choice {
	case ChooseStop:
		question := a.question(calls)
		a.stop = &ending{state: journal.StatusInterrupted, err: question.refusal(), recovery: question}
		return nil
	case ChooseFail:
		return a.takeAsFailed(ctx, calls)
	case ChooseRerun:
		for _, c := range calls {
			c.allowed = true
		}
		for _, c := range following {
			a.leaveFor[c.Key] = true
		}
		return nil
	default:
		return fmt.Errorf("recover: %q is no choice", r.choice)
	}
}

// takeAsFailed journals interrupted calls as failed, by a person's choice.
func (a *attempt) takeAsFailed(ctx context.Context, calls []*call) error {
	owner := a.st.Attempts[len(a.st.Attempts)-1].Owner // whoever decides sits where the run is executed
	var drafts []journal.Draft
	taken := map[*call]bool{}
	for _, c := range calls {
		if c.repeats != repeatsInterrupted {
			c.allowed = true
			continue
		}
		taken[c] = true
		record := c.record()
		drafts = append(drafts, journal.Draft{Kind: journal.KindCallFinished, Key: c.Key, Identity: c.identity, Data: journal.CallFinished{
			Call: &record,
			Failure: &journal.Failure{
				Code: string(fault.CallsInterrupted), Message: "it was interrupted, and a person took it as failed",
				Class: journal.FailureOrdinary, ChosenBy: &journal.Who{User: owner.User, Host: owner.Host},
			},
		}})
	}
	_, a.ready = partition(a.ready, func(c *call) bool { return taken[c] })
	if _, err := a.commit(ctx, func(*journal.State) ([]journal.Draft, error) { return drafts, nil }); err != nil || a.stop != nil {
		return err
	}
	for c := range taken {
		a.finished(c, 0)
	}
	return nil
}
