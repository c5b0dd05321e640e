package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

func newLsCommand(a *app) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:        "ls",
		Aliases:    []string{"list"},
		SuggestFor: []string{"runs", "ps"},
		Short:      "List the runs of this workspace",
		Args:       noArgs,
		RunE:       func(cmd *cobra.Command, _ []string) error { return a.ls(cmd.Context(), all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "list the runs of all workspaces")
	return cmd
}

// runRow is a run in JSON.
type runRow struct {
	Run       string     `json:"run"`
	Title     string     `json:"title"`
	Workspace string     `json:"workspace"`
	Started   *time.Time `json:"started,omitempty"`
	State     string     `json:"state"`
	Owner     *ownerRow  `json:"owner,omitempty"`
	Waiting   []gateRow  `json:"waiting"`
	Revoked   []gateRow  `json:"revoked,omitempty"`
	Error     *problem   `json:"error,omitempty"`
}

type ownerRow struct {
	PID  int    `json:"pid"`
	Host string `json:"host"`
	User string `json:"user"`
}

// unreadable is the state of a run whose journal cannot be read.
const unreadable = "unreadable"

// listed is a run in a list.
type listed struct {
	journal.Summary
	// next goes on with a run that stands still, where no answer would do that.
	next string
	// why says what it stands still for.
	why string
}

// shown is the state of a run for people, with what its approvals and its calls came to.
func (s listed) shown() string {
	switch {
	case len(s.Revoked) > 0:
		return s.State + ", approval revoked"
	case s.Answered != "":
		return stateText(s.Answered) + ", waits for resume"
	case s.State == journal.StatusCompleted && s.FailedCalls > 0:
		return fmt.Sprintf("%s, %d failed", s.State, s.FailedCalls)
	}
	return s.State
}

func (s listed) moment(now time.Time) moment { return moment{s.Owned, s.Unproven != "", now} }

// nexts reads those runs once more that somebody has to do something about, for what that is.
// One that cannot be read any more is listed as it was.
func (a *app) nexts(ctx context.Context, runs []listed) error {
	var store *journal.Store
	for i, s := range runs {
		stands := !s.Owned && (s.State == journal.StatusPaused || s.State == journal.StatusInterrupted)
		if s.Err != nil || s.Unproven != "" || !stands && !waits(s.Summary) {
			continue
		}
		if store == nil {
			var err error
			if store, err = a.store(); err != nil {
				return err
			}
		}
		visit, err := store.Visit(ctx, s.ID)
		if err != nil {
			continue
		}
		at := a.standingOf(visit.State(), s.Owned)
		next := at.past()
		if !waits(s.Summary) {
			next = at.hints()
		}
		for _, h := range next {
			if h.command == "" {
				continue
			}
			if runs[i].next = h.command; !at.until.IsZero() && h.why != "" {
				runs[i].next += "   # " + h.why
			}
			break
		}
		if s.State == journal.StatusPaused {
			runs[i].why = whyEnded(visit.State())
		}
		if err := visit.Close(); err != nil {
			return err
		}
	}
	return nil
}

// runs gives the runs of this workspace, or of all, the newest first. One that cannot be read
// belongs to no workspace that is known; it is always listed.
func (a *app) runs(ctx context.Context, all bool) (runs []listed, workspace string, err error) {
	if workspace, err = a.workspace(); err != nil {
		return nil, "", err
	}
	if missing, err := a.noStore(); err != nil || missing != "" {
		return nil, workspace, err
	}
	store, err := a.store()
	if err != nil {
		return nil, "", err
	}
	found, err := store.List(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, s := range found {
		if all || s.Err != nil || s.Workspace == workspace {
			runs = append(runs, listed{Summary: s})
		}
	}
	slices.SortStableFunc(runs, func(a, b listed) int { return strings.Compare(b.ID, a.ID) })
	return runs, workspace, nil
}

func (a *app) ls(ctx context.Context, all bool) error {
	runs, workspace, err := a.runs(ctx, all)
	if err != nil {
		return err
	}
	if a.json {
		return a.emit(struct {
			Format    int      `json:"format"`
			Workspace string   `json:"workspace"`
			Runs      []runRow `json:"runs"`
		}{jsonFormat, workspace, a.runRows(runs)})
	}
	if len(runs) == 0 {
		return a.noRuns(workspace)
	}
	table := term.Table{Limit: []int{0, 0, 0, 0, 40, 60}}
	head := []string{"SHORT", "RUN", "STATE", "STARTED", "NAME", "WAITS FOR"}
	if all {
		head, table.Limit = append(head, "WORKSPACE"), append(table.Limit, 0)
	}
	withArgs := alike(runs)
	if withArgs {
		head, table.Limit = slices.Insert(head, 5, "ARGUMENTS"), slices.Insert(table.Limit, 5, narrowArgs)
	}
	table.Head(head...)
	for _, s := range runs {
		row := []string{tail(s.ID), s.ID, s.shown(), term.Age(s.Started, a.Now()), s.Title, a.waitsFor(s)}
		if s.Err != nil {
			row = []string{tail(s.ID), s.ID, unreadable, "", "", problemOf(s.Err).What}
		}
		if withArgs {
			row = slices.Insert(row, 5, argsText(s.Args, narrowArgs))
		}
		if all {
			row = append(row, s.Workspace)
		}
		table.Row(row...)
	}
	return a.print(table.String())
}

// alike says that two runs have one name and not the same arguments: those tell them apart.
func alike(runs []listed) bool {
	args := map[string]string{}
	for _, s := range runs {
		if s.Err != nil {
			continue
		}
		if other, seen := args[s.Title]; seen && other != string(s.Args) {
			return true
		}
		args[s.Title] = string(s.Args)
	}
	return false
}

// noRuns says that there is nothing to list.
func (a *app) noRuns(workspace string) error {
	missing, err := a.noStore()
	if err != nil {
		return err
	}
	if missing != "" {
		a.say("there is no run yet, and no folder " + missing)
		a.next("assent run FILE")
		return nil
	}
	a.say("no run yet in " + workspace)
	a.next("assent run FILE", "assent ls --all")
	return nil
}

// waitsFor is the first question of a run that waits, and how many more there are. One that
// takes no answer any more waits for a resume instead, and
// one in a journal that is not proven for nothing.
func (a *app) waitsFor(s listed) string {
	if len(s.Waiting) == 0 {
		return ""
	}
	first, more := s.Waiting[0], ""
	if n := len(s.Waiting); n > 1 {
		more = fmt.Sprintf(" (and %d more)", n-1)
	}
	switch lapsed(first, s.moment(a.Now())) {
	case "":
	case lapsedUnproven:
		return "nothing: its journal is not proven, as assent verify says"
	default:
		return "assent resume, not an answer: " + short(first.Asked.Prompt) + more
	}
	return short(first.Asked.Prompt) + more
}

func (a *app) runRows(runs []listed) []runRow {
	rows := make([]runRow, 0, len(runs))
	for _, s := range runs {
		row := runRow{Run: s.ID, Title: s.Title, Workspace: s.Workspace, State: s.State, Waiting: gateRows(s.Waiting, s.moment(a.Now()))}
		if len(s.Revoked) > 0 {
			row.Revoked = gateRows(s.Revoked, s.moment(a.Now()))
		}
		if s.Err != nil {
			p := problemOf(s.Err)
			row.State, row.Error = unreadable, &p
		} else {
			row.Started = &s.Started
		}
		if s.Owned {
			row.Owner = &ownerRow{s.Owner.PID, s.Owner.Host, s.Owner.User}
		}
		rows = append(rows, row)
	}
	return rows
}
