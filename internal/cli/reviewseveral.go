package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// reviewable are the runs of this workspace with a question that takes an answer, the newest
// first.
func (a *app) reviewable(ctx context.Context, store *journal.Store) ([]journal.Summary, error) {
	return a.fitting(ctx, store, func(s journal.Summary) bool {
		at := listed{Summary: s}.moment(a.Now())
		return slices.ContainsFunc(s.Waiting, func(g *journal.Gate) bool { return lapsed(g, at) == "" })
	})
}

// reviewSeveral goes through several runs, one after the other, where a person can be asked;
// elsewhere it lists them with the command for each.
func (a *app) reviewSeveral(ctx context.Context, store *journal.Store, runs []journal.Summary, resume bool) error {
	if a.json || !a.interactive(driveFlags{}) {
		return a.eachReview(a.ambiguous(runs), runs)
	}
	left := exitOK
	for i, s := range runs {
		a.say(fmt.Sprintf("%d of %d runs: %s", i+1, len(runs), a.choice(s)))
		err := a.reviewRun(ctx, store, s.ID, resume, false)
		var code exitCode
		switch {
		case err == nil:
		case errors.As(err, &code) && int(code) != exitInterrupted:
			left = max(left, int(code))
		default:
			return err
		}
	}
	return ends(left)
}

// eachReview gives a refusal to choose the command for each run, and not for the newest alone.
func (a *app) eachReview(refusal error, runs []journal.Summary) error {
	var next []string
	for _, s := range runs[:min(len(runs), mostListed)] {
		next = append(next, a.named(s.ID))
	}
	return fault.New(fault.RunAmbiguous, problemOf(refusal).What, strings.Join(next, "\n"))
}
