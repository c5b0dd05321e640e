package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// mostOthers is how many runs that do not wait are shown.
const mostOthers = 5

// home is assent without a command: what waits here, and how to go on.
func (a *app) home(ctx context.Context) error {
	runs, workspace, err := a.runs(ctx, false)
	if err != nil {
		return err
	}
	if a.json {
		var waiting []listed
		for _, s := range runs {
			if waits(s.Summary) {
				waiting = append(waiting, s)
			}
		}
		return a.emit(struct {
			Format    int      `json:"format"`
			Workspace string   `json:"workspace"`
			Waiting   []runRow `json:"waiting"`
			Runs      []runRow `json:"runs"`
		}{jsonFormat, workspace, a.runRows(waiting), a.runRows(runs)})
	}
	if len(runs) == 0 {
		return a.print(welcome)
	}
	if err := a.nexts(ctx, runs); err != nil {
		return err
	}
	return a.print(a.homeText(runs))
}

const welcome = `Assent runs workflow scripts that stop for a person, and can prove afterwards what that
person said yes to. Nothing has run in this workspace yet.

  assent demo            see it work, on a repository of its own
  assent deliver TASK    bring a task to a pull request: plan, your approval, work, checks
  assent init            write a first workflow here, with answers that need no model
  assent run FILE        run a workflow script
  assent --help          all commands
`

// homeWaiting shows one run that waits. A question that takes no answer any more says so.
func (a *app) homeWaiting(b *strings.Builder, s listed) {
	fmt.Fprintf(b, "%s  %s\n", s.ID, term.Escape(s.Title))
	next := "assent resume "
	if s.Unproven != "" {
		next = "assent verify "
	}
	for _, g := range s.Waiting {
		fmt.Fprintf(b, "  %s  (%s)\n", term.Escape(short(g.Asked.Prompt)), term.Age(g.At, a.Now()))
		if why := lapsed(g, s.moment(a.Now())); why != "" {
			fmt.Fprintf(b, "    takes no answer any more: %s\n", a.shortIDs(lapsedText(why, s.ID)))
		} else {
			next = "assent review "
		}
	}
	next += s.ID
	if s.next != "" {
		next = s.next
	}
	fmt.Fprintf(b, "  next: %s\n\n", term.Escape(a.shortIDs(next)))
}

// homeText lists what waits, with the question, its age and the command, then what stands still
// until somebody goes on with it, then the other runs.
func (a *app) homeText(runs []listed) string {
	var b, still strings.Builder
	others := term.Table{Limit: []int{0, 0, 0, 40}}
	waiting, standing, rest, hidden := 0, 0, 0, 0
	for _, s := range runs {
		switch {
		case waits(s.Summary):
			waiting++
			a.homeWaiting(&b, s)
		case s.next != "":
			standing++
			state := s.shown() + "  (" + term.Age(s.Started, a.Now()) + ")"
			if s.why != "" {
				state += ": " + s.why
			}
			fmt.Fprintf(&still, "%s  %s\n  %s\n  next: %s\n\n", s.ID, term.Escape(s.Title), term.Escape(state), term.Escape(a.shortIDs(s.next)))
		case rest == mostOthers:
			hidden++
		case s.Err != nil:
			rest++
			others.Row("  "+s.ID, unreadable, "", problemOf(s.Err).Code)
		default:
			rest++
			others.Row("  "+s.ID, s.shown(), term.Age(s.Started, a.Now()), s.Title)
		}
	}
	text := ""
	if waiting > 0 {
		text = "Waits for you: " + term.Plural(int64(waiting), "run", "runs") + "\n\n" + b.String()
	}
	if standing > 0 {
		text += "Stands still until you go on with it: " + term.Plural(int64(standing), "run", "runs") + "\n\n" + still.String()
	}
	if text == "" {
		text = "Nothing waits for you here.\n\n"
	}
	if rest > 0 {
		text += "Other runs here:\n" + others.String()
	}
	if hidden > 0 {
		text += fmt.Sprintf("  and %d more: assent ls\n", hidden)
	}
	return text
}
