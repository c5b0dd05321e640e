package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// ending is how an attempt ends.
type ending struct {
	// state is one of journal's Status constants, running excepted.
	state  string
	result json.RawMessage
	err    error
	// elsewhere says that another process ended the run: nothing is left to journal.
	elsewhere bool
	// outstanding are calls that were still at work when the script ended.
	outstanding []string
	recovery    *Recovery
	// who ended the run from outside of it.
	who *journal.Who
}

// scriptEnded says what the end of the script means for the run.
func (a *attempt) scriptEnded() *ending {
	end := &ending{state: journal.StatusCompleted, result: a.end.Result, outstanding: a.end.Outstanding}
	if e := a.end.Err; e != nil {
		end.err = e
		end.state = journal.StatusFailed
		switch fault.Code(e.Code) {
		case fault.BudgetExceeded, fault.UsageLimit:
			end.state = journal.StatusPaused
		case fault.HumanInputRequired, fault.ReadOnlyViolated:
			end.state = journal.StatusStopped
		}
		return end
	}
	if a.lastPlan != "" && (a.lastPlanGate == nil || !planapprove.FromGate(a.lastPlanGate, false).Approved()) {
		end.state = journal.StatusStopped
		end.err = a.notApproved()
	} else if refused(a.end.Result) {
		end.state = journal.StatusStopped
	}
	return end
}

// notApproved is why a script that ran to its end has no approved plan. One that did not wait for
// the answer is told where: it could not have seen any.
func (a *attempt) notApproved() error {
	if slices.ContainsFunc(a.end.Outstanding, func(key string) bool { return key == a.lastPlan || strings.HasPrefix(key, a.lastPlan+"/") }) {
		p := a.lastPlanAt
		return fault.New(fault.PlanNotApproved,
			fmt.Sprintf("planApprove at %s:%d was called without await: the script ended before it was answered", p.File, p.Line),
			"write await planApprove(…), and assent resume "+a.st.ID+" --script FILE")
	}
	return fault.New(fault.PlanNotApproved, "the plan asked about last was not approved", "assent show "+a.st.ID+"   # says what was answered")
}

// refused reports whether a script returned {success: false}.
func refused(result json.RawMessage) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(result, &members) == nil && string(members["success"]) == "false"
}

// finish ends what is still at work, journals the ending, and gives the result.
func (a *attempt) finish(ctx context.Context, end *ending) (*Result, error) {
	ctx = context.WithoutCancel(ctx)
	a.cancelWork()
	for len(a.working) > 0 {
		list := a.more(<-a.done)
		if end.elsewhere {
			for _, done := range list {
				delete(a.working, done.call.Key)
			}
			continue
		}
		if err := a.record(ctx, list); err != nil {
			a.abandon()
			return nil, err
		}
	}
	if err := a.awaitPeople(ctx, !end.elsewhere); err != nil {
		return nil, err
	}
	if a.violated != nil && !end.elsewhere {
		// Found at the end, or while the run was ending for another reason: this is what a person has to know.
		end = &ending{state: journal.StatusStopped, err: a.violated, outstanding: end.outstanding}
	}
	if !end.elsewhere {
		if err := a.journalEnd(ctx, end); err != nil {
			return nil, err
		}
	}
	if a.stop != nil && a.stop.elsewhere {
		end = a.stop // another process ended the run before this one could
	}
	return a.result(end), nil
}

// awaitPeople waits until whoever asks a person has put the question away. An answer that was
// given at the last moment is recorded, if that is still possible.
func (a *attempt) awaitPeople(ctx context.Context, record bool) error {
	var err error
	if a.asking != nil {
		if r := <-a.asking.back; record && r.err == nil && !r.answer.Later {
			err = a.returned(ctx, r)
		}
		a.asking = nil
	}
	if a.recovery != nil {
		<-a.recovery.back
		a.recovery = nil
	}
	return err
}

func (a *attempt) journalEnd(ctx context.Context, end *ending) error {
	switch end.state {
	case journal.StatusWaiting, journal.StatusInterrupted, journal.StatusPaused:
		return a.leaveOpen(ctx, end)
	}
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		a.endRevoked(st, end)
		f := journal.RunFinished{State: end.state, Result: end.result, FailedCalls: len(a.failures), Outstanding: end.outstanding, Who: end.who}
		if end.err != nil {
			f.Code, f.Error = codeOf(end.err), end.err.Error()
		}
		return []journal.Draft{{Kind: journal.KindRunFinished, Data: f}}, nil
	})
	return err
}

// leaveOpen journals that the attempt ended in good order and the run did not. Questions that
// were being shown are handed over: they can be answered while nobody executes the run.
func (a *attempt) leaveOpen(ctx context.Context, end *ending) error {
	p := journal.RunPaused{State: end.state}
	if end.err != nil {
		p.Code, p.What = codeOf(end.err), end.err.Error()
	}
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		var drafts []journal.Draft
		for _, g := range st.Pending() {
			if !g.Suspended {
				drafts = append(drafts, checkpoint.SuspendDraft(g))
			}
		}
		return append(drafts, journal.Draft{Kind: journal.KindRunPaused, Data: p}), nil
	})
	return err
}

func codeOf(err error) string {
	if e, ok := errors.AsType[*vm.Error](err); ok {
		return e.Code
	}
	return string(fault.CodeOf(err))
}
