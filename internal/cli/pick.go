package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// pick finds the run that a command is about: the one that was named, or, if none was, the only
// one of this workspace that fits. verb names the command in messages.
func (a *app) pick(ctx context.Context, store *journal.Store, named, verb string, fits func(journal.Summary) bool) (string, error) {
	if named != "" {
		return find(ctx, store, named)
	}
	fit, err := a.fitting(ctx, store, fits)
	if err != nil {
		return "", err
	}
	switch len(fit) {
	case 1:
		return fit[0].ID, nil
	case 0:
		return "", noneFits(verb)
	}
	return "", a.ambiguous(fit)
}

// newest is pick for commands that only look: if none was named, it gives the newest run of this
// workspace, and the others, if there are any, are counted. A damaged one is not passed over.
func (a *app) newest(ctx context.Context, store *journal.Store, named, verb string) (string, error) {
	if named != "" {
		return find(ctx, store, named)
	}
	all, err := a.here(ctx, store)
	switch {
	case err != nil:
		return "", err
	case len(all) == 0:
		return "", noneFits(verb)
	}
	which := fmt.Sprintf("the newest of %s here: %s", term.Plural(int64(len(all)), "run", "runs"), all[0].ID)
	if all[0].Err != nil {
		a.say(which + ", which cannot be read")
	} else if len(all) > 1 {
		a.say(which)
	}
	return all[0].ID, nil
}

// fitting are the runs of this workspace that can be read and fit, the newest first.
func (a *app) fitting(ctx context.Context, store *journal.Store, fits func(journal.Summary) bool) ([]journal.Summary, error) {
	all, err := a.here(ctx, store)
	return slices.DeleteFunc(all, func(s journal.Summary) bool { return s.Err != nil || !fits(s) }), err
}

// here are the runs of this workspace, the newest first. One that cannot be read belongs to no
// workspace that is known, and so to every one.
func (a *app) here(ctx context.Context, store *journal.Store) ([]journal.Summary, error) {
	workspace, err := a.workspace()
	if err != nil {
		return nil, err
	}
	all, err := store.List(ctx)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(s journal.Summary) bool { return s.Err == nil && s.Workspace != workspace }), nil
}

// noneFits refuses a command without a run where there is none for it.
func noneFits(verb string) error {
	const elsewhere = "assent ls --all" // lists the runs of all workspaces
	switch verb {
	case "approve", "reject", "answer", "review":
		return fault.New(fault.PlanApprovalStale, "no question waits for an answer in this workspace", elsewhere)
	case "revoke":
		return fault.New(fault.RunUnknown, "no run of this workspace that can go on has an approved plan", "assent ls   # shows all runs; one that has ended has to be named")
	case "resume", "cancel":
		return fault.New(fault.RunUnknown, "there is no run in this workspace to "+verb, elsewhere)
	case "watch":
		return fault.New(fault.RunUnknown, "no run of this workspace is at work", "assent ls   # lists those that stand still or have ended; name one to see it")
	default:
		return fault.New(fault.RunUnknown, "there is no run in this workspace yet", elsewhere)
	}
}

// tailLength is how many letters at the end of an id name a run, as they do in the ids of its
// gates. The beginnings of ids are times, and alike.
const tailLength = 6

// tail is the short id of a run.
func tail(id string) string { return strings.ToLower(id[max(0, len(id)-tailLength):]) }

// find gives the run whose id begins with named, or has that tail.
func find(ctx context.Context, store *journal.Store, named string) (string, error) {
	id, err := store.Find(ctx, named)
	if err == nil || !fault.Is(err, fault.RunUnknown) || len(named) != tailLength {
		return id, err
	}
	all, listErr := store.IDs(ctx)
	if listErr != nil { // which runs are in the shared file cannot be told; those beside it can
		summaries, err := store.List(ctx)
		if err != nil {
			return "", err
		}
		for _, s := range summaries {
			all = append(all, s.ID)
		}
	}
	var found []string
	for _, id := range all {
		if strings.EqualFold(tail(id), named) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", err
	case 1:
		return found[0], nil
	}
	return "", fault.New(fault.RunAmbiguous, fmt.Sprintf("%s could be %s", named, strings.Join(found, ", ")), "assent ls --all   # shows the whole ids")
}

// waits fits runs with a gate that waits.
func waits(s journal.Summary) bool { return len(s.Waiting) > 0 }
