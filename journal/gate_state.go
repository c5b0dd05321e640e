package journal

import (
	"bytes"
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// GateState is where a gate stands.
type GateState string

// A gate begins pending. Every other state is final, except that an approval can be revoked
// or lapse.
const (
	Pending          GateState = "pending"
	Approved         GateState = "approved"
	Rejected         GateState = "rejected"
	ChangesRequested GateState = "changes_requested"
	Answered         GateState = "answered"
	Defaulted        GateState = "defaulted"
	Expired          GateState = "expired"
	Interrupted      GateState = "interrupted"
	Cancelled        GateState = "cancelled"
	Superseded       GateState = "superseded"
	Revoked          GateState = "revoked"
	Lapsed           GateState = "lapsed"
)

// next is the whole state machine: may a gate in state s become to?
func (s GateState) next(to GateState) error {
	switch s {
	case Pending:
		switch to {
		case Approved, Rejected, ChangesRequested, Answered, Defaulted,
			Expired, Interrupted, Cancelled, Superseded:
			return nil
		}
	case Approved:
		switch to {
		case Revoked, Lapsed:
			return nil
		}
	}
	return fault.New(fault.TransitionAbsent, fmt.Sprintf("a gate that is %s cannot become %s", s, to),
		"look at the run again: somebody else was first")
}

// stateOf says what an answer makes of the gate that it answers.
func stateOf(asked GateAsked, answer GateAnswered) (GateState, error) {
	decision := bytes.TrimSpace(answer.Decision)
	switch {
	case answer.Unanswered != "":
		return Defaulted, nil
	case asked.Kind != "plan":
		return Answered, nil
	case bytes.Equal(decision, []byte("true")):
		return Approved, nil
	case bytes.Equal(decision, []byte("false")):
		return Rejected, nil
	case len(decision) > 0 && decision[0] == '"':
		return ChangesRequested, nil
	}
	return "", fault.New(fault.TransitionAbsent, fmt.Sprintf("the decision %.40s on a plan is not true, false or a text", decision),
		"answer with true, false or the change that is asked for")
}

// closedState checks the state that a gate.closed names.
func closedState(name string) (GateState, error) {
	switch s := GateState(name); s {
	case Expired, Interrupted, Cancelled, Superseded:
		return s, nil
	}
	return "", fault.New(fault.TransitionAbsent, fmt.Sprintf("a gate cannot be closed as %q", name),
		"close it as expired, interrupted, cancelled or superseded")
}
