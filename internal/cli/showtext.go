package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// showText is a run for people.
func (a *app) showText(st *journal.State, owner journal.Process, owned bool) string {
	var b strings.Builder
	fact := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s %s\n", term.Pad(label, 10), term.Escape(value))
		}
	}
	fact("run", st.ID)
	fact("name", st.Started.Title)
	state := st.StatusWith(owned)
	if owned {
		state += fmt.Sprintf(" (process %d on %s)", owner.PID, owner.Host)
	}
	fact("state", state)
	fact("script", st.Program.Name)
	fact("arguments", argsText(st.Started.Args, wideArgs))
	fact("workspace", st.Workspace)
	fact("agent", st.Agent)
	fact("started", a.clock(st.StartedAt)+" ("+term.Age(st.StartedAt, a.Now())+")")
	if n := len(st.Attempts); n > 1 {
		fact("attempts", strconv.Itoa(n))
	}
	fact("log", a.logOf(st.ID))
	fact("usage", usageOfRunText(st))
	fact("budget", budgetText(st.Settings.Budget))
	fact("changes", changesOf(st, owned).counts())
	if i := st.Imported; i != nil {
		fact("imported", fmt.Sprintf("at entry %d; the entries before it have the seals of the key %s", st.ImportedSeq, i.Key))
	}
	if !st.Proven {
		fact("unproven", st.Unproven+": approvals in it do not count")
	}
	if why := whyEnded(st); why != "" {
		fact("why", why)
	}
	if result := shownResult(st); result != "" {
		fact("result", result)
	}
	b.WriteString(phasesText(st))
	a.showCalls(&b, st, owned)
	a.showGatesOf(&b, st, owned)
	return b.String()
}

// whyEnded says why a run did not complete.
func whyEnded(st *journal.State) string {
	switch {
	case st.Finished != nil:
		return firstLine(st.Finished.Error)
	case st.Paused != nil:
		return firstLine(st.Paused.What)
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// shownResult is the result, cut where it is long; --result has all of it.
func shownResult(st *journal.State) string {
	if st.Finished == nil {
		return ""
	}
	const most = 300
	result := []rune(string(st.Finished.Result))
	if len(result) > most {
		return string(result[:most]) + "…   (--result prints all of it)"
	}
	return string(result)
}

// callState is where a call stands.
func callState(c *journal.CallState, owned bool) string {
	switch {
	case c.Unfinished() && owned:
		return "at work"
	case c.Unfinished():
		return "interrupted"
	case c.Finish.Failure != nil:
		return "failed"
	}
	return "done"
}

// clock is a time as people here read it.
func (a *app) clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 MST") }

// orderedCalls gives the calls that are no questions, in the order in which they came into
// the journal. A question is listed as the gate that it is, also where it failed at first.
func orderedCalls(st *journal.State) []*journal.CallState {
	calls := make([]*journal.CallState, 0, len(st.Calls))
	for _, c := range st.Calls {
		if !isGate(c.Call.Name) {
			calls = append(calls, c)
		}
	}
	at := func(c *journal.CallState) uint64 {
		if c.StartSeq > 0 {
			return c.StartSeq
		}
		return c.Finish.Seq
	}
	slices.SortFunc(calls, func(a, b *journal.CallState) int { return cmp.Compare(at(a), at(b)) })
	return calls
}

// mostCalls is how many calls are listed, or how many rows their tree has; --json has all of them.
const mostCalls = 200

func (a *app) showCalls(b *strings.Builder, st *journal.State, owned bool) {
	calls := orderedCalls(st)
	if len(calls) == 0 {
		return
	}
	failed := 0
	for _, c := range calls {
		if callState(c, owned) == "failed" && !isValidator(c.Key) {
			failed++
		}
	}
	fmt.Fprintf(b, "\n%s", term.Plural(int64(len(calls)), "call", "calls"))
	if failed > 0 {
		fmt.Fprintf(b, ", %d failed", failed)
	}
	b.WriteString(":\n")
	if inFrames(calls) {
		for _, row := range callRows(calls, owned) {
			b.WriteString("  " + row + "\n")
		}
		return
	}
	b.WriteString(callTable(calls, owned))
	if more := len(calls) - mostCalls; more > 0 {
		fmt.Fprintf(b, "  and %d more (--json lists all)\n", more)
	}
}

// callTable lists calls that follow each other in one frame.
func callTable(calls []*journal.CallState, owned bool) string {
	table := term.Table{Limit: []int{0, 40, 60, 100}}
	phase := ""
	for _, c := range calls[:min(len(calls), mostCalls)] {
		shown := ""
		if c.Call.Phase != phase {
			phase = c.Call.Phase
			shown = phase
		}
		why := ""
		if c.Finish != nil && c.Finish.Failure != nil && !c.Unfinished() {
			why = c.Finish.Failure.Code + ": " + firstLine(c.Finish.Failure.Message)
		} else if c.Finish != nil && !c.Unfinished() {
			why = c.Finish.Note
		}
		table.Row("  "+callState(c, owned), shown, labelled(c.Call.Label, c.Call.Name+" "+c.Key), why)
	}
	return table.String()
}

func (a *app) showGatesOf(b *strings.Builder, st *journal.State, owned bool) {
	if len(st.GateOrder) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", term.Plural(int64(len(st.GateOrder)), "gate", "gates"))
	for _, id := range st.GateOrder {
		g := st.Gates[id]
		fmt.Fprintf(b, "  %s  %s\n", term.Escape(id), term.Escape(outcome(g)))
		fmt.Fprintf(b, "    %s\n", term.Escape(short(g.Asked.Prompt)))
		if g.Asked.Kind == string(checkpoint.KindPlan) {
			fmt.Fprintf(b, "    sha256 %s\n", term.Escape(g.Asked.Checksum))
			if c := g.Asked.Artifact; c != nil {
				fmt.Fprintf(b, "    also at %s\n", term.Escape(c.Path))
			}
			if said := opinionText(g.Asked.Validation); said != "" {
				fmt.Fprintf(b, "    opinion %s\n", term.Escape(said))
			}
		}
		if d := decisionText(g); d != "" {
			fmt.Fprintf(b, "    answer %s\n", term.Escape(d))
		}
		switch why := lapsed(g, a.moment(st, owned)); {
		case why != "":
			fmt.Fprintf(b, "    takes no answer any more: %s\n", a.shortIDs(lapsedText(why, st.ID)))
		case g.State == journal.Pending && !g.Asked.Deadline.IsZero():
			fmt.Fprintf(b, "    answer by %s (%s)\n", a.clock(g.Asked.Deadline), term.Age(g.Asked.Deadline, a.Now()))
		}
	}
}

// decisionText is an answer that says more than the gate's state does.
func decisionText(g *journal.Gate) string {
	if g.Answer == nil {
		return ""
	}
	switch g.State {
	case journal.Approved, journal.Rejected, journal.Revoked, journal.Lapsed:
		return ""
	}
	return short(string(g.Answer.Decision))
}
