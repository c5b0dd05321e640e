package vm

import (
	"encoding/json"
	"time"
)

// At is what the script can see of the world while it reacts to one answer. The caller takes
// it from the journal, so that a second execution sees the same.
type At struct {
	// Now is the journaled time of the answer; now() gives it, and never goes back.
	Now time.Time
	// Spent is what budget.spent() gives.
	Spent float64
	// Total is what budget.total gives; nil means that there is no budget.
	Total *float64
}

// Turn is what came of one delivery: everything the script did until it could only wait.
type Turn struct {
	// Calls are the calls that the script made, in order. Those that are not answered before the
	// script ends stand in Outstanding as well.
	Calls []Call
	// Notes are log, phase and status lines, in order.
	Notes []Note
	// Done is true in the one turn in which the script ended.
	Done bool
	// Result is the JSON text that the script returned, if Done and Err is nil.
	Result json.RawMessage
	// Err says how the script failed, if Done.
	Err *Error
	// Outstanding names, if Done, the calls that were made and never answered: the losers of a
	// race, and calls that nobody waited for. Sorted by when they were made.
	Outstanding []string
}

// Call is one thing that the script asked for.
type Call struct {
	// Key is where in the script's structure the call stands; see the package comment.
	Key string
	// Name is the global function that was called, such as agent.
	Name string
	// Args are the arguments as JSON texts; undefined ones at the end are left out.
	Args []json.RawMessage
	// Frame is the frame part of Key; "" is the root.
	Frame string
	// Phase is the phase that was in force where the call stands; an agent's own option wins.
	Phase string
	// PhaseBudget is what the work in that phase may use, as the script wrote it; "" if it set nothing. It
	// belongs to Phase as the frame has it, not to an agent's own.
	PhaseBudget string
	// Within are the workflows that the call stands in, the outermost first; the script itself is none of them.
	Within []Nested
	// Label is an agent's label option.
	Label string
	// Pos is the place in the author's source.
	Pos Position
	// Under is the approval that an agent names in its option under.
	Under *Approval
	// Counted says whether the call counts against Limits.Calls.
	Counted bool
	// For is the key of the call that this one is the forerunner of (Config.Before), which is
	// made when this one is answered; a fatal failure rejects it instead. Before is, in that
	// call, how its forerunner was answered.
	For    string
	Before *Outcome
}

// Approval names the planApprove call whose answer a script passed as `under`. The machine knows it to be that very
// answer; whether it says yes, and still holds, is for the caller to check.
type Approval struct {
	Key      string
	Checksum string
	// Within is the frame of the innermost workflow that asked, "" for the script itself.
	Within string
}

// Nested is a workflow that the script started with workflow(), or one that such a one started.
type Nested struct {
	// Frame is where it runs, as in the keys of its calls.
	Frame string
	Meta  Meta
}

// Innermost is the frame of the innermost workflow that the call stands in, "" for the script itself.
func (c Call) Innermost() string {
	if len(c.Within) == 0 {
		return ""
	}
	return c.Within[len(c.Within)-1].Frame
}

// Position is a place in the author's source. Line and Column count from 1; 0 means unknown.
type Position struct {
	File   string
	Line   int
	Column int
}

// Note is a progress line. Notes are not answered.
type Note struct {
	// Type is "log", "phase" or "status".
	Type string
	// Level is "debug", "info", "warn" or "error" for a log line, and empty otherwise.
	Level string
	// Text is the line, the phase's title, or the status.
	Text string
	// Data is the whole of a status.
	Data json.RawMessage
	// Frame is where it was said.
	Frame string
}

// Outcome is the answer to one call.
type Outcome struct {
	// Value is the answer as one JSON text, if Failure is nil. Empty means null.
	Value json.RawMessage
	// Failure says that there is no answer, and why.
	Failure *Failure
	// Replayed is what an approval's own property `replayed` says. Nothing else depends on it.
	Replayed bool
}

// Failure is why a call has no answer.
type Failure struct {
	// Code and Message become properties of the Error that the script gets.
	Code    string
	Message string
	Class   Class
}

// Class says how far a failure goes.
type Class int

const (
	// Ordinary makes agent() give null, or throw if its option onError is "throw"; every other
	// call throws.
	Ordinary Class = iota
	// Thrown makes every call throw, and so agent(), whatever its onError says.
	Thrown
	// Fatal is Thrown, and passes through parallel and pipeline, which turn other
	// errors into null.
	Fatal
)
