package repository

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// foreign refuses a branch that others made, or work on.
func foreign(what, next string) error { return fault.New(fault.BranchForeign, what, next) }

// inUse refuses a branch that is checked out at a folder.
func (r *Repository) inUse(branch, at string) error {
	next := "git -C " + at + " switch --detach"
	if _, err := os.Stat(at); err != nil {
		next = "git worktree prune"
	}
	return foreign("the branch "+branch+" is checked out in "+at, next+"   # then assent resume "+r.Run)
}

// SetBranch puts a local branch to a commit, and gives where it was. It has to be this run's: made by it,
// and where it left it.
func (r *Repository) SetBranch(ctx context.Context, branch, commit string) (was string, err error) {
	if err := r.known(ctx, commit); err != nil {
		return "", err
	}
	ref, err := r.branchRef(ctx, branch)
	if err != nil {
		return "", err
	}
	if was, err = r.Commit(ctx, ref); err != nil {
		return was, err
	}
	own := r.ref("branch/" + branch)
	left, err := r.Commit(ctx, own)
	if err != nil {
		return was, err
	}
	if was == commit {
		if left != "" && left != commit { // one that others made does not become the run's by standing there
			err = r.setRef(ctx, own, commit, "")
		}
		return was, err
	}
	// The record is written before the branch: after a crash it may stand where the branch was to go, and the branch where it was.
	previous, err := r.Commit(ctx, own+"-before")
	if err != nil {
		return was, err
	}
	rename := "git branch -m " + branch + " ANOTHER   # then assent resume " + r.Run
	switch {
	case was != "" && left == "":
		return was, foreign("the branch "+branch+" is there already, and this run did not make it", rename)
	case was != "" && was != left && was != previous:
		return was, foreign(fmt.Sprintf("the branch %s is at %s, and this run left it at %s: somebody else works on it", branch, was, left), rename)
	}
	if at, err := r.checkedOut(ctx, branch); err != nil {
		return was, err
	} else if at != "" { // also where it is about to begin: HEAD would lead there
		return was, r.inUse(branch, at)
	}
	if was != "" {
		if err := r.setRef(ctx, own+"-before", was, ""); err != nil {
			return was, err
		}
	}
	if err := r.setRef(ctx, own, commit, ""); err != nil {
		return was, err
	}
	from := was
	if from == "" {
		from = nowhere(commit)
	}
	return was, r.setRef(ctx, ref, commit, from)
}

// checkedOut is the working tree in which a branch is checked out, "" if there is none.
func (r *Repository) checkedOut(ctx context.Context, branch string) (string, error) {
	out, err := r.do(ctx, git.Command{Step: "worktree list", Args: []string{"worktree", "list", "--porcelain", "-z"}})
	if err != nil {
		return "", err
	}
	for block := range strings.SplitSeq(out, "\x00\x00") {
		path, found := "", false
		for line := range strings.SplitSeq(block, "\x00") {
			if p, ok := strings.CutPrefix(line, "worktree "); ok {
				path = p
			}
			found = found || line == "branch refs/heads/"+branch
		}
		if found {
			return path, nil
		}
	}
	return "", nil
}
