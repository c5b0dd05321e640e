package engine

import (
	"slices"

	"github.com/seed-8d4a6081/assent/journal"
)

// deliveries knows which of the journal's answers in force were given in this attempt. As long
// as all of them up to a turn were, the script has seen exactly what it saw before.
type deliveries struct {
	// force are the seqs of the answers in force when the attempt began, ascending.
	force []uint64
	given map[uint64]bool
	// next is the first of force that was not given.
	next int
}

func newDeliveries(st *journal.State) deliveries {
	d := deliveries{given: map[uint64]bool{}}
	for _, c := range st.Calls {
		if c.Finish != nil && !c.Unfinished() {
			d.force = append(d.force, c.Finish.Seq)
		}
	}
	for _, id := range st.GateByKey {
		if g := st.Gates[id]; g.Asked.Call == "" && (g.Answer != nil || g.State == journal.Expired) {
			d.force = append(d.force, g.AnswerSeq)
		}
	}
	slices.Sort(d.force)
	return d
}

func (d *deliveries) delivered(seq uint64) {
	d.given[seq] = true
	for d.next < len(d.force) && d.given[d.force[d.next]] {
		delete(d.given, d.force[d.next])
		d.next++
	}
}

// wasDelivered reports whether the answer in force with this seq was given in this attempt.
func (d *deliveries) wasDelivered(seq uint64) bool {
	return d.given[seq] || d.next >= len(d.force) || seq < d.force[d.next]
}

// completeTo reports whether every answer in force up to seq was given.
func (d *deliveries) completeTo(seq uint64) bool {
	return d.next >= len(d.force) || d.force[d.next] > seq
}
