package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

func newHistoryCommand(a *app) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List every plan that was proposed in this workspace",
		Long: "Lists every plan that a run of this workspace asked about, the newest first: what became of it, by\n" +
			"whom, and which plan it took the place of.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.history(cmd.Context(), all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "list the plans of all workspaces")
	return cmd
}

// proposalRow is a proposed plan in JSON.
type proposalRow struct {
	Time      time.Time `json:"time"`
	Run       string    `json:"run"`
	Title     string    `json:"title"`
	Workspace string    `json:"workspace"`
	PlanTitle string    `json:"planTitle"`
	Gate      string    `json:"gate"`
	Key       string    `json:"key"`
	Prompt    string    `json:"prompt"`
	Checksum  string    `json:"checksum"`
	// State is the gate's, or unproven where no answer in its journal counts.
	State   string `json:"state"`
	Revises string `json:"revises,omitempty"`
	Reason  string `json:"reason,omitempty"`
	// Changes is what the person wanted changed in this plan.
	Changes  string            `json:"changes,omitempty"`
	Decision json.RawMessage   `json:"decision,omitempty"`
	Who      *journal.Who      `json:"who,omitempty"`
	Mode     string            `json:"mode,omitempty"`
	Model    string            `json:"model,omitempty"`
	Effort   string            `json:"effort,omitempty"`
	Ended    *time.Time        `json:"ended,omitempty"`
	Revoked  *revokedRow       `json:"revoked,omitempty"`
	Artifact *journal.Artifact `json:"artifact,omitempty"`

	// fate is the state for people.
	fate string
}

// unreadableRow is a run whose plans are not known.
type unreadableRow struct {
	Run   string  `json:"run"`
	Error problem `json:"error"`
}

// unprovenState is that of an ended gate in a journal that is not proven.
const unprovenState = "unproven"

func (a *app) history(ctx context.Context, all bool) error {
	plans, damaged, workspace, err := a.proposals(ctx, all)
	if err != nil {
		return err
	}
	if a.json {
		return a.emit(struct {
			Format     int             `json:"format"`
			Workspace  string          `json:"workspace"`
			Plans      []proposalRow   `json:"plans"`
			Unreadable []unreadableRow `json:"unreadable"`
		}{jsonFormat, workspace, plans, damaged})
	}
	var b strings.Builder
	for _, d := range damaged {
		fmt.Fprintf(&b, "%s cannot be read, and neither can its plans: %s\n\n", d.Run, term.Escape(d.Error.Code+": "+d.Error.What))
	}
	for _, p := range plans {
		b.WriteString(a.proposalText(p, all) + "\n")
	}
	if b.Len() == 0 {
		return a.noPlans(workspace, all)
	}
	return a.print(strings.TrimSuffix(b.String(), "\n"))
}

// noPlans says that there is nothing to list.
func (a *app) noPlans(workspace string, all bool) error {
	missing, err := a.noStore()
	switch {
	case err != nil:
		return err
	case missing != "":
		a.say("no plan was proposed yet: there is no run, and no folder " + missing)
		a.next("assent run FILE")
	case all:
		a.say("no plan was proposed yet in any workspace")
	default:
		a.say("no plan was proposed yet in " + workspace)
		a.next("assent history --all")
	}
	return nil
}

// proposals gives the plans of this workspace, or of all, the newest first, and the runs that
// cannot be read; those belong to no workspace that is known.
func (a *app) proposals(ctx context.Context, all bool) (plans []proposalRow, damaged []unreadableRow, workspace string, err error) {
	plans, damaged = []proposalRow{}, []unreadableRow{}
	if workspace, err = a.workspace(); err != nil {
		return nil, nil, "", err
	}
	if missing, err := a.noStore(); err != nil || missing != "" {
		return plans, damaged, workspace, err
	}
	store, err := a.store()
	if err != nil {
		return nil, nil, "", err
	}
	runs, err := store.List(ctx)
	if err != nil {
		return nil, nil, "", err
	}
	for _, s := range runs {
		if s.Err == nil && !all && s.Workspace != workspace {
			continue
		}
		rows, err := proposalsOf(ctx, store, s)
		if err != nil {
			damaged = append(damaged, unreadableRow{s.ID, problemOf(err)})
		}
		plans = append(plans, rows...)
	}
	slices.SortStableFunc(plans, func(a, b proposalRow) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.Run, a.Run))
	})
	return plans, damaged, workspace, nil
}

func proposalsOf(ctx context.Context, store *journal.Store, s journal.Summary) ([]proposalRow, error) {
	if s.Err != nil {
		return nil, s.Err
	}
	visit, err := store.Visit(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	defer visit.Close()
	history := planapprove.History(visit.State())
	rows := make([]proposalRow, 0, len(history))
	for _, p := range slices.Backward(history) {
		rows = append(rows, proposalRowOf(visit.State(), p))
	}
	return rows, nil
}

func proposalRowOf(st *journal.State, p planapprove.Proposal) proposalRow {
	g := p.Gate
	row := proposalRow{
		Time: g.At, Run: st.ID, Title: st.Started.Title, Workspace: st.Workspace, PlanTitle: p.Title, Gate: g.Asked.Gate, Key: g.Key,
		Prompt: g.Asked.Prompt, Checksum: g.Asked.Checksum, State: string(g.State), Reason: g.Asked.Reason, Artifact: g.Asked.Artifact,
		fate: outcome(g),
	}
	if p.Revises != nil {
		row.Revises = p.Revises.Asked.Gate
	}
	if !p.Counts {
		if g.State != journal.Pending {
			row.State = unprovenState
		}
		row.fate = "not proven: no answer in its journal counts"
		return row
	}
	row.Changes = p.Changes
	if g.State != journal.Pending {
		row.Ended = &g.AnswerAt
	}
	if answer := g.Answer; answer != nil {
		row.Decision, row.Mode, row.Model, row.Effort = answer.Decision, answer.Mode, answer.Model, answer.Effort
		if answer.Unanswered == "" {
			row.Who = &answer.Who
		}
	}
	if r := g.Revocation; r != nil {
		row.Revoked = &revokedRow{r.Who, g.RevokedAt, r.Reason}
	}
	return row
}

// proposalText is a proposed plan for people.
func (a *app) proposalText(p proposalRow, all bool) string {
	var b strings.Builder
	line := func(text string) { b.WriteString("  " + term.Escape(text) + "\n") }
	fmt.Fprintf(&b, "%s  %s  %s\n", a.clock(p.Time), term.Escape(p.Gate), term.Escape(p.fate))
	line(short(p.PlanTitle) + ": " + short(p.Prompt))
	if p.Changes != "" {
		line("asked for: " + short(p.Changes))
	}
	if p.Revises != "" {
		line("takes the place of " + p.Revises)
	}
	line("run " + p.Run + "  " + short(p.Title))
	if all {
		line("in " + p.Workspace)
	}
	line("sha256 " + p.Checksum)
	if p.Artifact != nil {
		line("also at " + p.Artifact.Path)
	}
	return b.String()
}
