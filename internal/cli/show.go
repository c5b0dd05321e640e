package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// showFlags say which part of a run is wanted.
type showFlags struct {
	result, raw, plan bool
	gate, call        string
	changes, timeline bool
	transcript        bool
}

func newShowCommand(a *app) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:        "show [RUN]",
		Aliases:    []string{"status"},
		SuggestFor: []string{"log", "logs", "inspect"},
		Short:      "Show how a run stands",
		Long: "Shows a run's state, phases, calls, gates, failures and usage, and the command that goes on from\n" +
			"there. It works while the run is busy, and changes nothing.",
		Example: "  assent show 01JD\n  assent show 01JD --result | jq .commit\n  assent show 01JD --call scout\n  assent show 01JD --call scout --transcript\n  assent show 01JD --timeline\n  assent show 01JD --raw --gate 5zk3qa-1 | sha256sum",
		Args:    atMostOne,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.show(cmd.Context(), first(args), f) },
	}
	cmd.Flags().BoolVar(&f.result, "result", false, "print the run's result, and nothing else")
	cmd.Flags().BoolVar(&f.raw, "raw", false, "print the exact canonical text of a plan; its SHA-256 is the checksum")
	cmd.Flags().BoolVar(&f.plan, "plan", false, "print a plan for reading, and in full")
	cmd.Flags().StringVar(&f.call, "call", "", "print what this call was asked, and what came of it: its key, or its label")
	cmd.Flags().BoolVar(&f.transcript, "transcript", false, "with --call, print all that its agent said and did")
	cmd.Flags().BoolVar(&f.changes, "changes", false, "print which branches, commits and files each call changed")
	cmd.Flags().BoolVar(&f.timeline, "timeline", false, "print a line for everything that happened, and totals by phase")
	cmd.Flags().StringVar(&f.gate, "gate", "", "with --raw or --plan, the gate that asks about the plan")
	return cmd
}

// check refuses what does not go together.
func (f showFlags) check() error {
	parts := 0
	for _, wanted := range []bool{f.result, f.raw, f.plan, f.changes, f.timeline, f.call != ""} {
		if wanted {
			parts++
		}
	}
	switch {
	case parts > 1:
		return misused("--result, --raw, --plan, --changes, --timeline and --call do not go together", "assent show --help")
	case f.transcript && f.call == "":
		return misused("--transcript is of a call, and no --call names one", "assent show --call KEY --transcript")
	case f.gate != "" && !f.raw && !f.plan:
		return misused("--gate names the plan for --raw and --plan", strings.TrimSpace("assent show --plan --gate "+f.gate))
	}
	return nil
}

func (a *app) show(ctx context.Context, named string, f showFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.newest(ctx, store, named, "show")
	if err != nil {
		return err
	}
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return err
	}
	defer visit.Close()
	owner, owned := visit.Owner()
	st := withWork(visit.State(), visit.Work())
	switch {
	case f.raw:
		return a.showRaw(st, f.gate)
	case f.result:
		return a.showResult(st)
	case f.plan:
		return a.showPlan(st, f.gate)
	case f.changes:
		return a.showChanges(st, owned)
	case f.timeline:
		return a.showTimeline(ctx, store, visit, owned)
	case f.call != "":
		return a.showCall(store, visit, f, owned)
	case a.json:
		return a.emit(a.showObject(st, owner, owned))
	}
	if err := a.print(a.showText(st, owner, owned)); err != nil {
		return err
	}
	a.hints(a.standingOf(st, owned).hints())
	return nil
}

// showRaw prints the text that was hashed, without a newline: what sha256sum has to get. At a
// terminal, which gets no text of others as it is, it is escaped.
func (a *app) showRaw(st *journal.State, gate string) error {
	g, err := planGate(st, gate)
	if err != nil {
		return err
	}
	if terminal(a.Out) != nil {
		return a.print(term.Escape(g.Asked.Plan) + "\n")
	}
	return a.print(g.Asked.Plan)
}

// showPlan prints a plan as review shows it, without the question.
func (a *app) showPlan(st *journal.State, gate string) error {
	g, err := planGate(st, gate)
	if err != nil {
		return err
	}
	if a.json {
		return a.emit(struct {
			Format   int    `json:"format"`
			Run      string `json:"run"`
			Gate     string `json:"gate"`
			State    string `json:"state"`
			Checksum string `json:"checksum"`
			Plan     string `json:"plan"`
		}{jsonFormat, st.ID, g.Asked.Gate, string(g.State), g.Asked.Checksum, g.Asked.Plan})
	}
	rows := term.RenderPlan([]byte(g.Asked.Plan), width(a.Out), false)
	return a.print(strings.Join(rows, "\n") + "\n")
}

// planGate finds the gate whose plan is wanted: the one named, else the only one that waits,
// else the only one.
func planGate(st *journal.State, named string) (*journal.Gate, error) {
	if named != "" {
		g, ok := st.Gates[named]
		switch {
		case !ok:
			return nil, fault.New(fault.GateUnknown, fmt.Sprintf("run %s has no gate %q", st.ID, named), "assent show "+st.ID)
		case g.Asked.Kind != string(checkpoint.KindPlan):
			return nil, fault.New(fault.GateUnknown, fmt.Sprintf("gate %s asks about no plan", named), "assent show "+st.ID)
		}
		return g, nil
	}
	var all, pending []*journal.Gate
	for _, id := range st.GateOrder {
		if g := st.Gates[id]; g.Asked.Kind == string(checkpoint.KindPlan) {
			all = append(all, g)
			if g.State == journal.Pending {
				pending = append(pending, g)
			}
		}
	}
	switch {
	case len(pending) == 1:
		return pending[0], nil
	case len(all) == 1:
		return all[0], nil
	case len(all) == 0:
		return nil, fault.New(fault.GateUnknown, "run "+st.ID+" asked about no plan", "assent show "+st.ID)
	}
	return nil, fault.New(fault.GateAmbiguous, fmt.Sprintf("run %s asked about %d plans", st.ID, len(all)), "assent show "+st.ID+"   # lists them; name one with --gate")
}

// showResult prints the result again.
func (a *app) showResult(st *journal.State) error {
	if st.Finished == nil || len(st.Finished.Result) == 0 {
		return fault.New(fault.RunFinished, "run "+st.ID+" has no result", "assent show "+st.ID)
	}
	return a.print(safeJSON(string(st.Finished.Result)) + "\n")
}
