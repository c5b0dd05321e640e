package engine

import (
	"cmp"
	"slices"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// BehindCall is a call or an answered gate that the journal has an entry for and that the script
// does not come to, because it stops before it.
type BehindCall struct {
	RepeatedCall
	// MayHaveChanged says that it may have changed something outside of the run.
	MayHaveChanged bool `json:"mayHaveChanged"`
}

// behind are the calls and the answered gates of the journal that the script has not come to, in
// the order of the journal. What ran again before them is newer than they are, so they run again
// where the script still makes them.
func (a *attempt) behind() []BehindCall {
	open := map[string]bool{}
	for _, c := range a.ready {
		open[c.Key] = true
		if c.gateAhead != nil {
			open[c.gateAhead.Key] = true
		}
	}
	type placed struct {
		seq uint64
		BehindCall
	}
	var found []placed
	for key, old := range a.st.Calls {
		how, seq := "it was interrupted", old.StartSeq
		if !old.Unfinished() {
			if how, seq = "it has finished", old.Finish.Seq; old.Finish.Failure != nil {
				how = "it has failed"
			}
		}
		if open[key] || !old.Unfinished() && a.order.wasDelivered(seq) {
			continue
		}
		c := RepeatedCall{Key: key, Name: old.Call.Name, Label: old.Call.Label, Reason: how, Call: old.Call}
		found = append(found, placed{seq, BehindCall{c, !old.Call.ReadOnly && !old.Call.Idempotent}})
	}
	for key, id := range a.st.GateByKey {
		g := a.st.Gates[id]
		if g.Asked.Call != "" || g.Answer == nil || g.Answer.Unanswered != "" || open[key] || a.order.wasDelivered(g.AnswerSeq) {
			continue
		}
		name := checkpointName
		if g.Asked.Kind == string(checkpoint.KindPlan) {
			name = planName
		}
		found = append(found, placed{g.AnswerSeq, BehindCall{RepeatedCall: RepeatedCall{Key: key, Name: name, Reason: "it was answered"}}})
	}
	slices.SortFunc(found, func(a, b placed) int { return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.Key, b.Key)) })
	list := make([]BehindCall, len(found))
	for i, f := range found {
		list[i] = f.BehindCall
	}
	return list
}

// refused is the code with which a resume without a person would end before anything ran, where
// that is sure; else "". It is not where a question is decided first: the script may go another
// way then.
func (a *attempt) refused() fault.Code {
	if a.stop != nil {
		return ""
	}
	var open []*call
	for _, c := range a.ready {
		switch {
		case c.gateAhead != nil, c.isGate() && (c.gate == "" || checkpoint.Expired(a.st.Gates[c.gate], a.o.Now())):
			return ""
		case !c.repeatsQuietly() && !a.hasLeave(c):
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return ""
	}
	return fault.CodeOf(a.question(open).refusal())
}
