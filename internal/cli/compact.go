package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

func newCompactCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "compact [RUN]",
		Short: "Give back the space that a journal's file has no use for",
		Long: "Writes a run's journal anew, with the same entries, and says what that saved. Without RUN it does so\n" +
			"for all runs of this workspace that nobody executes. Runs that share a file are compacted together,\n" +
			"when nobody executes any of them. To remove runs, use prune.",
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return a.compact(cmd.Context(), first(args)) },
	}
}

// compactedRow is a run that was compacted, in JSON.
type compactedRow struct {
	Run    string `json:"run"`
	Before int64  `json:"before"`
	After  int64  `json:"after"`
}

func (a *app) compact(ctx context.Context, named string) error {
	store, err := a.existing()
	if err != nil {
		return err
	}
	var ids []string
	if named != "" {
		id, err := find(ctx, store, named)
		if err != nil {
			return err
		}
		ids = []string{id}
	} else {
		runs, err := a.fitting(ctx, store, func(s journal.Summary) bool { return !s.Owned })
		if err != nil {
			return err
		}
		for _, s := range slices.Backward(runs) {
			ids = append(ids, s.ID)
		}
	}
	rows := []compactedRow{}
	var saved int64
	files := map[string]bool{} // many runs can stand in one
	for _, id := range ids {
		path := store.Path(id)
		if files[path] {
			continue
		}
		files[path] = true
		size, err := journal.Compact(ctx, store, id)
		if named == "" && fault.Is(err, fault.RunBusy) {
			// Somebody has begun with it meanwhile, or is at work in the same file.
			a.say("left as it is: " + err.Error())
			continue
		}
		if named == "" && fault.Is(err, fault.RunUnknown) {
			continue // somebody has removed it meanwhile
		}
		if err != nil {
			return err
		}
		rows = append(rows, compactedRow{id, size.Before, size.After})
		saved += size.Before - size.After
	}
	if a.json {
		return a.emit(struct {
			Format int            `json:"format"`
			Saved  int64          `json:"saved"`
			Runs   []compactedRow `json:"runs"`
		}{jsonFormat, saved, rows})
	}
	for _, r := range rows {
		if r.After < r.Before || named != "" {
			a.say(fmt.Sprintf("run %s: %s, was %s", r.Run, bytesText(r.After), bytesText(r.Before)))
		}
	}
	a.say(fmt.Sprintf("%s less in %s", bytesText(saved), term.Plural(int64(len(rows)), "journal", "journals")))
	return nil
}

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
