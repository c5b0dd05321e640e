package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// cleanedWorktrees prints what was removed and what was kept, and why.
func (a *app) cleanedWorktrees(t trees, cleaned []worktree.Cleaned, discard []string) error {
	left := 0
	for _, c := range cleaned {
		if !c.Removed && slices.Contains(discard, c.Name()) {
			left++
		}
	}
	if a.json {
		object := worktreesObject{Format: jsonFormat, Worktrees: []worktreeRow{}}
		for _, c := range cleaned {
			row := t.row(c.Listed)
			row.Removed, row.Why, row.BranchStays = &c.Removed, c.Why, c.BranchStays
			object.Worktrees = append(object.Worktrees, row)
		}
		if err := a.emit(object); err != nil {
			return err
		}
		return ends(min(left, exitFailed))
	}
	removed := 0
	for _, c := range cleaned {
		verb := "kept"
		if c.Removed {
			verb = "removed"
			removed++
		}
		text := fmt.Sprintf("%s  %s  %s  %s", verb, tail(c.Run), short(c.Title()), c.Why)
		if c.BranchStays {
			text += "; its branch stays, since it was moved or is checked out: " + c.Branch
		}
		if c.Removed && len(c.Kept) > 0 && !slices.Contains(discard, c.Name()) {
			text += "; what earlier attempts did stays: " + strings.Join(c.Kept, ", ")
		}
		switch _, always := t.hold(c.Run); {
		case c.Removed:
		case always: // naming it would not help
			text += "\n         assent show " + tail(c.Run)
		case !slices.Contains(discard, c.Name()):
			text += "\n         --discard " + tail(c.Run) + "/" + c.Call
		}
		for line := range strings.SplitSeq(text, "\n") {
			if err := a.print(term.Escape(line) + "\n"); err != nil {
				return err
			}
		}
	}
	if len(cleaned) == 0 {
		a.say("no call has a worktree here")
		return nil
	}
	a.say(fmt.Sprintf("removed %s, kept %d", term.Plural(int64(removed), "worktree", "worktrees"), len(cleaned)-removed))
	return ends(min(left, exitFailed))
}

// pruneWorktrees removes the worktrees of a run that is gone, where nobody needs them, and names those
// that stay.
func (a *app) pruneWorktrees(ctx context.Context, run string) error {
	f, err := a.folders()
	if err != nil {
		return err
	}
	if info, err := os.Lstat(filepath.Join(f.work, run)); err != nil || !info.IsDir() {
		return nil //nolint:nilerr // a run that has none, which is the rule
	}
	cleaned, err := worktree.Clean(ctx, f.work, worktree.CleanOptions{Run: run})
	if err != nil {
		return err
	}
	left := 0
	for _, c := range cleaned {
		if !c.Removed {
			left++
		}
	}
	// What read-only agents wrote for themselves belongs to nobody any more.
	if err := os.RemoveAll(filepath.Join(f.work, run, "scratch")); err != nil {
		return err
	}
	_ = os.Remove(filepath.Join(f.work, run)) // if it is empty
	if left > 0 {
		a.say(term.Plural(int64(left), "worktree stays", "worktrees stay") + " of run " + run + ": the work there stands nowhere else")
		a.next("assent worktrees " + run)
	}
	return nil
}
