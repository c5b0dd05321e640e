package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// asking is the one gate that is before the person now.
type asking struct {
	call   *call
	cancel context.CancelCauseFunc
	back   chan reply
}

// reply is what came back from it.
type reply struct {
	answer checkpoint.Answer
	err    error
}

var errEndedElsewhere = errors.New("the question was settled elsewhere")

// askNext shows the first gate that waits, in the order of the journal, unless one is shown.
func (a *attempt) askNext(ctx context.Context) {
	if a.o.Asker == nil || a.asking != nil || a.stop != nil {
		return
	}
	for _, id := range a.st.GateOrder {
		c := a.gates[id]
		if c == nil || c.deferred {
			continue
		}
		shown, cancel := context.WithCancelCause(ctx)
		a.asking = &asking{call: c, cancel: cancel, back: make(chan reply, 1)}
		question, back := a.asked(c), a.asking.back
		go func() {
			answer, err := checkpoint.Consult(shown, a.o.Asker, question)
			back <- reply{answer, err}
		}()
		return
	}
}

// back gives the channel of the asker's return; nil, which never delivers, if none is out.
func (a *attempt) back() <-chan reply {
	if a.asking == nil {
		return nil
	}
	return a.asking.back
}

// returned records what the person said. No answer leaves the gate for later.
func (a *attempt) returned(ctx context.Context, r reply) error {
	c := a.asking.call
	a.asking.cancel(nil)
	a.asking = nil
	if a.gates[c.gate] == nil {
		return nil // settled elsewhere
	}
	if r.err == nil && !r.answer.Later {
		_, err := planapprove.Respond(context.WithoutCancel(ctx), committer{a}, func() bool { return true }, a.o.Now, checkpoint.ResponseTo(c.gate, r.answer))
		switch fault.CodeOf(err) {
		case fault.PlanApprovalStale, fault.PlanApprovalConflict:
			return a.collectGates() // another process was first; its word stands
		case fault.AnswerInvalid, fault.JournalUnproven, fault.PlanArtifactMismatch:
			r.err = err // no answer that counts
		default:
			return err
		}
	}
	if r.err != nil && ctx.Err() == nil {
		a.warn("no answer to gate " + c.gate + ": " + strings.TrimPrefix(r.err.Error(), checkpoint.ErrNoAnswer.Error()+": "))
	}
	if c.permit != nil {
		return a.dropPermit(context.WithoutCancel(ctx), c)
	}
	return a.suspend(context.WithoutCancel(ctx), c)
}

// suspend hands a gate over to whoever answers it later.
func (a *attempt) suspend(ctx context.Context, calls ...*call) error {
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		var drafts []journal.Draft
		for _, c := range calls {
			c.deferred = true
			if g := st.Gates[c.gate]; g.State == journal.Pending && !g.Suspended {
				drafts = append(drafts, checkpoint.SuspendDraft(g))
			}
		}
		return drafts, nil
	})
	return err
}

// committer lets package checkpoint record an answer through the attempt, so that notes and
// other processes' answers are taken care of.
type committer struct{ a *attempt }

var _ checkpoint.Journal = committer{}

// Update is attempt.commit.
func (c committer) Update(ctx context.Context, fn func(*journal.State) ([]journal.Draft, error)) ([]journal.Entry, error) {
	return c.a.commit(ctx, fn)
}

// nextDeadline is how long it is to the next thing that time brings: a sleep's end or a gate's
// deadline. Clocks can jump, so it is never more than a second.
func (a *attempt) nextDeadline() time.Duration {
	wait := time.Second
	now := a.o.Now()
	for _, s := range a.sleeping {
		wait = min(wait, s.until.Sub(now))
	}
	for id, c := range a.gates {
		if deadline := a.st.Gates[id].Asked.Deadline; !deadline.IsZero() {
			wait = min(wait, deadline.Sub(now))
		}
		if !c.deadline.IsZero() {
			wait = min(wait, time.Until(c.deadline))
		}
	}
	return max(wait, 0)
}
