package checkpoint

import (
	"context"
	"encoding/json"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// AskOptions say how Ask reaches a person. The zero value is headless with the default rule.
type AskOptions struct {
	// Asker puts the question to a person; nil is headless.
	Asker Asker
	// OnGate settles the gate without a person if the question has no rule of its own.
	OnGate Rule
	// Program names the program that asks; an answer about a plan holds only under the same.
	Program string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Outcome is how a question ended.
type Outcome struct {
	Gate *journal.Gate
	// Replayed is true if the journal held the answer and nobody was asked.
	Replayed bool
}

// Decision is the answer as JSON: what was answered, the default that stood, or, for a gate
// that expired, the default; null if there is none.
func (o Outcome) Decision() json.RawMessage { return Decision(o.Gate) }

// Decision gives the answer that an ended gate stands for.
func Decision(g *journal.Gate) json.RawMessage {
	switch {
	case g.Answer != nil:
		return g.Answer.Decision
	case g.Asked.Default != nil:
		return g.Asked.Default
	default:
		return json.RawMessage("null")
	}
}

// Ask puts q at key in the run that r executes, or gives the journal's answer to the same
// question at the same key. It is for Go programs that keep a journal without a script; such a
// program chooses its keys.
//
// It returns GATE_WAITING if the question was left to be answered later, HUMAN_INPUT_REQUIRED
// if the rule aborts, PLAN_APPROVAL_TIMEOUT if a checkpoint without a default expired.
func Ask(ctx context.Context, r *journal.Run, key string, q Question, o AskOptions) (Outcome, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	identity, err := q.Identity()
	if err != nil {
		return Outcome{}, err
	}
	if _, err := r.Sync(ctx); err != nil {
		return Outcome{}, err
	}
	st := r.State()
	g := st.Gates[st.GateByKey[key]]
	standing, reason := Stand(g, identity, Circumstances{Program: o.Program, Person: o.Asker != nil, Proven: st.Proven})
	switch standing {
	case Replay:
		return ended(g, true)
	case AskAgain:
		if g, err = open(ctx, r, q, o, Asking{Key: key, Now: o.Now(), Program: o.Program, Reason: reason}); err != nil {
			return Outcome{}, err
		}
	}
	if g.State == journal.Pending && o.Asker != nil {
		if g, err = consult(ctx, r, g, o); err != nil {
			return Outcome{}, err
		}
	}
	if g.State == journal.Pending {
		return Outcome{Gate: g}, WaitingError(r.ID(), g.Asked)
	}
	return ended(g, false)
}

// open asks q as a new gate, and settles it at once if no person can be asked.
func open(ctx context.Context, r *journal.Run, q Question, o AskOptions, a Asking) (*journal.Gate, error) {
	var rule Rule
	if o.Asker == nil {
		var err error
		if rule, err = q.Rule(o.OnGate); err != nil {
			return nil, err
		}
		if rule == Abort {
			return nil, q.AbortError()
		}
		a.Suspended = rule == Suspend
	}
	var id string
	_, err := r.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
		drafts, asked, err := Open(st, q, a)
		if err != nil {
			return nil, err
		}
		id = asked.Gate
		if rule == Default {
			last := drafts[len(drafts)-1]
			drafts = append(drafts, SettleDefault(last.Key, last.Identity, asked))
		}
		return drafts, nil
	})
	if err != nil {
		return nil, err
	}
	return r.State().Gates[id], nil
}

// consult shows g to the asker and records what comes back.
func consult(ctx context.Context, r *journal.Run, g *journal.Gate, o AskOptions) (*journal.Gate, error) {
	ask := ctx
	if !g.Asked.Deadline.IsZero() {
		var cancel context.CancelFunc
		ask, cancel = context.WithTimeout(ctx, g.Asked.Deadline.Sub(o.Now()))
		defer cancel()
	}
	answer, err := Consult(ask, o.Asker, Asked{Run: r.ID(), Title: r.State().Started.Title, Key: g.Key, Gate: g.Asked, Position: 1, Waiting: 1})
	id := g.Asked.Gate
	switch {
	case err == nil && !answer.Later:
		_, err = Respond(ctx, r, func() bool { return true }, o.Now, Response{
			Gate: id, Checksum: answer.Checksum, Nonce: answer.Nonce, Decision: answer.Decision, Who: answer.Who, Mode: answer.Mode,
		})
		if fault.Is(err, fault.PlanApprovalStale) || fault.Is(err, fault.PlanApprovalConflict) {
			err = nil // ended otherwise meanwhile; the journal's word stands
		}
	case Expired(g, o.Now()):
		_, err = r.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
			if st.Gates[id].State != journal.Pending {
				return nil, nil
			}
			return []journal.Draft{Close(st.Gates[id], journal.Expired, fault.PlanApprovalTimeout)}, nil
		})
	case !g.Suspended:
		_, err = r.Append(ctx, SuspendDraft(g))
	default:
		err = nil
	}
	return r.State().Gates[id], err
}

// ended gives the outcome of a gate that is over.
func ended(g *journal.Gate, replayed bool) (Outcome, error) {
	if g.State == journal.Expired && g.Asked.Kind != string(KindPlan) && g.Asked.Default == nil {
		return Outcome{Gate: g}, TimeoutError(g)
	}
	return Outcome{Gate: g, Replayed: replayed}, nil
}

// TimeoutError is what the asker of an expired question without a default gets.
func TimeoutError(g *journal.Gate) error {
	return fault.New(fault.PlanApprovalTimeout, "gate "+g.Asked.Gate+" expired without an answer", "")
}
