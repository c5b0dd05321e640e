package journal

import (
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// What follows are the rules of a journal without the files: what a Store is made of, and what
// anything that is to stand in for one needs. It keeps the entries of each run in order, gives
// them to a new State one by one with [State.Apply], makes new ones with [State.Write], and asks
// before that whether the writer may: [State.MayTake], [State.MayOwn], [State.MayVisit]. Package
// journaltest says whether it did all of it right.

// NewState is a run before its first entry.
func NewState(id string) *State { return newState(id) }

// Apply adds an entry that is there already. An entry out of its place, of another run, or that
// could not have been written, is refused, and the state is as before. Seals are not looked at: that
// nobody else wrote the entry is for the keeper to know. It says so by setting Proven; without
// that no approval counts.
func (st *State) Apply(e Entry) error {
	if e.Seq != st.Head+1 || e.Prev != st.HeadHash {
		return damaged(st.ID, fmt.Sprintf("entry %d does not follow from entry %d", e.Seq, st.Head))
	}
	return readFault(st.ID, e, st.apply(e, e.Hash()))
}

// Write makes entries of drafts, unsealed, and adds them. Gates that are pending when the run
// finishes are closed before. After an error the state is of no more use: some of the entries may
// stand in it.
func (st *State) Write(drafts []Draft, at time.Time) ([]Entry, error) {
	at = at.UTC().Truncate(time.Millisecond)
	entries, _, err := st.write(drafts, func(st *State, d Draft) (Entry, error) {
		if err := writable(d); err != nil {
			return Entry{}, err
		}
		return newEntry(st, d, at)
	})
	return entries, err
}

// write makes entries of drafts by a function and adds them. stored are their bytes.
func (st *State) write(drafts []Draft, entry func(*State, Draft) (Entry, error)) (entries []Entry, stored [][]byte, err error) {
	add := func(d Draft) error {
		e, err := entry(st, d)
		if err != nil {
			return err
		}
		// The entry goes through the same checks as one that is read.
		text := e.Bytes()
		if err := st.apply(e, hashOf(e.Prev, text)); err != nil {
			return err
		}
		entries, stored = append(entries, e), append(stored, text)
		return nil
	}
	for _, d := range drafts {
		if d.Kind == KindRunFinished {
			for _, closing := range st.closings(d) {
				if err := add(closing); err != nil {
					return nil, nil, err
				}
			}
		}
		if err := add(d); err != nil {
			return nil, nil, err
		}
	}
	return entries, stored, nil
}

// closings end the gates that are pending when the run finishes.
func (st *State) closings(finished Draft) []Draft {
	code := fault.RunFinished
	if r, ok := finished.Data.(RunFinished); ok && r.State == StatusCancelled {
		code = fault.RunCancelled
	}
	var drafts []Draft
	for _, gate := range st.Pending() {
		drafts = append(drafts, gate.closing(Cancelled, code))
	}
	return drafts
}

func (g *Gate) closing(state GateState, code fault.Code) Draft {
	return Draft{
		Kind: KindGateClosed, Key: g.Key, Identity: g.Identity,
		Data: GateClosed{Gate: g.Asked.Gate, State: string(state), Code: string(code)},
	}
}

// Interruptions close the gates that were being shown when their process ended: what was on a
// screen that is gone cannot be answered any more. They come before the run.resumed of whoever
// takes the run over.
func (st *State) Interruptions() []Draft {
	var drafts []Draft
	for _, gate := range st.Pending() {
		if !gate.Suspended {
			drafts = append(drafts, gate.closing(Interrupted, fault.PlanApprovalInterrupt))
		}
	}
	return drafts
}

// MayTake refuses a run that was cancelled: nobody takes it over.
func (st *State) MayTake() error {
	if st.Finished != nil && st.Finished.State == StatusCancelled {
		return st.ended()
	}
	return nil
}

// MayOwn says that the run is still that owner's to write to who began it with entry attempt,
// its run.started or run.resumed: LEASE_LOST, RUN_FINISHED or RUN_CANCELLED if not.
func (st *State) MayOwn(attempt uint64) error {
	last := st.Attempts[len(st.Attempts)-1]
	if last.Seq != attempt {
		return fault.New(fault.LeaseLost,
			fmt.Sprintf("run %s was taken over by process %d at entry %d", st.ID, last.Owner.PID, last.Seq),
			"let that process go on, or end it and resume the run")
	}
	return st.ended()
}

// MayVisit keeps whoever does not own the run from more than answering.
func (st *State) MayVisit(drafts []Draft) error {
	for _, d := range drafts {
		if err := visitorMay(st, d); err != nil {
			return err
		}
	}
	return nil
}
