package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
)

const (
	// checkoutTime is for steps that read or write every file of a tree.
	checkoutTime = 15 * time.Minute

	// asideTries bounds how many folders are put aside in one place.
	asideTries = 1000
)

// reset keeps what is in the tree and on the branch, and has the tree made anew, at the commit base.
func (t *Tree) reset(ctx context.Context, base string) error {
	s, err := t.look(ctx)
	if err != nil {
		return err
	}
	if err := t.refuse(ctx, s); err != nil {
		return err
	}
	if !t.mine(ctx, s) {
		return t.foreign(s)
	}
	if err := t.keep(ctx, s); err != nil {
		return err
	}
	t.rec.State, t.rec.Was, t.rec.At, t.rec.Commit, t.rec.Base = stateMaking, s.tip, "", "", base
	return writeRecord(t.home, t.rec)
}

// resume takes the tree as it is. One that is gone is made anew where its branch is.
func (t *Tree) resume(ctx context.Context) error {
	s, err := t.look(ctx)
	if err != nil {
		return err
	}
	if s.there && s.admin != "" {
		if t.tree, err = t.at(s); err != nil {
			return err
		}
		t.missingFilters(ctx)
		t.rec.State = stateReady
		return writeRecord(t.home, t.rec)
	}
	if err := t.refuse(ctx, s); err != nil {
		return err
	}
	if !t.mine(ctx, s) {
		return t.foreign(s)
	}
	if err := t.keep(ctx, s); err != nil {
		return err
	}
	t.rec.State, t.rec.Was, t.rec.At = stateMaking, s.tip, s.tip
	return writeRecord(t.home, t.rec)
}

// make makes the tree of a record that is making, whatever is there of it.
func (t *Tree) make(ctx context.Context) error {
	s, err := t.look(ctx)
	if err != nil {
		return err
	}
	if err := t.refuse(ctx, s); err != nil {
		return err
	}
	at := cmp.Or(t.rec.At, t.rec.Base)
	if s.tip != "" && s.tip != at && s.tip != t.rec.Was {
		return t.foreign(s)
	}
	if found, err := t.commit(ctx, t.repo, at); err != nil {
		return err
	} else if found == "" {
		return conflict("the commit "+at+", at which the worktree began, is not there any more", "git fetch   # or another way to get it back; then assent resume RUN")
	}
	if err := t.clear(ctx, s); err != nil {
		return err
	}
	if s.tip != at {
		if _, err := t.do(ctx, t.repo, git.Command{Step: "update-ref", Args: []string{"update-ref", "-m", "assent: worktree", t.ref(), at, s.tip}}); err != nil {
			return err
		}
	}
	if _, err := t.do(ctx, t.repo, git.Command{Step: "worktree add", Args: []string{"worktree", "add", "--no-checkout", t.home.tree(), t.branch()}}); err != nil {
		return err
	}
	if s, err = t.look(ctx); err != nil {
		return err
	}
	if s.admin == "" {
		return errors.New("git does not know the worktree that it made at " + t.home.tree())
	}
	if t.tree, err = t.at(s); err != nil {
		return err
	}
	t.missingFilters(ctx)
	if err := t.sparse(ctx, s.admin); err != nil {
		return err
	}
	if _, err := t.do(ctx, t.tree, git.Command{Step: "checkout", Limit: checkoutTime, Env: t.filters, Args: []string{"reset", "--hard", "--quiet", "--no-recurse-submodules", "HEAD", "--"}}); err != nil {
		return err
	}
	t.submodules(ctx, submodule{user: t.repo, tree: t.tree, top: t.home.tree(), admin: s.admin}, 0)
	if err := ctx.Err(); err != nil {
		return err
	}
	t.rec.State, t.rec.Was = stateReady, ""
	return writeRecord(t.home, t.rec)
}

// clear removes what is left of the tree, which holds no work any more. A folder that git does not know
// is put aside instead.
func (t *Tree) clear(ctx context.Context, s standing) error {
	if s.admin != "" {
		if err := t.remove(ctx, s, true); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(t.home.tree()); missing(err) {
		return nil
	}
	return t.putAside()
}

// remove has git remove the tree, if it must, whatever is in it.
func (t *Tree) remove(ctx context.Context, s standing, force bool) error {
	args := []string{"worktree", "remove"}
	if force {
		args = append(args, "--force")
	}
	if force && s.lockedFor == initializing {
		args = append(args, "--force")
	}
	c := git.Command{Step: "worktree remove", Limit: checkoutTime, Args: append(args, t.home.tree())}
	_, err := t.do(ctx, t.repo, c)
	if err == nil || !s.there || !force {
		return err
	}
	// Folders that nobody may write to keep what is in them.
	_ = filepath.WalkDir(t.home.tree(), func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // a folder has to be entered
		}
		return nil
	})
	// Git writes the .git of the tree first and reads it here, and an agent may have removed it: what
	// stands there then is moved away, and git has an entry of a tree that is gone.
	if _, again := t.do(ctx, t.repo, c); again == nil {
		return nil
	}
	if aside := t.putAside(); aside != nil {
		return errors.Join(err, aside)
	}
	_, err = t.do(ctx, t.repo, c)
	return err
}

// putAside moves the folder of the tree to a name beside it, and says so.
func (t *Tree) putAside() error {
	for n := 1; n < asideTries; n++ {
		to := filepath.Join(t.dir(), fmt.Sprintf("aside-%d", n))
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		if err := os.Rename(t.home.tree(), to); err != nil {
			return err
		}
		t.notes = append(t.notes, "what stood in the place of the worktree was moved to "+to)
		return nil
	}
	return errors.New("too much was put aside in " + t.dir())
}
