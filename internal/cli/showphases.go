package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// totalRow is what the calls of a phase came to, in JSON.
type totalRow struct {
	// Frame is where a workflow that the script started runs; absent for the script itself.
	Frame string `json:"frame,omitempty"`
	// Phase is its title; "" is of calls that have none.
	Phase  string `json:"phase"`
	Calls  int    `json:"calls"`
	Failed int    `json:"failed"`
	// DurationMs adds up how long the calls took, also where they ran at the same time.
	DurationMs int64    `json:"durationMs"`
	Usage      usageRow `json:"usage"`
	// Unknown counts the answers of which the tokens are not known: Usage has those of the others.
	Unknown int `json:"unknown"`
}

func totalRows(st *journal.State) []totalRow {
	rows := []totalRow{}
	for _, t := range st.Phases() {
		rows = append(rows, totalRow{t.Frame, t.Title, t.Calls, t.Failed, t.DurationMs, usageOfTotal(t), t.TokensUnknown})
	}
	return rows
}

// phaseLine is a line of the table of phases: a phase, or a sum.
type phaseLine struct {
	name  string
	total journal.PhaseTotal
	// below says that it is a phase of the workflow above it.
	below bool
}

// phaseLines are the phases of the script, then each workflow that it started, with a sum and its own
// phases below, then the sum of all, if there is more than one.
func phaseLines(st *journal.State) []phaseLine {
	totals := st.Phases()
	var lines []phaseLine
	frame := ""
	for i, t := range totals {
		if t.Frame != frame {
			frame = t.Frame
			last := i
			for last < len(totals) && totals[last].Frame == frame {
				last++
			}
			lines = append(lines, phaseLine{"workflow " + workflowName(st, frame), journal.Total(totals[i:last]), false})
		}
		name := t.Title
		if name == "" {
			name = "(no phase)"
		}
		lines = append(lines, phaseLine{name, t, frame != ""})
	}
	if len(totals) > 1 {
		lines = append(lines, phaseLine{"total", journal.Total(totals), false})
	}
	return lines
}

// workflowName is what the script called a workflow that it started, and the frame it runs in.
func workflowName(st *journal.State, frame string) string {
	key := frame[:max(0, len(frame)-len("[0]"))]
	c := st.Calls[key]
	if c == nil {
		return frame
	}
	name := c.Call.Label
	if name == "" && len(c.Call.Args) > 0 && json.Unmarshal(c.Call.Args[0], &name) == nil {
		name = short(firstLine(name))
	}
	return labelled(name, frame)
}

// phaseHead are the columns of the table.
var phaseHead = []string{"PHASE", "CALLS", "FAILED", "TOKENS IN", "OUT", "COST", "WORK"}

func (l phaseLine) cells() []string {
	t := l.total
	in, out, cost := "-", "-", "-" // no agent was asked
	if t.Agents > 0 {
		in, out = known(term.Tokens(t.Usage.Input), t.TokensUnknown, t.Agents), known(term.Tokens(t.Usage.Output), t.TokensUnknown, t.Agents)
		cost = known(term.Money(t.Usage.CostMicroUSD), t.CostUnknown, t.Agents)
	}
	return []string{
		l.name, strconv.Itoa(t.Calls), strconv.Itoa(t.Failed), in, out, cost,
		term.Duration(time.Duration(t.DurationMs) * time.Millisecond),
	}
}

// known is a sum, or says that none or only a part of it is known.
func known(sum string, unknown, of int) string {
	switch unknown {
	case 0:
		return sum
	case of:
		return "unknown"
	}
	return "≥ " + sum
}

// mostPhases is how many lines the table has; --json has all of it.
const mostPhases = 60

// fewPhases leaves out what is too much to read, and counts it; the last line, the sum, stays.
func fewPhases(lines []phaseLine) (few []phaseLine, more int) {
	if more = len(lines) - mostPhases; more <= 0 {
		return lines, 0
	}
	return append(lines[:mostPhases-1:mostPhases-1], lines[len(lines)-1]), more
}

// phasesText is the table of phases, behind an empty line; "" if no call was made.
func phasesText(st *journal.State) string {
	lines := phaseLines(st)
	if len(lines) == 0 {
		return ""
	}
	table := term.Table{Right: []bool{false, true, true, true, true, true, true}, Limit: []int{60}}
	table.Head(phaseHead...)
	lines, more := fewPhases(lines)
	for i, l := range lines {
		cells := l.cells()
		if l.below {
			cells[0] = "  " + cells[0]
		}
		if more > 0 && i == len(lines)-1 {
			table.Head("and " + strconv.Itoa(more) + " more (--json lists all)")
		}
		table.Row(cells...)
	}
	return "\n" + table.String()
}

// phases is the table in a report.
func (r *report) phases() {
	lines := phaseLines(r.st)
	if len(lines) == 0 {
		return
	}
	r.heading(2, "Phases")
	r.row(phaseHead)
	r.b.WriteString("|---|--:|--:|--:|--:|--:|--:|\n")
	lines, more := fewPhases(lines)
	for i, l := range lines {
		cells := l.cells()
		for i := range cells {
			cells[i] = cellMarkdown(cells[i])
		}
		if l.below {
			cells[0] = "↳ " + cells[0]
		}
		if more > 0 && i == len(lines)-1 {
			r.row([]string{fmt.Sprintf("and %d more", more), "", "", "", "", "", ""})
		}
		r.row(cells)
	}
	r.line("Work is what the calls took together, also where they ran at the same time. What was done again counts again.")
}
