package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// pruneFlags say which runs go where none is named.
type pruneFlags struct {
	olderThan       age
	keep            int
	all, unfinished bool
	dryRun          bool
	// ruled says that one of the first two was given.
	ruled bool
}

func newPruneCommand(a *app) *cobra.Command {
	var f pruneFlags
	cmd := &cobra.Command{
		Use:   "prune [RUN...]",
		Short: "Remove runs that have ended",
		Long: "Removes whole runs with all that belongs to them, and what killed processes left. Without RUN these are\n" +
			"runs of this workspace that have ended. A run that waits for an answer or is executed is never removed;\n" +
			"one that stands still only if it is named, or with --also-unfinished. At a terminal it asks first.",
		Example: "  assent prune --older-than 30d --keep 10\n  assent prune 01JD",
		RunE: func(cmd *cobra.Command, args []string) error {
			f.ruled = cmd.Flags().Changed("older-than") || cmd.Flags().Changed("keep")
			if len(args) > 0 && (f.ruled || f.all || f.unfinished) {
				return misused("prune takes runs, or rules for runs, not both", "assent prune --help")
			}
			if f.keep < 0 {
				return misused("--keep takes a number from 0", "assent prune --help")
			}
			return a.prune(cmd.Context(), args, f)
		},
	}
	cmd.Flags().Var(&f.olderThan, "older-than", "only runs whose last entry is older, such as 36h, 30d or 2w")
	cmd.Flags().IntVar(&f.keep, "keep", 0, "leave the newest so many of them")
	cmd.Flags().BoolVar(&f.all, "all", false, "runs of all workspaces")
	cmd.Flags().BoolVar(&f.unfinished, "also-unfinished", false, "also runs that stand still, and could be resumed")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	cmd.Flags().Lookup("older-than").DefValue = "" // any age, and not an age of nothing
	return cmd
}

// prunedRow is a run that goes, in JSON.
type prunedRow struct {
	Run   string `json:"run"`
	Title string `json:"title"`
	State string `json:"state"`
	Bytes int64  `json:"bytes"`
}

// remainsRow is what a killed process left, in JSON.
type remainsRow struct {
	Run   string `json:"run"`
	Bytes int64  `json:"bytes"`
}

// pruning is what goes.
type pruning struct {
	Format    int          `json:"format"`
	DryRun    bool         `json:"dryRun"`
	Runs      []prunedRow  `json:"runs"`
	Leftovers []remainsRow `json:"leftovers"`
	Bytes     int64        `json:"bytes"`
	// logs is where runs have logs.
	logs *logFolder
	// anchors counts what remembers journals that are gone; that stays.
	anchors int
	// declined says that the person said no.
	declined bool
}

func (a *app) prune(ctx context.Context, named []string, f pruneFlags) error {
	if err := refuseAgents(); err != nil {
		return err
	}
	if len(named) == 0 && !f.ruled && !f.dryRun && !a.interactive(driveFlags{}) {
		return misused("where nobody can be asked, prune needs a run, or a rule for runs",
			"assent prune --older-than 30d   # or --keep N, or RUN; --dry-run shows what would go")
	}
	store, err := a.existing()
	if err != nil {
		return err
	}
	folders, err := a.folders()
	if err != nil {
		return err
	}
	logs, err := openLogs(folders.store)
	if err != nil {
		return err
	}
	defer logs.close()
	p := pruning{logs: logs, Format: jsonFormat, DryRun: f.dryRun, Runs: []prunedRow{}, Leftovers: []remainsRow{}}
	if len(named) > 0 {
		err = a.pruneNamed(ctx, store, named, &p)
	} else {
		err = a.pruneRuled(ctx, store, f, &p)
	}
	if err != nil {
		return err
	}
	if len(p.Runs)+len(p.Leftovers) > 0 && !f.dryRun {
		yes, err := a.mayPrune(ctx, p)
		if err != nil {
			return err
		}
		if !yes {
			p.Runs, p.Leftovers, p.Bytes, p.declined = []prunedRow{}, []remainsRow{}, 0, true
		} else if err := a.remove(ctx, store, &p, len(named) > 0); err != nil {
			return err
		}
	}
	return a.pruned(p)
}

// pruneNamed finds the runs that were named; what is left of one that is gone can be named too.
func (a *app) pruneNamed(ctx context.Context, store *journal.Store, named []string, p *pruning) error {
	for _, name := range named {
		id, err := find(ctx, store, name)
		if fault.Is(err, fault.RunUnknown) {
			left, leftErr := store.Leftovers(ctx)
			if leftErr != nil {
				return leftErr
			}
			if i := slices.IndexFunc(left, func(l journal.Leftover) bool { return strings.EqualFold(l.Run, name) }); i >= 0 {
				if left[i].Err != nil {
					return left[i].Err
				}
				p.Leftovers, p.Bytes = append(p.Leftovers, remainsRow{left[i].Run, left[i].Bytes}), p.Bytes+left[i].Bytes
				continue
			}
		}
		if err != nil {
			return err
		}
		if slices.ContainsFunc(p.Runs, func(r prunedRow) bool { return r.Run == id }) {
			continue
		}
		row, err := pruneable(ctx, store, id)
		if err != nil {
			return err
		}
		if err := a.willPrune(store, row, p); err != nil {
			return err
		}
	}
	return nil
}

// pruneable looks at one run, and refuses one that is executed or waits.
func pruneable(ctx context.Context, store *journal.Store, id string) (prunedRow, error) {
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return prunedRow{}, err
	}
	defer visit.Close()
	st := visit.State()
	owner, owned := visit.Owner()
	switch {
	case owned:
		return prunedRow{}, fault.New(fault.RunBusy, "run "+id+" is executed by process "+strconv.Itoa(owner.PID), "assent cancel "+id+"   # ends it")
	case len(st.Pending()) > 0:
		return prunedRow{}, fault.New(fault.RunWaiting, "run "+id+" waits for an answer", "assent review "+id+"   # or assent cancel, which ends it")
	}
	return prunedRow{Run: id, Title: st.Started.Title, State: st.StatusWith(owned)}, nil
}

// pruneRuled finds the runs that the rules mean, and what killed processes left.
func (a *app) pruneRuled(ctx context.Context, store *journal.Store, f pruneFlags, p *pruning) error {
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	runs, err := store.List(ctx)
	if err != nil {
		return err
	}
	kept := 0
	for _, s := range slices.Backward(runs) {
		ended := over(s.State) || f.unfinished && (s.State == journal.StatusPaused || s.State == journal.StatusInterrupted)
		if s.Err != nil || s.Owned || waits(s) || !ended || !f.all && s.Workspace != workspace {
			continue
		}
		if kept++; kept <= f.keep || a.Now().Sub(s.Last) < time.Duration(f.olderThan) {
			continue
		}
		if err := a.willPrune(store, prunedRow{Run: s.ID, Title: s.Title, State: s.State}, p); err != nil {
			return err
		}
	}
	left, err := store.Leftovers(ctx)
	if err != nil {
		return err
	}
	for _, l := range left {
		if l.Err != nil {
			a.say("what is left of run " + l.Run + " stays: " + l.Err.Error())
			continue
		}
		if l.Anchor > 0 {
			p.anchors++
			continue
		}
		p.Leftovers, p.Bytes = append(p.Leftovers, remainsRow{l.Run, l.Bytes}), p.Bytes+l.Bytes
	}
	return a.orphanLogs(ctx, store, p)
}

// orphanLogs are logs of runs that are gone.
func (a *app) orphanLogs(ctx context.Context, store *journal.Store, p *pruning) error {
	logs, err := p.logs.runs()
	if err != nil || len(logs) == 0 {
		return err
	}
	ids, err := store.IDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range logs {
		if slices.Contains(ids, id) {
			continue
		}
		size := p.logs.size(id)
		i := slices.IndexFunc(p.Leftovers, func(l remainsRow) bool { return l.Run == id })
		if i < 0 {
			i = len(p.Leftovers)
			p.Leftovers = append(p.Leftovers, remainsRow{Run: id})
		}
		p.Leftovers[i].Bytes += size
		p.Bytes += size
	}
	return ctx.Err()
}

// willPrune adds a run, with what it takes up.
func (a *app) willPrune(store *journal.Store, row prunedRow, p *pruning) error {
	size, err := store.Size(row.Run)
	if err != nil {
		return err
	}
	row.Bytes = size + p.logs.size(row.Run)
	p.Runs, p.Bytes = append(p.Runs, row), p.Bytes+row.Bytes
	return nil
}
