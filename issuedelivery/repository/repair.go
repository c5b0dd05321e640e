package repository

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Repair makes a branch for a person and a working tree in which it is checked out, or finds those that
// are there. What a person has done there is never touched.
func (r *Repository) Repair(ctx context.Context, branch, commit, folder string) error {
	known, begun, err := r.registration(ctx, folder)
	if err != nil {
		return err
	}
	if begun { // nobody was told of it
		if err := r.dropTree(ctx, folder); err != nil {
			return err
		}
		known = false
	}
	inTheWay, err := occupied(folder)
	if err != nil {
		return err
	}
	if inTheWay && !known {
		return fault.New(fault.DeliveryFailed, "the folder "+folder+" is in the way: git knows no working tree there", "mv "+folder+" ELSEWHERE   # then assent resume "+r.Run)
	}
	ref, err := r.branchRef(ctx, branch)
	if err != nil {
		return err
	}
	tip, err := r.Commit(ctx, ref)
	if err != nil {
		return err
	}
	own, err := r.Commit(ctx, r.ref("branch/"+branch))
	if err != nil {
		return err
	}
	if inTheWay {
		if at, err := r.checkedOut(ctx, branch); err != nil {
			return err
		} else if own == "" || tip != "" && at == "" {
			return foreign("the working tree "+folder+" is there already, and this run did not make it for "+branch, "git worktree move "+folder+" ELSEWHERE   # then assent resume "+r.Run)
		}
		return nil // with whatever the person made of it
	}
	if known { // its folder is gone, and git still holds the branch for it
		if err := r.dropTree(ctx, folder); err != nil {
			return err
		}
	}
	switch {
	case tip == "":
		if _, err := r.SetBranch(ctx, branch, commit); err != nil {
			return err
		}
	case own == "":
		return foreign("the branch "+branch+" is there already, and this run did not make it", "git branch -m "+branch+" ANOTHER   # then assent resume "+r.Run)
	}
	if at, err := r.checkedOut(ctx, branch); err != nil {
		return err
	} else if at != "" {
		return r.inUse(branch, at)
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return err
	}
	return r.addTree(ctx, folder, branch)
}

// occupied reports whether there is something at a path, other than an empty folder.
func occupied(folder string) (bool, error) {
	info, err := os.Lstat(folder)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil || !info.IsDir() {
		return true, err
	}
	f, err := os.Open(folder)
	if err != nil {
		return true, err
	}
	defer func() { _ = f.Close() }()
	if _, err = f.Readdirnames(1); errors.Is(err, io.EOF) {
		return false, nil
	}
	return true, err
}

// Repaired is where a branch is now, and what is uncommitted in the working tree in which it is checked out.
func (r *Repository) Repaired(ctx context.Context, branch string) (commit string, dirty []string, err error) {
	ref, err := r.branchRef(ctx, branch)
	if err != nil {
		return "", nil, err
	}
	if commit, err = r.Commit(ctx, ref); err != nil {
		return "", nil, err
	}
	if commit == "" {
		return "", nil, fmt.Errorf("the branch %s is not there any more", branch)
	}
	if err := r.keep(ctx, commit); err != nil {
		return "", nil, err
	}
	at, err := r.checkedOut(ctx, branch)
	if err != nil || at == "" {
		return commit, []string{}, err
	}
	tree, err := git.Open(at, r.mark, r.step)
	if err == nil && tree.Top == at { // else it is gone, and the branch is what there is
		dirty, err = r.dirty(ctx, tree)
	} else {
		err = nil
	}
	return commit, append([]string{}, dirty...), err
}

// Unfinished says what stands in a person's working tree and is not on the branch, though git's status has
// nothing of it: a rebase or the like that is under way, commits that lie elsewhere, and work beside the branch.
func (r *Repository) Unfinished(ctx context.Context, branch, folder string) ([]string, error) {
	known, err := r.registered(ctx, folder)
	if err != nil || !known {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, nil //nolint:nilerr // the folder is gone, and the branch is what there is
	}
	repo, err := git.Open(real, r.mark, r.step)
	if err != nil || repo.Top != real {
		return nil, nil //nolint:nilerr // what stands there now is no working tree
	}
	tree := *r
	tree.Top, tree.folder, tree.git = real, real, repo
	var left []string
	under, err := tree.Operation(ctx)
	if err != nil {
		return nil, err
	}
	if under != "" {
		left = append(left, "(a "+under+" is under way)")
	}
	head, on, err := tree.Head(ctx)
	if err != nil || head == "" {
		return left, err
	}
	if on != branch { // else it is among what Repaired tells
		dirty, err := tree.Dirty(ctx)
		if err != nil {
			return nil, err
		}
		left = append(left, dirty...)
	}
	within, err := r.contains(ctx, "refs/heads/"+branch, head)
	if err == nil && !within {
		left = append(left, fmt.Sprintf("(the commit %.12s is checked out, which is not on the branch %s)", head, branch))
	}
	return left, err
}

// DropRepair removes the working tree that Repair made and its branch, if nothing stands there that a commit
// of the run's does not have, and reports whether it did.
func (r *Repository) DropRepair(ctx context.Context, branch, folder string) (bool, error) {
	known, err := r.registered(ctx, folder)
	if err != nil || !known {
		return false, err
	}
	made, err := r.Made(ctx) // before Repaired keeps what stands there
	if err != nil {
		return false, err
	}
	tip, dirty, err := r.Repaired(ctx, branch)
	if err != nil {
		return false, nil //nolint:nilerr // there is no such branch: it is none of Repair's
	}
	left, err := r.Unfinished(ctx, branch, folder)
	if err != nil || len(dirty)+len(left) > 0 {
		return false, err
	}
	own, err := r.Commit(ctx, r.ref("branch/"+branch))
	if err != nil || own == "" {
		return false, err
	}
	if tree, err := r.tree(ctx, tip); err != nil || !made[tree] {
		return false, err
	}
	if err := r.dropTree(ctx, folder); err != nil {
		return false, err
	}
	_, err = r.ask(ctx, "update-ref", "-d", "refs/heads/"+branch, tip)
	return err == nil, err
}
