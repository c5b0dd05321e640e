package worktree

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// standing is what git has of a tree now.
type standing struct {
	// admin is the tree's folder in the repository, "" if git knows no such tree; there says that the
	// folder of the tree exists.
	admin string
	there bool
	// locked says that somebody forbade to remove it; lockedFor is why.
	locked    bool
	lockedFor string
	// tip is where the branch is, "" if it is gone; head is the commit that is checked out, headRef the
	// branch, "" if it is none.
	tip, head, headRef string
}

// initializing is what git locks a tree with while it makes it: one that was killed leaves it so.
const initializing = "initializing"

// look looks at the tree.
func (t *Tree) look(ctx context.Context) (standing, error) {
	s := standing{admin: adminOf(t.rec.Common, t.home.tree())}
	if info, err := os.Lstat(t.home.tree()); err == nil {
		s.there = info.IsDir()
		if !s.there { // somebody put a link or a file there; what it leads to is nobody's tree
			return s, conflict(t.home.tree()+" is no folder", "rm "+t.home.tree()+"   # then assent resume RUN")
		}
	}
	var err error
	if s.tip, err = t.commit(ctx, t.repo, t.ref()); err != nil || s.admin == "" {
		return s, err
	}
	if reason, err := regular.Read(filepath.Join(s.admin, "locked"), recordLimit); err == nil {
		s.locked, s.lockedFor = true, strings.TrimSpace(string(reason))
	}
	repo, err := t.at(s)
	if err != nil {
		return s, err
	}
	if t.rec.State == stateMaking {
		return s, nil // git may not have come as far as to say what is checked out
	}
	if s.head, err = t.commit(ctx, repo, "HEAD"); err != nil {
		return s, err
	}
	ref, err := t.do(ctx, repo, git.Command{Step: "symbolic-ref", Args: []string{"symbolic-ref", "--quiet", "HEAD"}})
	if git.Exit(err) == 1 {
		err = nil // it is at a commit, and on no branch
	}
	s.headRef = strings.TrimSpace(string(ref))
	return s, err
}

// at is the tree for git, whatever the .git in it says by now.
func (t *Tree) at(s standing) (*git.Repo, error) {
	top := t.home.tree()
	if !s.there {
		top = t.dir()
	}
	return git.At(top, s.admin, t.mark, t.step)
}

// adminOf finds the folder that a repository has for a working tree (gitrepository-layout: the file
// gitdir in it names the .git of the tree).
func adminOf(common, tree string) string {
	folder := filepath.Join(common, "worktrees")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		admin := filepath.Join(folder, e.Name())
		text, err := regular.Read(filepath.Join(admin, "gitdir"), recordLimit)
		if err != nil {
			continue
		}
		name := strings.TrimRight(string(text), "\r\n")
		if !filepath.IsAbs(name) {
			name = filepath.Join(admin, name)
		}
		if filepath.Dir(filepath.Clean(name)) == tree {
			return admin
		}
	}
	return ""
}

// mine reports whether a branch is where this call has left it: where it began, where it was when the
// call had finished, or at a commit that came about in the tree.
func (t *Tree) mine(ctx context.Context, s standing) bool {
	if s.tip == "" || slices.Contains([]string{t.rec.Base, t.rec.At, t.rec.Commit, t.rec.Was}, s.tip) {
		return true
	}
	repo, err := t.at(s)
	if s.admin == "" || err != nil {
		return false
	}
	out, err := t.do(ctx, repo, git.Command{Step: "reflog", Args: []string{"reflog", "show", "--format=%H", "HEAD", "--"}})
	if err != nil || len(out) == 0 { // it keeps no such log
		return s.head == s.tip
	}
	return slices.Contains(strings.Fields(string(out)), s.tip)
}

// refuse gives the reason why a tree may not be made anew, or nil.
func (t *Tree) refuse(ctx context.Context, s standing) error {
	if s.locked && s.lockedFor != initializing {
		what := "the worktree " + t.home.tree() + " is locked"
		if s.lockedFor != "" {
			what += " (" + s.lockedFor + ")"
		}
		return conflict(what, "git worktree unlock "+t.home.tree()+"   # then assent resume RUN")
	}
	at, err := t.elsewhere(ctx)
	if err == nil && at != "" {
		err = t.occupied(at)
	}
	return err
}

// elsewhere is another tree in which the branch is checked out, "" if there is none.
func (t *Tree) elsewhere(ctx context.Context) (string, error) {
	out, err := t.do(ctx, t.repo, git.Command{Step: "for-each-ref", Args: []string{"for-each-ref", "--format=%(worktreepath)", t.ref()}})
	at := strings.TrimRight(string(out), "\r\n")
	if at != "" && filepath.Clean(at) == t.home.tree() {
		at = ""
	}
	return at, err
}

// occupied refuses a branch that is checked out in another tree: it would be moved below it.
func (t *Tree) occupied(at string) error {
	return conflict("the branch "+t.branch()+" is checked out in "+at, "git -C "+at+" switch ANOTHER   # then assent resume RUN")
}

// foreign refuses a branch that has commits which are not the call's.
func (t *Tree) foreign(s standing) error {
	return conflict("the branch "+t.branch()+" is at "+short(s.tip)+", which this call did not make",
		"git branch -m "+t.branch()+" ANOTHER   # keeps that under another name; then assent resume RUN")
}
