package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// replayFlags say what is replayed, and with which script.
type replayFlags struct {
	against     string
	all, strict bool
}

func newReplayCommand(a *app) *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [RUN...]",
		Short: "Prove results from journals, or try an edited script against them",
		Long: "Executes finished runs against their journals, without doing anything, and proves that each leads\n" +
			"to the result that the run has.\n\n" +
			"With --against, executes an edited script against the journals of runs instead, and says of each\n" +
			"what would be replayed, run again or asked again. Exit code 1 if something differs.",
		Example: "  assent replay 01JD\n  assent replay --all\n  assent replay --against deliver.js 01JD\n  assent replay --against deliver.js --all --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.all && len(args) > 0:
				return misused("--all takes the runs of this workspace, so none is named", "assent replay --all")
			case f.strict && f.against == "":
				return misused("--strict belongs to --against", "assent replay --against FILE --all --strict")
			case f.against != "" && !f.all && len(args) == 0:
				return misused("--against needs runs, or --all", "assent replay --against "+quoteCommand([]string{f.against})+" --all")
			case f.against != "":
				return a.against(cmd.Context(), args, f)
			}
			return a.replay(cmd.Context(), args, f.all)
		},
	}
	cmd.Flags().StringVar(&f.against, "against", "", "compare what this script, such as an edited one, would make of the runs")
	cmd.Flags().BoolVar(&f.all, "all", false, "all runs of this workspace that fit")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "with --against, also count gates that are asked again, and calls that are not made any more")
	return cmd
}

// leftOut is a run that --all leaves out.
type leftOut struct {
	Run   string `json:"run"`
	Title string `json:"title"`
	Why   string `json:"why"`
}

// replayRow is a run whose result was to be proved.
type replayRow struct {
	Run      string   `json:"run"`
	Proved   bool     `json:"proved"`
	State    string   `json:"state,omitempty"`
	Replayed int      `json:"replayed"`
	Error    *problem `json:"error,omitempty"`
}

type replayReport struct {
	Format int         `json:"format"`
	Exit   int         `json:"exit"`
	Runs   []replayRow `json:"runs"`
	Left   []leftOut   `json:"left"`
}

// replay proves results.
func (a *app) replay(ctx context.Context, named []string, all bool) error {
	store, err := a.existing()
	if err != nil {
		return err
	}
	o := replayReport{Format: jsonFormat, Runs: []replayRow{}, Left: []leftOut{}}
	var runs []string
	switch {
	case all:
		runs, o.Left, err = a.allRuns(ctx, store, unfinished)
	case len(named) == 0:
		runs = []string{""}
		runs[0], err = a.newest(ctx, store, "", "replay")
	default:
		runs, err = findAll(ctx, store, named)
	}
	if err != nil {
		return err
	}
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	options, err := a.comparing(store, workspace)
	if err != nil {
		return err
	}
	options.Workflows = nil // what was started stands in the journal
	for _, id := range runs {
		row := replayRow{Run: id}
		result, err := engine.Replay(ctx, id, options)
		if err != nil {
			p := problemOf(err)
			row.Error = &p
			o.Exit = worse(o.Exit, err)
		} else {
			row.Proved, row.State, row.Replayed = true, result.State, result.Replayed
		}
		o.Runs = append(o.Runs, row)
	}
	if a.json {
		if err := a.emit(o); err != nil {
			return err
		}
		return ends(o.Exit)
	}
	if err := a.print(replayText(o)); err != nil {
		return err
	}
	a.none(len(o.Runs), "assent ls")
	return ends(o.Exit)
}

// none says that --all found nothing, which is no failure.
func (a *app) none(runs int, next string) {
	if runs == 0 {
		a.say("no run of this workspace fits")
		a.next(next)
	}
}

// worse is the exit code after one more run that failed: a damaged journal outweighs the rest.
func worse(code int, err error) int {
	if code == exitDamaged || codeFor(err) == exitDamaged {
		return exitDamaged
	}
	return exitFailed
}

// findAll finds runs that were named, each once.
func findAll(ctx context.Context, store *journal.Store, named []string) ([]string, error) {
	var ids []string
	for _, name := range named {
		id, err := find(ctx, store, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// allRuns gives the runs of this workspace, the oldest first, but those that leave says a reason
// for. One that cannot be read fails by itself, unless it belongs elsewhere by what it says. One that
// does not even say that is left out too, since it would fail every workspace's check; where there is
// no other run, it is all that is left to check.
func (a *app) allRuns(ctx context.Context, store *journal.Store, leave func(context.Context, *journal.Store, journal.Summary) string) (ids []string, left []leftOut, err error) {
	all, err := a.here(ctx, store)
	if err != nil {
		return nil, nil, err
	}
	workspace, err := a.workspace()
	if err != nil {
		return nil, nil, err
	}
	left = []leftOut{}
	var nobodys []string
	for _, s := range slices.Backward(all) {
		why := ""
		switch of := claimed(ctx, store, s); {
		case s.Err == nil:
			why = leave(ctx, store, s)
		case of == "":
			nobodys = append(nobodys, s.ID)
			why = "nobody can tell whose it is: " + s.Err.Error()
		case of != workspace:
			why = "it says that it is of " + of + ": " + s.Err.Error()
		}
		if why != "" {
			left = append(left, leftOut{s.ID, s.Title, why})
		} else {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) > 0 {
		return ids, left, nil
	}
	left = slices.DeleteFunc(left, func(l leftOut) bool { return slices.Contains(nobodys, l.Run) })
	return nobodys, left, nil
}

// claimed is the workspace that a run which cannot be used says it is of, "" if it does not.
func claimed(ctx context.Context, store *journal.Store, s journal.Summary) string {
	if s.Err == nil {
		return s.Workspace
	}
	report, err := journal.Verify(ctx, store, s.ID)
	if err != nil {
		return "" // it cannot be read for another reason
	}
	return report.Workspace
}

// unfinished says why a run has no result that its journal could prove.
func unfinished(ctx context.Context, store *journal.Store, s journal.Summary) string {
	visit, err := store.Visit(ctx, s.ID)
	if err != nil {
		return "" // it fails by itself
	}
	defer visit.Close()
	switch f := visit.State().Finished; {
	case f == nil:
		return "it has not finished: it is " + s.State
	case f.State == journal.StatusCancelled:
		return "it was cancelled"
	case f.Who != nil, f.Code == string(fault.WallClockLimit), f.Code == string(fault.NondeterministicScript):
		return "it was ended from outside: " + f.Code
	}
	return ""
}

func replayText(o replayReport) string {
	var b strings.Builder
	for _, row := range o.Runs {
		if row.Proved {
			fmt.Fprintf(&b, "run %s: proved: %s, by %s from the journal\n", row.Run, term.Escape(row.State), term.Plural(int64(row.Replayed), "answer", "answers"))
			continue
		}
		fmt.Fprintf(&b, "run %s: NOT PROVED: %s\n", row.Run, row.Error.text())
	}
	b.WriteString(leftOutText(o.Left))
	return b.String()
}

func leftOutText(left []leftOut) string {
	if len(left) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("left out:\n")
	for _, row := range left {
		fmt.Fprintf(&b, "  %s %s: %s\n", row.Run, term.Escape(fmt.Sprintf("%q", short(row.Title))), term.Escape(row.Why))
	}
	return b.String()
}

// text is a problem in one line, or in several of which all but the first are indented.
func (p *problem) text() string {
	what := p.What
	if place := p.place(); place != "" {
		what = place + ": " + what
	}
	if p.Code != "" {
		what = p.Code + ": " + what
	}
	lines := strings.Split(strings.TrimRight(what, "\n"), "\n")
	for i := range lines {
		lines[i] = term.Escape(lines[i])
	}
	return strings.Join(lines, "\n  │ ")
}
