package checkpoint

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/journal"
)

// Copies keeps copies of plans beside the journal, for people to read with what they like. The
// journal's text is the plan; a copy is the input of nothing but its own comparison. Package
// planapprove has one.
type Copies interface {
	// Make writes the copy of a plan before it is asked about, and says what the gate has to
	// record of it; nil if the run has no place for copies. If it fails, nothing is asked.
	Make(st *journal.State, q Question, now time.Time) (*journal.Artifact, error)
	// Restore writes the copy of a gate again if it is gone. It is called before the gate is
	// shown; its error says why an approval would be refused.
	Restore(st *journal.State, g *journal.Gate) error
	// Check refuses the approval of a gate whose copy is not as it was written.
	Check(st *journal.State, g *journal.Gate) error
}

// errUnchecked is a mistake in a program, not one of a user.
var errUnchecked = errors.New("the plan has a copy that nobody compared; record its approval with planapprove.Respond")

// checkCopy compares the copy of the plan that r approves.
func (r Response) checkCopy(st *journal.State, g *journal.Gate) error {
	switch {
	case g.Asked.Artifact == nil || string(r.Decision) != "true":
		return nil
	case r.Copies == nil:
		return fmt.Errorf("gate %s: %w", g.Asked.Gate, errUnchecked)
	}
	return r.Copies.Check(st, g)
}
