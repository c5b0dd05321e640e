package cli

import (
	"context"
	"fmt"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// pickResume is the run that resume is about: the one that was named, else the only one of this
// workspace that can go on, or the only one that can do so without an answer; else the only run
// that there is, if it is over and something in it would be done again.
func (a *app) pickResume(ctx context.Context, store *journal.Store, named string, f resumeFlags) (string, error) {
	if named != "" {
		return find(ctx, store, named)
	}
	all, err := a.fitting(ctx, store, func(journal.Summary) bool { return true })
	if err != nil {
		return "", err
	}
	var free, ready, owned []journal.Summary
	for _, s := range all {
		switch {
		case !goesOn(s):
		case s.Owned:
			owned = append(owned, s)
		default:
			free = append(free, s)
			if a.readyAlone(s) {
				ready = append(ready, s)
			}
		}
	}
	switch {
	case len(free) == 1:
		return free[0].ID, nil
	case len(free) > 1 && len(ready) == 1:
		a.say(fmt.Sprintf("of the %d runs here that are not over, %s is the one that needs no answer", len(free), ready[0].ID))
		return ready[0].ID, nil
	case len(free) > 1:
		return "", a.ambiguous(free)
	case len(owned) > 0:
		return "", busy(owned[0].ID, owned[0].Owner)
	}
	return a.pickEnded(ctx, store, all, f)
}

// readyAlone says that a run can go on as it is: no edit of the script, no answer and no larger
// budget is needed.
func (a *app) readyAlone(s journal.Summary) bool {
	if over(s.State) || s.State == journal.StatusPaused && s.Answered == "" {
		return false
	}
	at := moment{s.Owned, s.Unproven != "", a.Now()}
	for _, g := range s.Waiting {
		if lapsed(g, at) == "" {
			return false
		}
	}
	return true
}

// pickEnded is for a workspace in which every run is completed or cancelled.
func (a *app) pickEnded(ctx context.Context, store *journal.Store, all []journal.Summary, f resumeFlags) (string, error) {
	var again []journal.Summary
	for _, s := range all {
		if s.State != journal.StatusCompleted {
			continue
		}
		does := f.script != "" || f.retryFailed || f.tiers
		if !does {
			var err error
			if does, err = a.repeats(ctx, store, s.ID, f); err != nil {
				return "", err
			}
		}
		if does {
			again = append(again, s)
		}
	}
	switch {
	case len(all) == 0:
		return "", noneFits("resume")
	case len(again) == 1:
		return again[0].ID, nil
	case len(again) > 1:
		return "", a.ambiguous(again)
	case len(all) > 1:
		return "", fault.New(fault.RunUnknown, fmt.Sprintf("all %d runs of this workspace are over: nothing would run again", len(all)), "assent ls   # shows them")
	case all[0].State == journal.StatusCancelled:
		return "", fault.New(fault.RunUnknown, "the only run of this workspace, "+all[0].ID+", was cancelled: it cannot go on", "assent show "+all[0].ID)
	}
	return "", fault.New(fault.RunUnknown, "the only run of this workspace, "+all[0].ID+", is completed: nothing would run again",
		"assent resume "+all[0].ID+" --script FILE   # goes on with an edited script")
}

// repeats says that a resume of a completed run would do something: try failed calls, or ask for
// an approval that was taken back or lapsed, or what was settled though nobody was asked.
func (a *app) repeats(ctx context.Context, store *journal.Store, id string, f resumeFlags) (bool, error) {
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return false, err
	}
	defer visit.Close()
	st := visit.State()
	c, err := a.config(st.Workspace)
	if err != nil {
		return false, err
	}
	person := a.interactive(f.driveFlags) || a.attached(f.driveFlags, c) || f.onGate == string(checkpoint.Suspend)
	for _, gate := range st.GateByKey {
		switch st.Gates[gate].State {
		case journal.Revoked, journal.Lapsed:
			return true, nil
		case journal.Defaulted, journal.Expired:
			if person {
				return true, nil
			}
		default: // a person answered it, or it asks nobody any more
		}
	}
	if a.standingOf(st, false).failedCalls {
		return true, nil
	}
	return a.meansAnother(ctx, store, st, c)
}

// meansAnother says that what a call stood for outside of the script, such as an agent type, is another
// thing now, so that the call would run again.
func (a *app) meansAnother(ctx context.Context, store *journal.Store, st *journal.State, c config) (bool, error) {
	outside := false
	for _, call := range st.Calls {
		outside = outside || len(call.Call.Outside) > 0
	}
	if !outside {
		return false, nil
	}
	o, err := a.equipped(engine.Options{Store: store, AgentName: st.Agent, Workspace: st.Workspace, Workflows: library{a, st.Workspace}}, c, st.Workspace)
	if err != nil {
		return false, err
	}
	forecast, err := engine.DryRun(ctx, st.ID, nil, o)
	return err == nil && len(forecast.Again) > 0, err
}
