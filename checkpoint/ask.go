package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
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
	// Copies keeps copies of plans; planapprove.Ask sets it.
	Copies Copies
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
func Ask(ctx context.Context, r journal.Run, key string, q Question, o AskOptions) (Outcome, error) {
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
	standing, reason := Stand(g, identity, Circumstances{Program: o.Program, Person: q.Reaches(g, o.Asker != nil, o.OnGate, o.Now()), Proven: st.Proven})
	switch standing {
	case Replay:
		return ended(g, true)
	case AskAgain:
		if g, err = open(ctx, r, q, o, Asking{Key: key, Now: o.Now(), Program: o.Program, Reason: reason}); err != nil {
			return Outcome{}, err
		}
	}
	if g.State == journal.Pending && Expired(g, o.Now()) {
		if g, err = end(ctx, r, g, func(g *journal.Gate) journal.Draft { return Close(g, journal.Expired, fault.PlanApprovalTimeout) }); err != nil {
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
func open(ctx context.Context, r journal.Run, q Question, o AskOptions, a Asking) (*journal.Gate, error) {
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
	if o.Copies != nil && q.Kind == KindPlan {
		var err error
		if a.Artifact, err = o.Copies.Make(r.State(), q, a.Now); err != nil {
			return nil, err
		}
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

// consult shows g to the asker until it answers, the deadline passes, or another process ends
// the gate, and records what came of it.
func consult(ctx context.Context, r journal.Run, g *journal.Gate, o AskOptions) (*journal.Gate, error) {
	shown, cancel := context.WithCancel(ctx)
	defer cancel()
	asked := Asked{Run: r.ID(), Title: r.State().Started.Title, Key: g.Key, Gate: g.Asked, Position: 1, Waiting: 1}
	if o.Copies != nil {
		if err := o.Copies.Restore(r.State(), g); err != nil {
			asked.Copy = err.Error()
		}
	}
	type reply struct {
		answer Answer
		err    error
	}
	back := make(chan reply, 1)
	go func() {
		answer, err := Consult(shown, o.Asker, asked)
		back <- reply{answer, err}
	}()
	var deadline <-chan time.Time
	if !g.Asked.Deadline.IsZero() {
		timer := time.NewTimer(g.Asked.Deadline.Sub(o.Now()))
		defer timer.Stop()
		deadline = timer.C
	}
	for {
		select {
		case got := <-back:
			if got.err == nil && !got.answer.Later {
				return record(ctx, r, g, got.answer, o)
			}
			return end(context.WithoutCancel(ctx), r, g, SuspendDraft)
		case <-deadline:
			cancel()
			<-back
			return end(ctx, r, g, func(g *journal.Gate) journal.Draft { return Close(g, journal.Expired, fault.PlanApprovalTimeout) })
		case <-r.Changes():
			if _, err := r.Sync(ctx); err != nil {
				cancel()
				<-back
				return nil, err
			}
			if now := r.State().Gates[g.Asked.Gate]; now.State != journal.Pending {
				cancel()
				<-back
				return now, nil
			}
		}
	}
}

// record writes what the person said; if the gate ended otherwise meanwhile, that stands.
func record(ctx context.Context, r journal.Run, g *journal.Gate, answer Answer, o AskOptions) (*journal.Gate, error) {
	response := ResponseTo(g.Asked.Gate, answer)
	response.Copies = o.Copies
	_, err := Respond(context.WithoutCancel(ctx), r, func() bool { return true }, o.Now, response)
	if fault.Is(err, fault.PlanArtifactMismatch) {
		_, late := end(context.WithoutCancel(ctx), r, g, SuspendDraft) // it waits for whoever mends the copy
		return r.State().Gates[g.Asked.Gate], errors.Join(err, late)
	}
	if fault.Is(err, fault.PlanApprovalStale) || fault.Is(err, fault.PlanApprovalConflict) {
		err = nil
	}
	return r.State().Gates[g.Asked.Gate], err
}

// end appends draft if the gate still waits, unless it only says again that it is suspended.
func end(ctx context.Context, r journal.Run, g *journal.Gate, draft func(*journal.Gate) journal.Draft) (*journal.Gate, error) {
	id := g.Asked.Gate
	_, err := r.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
		d := draft(st.Gates[id])
		if st.Gates[id].State != journal.Pending || d.Kind == journal.KindGateSuspended && st.Gates[id].Suspended {
			return nil, nil
		}
		return []journal.Draft{d}, nil
	})
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
	return fault.New(fault.PlanApprovalTimeout, "gate "+g.Asked.Gate+" expired without an answer", "ask again, with a later deadline")
}
