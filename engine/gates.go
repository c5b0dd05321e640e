package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// openGates asks the questions of a round. Those that a headless rule decides come first: an
// abort, or a question that would need a default and has none, ends the run before anything else
// of the round happens, and is never delivered.
func (a *attempt) openGates(ctx context.Context, gates []*call) error {
	rules := make([]checkpoint.Rule, len(gates)) // "" is asked by the asker
	for i, c := range gates {
		if c.gate != "" || a.o.Asker != nil {
			continue
		}
		rule, refusal := c.question.Rule(a.o.OnGate)
		switch {
		case refusal != nil:
			return a.halt(&ending{state: journal.StatusFailed, err: refusal})
		case rule == checkpoint.Abort:
			return a.abort(ctx, c)
		}
		rules[i] = rule
	}
	if err := a.copyPlans(gates); err != nil {
		return a.halt(&ending{state: journal.StatusFailed, err: err})
	}
	opened := map[*call]string{}
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		if a.revoked(st) != nil {
			return nil, nil // the commit notices it too, and stops the run
		}
		var drafts []journal.Draft
		asked := 0
		for i, c := range gates {
			if c.gate != "" {
				continue
			}
			more, gate, err := a.ask(st, c, asked, rules[i] == checkpoint.Suspend)
			if err != nil {
				return nil, err
			}
			asked++
			opened[c] = gate.Gate
			drafts = append(drafts, more...)
			if a.o.Asker == nil && rules[i] == checkpoint.Default {
				last := more[len(more)-1]
				drafts = append(drafts, checkpoint.SettleDefault(last.Key, last.Identity, gate))
			}
		}
		return drafts, nil
	})
	if err != nil || a.stop != nil {
		return err
	}
	for _, c := range gates {
		if id, ok := opened[c]; ok {
			c.gate = id
		}
		a.gates[c.gate] = c
		if deadline := a.st.Gates[c.gate].Asked.Deadline; !deadline.IsZero() {
			c.deadline = time.Now().Add(deadline.Sub(a.o.Now()))
		}
		a.observeGate(GateOpened, c)
	}
	return a.collectGates()
}

// dropForeign closes questions about plans that another version of the script asked and that
// still wait: a yes to them would not count.
func (a *attempt) dropForeign(ctx context.Context) error {
	if len(a.st.Pending()) == 0 {
		return nil
	}
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		var drafts []journal.Draft
		for _, g := range st.Pending() {
			if g.Asked.Kind == string(checkpoint.KindPlan) && g.Asked.Program != a.program.Hash() {
				drafts = append(drafts, checkpoint.Close(g, journal.Superseded, fault.PlanApprovalStale))
			}
		}
		return drafts, nil
	})
	return err
}

// dropStale closes, once the journal has no answer left to deliver, the questions in it that the
// script has not come to. From here on every answer is newer than whatever led to them, so they
// would be asked again, if at all: a person is not to answer them meanwhile. Questions of branches
// that go on side by side were all come to, and taken up, by now.
func (a *attempt) dropStale(ctx context.Context) error {
	if a.stop != nil || a.settled {
		return nil
	}
	a.settled = true
	left := func(g *journal.Gate) bool {
		return a.gates[g.Asked.Gate] == nil && !slices.ContainsFunc(a.ready, func(c *call) bool { return c.gate == g.Asked.Gate })
	}
	if !slices.ContainsFunc(a.st.Pending(), left) {
		return nil
	}
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		var drafts []journal.Draft
		for _, g := range st.Pending() {
			switch {
			case !left(g):
			case checkpoint.Expired(g, a.o.Now()):
				drafts = append(drafts, checkpoint.Close(g, journal.Expired, fault.PlanApprovalTimeout))
			default:
				drafts = append(drafts, checkpoint.Close(g, journal.Superseded, fault.PlanApprovalStale))
			}
		}
		return drafts, nil
	})
	return err
}

// copyPlans writes the copies of plans that are about to be asked about: no copy, no gate.
func (a *attempt) copyPlans(gates []*call) (err error) {
	for _, c := range gates {
		if c.gate != "" {
			continue
		}
		if c.artifact, err = planapprove.MakeArtifact(a.st, c.question, a.o.Now()); err != nil {
			return err
		}
	}
	return nil
}

// halt keeps anything more from starting; the loop ends when nothing is at work.
func (a *attempt) halt(end *ending) error {
	a.stop = end
	return nil
}

// ask makes the entries of one asking. earlier counts the gates that the same transaction
// opens before it.
func (a *attempt) ask(st *journal.State, c *call, earlier int, suspended bool) ([]journal.Draft, journal.GateAsked, error) {
	return checkpoint.Open(st, c.question, checkpoint.Asking{
		Key: c.Key, After: c.after, Number: len(st.GateOrder) + 1 + earlier, Now: a.o.Now(), Program: a.program.Hash(),
		Suspended: suspended, Reason: c.reason, Timeout: time.Duration(st.Settings.GateTimeoutMs) * time.Millisecond,
		Phase: c.Phase, File: c.Pos.File, Line: c.Pos.Line, Column: c.Pos.Column, Artifact: c.artifact, Validation: c.validation, Call: c.permitOf(),
	})
}

// abort records the question that nobody is here for, and stops the run.
func (a *attempt) abort(ctx context.Context, c *call) error {
	if err := a.copyPlans([]*call{c}); err != nil {
		return a.halt(&ending{state: journal.StatusFailed, err: err})
	}
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		drafts, _, err := a.ask(st, c, 0, false)
		return drafts, err
	})
	if a.stop == nil {
		cause := c.question.AbortError()
		a.stop = &ending{state: journal.StatusStopped, err: cause}
	}
	return err
}

func (a *attempt) observeGate(t EventType, c *call) {
	e := c.event(t)
	e.Gate = a.st.Gates[c.gate]
	a.observe(e)
}

// collectGates makes the answers of gates that have ended due, whoever ended them.
func (a *attempt) collectGates() error {
	a.heedRevocation()
	for _, id := range slices.Sorted(maps.Keys(a.gates)) {
		g := a.st.Gates[id]
		if g == nil || g.State == journal.Pending {
			continue
		}
		c := a.gates[id]
		delete(a.gates, id)
		a.observeGate(GateEnded, c)
		if c.permit != nil {
			c.permitEnded(g)
			continue
		}
		if g.Answer == nil && g.State != journal.Expired {
			continue // closed with the run
		}
		answer, err := gateDue(c, g, false)
		if err != nil {
			return err
		}
		a.push(answer)
	}
	if a.asking != nil && a.gates[a.asking.call.gate] == nil {
		how := string(a.st.Gates[a.asking.call.gate].State)
		if how == string(journal.ChangesRequested) {
			how = "sent back for changes"
		}
		a.asking.cancel(fmt.Errorf("it was %s elsewhere", how))
	}
	return nil
}

// expire closes gates whose deadline has passed. A deadline counts by the clock of the wall
// and by the time that this process measured, whichever ends first, so that turning the clock
// back never extends it.
func (a *attempt) expire(ctx context.Context) error {
	due := map[string]bool{}
	for id, c := range a.gates {
		g := a.st.Gates[id]
		if checkpoint.Expired(g, a.o.Now()) || !c.deadline.IsZero() && !time.Now().Before(c.deadline) {
			due[id] = true
		}
	}
	if len(due) == 0 {
		return nil
	}
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		var drafts []journal.Draft
		for _, id := range st.GateOrder {
			if g := st.Gates[id]; due[id] && g.State == journal.Pending {
				drafts = append(drafts, checkpoint.Close(g, journal.Expired, fault.PlanApprovalTimeout))
			}
		}
		return drafts, nil
	})
	return err
}

// asked is what an asker is shown of a gate.
func (a *attempt) asked(c *call) checkpoint.Asked {
	position, waiting := 0, 0
	for _, id := range a.st.GateOrder {
		if a.gates[id] != nil {
			waiting++
			if id == c.gate {
				position = waiting
			}
		}
	}
	return planapprove.Present(a.st, a.st.Gates[c.gate], position, waiting)
}
