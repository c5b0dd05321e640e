package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// CallFailure is a call of a run that failed for good.
type CallFailure struct {
	Key     string          `json:"key"`
	Name    string          `json:"name"`
	Label   string          `json:"label,omitempty"`
	Failure journal.Failure `json:"failure"`
	// Attempts are those that the call took, if it took more than one.
	Attempts []journal.CallAttempt `json:"attempts,omitempty"`
	// Replayed says that the failure comes from the journal.
	Replayed bool `json:"replayed,omitempty"`
}

// coded is an error that carries a stable code.
type coded interface {
	error
	ErrorCode() string
}

// mistake is the refusal of a call's arguments as the script gets it: what is wrong and what to
// do about it; the code is a property of its own.
type mistake struct{ err error }

// Error gives what and next.
func (m mistake) Error() string {
	if e, ok := errors.AsType[*fault.Error](m.err); ok {
		return explain(e)
	}
	return m.err.Error()
}

// Fatal says that the refusal passes through parallel and pipeline.
func (m mistake) Fatal() bool { return fault.Is(m.err, fault.PlanNotApproved) }

// ErrorCode is the code of what is wrong, or that of a wrong argument.
func (m mistake) ErrorCode() string {
	if e, ok := errors.AsType[coded](m.err); ok {
		return e.ErrorCode()
	}
	return string(argumentInvalid)
}

// argumentInvalid is the code that the machine itself has for a wrong argument.
const argumentInvalid fault.Code = "ARGUMENT_INVALID"

// explain puts a refusal into one line without its code. A command is for whoever sees how the
// run ended, and is said there.
func explain(e *fault.Error) string {
	text := e.What
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Next != "" && !strings.HasPrefix(e.Next, "assent ") {
		text += " (" + e.Next + ")"
	}
	return text
}

// failureOf records an error as a failure of class.
func failureOf(err error, class string) *journal.Failure {
	f := &journal.Failure{Code: string(fault.AgentFailed), Message: err.Error(), Class: class}
	if e, ok := errors.AsType[coded](err); ok {
		f.Code = e.ErrorCode()
	}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		f.Code, f.Message = string(e.Code), explain(e)
	}
	return f
}

// marshal gives the JSON text of v with <, > and & as they are.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
