package worktree

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/journal"
)

// filesKept is how many changed files the journal keeps of one call; the rest is counted.
const filesKept = 500

// Finish commits what is uncommitted in the tree, also untracked files that are not ignored, and puts
// all that was done there on the call's branch:
//
//   - An agent that went to another branch, or to none, is followed: its commits come onto the call's
//     branch. If these and what the branch has lie side by side, a commit joins them whose files are
//     those that stand in the tree.
//   - A merge or the like that is not through is committed as it stands: as the merge that it is if
//     nothing is in conflict, else with the conflicts in the files. The tree is then taken out of it.
//
// The note says so, and what else a person should know; it is empty if there is nothing. The agent and
// all that it started have to have ended.
func (t *Tree) Finish(ctx context.Context) (journal.Worktree, string, error) {
	w := journal.Worktree{Path: t.home.tree(), Branch: t.branch(), Base: t.rec.Base}
	commit, err := t.gather(ctx)
	if err != nil {
		return w, t.remark(), unavailable(err, "the work of the call stays uncommitted in "+t.home.tree())
	}
	w.Commit = commit
	if w.Files, w.More, err = t.files(ctx, commit); err != nil {
		return w, t.remark(), unavailable(err, "what the call changed is on the branch "+t.branch()+", and cannot be listed")
	}
	t.rec.State, t.rec.Commit = stateFinished, commit
	if err := writeRecord(t.home, t.rec); err != nil {
		return w, t.remark(), unavailable(err, "the record of the worktree cannot be written")
	}
	return w, t.remark(), nil
}

// Discard puts the tree back as it was when the call began: for one that was not to change anything.
// What was there is kept, as that of an attempt that was cut off.
func (t *Tree) Discard(ctx context.Context) error {
	err := t.reset(ctx, t.rec.Base)
	if err == nil {
		err = t.make(ctx)
	}
	if err == nil {
		err = t.enter(t.within)
	}
	if err != nil {
		return unavailable(err, "the worktree "+t.home.tree()+" cannot be put back")
	}
	return nil
}

func (t *Tree) remark() string { return strings.Join(t.Notes(), "; ") }

// gather puts everything on the branch, and gives the commit that it is at then.
func (t *Tree) gather(ctx context.Context) (string, error) {
	s, err := t.look(ctx)
	if err != nil {
		return "", err
	}
	if s.admin == "" || !s.there {
		if s.tip == "" || s.there {
			return "", errors.New("git does not know the worktree any more")
		}
		t.note("the worktree is gone; the branch has what was committed")
		return s.tip, nil
	}
	if t.tree, err = t.at(s); err != nil {
		return "", err
	}
	if at, err := t.elsewhere(ctx); err != nil {
		return "", err
	} else if at != "" {
		return "", t.occupied(at)
	}
	t.missingFilters(ctx)
	t.unlock(s)
	snap, err := t.snapshot(ctx, s)
	if err != nil {
		return "", err
	}
	defer os.Remove(snap.index)
	if snap.left != "" {
		t.note("not all could be committed: " + snap.left)
	}
	if own, err := t.ownRepositories(ctx, snap.index); err != nil {
		return "", err
	} else if own != "" {
		t.note("of what is in a repository of its own (" + own + "), the branch has no more than the commit's id")
	}
	commit, files, err := t.join(ctx, s, snap)
	if err != nil {
		return "", err
	}
	// The record first: by it the branch is known for the call's own from then on.
	t.rec.Commit = commit
	if err := writeRecord(t.home, t.rec); err != nil {
		return "", err
	}
	if commit != s.tip {
		if _, err := t.do(ctx, t.tree, git.Command{Step: "update-ref", Args: []string{"update-ref", "-m", "assent: the work of the call", t.ref(), commit, s.tip}}); err != nil {
			return "", err
		}
	}
	return commit, t.settle(ctx, s, snap, files)
}

// join makes the commit that has all, and gives the tree of its files.
func (t *Tree) join(ctx context.Context, s standing, snap snapshot) (commit, files string, err error) {
	const what = "what the agent left uncommitted"
	commit = cmp.Or(s.head, s.tip, t.rec.Base)
	files, err = t.treeOf(ctx, commit)
	if err != nil {
		return "", "", err
	}
	merged, err := t.unfinished(ctx, s)
	if err != nil {
		return "", "", err
	}
	if snap.tree != files || merged != "" {
		if commit, err = t.commitTree(ctx, snap.tree, what, commit, merged); err != nil {
			return "", "", err
		}
		files = snap.tree
	}
	if s.headRef != t.ref() {
		where := "no branch"
		if s.headRef != "" {
			where = "the branch " + strings.TrimPrefix(s.headRef, "refs/heads/")
		}
		t.note("the agent had gone to " + where + "; what is there is on the call's branch too")
	}
	if s.tip == "" || s.tip == commit {
		return commit, files, nil
	}
	if ahead, err := t.contains(ctx, commit, s.tip); err != nil || ahead {
		return commit, files, err
	}
	if behind, err := t.contains(ctx, s.tip, commit); err != nil {
		return "", "", err
	} else if behind {
		files, err = t.treeOf(ctx, s.tip)
		return s.tip, files, err
	}
	t.note("the agent's work lay on two lines, which a commit joins; its files are those that stood in the worktree")
	commit, err = t.commitTree(ctx, files, "joins what the agent did on two lines", commit, s.tip)
	return commit, files, err
}

// settle makes the tree agree with the branch.
func (t *Tree) settle(ctx context.Context, s standing, snap snapshot, files string) error {
	if s.headRef != t.ref() {
		if _, err := t.do(ctx, t.tree, git.Command{Step: "symbolic-ref", Args: []string{"symbolic-ref", "-m", "assent: the call's branch", "HEAD", t.ref()}}); err != nil {
			return err
		}
	}
	for _, o := range operations {
		if _, err := os.Lstat(filepath.Join(s.admin, o.file)); err == nil && o.quit != "" {
			// That it is not quit changes nothing of what is on the branch.
			_, _ = t.do(ctx, t.tree, git.Command{Step: o.quit + " --quit", Args: []string{o.quit, "--quit"}})
		}
	}
	if files != snap.tree {
		_, err := t.do(ctx, t.tree, git.Command{Step: "checkout", Limit: checkoutTime, Env: t.filters, Args: []string{"reset", "--hard", "--quiet", "--no-recurse-submodules", "HEAD", "--"}})
		return err
	}
	return os.Rename(snap.index, filepath.Join(s.admin, "index"))
}

// operations are what can be under way in a tree, with the file of the git folder that says so and the
// command that takes the tree out of it.
var operations = []struct{ file, name, quit string }{
	{"MERGE_HEAD", "merge", "merge"},
	{"CHERRY_PICK_HEAD", "cherry-pick", "cherry-pick"},
	{"REVERT_HEAD", "revert", "revert"},
	{"rebase-merge", "rebase", "rebase"},
	{"rebase-apply", "rebase", "rebase"},
}

// unfinished notes what is under way in the tree. It gives the other parent of a merge in which nothing
// is in conflict any more.
func (t *Tree) unfinished(ctx context.Context, s standing) (merged string, err error) {
	for _, o := range operations {
		if _, err := os.Lstat(filepath.Join(s.admin, o.file)); err != nil {
			continue
		}
		text := "a " + o.name + " was not through"
		out, err := t.do(ctx, t.tree, git.Command{Step: "ls-files", Args: []string{"ls-files", "--unmerged", "-z"}})
		if err != nil {
			return "", err
		}
		conflicts := map[string]bool{}
		for entry := range strings.SplitSeq(string(out), "\x00") {
			if _, path, ok := strings.Cut(entry, "\t"); ok {
				conflicts[path] = true
			}
		}
		if len(conflicts) > 0 {
			text += ", with conflicts in " + strconv.Itoa(len(conflicts)) + " of its files, which are committed as they stood"
		}
		if o.file == "MERGE_HEAD" {
			other, err := t.commit(ctx, t.tree, "MERGE_HEAD")
			if err != nil {
				return "", err
			}
			if len(conflicts) == 0 {
				merged = other
			} else {
				text += "; the other side is " + short(other)
			}
		}
		t.note(text)
	}
	return merged, nil
}

// unlock removes the locks that a git of the agent's left when it was ended: on what belongs to this
// tree alone.
func (t *Tree) unlock(s standing) {
	for _, file := range []string{
		filepath.Join(s.admin, "index.lock"), filepath.Join(s.admin, "HEAD.lock"), filepath.Join(t.rec.Common, filepath.FromSlash(t.ref())+".lock"),
	} {
		_ = os.Remove(file) // one that stays is found by the step that it holds up
	}
}

// files are those that differ between the beginning and a commit.
func (t *Tree) files(ctx context.Context, commit string) (files []journal.FileChange, more int, err error) {
	if commit == t.rec.Base {
		return nil, 0, nil
	}
	out, err := t.do(ctx, t.repo, git.Command{Step: "diff-tree", Args: []string{"diff-tree", "-r", "-z", "--no-renames", "--name-status", t.rec.Base, commit, "--"}})
	if err != nil {
		if e, ok := errors.AsType[*git.StepError](err); ok && e.TooMuch {
			t.note("too many files differ to be listed")
			return nil, 0, nil
		}
		return nil, 0, err
	}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if len(files) == filesKept {
			more++
			continue
		}
		kind := map[string]string{"A": "added", "D": "removed"}[fields[i]]
		files = append(files, journal.FileChange{Path: strings.ToValidUTF8(fields[i+1], "�"), Kind: cmp.Or(kind, "changed")})
	}
	return files, more, nil
}
