package engine

import (
	"context"
	"fmt"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// A validator is the agent that looks at a plan before a person is asked about it. It is a call
// of its own, below the question's key, and like any other in all but this: what it says goes
// to the person and not to the script, so its failure is no failure of the run.

// before gives the machine the validator that has to be answered before c is asked.
func (a *attempt) before(c vm.Call) *vm.Forerunner {
	p := a.checked[c.Key]
	if p.validator == (planapprove.Validator{}) {
		return nil
	}
	return &vm.Forerunner{Args: p.validatorArgs, Label: planapprove.ValidatorLabel}
}

// validates gives a validator's call its own identity.
func (a *attempt) validates(c vm.Call, p *prepared) (err error) {
	q := a.checked[c.For]
	p.request.Identity, err = planapprove.ValidatorIdentity(q.question, q.validator)
	p.request.canonical = true
	return err
}

// made takes a call of the turn. A validator brings its question with it, which is a call of
// this attempt only when the validator is answered.
func (a *attempt) made(v vm.Call) *call {
	c := &call{Call: v, prepared: a.checked[v.Key], after: a.turn, at: a.turnAt}
	switch {
	case v.For != "":
		c.gateAhead = &call{
			Call:     vm.Call{Key: v.For, Name: planName, Frame: v.Frame, Phase: v.Phase, Pos: v.Pos},
			prepared: a.checked[v.For], after: c.after, at: c.at, reason: "repeated",
		}
		a.ahead[v.For] = c.gateAhead
		a.lastPlan, a.lastPlanAt, a.lastPlanGate = v.For, v.Pos, nil
	case v.Before != nil:
		c.prepared = a.ahead[v.Key].prepared
		delete(a.ahead, v.Key)
		c.validation = verdict(c, v.Before)
	}
	if c.Name == planName {
		a.lastPlan, a.lastPlanAt, a.lastPlanGate = c.Key, c.Pos, nil
	}
	return c
}

// verdict is what the gate keeps of its validator's outcome.
func verdict(c *call, o *vm.Outcome) *journal.Validation {
	failure := ""
	if o.Failure != nil {
		failure = fmt.Sprintf("%s: %s", o.Failure.Code, o.Failure.Message)
	}
	return planapprove.Verdict(c.Key+"/agent#0", c.validator, o.Value, failure)
}

// weighed reports whether a person has answered in the knowledge that this validator failed, or
// let the time to answer pass. Such an answer does not fall because the validator could be
// tried again.
func (a *attempt) weighed(c *call, f *journal.Finish) bool {
	if c.gateAhead == nil {
		return false
	}
	g := a.st.Gates[a.st.GateByKey[c.gateAhead.Key]]
	return g != nil && g.Asked.After == f.Seq && (a.answered(c.gateAhead) || g.State == journal.Expired)
}

// abortAhead ends the run before a validator is paid for a question that nobody is here for and
// that ends the run by its rule.
func (a *attempt) abortAhead(ctx context.Context) error {
	if a.o.Asker != nil {
		return nil
	}
	for _, c := range a.ready {
		if c.gateAhead == nil {
			continue
		}
		rule, err := c.gateAhead.question.Rule(a.o.OnGate)
		if err != nil || rule == checkpoint.Abort {
			return a.abort(ctx, c.gateAhead)
		}
	}
	return nil
}
