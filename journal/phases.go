package journal

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// PhaseTotal is what the calls of one phase came to, in the script itself or in one workflow that it
// started. Work that was done again counts again, as it does in UsageAt.
type PhaseTotal struct {
	// Frame is where a workflow that the script started runs; "" is the script itself.
	Frame string
	// Title is that of the phase; "" is of calls that have none.
	Title string
	// Calls were begun: of agents and of the host, also such as have not ended. Failed are those of
	// them that ended with a failure, and were not begun again since.
	Calls, Failed int
	// Usage is what agents told of; DurationMs adds up how long the calls took, also where they ran
	// at the same time.
	Usage      Usage
	DurationMs int64
	// Agents are the answers of agents that were asked. Of so many of them the tokens, and the cost,
	// are not known, because the agent told none: that is not the same as 0.
	Agents, TokensUnknown, CostUnknown int
}

// Phases are the totals of each phase in the order in which they came: those of the script first, then
// of each workflow that it started. Together they are UsageAt of the head.
func (st *State) Phases() []PhaseTotal {
	totals := phaseTotals{slices.Clone(st.totals.rows), maps.Clone(st.totals.at)}
	for _, c := range st.Calls {
		if !counts(c.Call) {
			continue
		}
		row := totals.row(c.Key, c.Call)
		row.Calls++
		if !c.Unfinished() && c.Finish.Failure != nil {
			row.Failed++
		}
	}
	frames := map[string]int{"": 0}
	for _, row := range totals.rows {
		if _, known := frames[row.Frame]; !known {
			frames[row.Frame] = len(frames)
		}
	}
	slices.SortStableFunc(totals.rows, func(a, b PhaseTotal) int { return cmp.Compare(frames[a.Frame], frames[b.Frame]) })
	return totals.rows
}

// Total adds up totals; it has no frame and no title.
func Total(rows []PhaseTotal) PhaseTotal {
	var sum PhaseTotal
	for _, r := range rows {
		sum.Calls += r.Calls
		sum.Failed += r.Failed
		sum.Usage = sum.Usage.Plus(r.Usage)
		sum.DurationMs += r.DurationMs
		sum.Agents += r.Agents
		sum.TokensUnknown += r.TokensUnknown
		sum.CostUnknown += r.CostUnknown
	}
	return sum
}

// phaseTotals are the rows, in the order of their first call, and where each is.
type phaseTotals struct {
	rows []PhaseTotal
	at   map[phasePlace]int
}

type phasePlace struct{ frame, title string }

// row gives the row that a call counts in.
func (t *phaseTotals) row(key string, c Call) *PhaseTotal {
	place := phasePlace{WorkflowFrame(key), c.Phase}
	i, ok := t.at[place]
	if !ok {
		i = len(t.rows)
		t.at[place] = i
		t.rows = append(t.rows, PhaseTotal{Frame: place.frame, Title: place.title})
	}
	return &t.rows[i]
}

// began gives a call's phase its place among the others.
func (t *phaseTotals) began(key string, c Call) {
	if counts(c) {
		t.row(key, c)
	}
}

// ended adds an answer to its phase.
func (t *phaseTotals) ended(key string, c Call, r CallFinished) {
	if !counts(c) {
		return
	}
	row := t.row(key, c)
	row.Usage = row.Usage.Plus(r.Usage)
	row.DurationMs += r.DurationMs
	if !Asked(c, r.Failure) {
		return
	}
	row.Agents++
	if r.Usage.Input+r.Usage.Output == 0 {
		row.TokensUnknown++
	}
	if r.Usage.CostMicroUSD == 0 {
		row.CostUnknown++
	}
}

// counts says that a call is work: a question waits for a person, and a sleep for its time.
func counts(c Call) bool {
	return !slices.Contains([]string{"sleep", "checkpoint", "planApprove", "workflow"}, c.Name)
}

// refusals are failures of agent() before an agent was asked: they cost nothing.
var refusals = []fault.Code{
	fault.AgentNotConfigured, fault.BudgetExceeded, fault.PhaseBudgetExceeded, fault.PlanNotApproved, fault.ContextTooLarge,
	fault.SchemaInvalid, fault.OptionInvalid, fault.OptionUnknown, fault.OptionNotAvailable,
}

// Asked reports whether an agent was asked in a call that ended so. Only then it used something, and
// what that was is unknown if it did not tell.
func Asked(c Call, f *Failure) bool {
	return c.Name == "agent" && (f == nil || !slices.Contains(refusals, fault.Code(f.Code)))
}

// WorkflowFrame is the frame of the innermost workflow() that a key stands in, such as
// /parallel#0[2]/workflow#0[0]; "" is the script itself.
func WorkflowFrame(key string) string {
	const name = "/workflow#"
	for end := len(key); ; {
		at := strings.LastIndex(key[:end], name)
		if at < 0 {
			return ""
		}
		if length := strings.IndexAny(key[at+1:], "/["); length >= 0 && key[at+1+length] == '[' {
			if closing := strings.IndexByte(key[at:], ']'); closing >= 0 {
				return key[:at+closing+1]
			}
		}
		end = at
	}
}
