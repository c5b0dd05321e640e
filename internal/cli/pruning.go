package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// mayPrune asks the person at the terminal; where there is none, the command line has said it.
func (a *app) mayPrune(ctx context.Context, p pruning) (bool, error) {
	if !a.interactive(driveFlags{}) {
		return true, nil
	}
	screen := a.openTerminal()
	if screen == nil {
		return false, term.ErrNotTerminal
	}
	var word string
	err := a.asks(ctx, func(ctx context.Context) (err error) {
		word, err = term.AskChoice(ctx, screen, p.title("Remove")+" for good?", p.lines(), []term.Choice{
			{Word: "yes", Help: "remove them"}, {Word: "no", Help: "leave all as it is"},
		})
		return err
	})
	if errors.Is(err, term.ErrNoAnswer) || errors.Is(err, term.ErrClosed) {
		return false, nil
	}
	return word == "yes", err
}

// title is what is done with what: "Remove 3 runs and 1 leftover (1.2 MiB)".
func (p pruning) title(verb string) string {
	text := verb
	if len(p.Runs) > 0 || len(p.Leftovers) == 0 {
		text += " " + term.Plural(int64(len(p.Runs)), "run", "runs")
	}
	if len(p.Leftovers) > 0 {
		if len(p.Runs) > 0 {
			text += " and"
		}
		text += " " + term.Plural(int64(len(p.Leftovers)), "leftover", "leftovers")
	}
	return text + " (" + bytesText(p.Bytes) + ")"
}

func (p pruning) lines() []string {
	var lines []string
	for _, r := range p.Runs {
		lines = append(lines, fmt.Sprintf("%s  %s  %s  %s", r.Run, r.State, bytesText(r.Bytes), r.Title))
	}
	for _, l := range p.Leftovers {
		lines = append(lines, fmt.Sprintf("%s  leftover  %s", l.Run, bytesText(l.Bytes)))
	}
	return lines
}

// remove removes it. What somebody has taken up meanwhile stays, unless it was named: then that
// is an error.
func (a *app) remove(ctx context.Context, store *journal.Store, p *pruning, named bool) error {
	gone := pruning{Format: p.Format, Runs: []prunedRow{}, Leftovers: []remainsRow{}, anchors: p.anchors}
	for _, r := range p.Runs {
		err := store.Prune(ctx, r.Run)
		if !named && (fault.Is(err, fault.RunBusy) || fault.Is(err, fault.RunWaiting) || fault.Is(err, fault.RunUnknown)) {
			continue
		}
		if err == nil {
			err = p.logs.remove(r.Run)
		}
		if err != nil {
			return err
		}
		gone.Runs, gone.Bytes = append(gone.Runs, r), gone.Bytes+r.Bytes
		if err := a.pruneWorktrees(ctx, r.Run); err != nil {
			return err
		}
	}
	for _, l := range p.Leftovers {
		left, err := store.RemoveLeftover(ctx, l.Run, named)
		if !named && fault.Is(err, fault.RunBusy) {
			continue
		}
		if err == nil && !left.Rewritten {
			err = p.logs.remove(l.Run)
		}
		if err != nil {
			return err
		}
		gone.Leftovers, gone.Bytes = append(gone.Leftovers, l), gone.Bytes+l.Bytes
	}
	*p = gone
	return nil
}

// pruned says what has gone.
func (a *app) pruned(p pruning) error {
	if a.json {
		return a.emit(p)
	}
	verb := "removed"
	if p.DryRun {
		verb = "would remove"
	}
	switch {
	case p.declined:
		a.say("nothing was removed")
	case len(p.Runs)+len(p.Leftovers) == 0:
		a.say("nothing to remove")
	default:
		for _, line := range p.lines() {
			if err := a.print(term.Escape(line) + "\n"); err != nil {
				return err
			}
		}
		a.say(p.title(verb))
	}
	if p.anchors > 0 {
		a.say(fmt.Sprintf("%s of journals that are gone: kept, so that no older copy passes for the newest", term.Plural(int64(p.anchors), "anchor", "anchors")))
	}
	return nil
}
