package engine

import (
	"context"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// course is what a rehearsal for a comparison notes down.
type course struct {
	// made are the calls in the order in which the script made them, byKey the same.
	made  []*madeCall
	byKey map[string]*madeCall
	// assumed are the gates, by key, whose answer was assumed, and why it does not count.
	assumed map[string]string
}

// madeCall is a call, and whether the journal answers it.
type madeCall struct {
	*call
	answered bool
}

// nobody is an asker that gives no answer.
var nobody = checkpoint.AskerFunc(func(context.Context, checkpoint.Asked) (checkpoint.Answer, error) {
	return checkpoint.Answer{Later: true}, nil
})

// assuming executes program as far as the journal answers it, and further where an approval does
// not count only because it was given under another program, or before an import.
func assuming(ctx context.Context, st *journal.State, program *vm.Program, o Options) (*attempt, error) {
	a := newAttempt(o, nil, st, program)
	a.course = &course{byKey: map[string]*madeCall{}, assumed: map[string]string{}}
	if err := a.start(ctx); err != nil {
		return nil, err
	}
	return a, a.drain(ctx)
}

func (r *course) note(c *call, answered bool) {
	m := &madeCall{c, answered}
	r.made = append(r.made, m)
	r.byKey[c.Key] = m
}

// assume gives gate g as it would stand if whoever answered it gave the same answer again; nil if
// more than that is in the way of the answer, or if nothing is to be assumed. Nothing ever is where
// work could follow from it: an attempt that owns a run takes no approval for one that has fallen.
func (a *attempt) assume(c *call, g *journal.Gate, reason string) *journal.Gate {
	if a.course == nil || a.run != nil {
		return nil
	}
	as := *g
	if as.State == journal.Lapsed {
		as.State = journal.Approved
	}
	standing, _ := checkpoint.Stand(&as, c.identity, checkpoint.Circumstances{Program: as.Asked.Program, Proven: a.st.Proven})
	if standing != checkpoint.Replay {
		return nil
	}
	a.course.assumed[c.Key] = reason
	return &as
}

// asDelivered gives a gate as it stood in the attempt that is to be proved: an approval that was
// withdrawn, or lapsed, after that attempt began was an approval in it. An attempt that owns a run
// proves nothing, and takes each gate as it stands.
func (a *attempt) asDelivered(g *journal.Gate) *journal.Gate {
	p := a.proving
	if p == nil || a.run != nil || g.State == journal.Revoked && g.RevokedSeq < p.Seq || g.State == journal.Lapsed && a.st.ImportedSeq < p.Seq {
		return g
	}
	if g.State != journal.Revoked && g.State != journal.Lapsed {
		return g
	}
	as := *g
	as.State = journal.Approved
	return &as
}

// compare sorts what the two courses differ in.
func compare(c *Comparison, before, after *attempt) {
	differs := func(m *madeCall) {
		if c.First == nil {
			pos := m.Pos
			c.First = &pos
		}
	}
	for _, m := range after.course.made {
		switch reason, assumed := after.course.assumed[m.Key]; {
		case assumed:
			r := m.repeated()
			r.Reason = reason
			c.Asked = append(c.Asked, AskedGate{RepeatedCall: r, Assumed: true})
		case m.answered || after.end != nil: // what the script does not wait for does not run
		case before.end == nil && before.leavesOpen(m):
			c.Anyway = append(c.Anyway, before.course.byKey[m.Key].repeated())
		case m.isGate():
			g := AskedGate{RepeatedCall: m.repeated(), Question: !before.leavesOpenQuestion(m)}
			if g.Reason == "" {
				g.Reason = "it was never asked"
			}
			c.Asked = append(c.Asked, g)
			if g.Question {
				differs(m)
			}
		default:
			changed := after.changed(m, before)
			if after.st.Calls[m.Key] == nil {
				c.New = append(c.New, changed)
			} else {
				c.Again = append(c.Again, changed)
			}
			differs(m)
		}
	}
	for _, m := range before.course.made {
		if !m.answered || after.course.byKey[m.Key] != nil {
			continue
		}
		if r := m.repeated(); after.end == nil {
			c.Behind = append(c.Behind, r)
		} else {
			c.Gone = append(c.Gone, r)
		}
	}
	if c.First == nil && !c.SameEnding && c.Ending != nil {
		c.First = place(c.Ending.Err)
	}
}

// leavesOpen reports whether the call is open here too, asks for the same, and would be taken up
// in the same way.
func (a *attempt) leavesOpen(m *madeCall) bool {
	own := a.course.byKey[m.Key]
	return own != nil && !own.answered && own.identity == m.identity && string(own.request.Outside) == string(m.request.Outside) && own.gate == m.gate
}

// leavesOpenQuestion reports whether the same question waits here.
func (a *attempt) leavesOpenQuestion(m *madeCall) bool {
	own := a.course.byKey[m.Key]
	return own != nil && !own.answered && own.identity == m.identity
}

// changed says of a call that would run why it does, held against the course of the run's own
// script.
func (a *attempt) changed(m *madeCall, before *attempt) ChangedCall {
	r := ChangedCall{RepeatedCall: m.repeated(), Was: a.movedFrom(m)}
	old := a.st.Calls[m.Key]
	if old == nil {
		r.Reason = "the journal has no entry for it"
		return r
	}
	r.Repeats = !old.Call.ReadOnly && !old.Call.Idempotent && old.Finish != nil && old.Finish.Failure == nil && !old.Unfinished()
	own := before.course.byKey[m.Key]
	switch {
	case old.Identity != m.identity:
		r.Reason, r.Diff = "the script asks for something else now", clip(argumentsDiff(old.Call.Args, m.Args))
		if r.Diff == "" {
			r.Reason += ", by what it inherits: the model of its phase or of the script"
		}
	case m.after > old.Call.After && own != nil && own.answered:
		r.Reason = "the script makes it later now, after an answer that it did not wait for"
	}
	return r
}

// movedFrom is the key at which the same was asked for, if the edited script asks for it there no
// more.
func (a *attempt) movedFrom(m *madeCall) string {
	first := ""
	for key, old := range a.st.Calls {
		if old.Identity != m.identity || key == m.Key || first != "" && first < key {
			continue
		}
		if now := a.course.byKey[key]; now == nil || now.identity != m.identity {
			first = key
		}
	}
	return first
}

// diffMost is how much of a difference is shown; whoever wants all of it has both scripts.
const diffMost = 4 << 10

func clip(diff string) string {
	if len(diff) <= diffMost {
		return diff
	}
	return strings.ToValidUTF8(diff[:diffMost], "") + "\n…"
}
