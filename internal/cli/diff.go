package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

func newDiffCommand(a *app) *cobra.Command {
	var gate string
	var script bool
	cmd := &cobra.Command{
		Use:   "diff [RUN]",
		Short: "Show how a plan differs from the one approved last",
		Long: "Compares the plan that waits, or the one asked about last, with the one that was approved last in the\n" +
			"same run, by path, also if that approval was revoked since; or, if none was, with the one whose place it took. If the plan is the same and the\n" +
			"script is not, shows how the script changed.",
		Example: "  assent diff 01JD\n  assent diff 01JD --gate 5zk3qa-2 --json",
		Args:    atMostOne,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.diff(cmd.Context(), first(args), gate, script) },
	}
	cmd.Flags().StringVar(&gate, "gate", "", "the gate that asks about the plan")
	cmd.Flags().BoolVar(&script, "script", false, "show how the script changed, also if the plan did")
	return cmd
}

// comparison is what diff shows.
type comparison struct {
	Format   int    `json:"format"`
	Run      string `json:"run"`
	Gate     string `json:"gate"`
	Checksum string `json:"checksum"`
	// Against is the plan that it is compared with; nil if there is none.
	Against *against `json:"against,omitempty"`
	// Same says that the two plans are the same.
	Same    bool                 `json:"same"`
	Changes []planapprove.Change `json:"changes"`
	// ScriptChanged says that the two were asked by different versions of the script, Script how
	// they differ, if that was to be shown.
	ScriptChanged bool   `json:"scriptChanged"`
	Script        string `json:"script,omitempty"`
}

// against is the other side of a comparison.
type against struct {
	Gate     string `json:"gate"`
	Checksum string `json:"checksum"`
	// As is "approved"; "revoked" or "lapsed" for a plan whose approval does not count any more; or
	// "revised" for one that was not approved.
	As string `json:"as"`
	of *journal.Gate
}

// approvedOnce is the plan before seq that was approved last, where no approval counts any more,
// and what became of that one.
func approvedOnce(st *journal.State, seq uint64) (*journal.Gate, string) {
	for _, id := range slices.Backward(st.GateOrder) {
		g := st.Gates[id]
		if g.Seq < seq && (g.State == journal.Revoked || g.State == journal.Lapsed) {
			return g, string(g.State)
		}
	}
	return nil, ""
}

// than names the other side of a comparison.
func (o *against) than() string {
	text := "the plan of gate " + o.Gate
	switch o.As {
	case "approved":
		return text + ", which was approved last"
	case string(journal.Revoked):
		return text + ", which was approved, and revoked " + checkpoint.RevokedBy(o.of)
	case string(journal.Lapsed):
		return text + ", which was approved before the import"
	}
	return text + ", whose place it takes (nothing was approved before)"
}

func (a *app) diff(ctx context.Context, named, gate string, script bool) error {
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.newest(ctx, store, named, "diff")
	if err != nil {
		return err
	}
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return err
	}
	defer visit.Close()
	st := visit.State()
	g, err := comparedGate(st, gate)
	if err != nil {
		return err
	}
	c, err := compare(st, g, script)
	if err != nil {
		return err
	}
	if a.json {
		return a.emit(c)
	}
	if !st.Proven {
		a.say("the journal is not proven, so nothing in it counts as an approval: " + st.Unproven)
	}
	return a.print(c.text())
}

// comparedGate is the gate that was named, else the one that waits, else the one asked last.
func comparedGate(st *journal.State, named string) (*journal.Gate, error) {
	if named != "" {
		return planGate(st, named)
	}
	var waiting []*journal.Gate
	for _, g := range st.Pending() {
		if g.Asked.Kind == string(checkpoint.KindPlan) {
			waiting = append(waiting, g)
		}
	}
	switch last := lastPlan(st); {
	case len(waiting) == 1:
		return waiting[0], nil
	case len(waiting) > 1:
		return nil, fault.New(fault.GateAmbiguous, fmt.Sprintf("%d plans wait in run %s", len(waiting), st.ID), "assent show "+st.ID+"   # lists them; name one with --gate")
	case last != nil:
		return last, nil
	}
	return nil, fault.New(fault.GateUnknown, "run "+st.ID+" asked about no plan", "assent show "+st.ID)
}

// compare holds the plan of g against the one approved last, or the one that it revises. In a
// journal that is not proven nothing was approved.
func compare(st *journal.State, g *journal.Gate, script bool) (*comparison, error) {
	c := &comparison{Format: jsonFormat, Run: st.ID, Gate: g.Asked.Gate, Checksum: g.Asked.Checksum, Changes: []planapprove.Change{}}
	other, as := planapprove.LastApproved(st, g.Seq), "approved"
	if other == nil {
		other, as = approvedOnce(st, g.Seq)
	}
	if other == nil || !st.Proven {
		other, as = planapprove.Revised(st, g), "revised"
	}
	if other == nil {
		return c, nil
	}
	c.Against = &against{Gate: other.Asked.Gate, Checksum: other.Asked.Checksum, As: as, of: other}
	changes, err := planapprove.Drift(other.Asked.Plan, g.Asked.Plan)
	if err != nil {
		return nil, err
	}
	c.Same = other.Asked.Checksum == g.Asked.Checksum
	c.Changes = append(c.Changes, changes...)
	if c.ScriptChanged = other.Asked.Program != g.Asked.Program; c.ScriptChanged && (c.Same || script) {
		c.Script = planapprove.ProgramDrift(st, other, g)
	}
	return c, nil
}

// text is a comparison for people.
func (c *comparison) text() string {
	var b strings.Builder
	say := func(format string, args ...any) { b.WriteString(term.Escape(fmt.Sprintf(format, args...)) + "\n") }
	lines := func(text string) {
		for line := range strings.Lines(text) {
			b.WriteString(term.Escape(strings.TrimSuffix(line, "\n")) + "\n")
		}
	}
	if c.Against == nil {
		say("Nothing was approved before gate %s, and it takes the place of no other plan: there is nothing to compare it with.", c.Gate)
		return b.String()
	}
	than := c.Against.than()
	if c.Same {
		say("No difference between the plan of gate %s and %s.", c.Gate, than)
	} else {
		say("The plan of gate %s, compared with %s:", c.Gate, than)
		lines(planapprove.Lines(c.Changes))
	}
	switch {
	case c.Script != "":
		say("The script changed:")
		lines(c.Script)
	case c.ScriptChanged:
		say("The script changed too; --script shows how.")
	}
	return b.String()
}
