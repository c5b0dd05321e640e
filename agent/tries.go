package agent

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/journal"
)

// Next is an attempt that is about to be made because the one before it failed. Retries and repair
// rounds are counted apart: the third answer of a call may be its second attempt.
type Next struct {
	// Number is that of the attempt, and Of how many there may be: 2 of 1+retries for the first
	// retry. With Repair it is the first or the second repair round.
	Number, Of int
	Repair     bool
	// Failed is the attempt before it.
	Failed journal.CallAttempt
	// Used is what all attempts so far used.
	Used journal.Usage
}

// String says which attempt is made, and why, in one line: "attempt 2 of 3: AGENT_FAILED: …".
func (n Next) String() string {
	what := "attempt"
	if n.Repair {
		what = "repair round"
	}
	return fmt.Sprintf("%s %d of %d: %s", what, n.Number, n.Of, Cause(n.Failed))
}

// Cause says in one line why an attempt failed; "" if it did not.
func Cause(a journal.CallAttempt) string {
	if a.Code == "" {
		return ""
	}
	why := a.Message
	if len(a.Violations) > 0 {
		why = list(a.Violations, "; ")
	}
	return strings.TrimSuffix(a.Code+": "+strings.Join(strings.Fields(why), " "), ": ")
}

// tries is the record of the attempts at one call.
type tries struct {
	// retries are those that the script allows; retried and repaired are those that were begun.
	retries, retried, repaired int
	repairing                  bool
	list                       []journal.CallAttempt
	used                       journal.Usage
	// most is the largest input that an attempt reported.
	most int64
}

// made adds an attempt.
func (t *tries) made(took time.Duration, used journal.Usage) {
	t.list = append(t.list, journal.CallAttempt{Repair: t.repairing, DurationMs: took.Milliseconds(), Usage: used})
	t.used = add(t.used, used)
	t.most = max(t.most, used.Input)
}

// failed says why the last attempt did. What an agent wrote is redacted before it is cut, so that no
// half of a secret is left over at the cut.
func (t *tries) failed(err error, wrong *AnswerError) {
	last := &t.list[len(t.list)-1]
	last.Code, last.Message = string(fault.AgentFailed), err.Error()
	if e, ok := errors.AsType[*fault.Error](err); ok {
		last.Code, last.Message = string(e.Code), e.What
		if e.Err != nil {
			last.Message += ": " + e.Err.Error()
		}
	}
	if wrong != nil {
		last.Message = ""
		if wrong.Raw != "" {
			last.Message = "the answer was: " + wrong.Raw[:min(len(wrong.Raw), 2*attemptShown)]
		}
		for _, v := range wrong.Problems[:min(len(wrong.Problems), attemptViolations)] {
			last.Violations = append(last.Violations, kept(v, violationShown))
		}
	}
	last.Message = kept(last.Message, attemptShown)
}

// kept is what is kept of a text that an agent may have written.
func kept(text string, most int) string {
	return shorten(redact.Text(strings.ToValidUTF8(text, "?"), nil), most)
}

// next says which attempt may follow on a failure, if one may: a repair round after an answer that
// does not satisfy its schema, a retry after an ordinary failure.
func (t *tries) next(err error, wrong bool) (Next, bool) {
	n := Next{Repair: wrong, Failed: t.list[len(t.list)-1], Used: t.used}
	switch {
	case wrong && t.repaired < RepairRounds:
		t.repaired++
		t.repairing = true
		n.Number, n.Of = t.repaired, RepairRounds
	case !wrong && t.retried < t.retries && Class(err) == journal.FailureOrdinary && !fault.Is(err, fault.AgentUnable):
		t.retried++
		t.repairing = false
		n.Number, n.Of = t.retried+1, t.retries+1
	default:
		return n, false
	}
	return n, true
}

// ended is the response that a call ends with: resp with what all attempts came to.
func (c Call) ended(t tries, resp Response, base Request) Response {
	resp.Usage = t.used
	if len(t.list) > 1 {
		resp.Attempts = t.list
	}
	resp.Warning = c.contextWarning(t.most, base.ContextWarning)
	resp.Note = joined(resp.Note, resp.Warning)
	return resp
}
