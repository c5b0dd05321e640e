package cli

import (
	"strings"

	"github.com/seed-8d4a6081/assent/journal"
)

// saidBy is the key of the call whose failure, shown already, ended the run; "" where that is not sure, as
// where calls at one place failed alike. Texts prove nothing: two calls can fail with the same one.
func (s *session) saidBy(p problem) string {
	by := ""
	for key, c := range s.calls {
		f := failureOf(c)
		if f == nil || f.Code != p.Code || c.Call.File != p.File || c.Call.Line != p.Line || c.Call.Column != p.Column {
			continue
		}
		if by != "" {
			return ""
		}
		by = key
	}
	if by == "" || p.Line == 0 || s.shown[by] == "" || !strings.HasSuffix(p.What, s.shown[by]) {
		return ""
	}
	return by
}

// givesNull is what the machine notes of a call whose failure the script takes as null, between the call's
// key and the failure.
const givesNull = " failed, and gives null: "

// repeats says that a line of the script's notes only says once more that a call failed, as told before.
func repeats(level, text string, told func(key string) bool) bool {
	key, _, found := strings.Cut(text, givesNull)
	return found && level == "warn" && told(key)
}

// failureOf is why a call failed, nil if it did not.
func failureOf(c *journal.CallState) *journal.Failure {
	if c.Finish == nil {
		return nil
	}
	return c.Finish.Failure
}

// triedText is what a call tries, for people. Objects have "attempt 2 of 3: CAUSE", which reads as if
// that attempt had failed: the cause is of the one before.
func triedText(trying string) string { return strings.Replace(trying, ": ", ", after ", 1) }
