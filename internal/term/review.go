package term

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Kind says what a gate asks for. The words are those of the journal.
type Kind string

// The kinds of gates.
const (
	KindPlan    Kind = "plan"
	KindConfirm Kind = "confirm"
	KindInput   Kind = "input"
	KindSelect  Kind = "select"
)

// Review is what a gate shows. All its texts may be hostile.
type Review struct {
	Kind Kind
	// RunID and GateID name what is answered; the first may be a short id, as commands take it.
	// Title is the run's name, which the script gave.
	RunID, GateID, Title string
	// Position is the place among the gates that wait, "1 of 3", or "".
	Position string
	// Used is what the run's agents used until now, in our words, or "".
	Used string
	// Prompt is the script's question, in its words.
	Prompt string
	// Checksum is the hex SHA-256 of Plan; of a checkpoint, that of its question.
	Checksum string
	// Plan is the canonical JSON text of a plan: the bytes that were hashed. Everything that
	// is shown of the plan is made from them.
	Plan []byte
	// Copy is the path of the plan's copy in the workspace, or "".
	Copy string
	// Choices are those of a select.
	Choices []string
	// Default is what stands if nobody answers ("yes" or "no" for a confirm); it is shown, and
	// taken only by a typed command. HasDefault tells an empty default from none.
	Default    string
	HasDefault bool
	// Diff is what changed since the plan that was approved last, as lines of text.
	Diff string
	// Revision is what changed since the plan that was sent back for changes, likewise.
	Revision string
	// Notes are further things to know, such as "you approved this exact plan at …; since then
	// the script changed:" with a difference below it.
	Notes []string
	// Opinion is what another model says of the plan; nil if none was asked.
	Opinion *Opinion
	// Mode is the permission mode that the word approve grants, or ""; Modes are further ones,
	// each granted by the word approve, a space and its name.
	Mode  string
	Modes []Mode
	// Deadline ends the question; zero if there is none.
	Deadline time.Time
	// Now is when the question is shown, for relative times; zero is the time of showing.
	Now time.Time
	// Color allows our colour codes in Show. Ask takes it from the terminal.
	Color bool
}

// DecisionKind is what a person decided.
type DecisionKind int

// The decisions. The zero value is that there is none.
const (
	None    DecisionKind = iota // no answer: the gate stays as it is
	Approve                     // an explicit yes to a plan
	Reject                      // an explicit no to a plan
	Changes                     // a change request for a plan; Text holds it
	Later                       // the person will answer another time
	Answer                      // the answer to a checkpoint; Text holds it: "yes" or "no", the text, the choice
)

// String names the decision.
func (k DecisionKind) String() string {
	return [...]string{"none", "approve", "reject", "changes", "later", "answer"}[k]
}

// Mode is a permission mode that an approval can be given with.
type Mode struct {
	Name string
	// Help says what it means, in our words.
	Help string
}

// Decision is the outcome of a question.
type Decision struct {
	Kind DecisionKind
	Text string
	// Mode is the permission mode of an Approve.
	Mode string
}

// What ends a question without a decision.
var (
	// ErrInterrupted is Ctrl-C, or a signal that asks the process to end.
	ErrInterrupted = errors.New("interrupted at the prompt")
	// ErrClosed is the end of input: Ctrl-D, a hangup, a terminal that is gone.
	ErrClosed = errors.New("the terminal was closed")
	// ErrHangup is the ErrClosed of a signal that says that the terminal is gone.
	ErrHangup = fmt.Errorf("%w (SIGHUP)", ErrClosed)
	// ErrNoAnswer is one unusable answer too many to AskChoice.
	ErrNoAnswer = errors.New("no usable answer was given")
	// ErrDeadline is the passing of Review.Deadline.
	ErrDeadline = errors.New("the time to answer is over")
	// ErrChecksum is a review whose checksum is not that of its plan: nothing is shown then.
	ErrChecksum = errors.New("the checksum is not that of the plan")
	// ErrNotTerminal is a file that is no terminal.
	ErrNotTerminal = errors.New("not a terminal")
)

// check refuses what must not be shown.
func (r *Review) check() error {
	switch r.Kind {
	case KindPlan:
		sum := sha256.Sum256(r.Plan)
		if got := hex.EncodeToString(sum[:]); got != r.Checksum {
			return fmt.Errorf("%w: the text has %s, the gate says %s", ErrChecksum, got, Escape(r.Checksum))
		}
	case KindConfirm, KindInput:
	case KindSelect:
		if len(r.Choices) == 0 {
			return errors.New("a select without choices")
		}
		if r.HasDefault && !slices.Contains(r.Choices, r.Default) {
			return fmt.Errorf("the default %q is not one of the choices", Escape(r.Default))
		}
	default:
		return fmt.Errorf("unknown kind of gate %q", Escape(string(r.Kind)))
	}
	return nil
}
