package checks

import (
	"strings"

	"github.com/seed-8d4a6081/assent/internal/redact"
)

// Render gives a result as a text for whoever tries again: the checks that failed, and the beginnings and
// ends of what they printed. It is bounded, and the same result gives the same text.
func Render(r Result) string {
	var b strings.Builder
	b.WriteString(shorter(r.Summary, shownOutput) + "\n")
	for _, c := range r.Checks {
		if c.OK {
			continue
		}
		b.WriteString("\n" + c.Summary + "\n$ " + strings.Join(c.Command, " ") + "\n")
		for _, output := range []string{c.Stdout, c.Stderr} {
			if output = strings.TrimSpace(output); output != "" {
				b.WriteString(shorter(output, shownOutput) + "\n")
			}
		}
	}
	return shorter(strings.TrimRight(redact.Text(b.String(), nil), "\n"), shownInAll)
}
