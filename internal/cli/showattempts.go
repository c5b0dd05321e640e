package cli

import (
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// attemptName names the i-th of some attempts at a call: tries and repair rounds are counted apart.
func attemptName(all []journal.CallAttempt, i int) string {
	n := 0
	for _, a := range all[:i+1] {
		if a.Repair == all[i].Repair {
			n++
		}
	}
	if all[i].Repair {
		return fmt.Sprintf("repair %d", n)
	}
	return fmt.Sprintf("attempt %d", n)
}

// attemptText is what an attempt came to, in one line.
func attemptText(a journal.CallAttempt) string {
	text := "answered"
	if a.Code != "" {
		text = agent.Cause(a)
	}
	if a.DurationMs > 0 {
		text += ", " + term.Duration(time.Duration(a.DurationMs)*time.Millisecond)
	}
	if used := usageText(a.Usage); used != "" {
		text += ", " + used
	}
	return text
}

// attemptLines are the attempts at a call, a line each.
func attemptLines(all []journal.CallAttempt) []string {
	lines := make([]string, len(all))
	for i, a := range all {
		lines[i] = attemptName(all, i) + ": " + attemptText(a)
	}
	return lines
}
