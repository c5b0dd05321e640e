package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// forecastText says what a resume would do, for people.
func forecastText(f *engine.Forecast, falling []fallingRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s would be replayed.\n", term.Plural(int64(f.Replayed), "call", "calls"))
	if f.Ends {
		b.WriteString("The journal leads to the end of the script: nothing would run.\n")
		return b.String()
	}
	section := func(title string, calls []engine.RepeatedCall) {
		if len(calls) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s:\n", title)
		for _, c := range calls {
			line := callLine(c)
			if c.Reason != "" {
				line += ": " + c.Reason
			}
			fmt.Fprintf(&b, "  %s\n", term.Escape(line))
		}
	}
	section("Gates that still wait for an answer", f.Waiting)
	section("Would run again", f.Again)
	if leave := map[fault.Code]string{fault.WorkWouldRepeat: "--rerun-changed", fault.CallsInterrupted: "--rerun-interrupted"}[f.Refused]; leave != "" {
		fmt.Fprintf(&b, "  Without a person nothing would run: %s. %s is leave to repeat them.\n", f.Refused, leave)
	}
	if len(falling) > 0 {
		b.WriteString("\nAnswered gates that would be asked again:\n")
	}
	for _, g := range falling {
		fmt.Fprintf(&b, "  %s\n    %s\n", term.Escape(callLine(g.call)+": "+g.Reason), g.becomes())
		if len(g.After) > 0 {
			fmt.Fprintf(&b, "    %s after it: %s\n", term.Plural(int64(len(g.After)), "finished call stands", "finished calls stand"),
				term.Escape(strings.Join(g.After, ", ")))
		}
	}
	section("Would run for the first time, and whatever follows from it", f.New)
	if len(f.Behind) > 0 {
		b.WriteString("\nMay run again too, because they follow:\n")
	}
	for _, row := range followRows(f.Behind) {
		fmt.Fprintf(&b, "  %s\n", term.Escape(callLine(row.call)+": "+row.says()))
	}
	return b.String()
}

// followRow is a call, or an answered gate, that a resume may come to and do again.
type followRow struct {
	repeatRow
	MayHaveChanged bool `json:"mayHaveChanged"`

	call engine.RepeatedCall
}

func followRows(calls []engine.BehindCall) []followRow {
	rows := make([]followRow, 0, len(calls))
	for _, c := range calls {
		rows = append(rows, followRow{repeatRow{c.Key, c.Name, c.Label, c.Reason}, c.MayHaveChanged, c.RepeatedCall})
	}
	return rows
}

// says what became of it, and what doing it again repeats.
func (r followRow) says() string {
	switch {
	case r.Name == "planApprove" || r.Name == "checkpoint":
		return r.Reason + ", and may be asked again"
	case r.MayHaveChanged:
		return r.Reason + ", and may have changed something"
	default:
		return r.Reason
	}
}
