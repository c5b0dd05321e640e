package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// mostListed is how many of the runs that fit are listed.
const mostListed = 5

// ambiguous refuses to choose between runs. Each has a line with what tells it from the others of
// the same workflow: its arguments, its age and its question. Words of scripts are escaped where
// the refusal is printed.
func (a *app) ambiguous(fit []journal.Summary) error {
	lines := []string{fmt.Sprintf("%d runs of this workspace fit, the newest first:", len(fit))}
	for i, s := range fit {
		if i == mostListed {
			lines = append(lines, fmt.Sprintf("and %d more", len(fit)-mostListed))
			break
		}
		lines = append(lines, a.choice(s))
	}
	return fault.New(fault.RunAmbiguous, strings.Join(lines, "\n"), a.named(fit[0].ID))
}

// choice is a run on one line.
func (a *app) choice(s journal.Summary) string {
	line := s.ID + "  " + short(s.Title)
	if args := argsText(s.Args, 2*narrowArgs); args != "" {
		line += "  " + args
	}
	line += fmt.Sprintf("  (%s, %s)", listed{Summary: s}.shown(), term.Age(s.Started, a.Now()))
	if len(s.Waiting) > 0 {
		line += "  " + a.waitsFor(listed{Summary: s})
	}
	return strings.ReplaceAll(line, "\n", " ")
}
