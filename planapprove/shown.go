package planapprove

import (
	"encoding/json"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// Shown is what a person has to see of gate g, which is number position of waiting. For a plan
// that is also how it differs from the one approved last, or how the script has changed since
// this very plan was approved.
func Shown(st *journal.State, g *journal.Gate, position, waiting int) checkpoint.Asked {
	asked := checkpoint.Asked{
		Run: st.ID, Title: st.Started.Title, Key: g.Key, Gate: g.Asked, Position: position, Waiting: waiting,
	}
	if g.Asked.Kind != string(checkpoint.KindPlan) {
		return asked
	}
	asked.Changes = changesBefore(st, g)
	last := LastApproved(st, g.Seq)
	switch {
	case last == nil:
	case last.Asked.Checksum != g.Asked.Checksum:
		asked.Previous = last
	case last.Asked.Program != g.Asked.Program:
		asked.Earlier = &checkpoint.Earlier{Gate: last, Diff: programDiff(programOf(st, last.Asked.Program), programOf(st, g.Asked.Program))}
	}
	return asked
}

// changesBefore gives the change that was asked for at the gate that g revises, or at the plan
// gate before g; "" if that one ended otherwise.
func changesBefore(st *journal.State, g *journal.Gate) string {
	before := st.Gates[g.Asked.Revises]
	for i := len(st.GateOrder) - 1; i >= 0 && before == nil; i-- {
		o := st.Gates[st.GateOrder[i]]
		if o.Seq < g.Seq && o.Asked.Kind == g.Asked.Kind {
			before = o
		}
	}
	if before == nil || before.State != journal.ChangesRequested {
		return ""
	}
	var text string
	if json.Unmarshal(before.Answer.Decision, &text) != nil {
		return ""
	}
	return text
}

// programOf gives the program of a run that has a hash; an empty one if there is none.
func programOf(st *journal.State, hash string) journal.Program {
	for _, t := range st.Attempts {
		if t.Program != nil && t.Program.Hash == hash {
			return *t.Program
		}
	}
	if st.Started.Program.Hash == hash {
		return st.Started.Program
	}
	return journal.Program{}
}

// programDiff shows as a unified diff how two programs differ.
func programDiff(old, now journal.Program) string {
	texts := map[string]string{}
	for _, s := range old.Sources {
		texts[s.Path] = s.Text
	}
	var b strings.Builder
	for _, s := range now.Sources {
		b.WriteString(udiff.Unified("approved/"+s.Path, "now/"+s.Path, texts[s.Path], s.Text))
		delete(texts, s.Path)
	}
	for _, s := range old.Sources {
		if text, gone := texts[s.Path]; gone {
			b.WriteString(udiff.Unified("approved/"+s.Path, "/dev/null", text, ""))
		}
	}
	return b.String()
}
