package planapprove

import (
	"encoding/json"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// Proposal is one plan that a run asked about.
type Proposal struct {
	Gate *journal.Gate
	// Title is the plan's own, or the name of the run.
	Title string
	// Revises is the proposal that this one takes the place of, nil if it is a first one.
	Revises *journal.Gate
	// Changes is what the person wanted changed in this one; "" if it ended otherwise.
	Changes string
	// Counts says that what was answered is what was answered: the journal is proven. Otherwise
	// nothing that it says of this proposal is an approval.
	Counts bool
}

// History gives the plans that a run asked about, in the order of asking.
func History(st *journal.State) []Proposal {
	var list []Proposal
	for _, id := range st.GateOrder {
		g := st.Gates[id]
		if g.Asked.Kind != string(checkpoint.KindPlan) {
			continue
		}
		list = append(list, Proposal{
			Gate: g, Title: titleOf(st, g.Asked.Plan), Revises: Revised(st, g), Changes: changesOf(g), Counts: st.Proven,
		})
	}
	return list
}

// Revised gives the plan gate that g revises: the one whose place it takes in the script, or
// the one before it if that was sent back for changes. nil if there is none.
func Revised(st *journal.State, g *journal.Gate) *journal.Gate {
	if before := st.Gates[g.Asked.Revises]; before != nil && before.Asked.Kind == string(checkpoint.KindPlan) {
		return before
	}
	before := planBefore(st, g)
	if before != nil && before.State == journal.ChangesRequested && before.AnswerSeq < g.Seq {
		return before
	}
	return nil
}

// planBefore gives the plan gate that was asked before g, nil if there is none.
func planBefore(st *journal.State, g *journal.Gate) *journal.Gate {
	for i := len(st.GateOrder) - 1; i >= 0; i-- {
		o := st.Gates[st.GateOrder[i]]
		if o.Seq < g.Seq && o.Asked.Kind == string(checkpoint.KindPlan) {
			return o
		}
	}
	return nil
}

// changesOf gives the change that a person asked for at a gate; "" if they did not.
func changesOf(g *journal.Gate) string {
	if g == nil || g.State != journal.ChangesRequested {
		return ""
	}
	var text string
	if json.Unmarshal(g.Answer.Decision, &text) != nil {
		return ""
	}
	return text
}
