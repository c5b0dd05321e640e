package worktree

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Tree is the working tree of one call. One goroutine uses it at a time.
type Tree struct {
	home
	// repo is the user's tree, tree is this one once it is made.
	repo, tree *git.Repo
	rec        record
	// folder is where the call works, within the same as a path in the tree.
	folder, within string

	notes []string
	mark  string
	step  process.Step
	limit time.Duration
	// filters make git leave out filters whose programs are missing.
	filters []string
}

// Open gives a call its working tree: a new one at the commit that the user's tree is at, or the one
// that it has already, in which the work of earlier attempts is there, or kept and gone if the request
// says so. Its errors are WORKTREE_UNAVAILABLE and WORKTREE_CONFLICT.
func Open(ctx context.Context, p Place, r Request) (*Tree, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, fault.New(fault.WorktreeUnavailable, `isolation "worktree" needs git, which is not on the PATH`, "install git, or leave isolation out of the call")
	}
	folder, err := filepath.EvalSymlinks(r.Folder)
	if err != nil {
		return nil, unavailable(err, "the folder of the call is not there")
	}
	repo, err := git.Open(folder, r.Mark, r.Step)
	if err != nil {
		return nil, noRepository(r.Folder)
	}
	common, err := repo.Common(ctx)
	if err != nil {
		return nil, unavailable(err, "git cannot use the repository "+repo.Top)
	}
	h, err := makeHome(p, r.Key, repo.Top)
	if err != nil {
		return nil, err
	}
	t := &Tree{home: h, repo: repo, mark: r.Mark, step: r.Step, limit: r.Limit}
	if t.within, err = filepath.Rel(repo.Top, folder); err != nil {
		return nil, unavailable(err, "the folder of the call is not in the repository")
	}
	t.rec, err = readRecord(h)
	switch {
	case missing(err):
		if err = t.begin(ctx, common, r); err != nil {
			_ = os.Remove(h.dir()) // if they are empty
			_ = os.Remove(filepath.Dir(h.dir()))
		}
	case err != nil:
		err = conflict(err.Error(), "mv "+h.dir()+" ELSEWHERE   # puts it out of the way")
	case t.rec.Common != common:
		err = conflict("the worktree of this call, "+h.tree(), "mv "+h.dir()+" ELSEWHERE   # it belongs to the repository "+t.rec.Common)
	default:
		err = t.again(ctx, r)
	}
	if err == nil && t.rec.State == stateMaking {
		err = t.make(ctx)
	}
	if err == nil {
		err = t.enter(t.within)
	}
	if err != nil {
		return nil, unavailable(err, "the call's worktree cannot be made")
	}
	return t, nil
}

// Folder is where the call works, in its own tree.
func (t *Tree) Folder() string { return t.folder }

// Branch is the call's branch.
func (t *Tree) Branch() string { return t.branch() }

// Base is the commit that the branch began at.
func (t *Tree) Base() string { return t.rec.Base }

// Path is the top of the tree.
func (t *Tree) Path() string { return t.home.tree() }

// Notes are what a person should know of how the tree was made: what is not in it, and what was kept.
func (t *Tree) Notes() []string { return append(append([]string(nil), t.rec.Notes...), t.notes...) }

// begin writes the record of a tree that is not there yet. Nothing may stand in its place.
func (t *Tree) begin(ctx context.Context, common string, r Request) error {
	base, err := t.commit(ctx, t.repo, cmp.Or(r.Base, "HEAD"))
	if err != nil {
		return err
	}
	if base == "" && r.Base != "" {
		return fault.New(fault.WorktreeUnavailable, "the repository "+t.repo.Top+" has no commit "+r.Base+" that a worktree could begin at", "git fetch   # or another way to get it; then assent resume RUN")
	}
	if base == "" {
		return fault.New(fault.WorktreeUnavailable, "the repository "+t.repo.Top+" has no commit yet that a worktree could begin at",
			"git add -A && git commit -m first   # then assent resume RUN")
	}
	if tip, err := t.commit(ctx, t.repo, t.ref()); err != nil {
		return err
	} else if tip != "" {
		return conflict("the branch "+t.branch()+" is there already, and this run did not make it", "git branch -m "+t.branch()+" ANOTHER   # renames it; then assent resume RUN")
	}
	// A branch is a file or a folder of that name: git keeps no two of them in one place.
	for _, above := range []string{strings.TrimSuffix(branchPrefix, "/"), strings.TrimSuffix(t.branch(), "/"+t.slug)} {
		if tip, err := t.commit(ctx, t.repo, "refs/heads/"+above); err != nil {
			return err
		} else if tip != "" {
			return conflict("there is a branch "+above+", so that there can be none named "+t.branch(), "git branch -m "+above+" ANOTHER   # renames it; then assent resume RUN")
		}
	}
	if _, err := os.Lstat(t.home.tree()); err == nil {
		return conflict("the folder "+t.home.tree()+" is there already, and this run did not make it", "mv "+t.home.tree()+" ELSEWHERE   # then assent resume RUN")
	}
	t.rec = record{Run: t.run, Key: r.Key, Label: r.Label, Common: common, Top: t.repo.Top, Base: base, State: stateMaking, Since: time.Now().UTC()}
	if r.Base != "" {
		return writeRecord(t.home, t.rec) // what stands in the user's tree has nothing to do with it
	}
	if dirty, err := t.do(ctx, t.repo, git.Command{Step: "status", Limit: checkoutTime, Args: []string{"--no-optional-locks", "status", "--porcelain", "--ignore-submodules=dirty"}}); err == nil && len(dirty) > 0 {
		t.rec.Notes = append(t.rec.Notes, "uncommitted work in "+t.repo.Top+" was not in the worktree, which began at the commit "+short(base))
	}
	return writeRecord(t.home, t.rec)
}

// again takes up a tree whose record is this call's.
func (t *Tree) again(ctx context.Context, r Request) error {
	if r.Label != "" {
		t.rec.Label = r.Label
	}
	moved := r.Base != "" && r.Base != t.rec.Base
	switch {
	case t.rec.State == stateMaking && !moved:
		return nil
	case t.rec.State == stateMaking:
		t.rec.Was, t.rec.Base, t.rec.At = cmp.Or(t.rec.Was, t.rec.Base), r.Base, ""
		return writeRecord(t.home, t.rec)
	case r.Interrupted || r.Fresh || moved:
		return t.reset(ctx, cmp.Or(r.Base, t.rec.Base))
	}
	return t.resume(ctx)
}

// enter makes the call's folder in the tree. It may be one that the user has not committed.
func (t *Tree) enter(within string) error {
	root, err := os.OpenRoot(t.home.tree())
	if err != nil {
		return err
	}
	err = root.MkdirAll(within, 0o755)
	if err = errors.Join(err, root.Close()); err != nil {
		return err
	}
	t.folder, err = filepath.EvalSymlinks(filepath.Join(t.home.tree(), within))
	if err == nil && !inside(t.folder, t.home.tree()) {
		err = errors.New("the folder " + within + " of the commit leads out of the worktree")
	}
	return err
}

// do runs a step with the request's limit.
func (t *Tree) do(ctx context.Context, repo *git.Repo, c git.Command) ([]byte, error) {
	if t.limit > 0 {
		c.Limit = min(t.limit, cmp.Or(c.Limit, t.limit))
	}
	return repo.Do(ctx, c)
}

// commit is the commit that a name leads to, "" if there is none.
func (t *Tree) commit(ctx context.Context, repo *git.Repo, name string) (string, error) {
	out, err := t.do(ctx, repo, git.Command{Step: "rev-parse", Args: []string{"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"}})
	if git.Exit(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// short is the beginning of a commit's id, for people.
func short(id string) string { return id[:min(12, len(id))] }
