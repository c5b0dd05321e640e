package cli

import (
	"cmp"
	"context"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// fallingRow is an answered gate that a resume would ask again.
type fallingRow struct {
	repeatRow
	// Would is what would become of the question: ask, default, abort or suspend.
	Would string `json:"would"`
	// After are the finished calls behind the gate, which depend on its answer.
	After []string `json:"after"`

	call engine.RepeatedCall
	plan bool
}

// fallingGates says of each gate that falls what would become of its question, and what was done
// after it was answered.
func fallingGates(ctx context.Context, store *journal.Store, id string, calls []engine.RepeatedCall, o engine.Options) ([]fallingRow, error) {
	rows := []fallingRow{}
	if len(calls) == 0 {
		return rows, nil
	}
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return nil, err
	}
	defer visit.Close()
	st := visit.State()
	for _, c := range calls {
		row := fallingRow{repeatRow: repeatRow{c.Key, c.Name, c.Label, c.Reason}, After: []string{}, call: c, plan: c.Name == "planApprove"}
		row.Would = "ask"
		if o.Asker == nil {
			row.Would = string(cmp.Or(o.OnGate, checkpoint.Default))
		}
		if g := st.Gates[st.GateByKey[c.Key]]; g != nil {
			if g.Asked.Headless != "" && o.Asker == nil {
				row.Would = g.Asked.Headless
			}
			row.After = finishedAfter(st, g.AnswerSeq)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// finishedAfter names the calls that an answer led to and that have finished.
func finishedAfter(st *journal.State, answered uint64) []string {
	names := []string{}
	for _, c := range orderedCalls(st) {
		if c.Finish != nil && !c.Unfinished() && c.Finish.Failure == nil && c.Finish.After >= answered {
			names = append(names, cmp.Or(c.Call.Label, c.Key))
		}
	}
	return names
}

// becomes says what would become of the question.
func (r fallingRow) becomes() string {
	switch {
	case r.Would == "ask":
		return "you would be asked"
	case r.Would == string(checkpoint.Suspend):
		return "it would wait for an answer"
	case r.Would == string(checkpoint.Abort):
		return "nobody is here to ask, so the run would stop"
	case r.plan:
		return "nobody is here to ask, so the plan would be declined (--on-gate suspend leaves it open)"
	default:
		return "nobody is here to ask, so its default would be taken (--on-gate suspend leaves it open)"
	}
}
