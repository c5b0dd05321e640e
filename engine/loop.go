package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// work executes the attempt to its end: until the script ended, or nothing but gates can go
// on, or something stops it.
func (a *attempt) work(ctx context.Context) (*ending, error) {
	a.over = ctx.Done()
	err := a.dropForeign(ctx)
	if err == nil {
		err = a.start(ctx)
	}
	if err != nil {
		return a.broke(ctx, err)
	}
	for {
		if err := a.drain(ctx); err != nil {
			return a.broke(ctx, err)
		}
		if a.end != nil {
			return a.scriptEnded(), nil
		}
		if err := a.dispatch(ctx); err != nil {
			return a.broke(ctx, err)
		}
		if isOver(ctx) {
			return a.broke(ctx, errInterrupted)
		}
		if err := a.expire(ctx); err != nil {
			return a.broke(ctx, err)
		}
		if len(a.due) > 0 && a.stop == nil {
			continue
		}
		if err := a.dropStale(ctx); err != nil {
			return a.broke(ctx, err)
		}
		a.limitWall()
		a.askNext(ctx)
		if end, err := a.idle(ctx); err != nil {
			return a.broke(ctx, err)
		} else if end != nil {
			return end, nil
		}
		if err := a.wait(ctx); err != nil {
			return a.broke(ctx, err)
		}
	}
}

// idle says how the attempt ends if nothing is left that can go on in this process.
func (a *attempt) idle(ctx context.Context) (*ending, error) {
	switch {
	case len(a.working) > 0:
		return nil, nil
	case a.stop != nil:
		return a.stop, nil
	case len(a.sleeping) > 0 || len(a.ready) > 0 || a.asking != nil || a.recovery != nil:
		return nil, nil
	case len(a.gates) == 0:
		return nil, fmt.Errorf("engine: run %s has nothing left to wait for, and its script has not ended", a.st.ID)
	}
	if err := a.sync(ctx); err != nil || len(a.due) > 0 {
		return nil, err // the last question was answered just now
	}
	return &ending{state: journal.StatusWaiting}, nil
}

// wait waits for the next thing to happen, and makes it durable.
func (a *attempt) wait(ctx context.Context) error {
	delay := min(a.nextDeadline(), a.tellWork())
	if len(a.notes) > 0 {
		delay = min(delay, noteDelay)
	}
	if limit := a.wallLimit(); limit > 0 && a.busy() {
		delay = min(delay, max(0, limit-a.worked))
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	began := time.Now()
	busy := a.busy()
	defer func() {
		if busy {
			a.worked += time.Since(began)
		}
	}()
	select {
	case done := <-a.done:
		return a.record(ctx, a.more(done))
	case asked := <-a.asksAgain:
		return a.answerAgain(ctx, asked)
	case <-a.transcribed:
		return nil // the work is told of before the next wait
	case asked := <-a.asksLeave:
		return a.openPermit(ctx, asked)
	case <-a.run.Changes():
		return a.sync(ctx)
	case back := <-a.back():
		return a.returned(ctx, back)
	case r := <-a.leave():
		return a.chose(ctx, r)
	case <-ctx.Done():
		return errInterrupted
	case <-timer.C:
		return a.tick(ctx)
	}
}

// more takes what else has ended meanwhile, so that it shares a transaction.
func (a *attempt) more(first completion) []completion {
	list := []completion{first}
	for {
		select {
		case next := <-a.done:
			list = append(list, next)
		default:
			return list
		}
	}
}

// sync looks at what other processes appended.
func (a *attempt) sync(ctx context.Context) error {
	err := a.patiently(ctx, func() error {
		_, err := a.run.Sync(ctx)
		return err
	})
	if err != nil {
		return a.cancelledElsewhere(err)
	}
	a.st = a.run.State()
	if f := a.st.Finished; f != nil && f.State == journal.StatusCancelled {
		return a.cancelledElsewhere(nil)
	}
	return a.collectGates()
}

// cancelledElsewhere ends the attempt if another process cancelled the run; any other error is
// handed back.
func (a *attempt) cancelledElsewhere(err error) error {
	if err != nil && !fault.Is(err, fault.RunCancelled) {
		return err
	}
	a.stop = &ending{state: journal.StatusCancelled, elsewhere: true, err: fault.New(fault.RunCancelled, "the run was cancelled", "assent run FILE   # starts the work again")}
	a.cancelWork()
	return nil
}

// tick does what time brings.
func (a *attempt) tick(ctx context.Context) error {
	if len(a.notes) > 0 {
		if err := a.flushNotes(ctx); err != nil {
			return err
		}
	}
	if err := a.wake(ctx); err != nil {
		return err
	}
	return a.expire(ctx)
}

func (a *attempt) wallLimit() time.Duration {
	return time.Duration(a.st.Settings.WallMs) * time.Millisecond
}

// limitWall stops an attempt that has worked for longer than it may.
func (a *attempt) limitWall() {
	if limit := a.wallLimit(); limit > 0 && a.worked >= limit && a.stop == nil {
		a.stop = &ending{state: journal.StatusFailed, err: fault.New(fault.WallClockLimit,
			"the attempt worked for longer than its limit of "+limit.String(), "assent resume "+a.st.ID+" --max-time LONGER")}
		a.cancelWork()
	}
}

// flushNotes writes notes that found no entry to go with.
func (a *attempt) flushNotes(ctx context.Context) error {
	notes := a.notes
	a.notes = nil
	var drafts []journal.Draft
	for _, n := range notes {
		drafts = append(drafts, journal.Draft{Kind: journal.KindNote, Data: n})
	}
	_, err := a.commit(ctx, func(*journal.State) ([]journal.Draft, error) { return drafts, nil })
	return err
}

func (a *attempt) cancelWork() {
	for _, c := range a.working {
		c.cancel()
	}
	if a.asking != nil {
		a.asking.cancel(errEndedElsewhere)
	}
	if a.recovery != nil {
		a.recovery.cancel()
	}
}

// isOver reports whether ctx ended.
func isOver(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// broke ends an attempt that cannot go on: cut off from outside, or by an error of the engine
// or its surroundings.
func (a *attempt) broke(ctx context.Context, err error) (*ending, error) {
	switch {
	case isOver(ctx):
		return &ending{state: journal.StatusInterrupted, err: fault.New(fault.RunInterrupted, "the run was interrupted", "assent resume "+a.st.ID)}, nil
	case fault.Is(err, fault.NondeterministicScript):
		return &ending{state: journal.StatusFailed, err: err}, nil
	default:
		return nil, err
	}
}
