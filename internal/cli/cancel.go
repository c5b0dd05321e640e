package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func newCancelCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "cancel [RUN]",
		Short: "End a run for good",
		Long: "Ends a run, whoever executes it; its gates are closed, its agents ended. A cancelled run cannot be\n" +
			"resumed.",
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return a.cancel(cmd.Context(), first(args)) },
	}
}

func (a *app) cancel(ctx context.Context, named string) error {
	if err := refuseAgents(); err != nil {
		return err
	}
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.pick(ctx, store, named, "cancel", func(s journal.Summary) bool { return !over(s.State) })
	if err != nil {
		return err
	}
	already, err := cancelRun(ctx, store, id)
	if err != nil {
		return err
	}
	if a.json {
		return a.emit(struct {
			Format  int    `json:"format"`
			Run     string `json:"run"`
			State   string `json:"state"`
			Already bool   `json:"already"`
		}{jsonFormat, id, journal.StatusCancelled, already})
	}
	if already {
		a.say("run " + id + " was cancelled already")
		return nil
	}
	a.say("run " + id + " is cancelled")
	return nil
}

// cancelRun ends a run. Whoever executes it sees that and stops. What a dead owner left running
// is ended first, which takes becoming the owner; already says that there was nothing to do.
func cancelRun(ctx context.Context, store *journal.Store, id string) (already bool, err error) {
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return false, err
	}
	defer visit.Close()
	me := who(wayCommand)
	end := journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{
		State: journal.StatusCancelled, Code: string(fault.RunCancelled), Who: &me,
	}}
	if _, alive := visit.Owner(); !alive && visit.State().Finished == nil && visit.State().Paused == nil {
		if err := cancelOrphan(ctx, store, id, end); !fault.Is(err, fault.RunBusy) {
			return false, err
		}
	}
	_, err = visit.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
		if already = st.Finished != nil && st.Finished.State == journal.StatusCancelled; already {
			return nil, nil
		}
		return []journal.Draft{end}, nil
	})
	return already, err
}

// cancelOrphan takes over a run whose owner died at work, and ends it.
func cancelOrphan(ctx context.Context, store *journal.Store, id string, end journal.Draft) error {
	run, err := store.Take(ctx, id, func(st *journal.State) (journal.RunResumed, error) {
		return journal.RunResumed{Settings: st.Settings}, nil
	})
	if err != nil {
		return err
	}
	process.EndStrays(id) // those that were started and not yet recorded when their owner died
	_, err = journal.Append(ctx, run, end)
	return errors.Join(err, run.Close())
}

// over says that a run in that state has ended.
func over(state string) bool {
	switch state {
	case journal.StatusCompleted, journal.StatusStopped, journal.StatusFailed, journal.StatusCancelled:
		return true
	}
	return false
}
