package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
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
	return b.String()
}
