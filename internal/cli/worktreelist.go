package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// listWorktrees prints worktrees, and what to do with each.
func (a *app) listWorktrees(t trees, list []worktree.Listed, f worktreeFlags) error {
	if a.json {
		return a.emit(t.object(list))
	}
	if len(list) == 0 {
		a.say("no call has a worktree here")
		if !f.all {
			a.next("assent worktrees --all")
		}
		return nil
	}
	var b strings.Builder
	idle := false
	for _, l := range list {
		why, _ := t.hold(l.Run)
		idle = idle || why == "" && l.Idle()
		fmt.Fprintf(&b, "%s  %s  %s\n  branch  %s\n  folder  %s\n", tail(l.Run), term.Escape(short(l.Title())), term.Escape(t.state(l)), term.Escape(l.Branch), term.Escape(l.Path))
		for _, next := range t.nexts(l) {
			fmt.Fprintf(&b, "  next: %s\n", term.Escape(next))
		}
	}
	if err := a.print(b.String()); err != nil {
		return err
	}
	if idle {
		a.next(f.again() + " --clean   # removes those that nobody needs")
	}
	return nil
}

// state says in a few words how a worktree stands.
func (t trees) state(l worktree.Listed) string {
	if l.Problem != "" {
		return l.Problem
	}
	var words []string
	if !l.Finished {
		words = append(words, "not finished")
	}
	switch {
	case l.Ahead == 0:
		words = append(words, "no commits")
	case l.Merged != "":
		words = append(words, term.Plural(int64(l.Ahead), "commit", "commits")+", all on "+l.Merged)
	default:
		words = append(words, term.Plural(int64(l.Ahead), "commit", "commits")+" on no branch of yours")
	}
	if l.Dirty != "" {
		words = append(words, l.Dirty)
	}
	if !l.Exists {
		words = append(words, "its folder is gone")
	}
	if l.Locked {
		words = append(words, "locked")
	}
	if n := int64(len(l.Kept)); n > 0 {
		words = append(words, term.Plural(n, "earlier attempt", "earlier attempts")+" kept")
	}
	return strings.Join(words, ", ")
}

// nexts are what to do with one: look at it, and take it over.
func (t trees) nexts(l worktree.Listed) []string {
	git := "git "
	if l.Repository != t.workspace {
		git += "-C " + quoteCommand([]string{l.Repository}) + " "
	}
	var next []string
	if l.Dirty != "" && l.Exists {
		next = append(next, "git -C "+quoteCommand([]string{l.Path})+" status")
	}
	if l.Problem == "" && l.Ahead > 0 && l.Merged == "" {
		next = append(next, git+"diff "+l.Base[:min(12, len(l.Base))]+".."+l.Branch, git+"merge "+l.Branch)
	}
	return next
}
