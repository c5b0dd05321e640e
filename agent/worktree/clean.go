package worktree

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// CleanOptions say what may go.
type CleanOptions struct {
	// Run is the id of the only run that is meant, "" is all. Only says of a worktree whether it is meant;
	// nil is all.
	Run  string
	Only func(l Listed) bool
	// Discard are worktrees, as RUN/CALL, that go with the work in them.
	Discard []string
	// Hold says why a run's worktrees may not go, "" if they may. always says that this holds also for
	// those that Discard names, as for a run that is at work. Nil holds nothing.
	Hold func(run string) (why string, always bool)
}

// Cleaned is what became of a worktree.
type Cleaned struct {
	Listed
	// Removed says that it is gone, and Why why, or why not. BranchStays says that its branch is left.
	Removed, BranchStays bool
	Why                  string
}

// Clean removes worktrees that nobody needs: those with no work in them, or whose work a branch of the
// user's has. The branch goes too, if it is where the call left it. One with anything that stands nowhere
// else stays, unless Discard names it; one that is locked stays in any case. The record goes last.
func Clean(ctx context.Context, root string, o CleanOptions) ([]Cleaned, error) {
	list, err := List(ctx, root)
	if err != nil {
		return nil, err
	}
	root, err = filepath.EvalSymlinks(root)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var cleaned []Cleaned
	for _, l := range list {
		named := slices.Contains(o.Discard, l.Name())
		if o.Run != "" && l.Run != o.Run || o.Only != nil && !o.Only(l) && !named {
			continue
		}
		c, err := clean(ctx, home{root, l.Run, l.Call}, named, o.Hold)
		if err != nil {
			return cleaned, err
		}
		cleaned = append(cleaned, c)
	}
	return cleaned, nil
}

// clean looks at one again, and removes it or says why not.
func clean(ctx context.Context, h home, named bool, hold func(string) (string, bool)) (Cleaned, error) {
	l, t, s := listed(ctx, h)
	c := Cleaned{Listed: l}
	if hold != nil {
		if why, always := hold(l.Run); why != "" && (always || !named) {
			c.Why = why
			return c, nil
		}
	}
	if c.Why = stays(l, named); c.Why != "" {
		return c, ctx.Err()
	}
	if t == nil {
		c.Removed, c.Why = true, "it was named, and "+l.Problem
		return c, os.RemoveAll(h.dir())
	}
	c.Why = "it has no work"
	if l.Ahead > 0 {
		c.Why = "its work is on " + l.Merged
	}
	if named && (l.unmerged() || l.Dirty != "" || len(l.Aside)+len(l.Kept) > 0) {
		c.Why = "it was named"
	}
	mine := t.mine(ctx, s)
	if s.admin != "" {
		// Git looks once more whether there is something in it; that it holds submodules it cannot judge.
		force := named || t.rec.State == stateMaking
		if !force && s.there {
			links, err := t.links(ctx, t.tree, nil)
			if err != nil {
				return c, err
			}
			force = len(links) > 0
		}
		if err := t.remove(ctx, s, force); err != nil {
			c.Why = err.Error()
			return c, ctx.Err()
		}
	}
	at, err := t.elsewhere(ctx)
	if err != nil {
		return c, err
	}
	switch {
	case s.tip == "":
	case at != "":
		c.BranchStays = true
	case named && mine, !l.Moved && !l.unmerged():
		if _, err := t.do(ctx, t.repo, git.Command{Step: "update-ref", Args: []string{"update-ref", "-d", t.ref(), s.tip}}); err != nil {
			return c, err
		}
	default:
		c.BranchStays = true
	}
	if named {
		for _, ref := range l.Kept {
			if _, err := t.do(ctx, t.repo, git.Command{Step: "update-ref", Args: []string{"update-ref", "-d", ref}}); err != nil {
				return c, err
			}
		}
	}
	c.Removed = true
	return c, h.forget()
}

// stays says why a worktree has to stay, "" if it may go.
func stays(l Listed, named bool) string {
	switch {
	case l.Locked:
		return "it is locked: git worktree unlock " + l.Path
	case l.Problem != "" && !(named && l.lost):
		return l.Problem
	case named:
		return ""
	case l.Dirty != "":
		return "it has " + l.Dirty
	case l.unmerged():
		return "its work is on no branch of yours"
	case len(l.Aside) > 0:
		return "something was put aside: " + strings.Join(l.Aside, ", ")
	}
	return ""
}

// forget removes the record and the folders above it that are empty then. What was put aside, or what
// somebody else left there, goes only with the whole folder of a worktree that was named.
func (h home) forget() error {
	rest, err := os.ReadDir(h.dir())
	if err != nil {
		return err
	}
	for _, e := range rest {
		if e.Name() != filepath.Base(h.record()) {
			if err := os.RemoveAll(filepath.Join(h.dir(), e.Name())); err != nil {
				return err
			}
		}
	}
	if err := os.Remove(h.record()); err != nil {
		return err
	}
	_ = os.Remove(h.dir())
	_ = os.Remove(filepath.Dir(h.dir())) // other calls of the run may be there
	return nil
}

// Idle says that Clean would remove it.
func (l Listed) Idle() bool { return stays(l, false) == "" }

// Title is what people know a call by.
func (l Listed) Title() string { return cmp.Or(l.Label, l.Key, l.Call) }
