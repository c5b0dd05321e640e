package engine

import (
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// revoked gives the approval of the run that was taken back first since this attempt began; nil
// if none was. One that was taken back before is asked about anew, and stops nothing.
func (a *attempt) revoked(st *journal.State) *journal.Gate {
	if a.run == nil {
		return nil // a rehearsal does no work that could be stopped
	}
	began := st.Attempts[len(st.Attempts)-1].Seq
	var first *journal.Gate
	for _, id := range st.GateOrder {
		g := st.Gates[id]
		if g.State == journal.Revoked && g.RevokedSeq > began && (first == nil || g.RevokedSeq < first.RevokedSeq) {
			first = g
		}
	}
	return first
}

// heedRevocation keeps anything more from starting once an approval was taken back: whoever does
// that wants the work to stop, and what else the script is about to do was planned with a yes in
// mind that is no more. What is at work is finished and journaled, and not delivered.
func (a *attempt) heedRevocation() {
	if a.stop != nil {
		return
	}
	if g := a.revoked(a.st); g != nil {
		a.stop = revokedEnding(a.st.ID, g)
		if n := len(a.working); n > 0 {
			a.warn("gate " + g.Asked.Gate + ": " + checkpoint.RevokedText(g) + "; nothing more begins, and " + count(n, "call", "calls") + " at work may end")
		}
	}
}

// revokedEnding is how a run ends in which an approval was taken back.
func revokedEnding(run string, g *journal.Gate) *ending {
	return &ending{
		state: journal.StatusStopped, who: &g.Revocation.Who,
		err: fault.New(fault.PlanNotApproved, "gate "+g.Asked.Gate+": "+checkpoint.RevokedText(g),
			"assent resume "+run+"   # asks about the plan anew"),
	}
}

// endRevoked makes the ending of a script that came to its end while an approval was being taken
// back one that says so. The transaction that ends the run decides which of the two was first.
func (a *attempt) endRevoked(st *journal.State, end *ending) {
	if end.state != journal.StatusCompleted && end.state != journal.StatusStopped || fault.Is(end.err, fault.HumanInputRequired) {
		return
	}
	if g := a.revoked(st); g != nil {
		stopped := revokedEnding(st.ID, g)
		end.state, end.who, end.err = stopped.state, stopped.who, stopped.err
	}
}
