package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/journal"
)

// Error is a refusal with a stable code; errors.AsType[*agent.Error] gives it.
type Error = fault.Error

// AnswerError is an answer that could not be used. It is the cause of AGENT_ANSWER_INVALID and
// SCHEMA_NONCOMPLIANCE.
type AnswerError struct {
	// Raw is what the agent said, whole.
	Raw string
	// Problems names everything that is wrong with it.
	Problems []string
}

// Error lists the problems and shows the beginning of the answer.
func (e *AnswerError) Error() string {
	text := list(e.Problems, "; ")
	if e.Raw != "" {
		// Redacted before it is cut, so that no half of a secret is left over at the cut.
		shown := redact.Text(strings.ToValidUTF8(e.Raw[:min(len(e.Raw), 2*rawShown)], "?"), nil)
		text += "; the answer was: " + shorten(shown, rawShown)
	}
	return text
}

// LimitError is a provider's refusal to do more until its limit resets; it is the cause of USAGE_LIMIT.
type LimitError struct {
	// Reset is when work can go on; zero if the agent did not say.
	Reset time.Time
	// Message is the agent's own word.
	Message string
}

// Error gives the agent's word and the time.
func (e *LimitError) Error() string {
	text := e.Message
	if text == "" {
		text = "no more usage at present"
	}
	if !e.Reset.IsZero() {
		text += " (until " + e.Reset.UTC().Format(time.RFC3339) + ")"
	}
	return text
}

// lastError is the failure of an attempt after which no other might be made.
type lastError struct{ failed, refusal error }

// Error gives both.
func (e *lastError) Error() string {
	return e.failed.Error() + "; not tried again: " + e.refusal.Error()
}

// Unwrap gives the failure: what the call came to is that, and not the refusal.
func (e *lastError) Unwrap() error { return e.failed }

// notAgain is a failure, with its own code, that says why it is the last word.
func notAgain(failed, refusal error) error {
	e, ok := errors.AsType[*fault.Error](failed)
	switch {
	case !ok:
		return &lastError{failed, refusal}
	case e.Err == nil:
		return fault.New(e.Code, e.What+"; not tried again: "+refusal.Error(), e.Next)
	}
	return fault.Wrap(&lastError{e.Err, refusal}, e.Code, e.What, e.Next)
}

// UnableError is an agent's word that it cannot work in the way that was asked for; it is the
// cause of AGENT_UNABLE. Asking it again would not help.
type UnableError struct {
	// What it has not got: "model", "effort" or "mode".
	What string
	// Message is the agent's own word.
	Message string
}

// Error gives the agent's word.
func (e *UnableError) Error() string {
	if e.Message == "" {
		return "it says no more"
	}
	return e.Message
}

// unable is AGENT_UNABLE for the code that an agent gave, nil if the code says something else.
func unable(code, message string) error {
	what, found := strings.CutSuffix(strings.ToLower(code), "_unavailable")
	if !found || !slices.Contains([]string{"model", "effort", "mode"}, what) {
		return nil
	}
	return fault.Wrap(&UnableError{What: what, Message: redact.Text(message, nil)}, fault.AgentUnable,
		"the agent does not have the "+what+" that was asked for", "name one that it has")
}

// Class says what the script sees of err, as a class of journal.Failure: a call that was
// cancelled is never seen; an answer that does not satisfy its schema, a usage limit and a
// wrong option are always thrown; a missing agent ends the run and is not replayed; every
// other failure is ordinary. Class(nil) is "".
func Class(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return journal.FailureCancelled
	}
	switch fault.CodeOf(err) {
	case fault.SchemaNoncompliance, fault.UsageLimit, fault.SchemaInvalid, fault.PlanNotApproved,
		fault.OptionInvalid, fault.OptionUnknown, fault.OptionNotAvailable:
		return journal.FailureThrown
	case fault.AgentNotConfigured, fault.BudgetExceeded:
		return journal.FailureFatal
	default:
		return journal.FailureOrdinary
	}
}

// ended returns the error of an attempt that ended because its ctx did: AGENT_TIMEOUT if its
// time was up, else the error of a cancelled call.
func ended(ctx context.Context) error {
	cause := context.Cause(ctx)
	switch {
	case fault.CodeOf(cause) == fault.AgentTimeout:
		return cause
	case errors.Is(cause, context.DeadlineExceeded):
		return fault.Wrap(cause, fault.AgentTimeout, "the agent did not answer in time", "")
	default:
		return cancelled(ctx)
	}
}

// cancelled returns the error of a call that was ended from outside, with the reason for it.
func cancelled(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.Canceled) {
		return fmt.Errorf("the agent's call was cancelled: %w", cause)
	}
	return fmt.Errorf("the agent's call was ended (%w): %w", context.Canceled, cause)
}

// bad is the error of an answer that cannot be used.
func bad(what string, raw []byte, problems ...string) error {
	return fault.Wrap(&AnswerError{Raw: string(raw), Problems: problems}, fault.AgentAnswerInvalid, what, "")
}
