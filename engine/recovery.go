package engine

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Recovery is the question what to do with calls that may have changed something and would run
// again.
type Recovery struct {
	Run string
	// Interrupted were cut off: nobody knows how far they came.
	Interrupted []RepeatedCall
	// Changed had finished, but something before them ran again or the script asks for
	// something else now.
	Changed []RepeatedCall
	// Following had finished too and may have to run again, because they come after those. Leave
	// to run again is leave for them as well.
	Following []RepeatedCall
}

// RepeatedCall is one call of a Recovery.
type RepeatedCall struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Label  string `json:"label,omitempty"`
	Reason string `json:"reason"`
	// Call is what was asked for.
	Call journal.Call `json:"call"`
}

// Choice is a person's answer to a Recovery.
type Choice string

// The choices.
const (
	// ChooseRerun runs all of them again.
	ChooseRerun Choice = "rerun"
	// ChooseFail takes the interrupted ones as failed, for good. Finished ones run again.
	ChooseFail Choice = "fail"
	// ChooseStop leaves the run as it is.
	ChooseStop Choice = "stop"
)

func (c *call) repeated() RepeatedCall {
	return RepeatedCall{Key: c.Key, Name: c.Name, Label: c.request.Label, Reason: c.reason, Call: c.record()}
}

// refusal is why a run without a person stops before it repeats work.
func (q *Recovery) refusal() error {
	if len(q.Interrupted) > 0 {
		return fault.New(fault.CallsInterrupted, fmt.Sprintf("%s interrupted and may have changed something: %s", count(len(q.Interrupted), "call was", "calls were"), names(q.Interrupted)),
			"assent resume "+q.Run+" --rerun-interrupted   # once you have looked at what they did")
	}
	return fault.New(fault.WorkWouldRepeat, fmt.Sprintf("%s that may have changed something would run again: %s", count(len(q.Changed), "finished call", "finished calls"), names(q.Changed)),
		"assent resume "+q.Run+" --rerun-changed   # runs them again; --dry-run shows why")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func names(calls []RepeatedCall) string {
	const most = 5
	var list []string
	for i, c := range calls {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(calls)-most))
			break
		}
		if c.Label != "" {
			list = append(list, fmt.Sprintf("%s (%s)", c.Label, c.Key))
		} else {
			list = append(list, c.Key)
		}
	}
	return strings.Join(list, ", ")
}
