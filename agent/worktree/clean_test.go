package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// hold keeps all trees of all runs.
func hold(why string, always bool) func(string) (string, bool) {
	return func(string) (string, bool) { return why, always }
}

// A tree without work, and one whose work is on a branch of the user's, go with their branches; nothing
// of the user's does.
func TestClean(t *testing.T) {
	r := newRepository(t)
	empty, work := r.open(), r.open(func(q *worktree.Request) { q.Key, q.Label = "/agent#1", "" })
	finish(t, empty)
	put(t, filepath.Join(work.Path(), "x"), "x")
	w, _ := finish(t, work)
	other := filepath.Join(filepath.Dir(r.dir), "of the user")
	r.git("worktree", "add", "-q", "-b", "mine", other)
	r.git("worktree", "lock", other)
	before := r.state()
	clean := func(o worktree.CleanOptions) map[string]worktree.Cleaned {
		cleaned, err := worktree.Clean(t.Context(), r.root, o)
		require.NoError(t, err)
		by := map[string]worktree.Cleaned{}
		for _, c := range cleaned {
			by[c.Title()] = c
		}
		return by
	}
	require.Empty(t, clean(worktree.CleanOptions{Run: "01JDZX5V9Y3K8Q2M7N4P6REFGH"}))
	require.Empty(t, clean(worktree.CleanOptions{Only: func(worktree.Listed) bool { return false }}))
	require.Equal(t, "its run is at work", clean(worktree.CleanOptions{Hold: hold("its run is at work", true)})["fix it"].Why)

	got := clean(worktree.CleanOptions{})
	require.True(t, got["fix it"].Removed)
	require.Equal(t, "it has no work", got["fix it"].Why)
	require.False(t, got["/agent#1"].Removed)
	require.Equal(t, "its work is on no branch of yours", got["/agent#1"].Why)
	require.Equal(t, 1, got["/agent#1"].Ahead)
	require.NoDirExists(t, filepath.Dir(empty.Path()))
	require.DirExists(t, work.Path())
	require.Equal(t, []string{w.Branch}, branches(r))

	// A branch of the run's own that has the work is none of the user's.
	r.git("branch", "assent/again", w.Branch)
	require.False(t, clean(worktree.CleanOptions{})["/agent#1"].Removed)
	r.git("branch", "-D", "assent/again")
	r.git("branch", "review", w.Branch)
	require.Equal(t, "review", r.listed().Merged)
	got = clean(worktree.CleanOptions{})
	require.True(t, got["/agent#1"].Removed)
	require.Equal(t, "its work is on review", got["/agent#1"].Why)
	require.Empty(t, branches(r))
	entries, err := os.ReadDir(r.root)
	require.NoError(t, err)
	require.Empty(t, entries)
	require.DirExists(t, other)
	r.git("branch", "-D", "review")
	require.Equal(t, before, r.state())
}

func branches(r *repository) []string {
	var names []string
	for _, name := range []string{r.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assent/")} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// What stands nowhere else stays, whatever it is, until it is named.
func TestCleanKeeps(t *testing.T) {
	for name, c := range map[string]struct {
		do  func(r *repository, tree *worktree.Tree)
		why string
		// never says that naming it does not help; branch that its branch stays all the same.
		never, branch bool
	}{
		"uncommitted": {do: func(_ *repository, tree *worktree.Tree) { put(t, filepath.Join(tree.Path(), "y"), "y") }, why: "it has uncommitted work"},
		"commits on no branch": {do: func(_ *repository, tree *worktree.Tree) {
			in(t, tree.Path(), "checkout", "-q", "--detach")
			commitIn(t, tree.Path(), "y")
		}, why: "it has commits that are on no branch"},
		"commits of the user's in the tree": {do: func(_ *repository, tree *worktree.Tree) { commitIn(t, tree.Path(), "y") }, why: "its work is on no branch of yours"},
		"foreign commits on the branch": {do: func(r *repository, tree *worktree.Tree) {
			r.git("worktree", "remove", tree.Path())
			r.git("branch", "-f", tree.Branch(), r.git("commit-tree", "HEAD^{tree}", "-p", tree.Branch(), "-m", "foreign"))
		}, why: "its work is on no branch of yours", branch: true},
		"locked": {do: func(r *repository, tree *worktree.Tree) { r.git("worktree", "lock", tree.Path()) }, why: "it is locked", never: true},
		"unknown": {do: func(_ *repository, tree *worktree.Tree) {
			require.NoError(t, os.RemoveAll(in(t, tree.Path(), "rev-parse", "--absolute-git-dir")))
		}, why: "it has a folder that git does not know"},
		"no repository": {do: func(r *repository, _ *worktree.Tree) {
			require.NoError(t, os.Rename(filepath.Join(r.dir, ".git"), filepath.Join(r.dir, "git")))
		}, why: "its repository "},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			tree := r.open()
			put(t, filepath.Join(tree.Path(), "x"), "x")
			w, _ := finish(t, tree)
			r.git("merge", "-q", w.Branch)
			require.Equal(t, "main", r.listed().Merged)
			c.do(r, tree)
			for range 2 {
				cleaned := r.clean()
				require.False(t, cleaned.Removed)
				require.Contains(t, cleaned.Why, c.why)
			}
			cleaned, err := worktree.Clean(t.Context(), r.root, worktree.CleanOptions{Discard: []string{r.listed().Name()}, Hold: hold("its run can go on", false)})
			require.NoError(t, err)
			require.Equal(t, !c.never, cleaned[0].Removed, cleaned[0].Why)
			if name != "no repository" {
				require.Equal(t, c.never || c.branch, len(branches(r)) > 0)
			}
			if !c.never {
				require.NoDirExists(t, filepath.Dir(tree.Path()))
			}
		})
	}
}

// A branch that was moved on, and is merged, stays where it is; the tree goes.
func TestCleanLeavesMovedBranch(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	commitIn(t, tree.Path(), "x")
	w, _ := finish(t, tree)
	commitIn(t, tree.Path(), "y")
	r.git("merge", "-q", w.Branch)
	require.True(t, r.listed().Moved)
	cleaned := r.clean()
	require.True(t, cleaned.Removed)
	require.True(t, cleaned.BranchStays)
	require.Equal(t, []string{w.Branch}, branches(r))
}

// A branch that the user has checked out by now is not deleted below them, and not moved either.
func TestBranchOfTheUsersTree(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	commitIn(t, tree.Path(), "x")
	w, _ := finish(t, tree)
	r.git("worktree", "remove", tree.Path())
	r.git("merge", "-q", w.Branch)
	r.git("switch", "-q", w.Branch)
	for _, named := range []string{"", r.listed().Name()} {
		cleaned := r.clean(named)
		require.True(t, cleaned.Removed)
		require.True(t, cleaned.BranchStays)
		require.Equal(t, []string{w.Branch}, branches(r))
		require.Empty(t, r.git("status", "--porcelain"))
		r.git("switch", "-q", "main")
		r.git("branch", "-D", w.Branch)
		finish(t, r.open())
		r.git("worktree", "remove", tree.Path())
		r.git("switch", "-q", w.Branch)
	}
	r.git("switch", "-q", "main")

	tree = r.open(func(q *worktree.Request) { q.Key = "/agent#5" })
	in(t, tree.Path(), "switch", "-q", "-c", "feature")
	commitIn(t, tree.Path(), "y")
	r.git("switch", "-q", tree.Branch())
	before := r.state()
	_, _, err := tree.Finish(t.Context())
	require.True(t, fault.Is(err, fault.WorktreeConflict), err)
	require.ErrorContains(t, err, "is checked out in "+r.dir)
	require.Equal(t, before, r.state())
	r.git("switch", "-q", "main")
	finish(t, tree)
}

// What cut-off attempts did stays under its name when the tree goes, unless it was named.
func TestCleanAndKept(t *testing.T) {
	for _, named := range []bool{false, true} {
		r := newRepository(t)
		put(t, filepath.Join(r.open().Path(), "x"), "x")
		finish(t, r.open(interrupted))
		require.Len(t, r.listed().Kept, 1)
		var discard []string
		if named {
			discard = []string{r.listed().Name()}
		}
		require.True(t, r.clean(discard...).Removed)
		require.Equal(t, !named, len(r.keptRefs()) > 0)
	}
}

// A tree that was being made, or that went in part, is cleaned like one that is not there.
func TestCleanAfterACrash(t *testing.T) {
	for name, c := range map[string]func(r *repository, tree *worktree.Tree){
		"being made": func(_ *repository, tree *worktree.Tree) {
			setRecord(t, filepath.Dir(tree.Path()), map[string]any{"state": "making"})
			require.NoError(t, os.Remove(filepath.Join(tree.Path(), "a.txt")))
		},
		"without its tree": func(r *repository, tree *worktree.Tree) { r.git("worktree", "remove", tree.Path()) },
		"without its branch": func(r *repository, tree *worktree.Tree) {
			r.git("worktree", "remove", tree.Path())
			r.git("branch", "-D", tree.Branch())
		},
		"without its folder": func(_ *repository, tree *worktree.Tree) { require.NoError(t, os.RemoveAll(tree.Path())) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			tree := r.open()
			finish(t, tree)
			c(r, tree)
			require.True(t, r.clean().Removed)
			require.Empty(t, branches(r))
			require.NotContains(t, r.git("worktree", "list"), tree.Path())
		})
	}
}

// Listing changes nothing, also where there is nothing.
func TestListChangesNothing(t *testing.T) {
	list, err := worktree.List(t.Context(), filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	require.Empty(t, list)
	r := newRepository(t)
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "x"), "x")
	index := filepath.Join(in(t, tree.Path(), "rev-parse", "--absolute-git-dir"), "index")
	require.NoError(t, os.Chtimes(filepath.Join(tree.Path(), "a.txt"), r.listed().Since, r.listed().Since))
	before, indexed := r.state(), sum(t, index, 0)
	l := r.listed()
	require.Equal(t, "uncommitted work", l.Dirty)
	require.Equal(t, r.dir, l.Repository)
	require.False(t, l.Finished)
	require.Equal(t, l.Base, l.Tip)
	require.Equal(t, before, r.state())
	require.Equal(t, indexed, sum(t, index, 0))
	runs, err := worktree.Runs(r.root)
	require.NoError(t, err)
	require.Equal(t, []string{run}, runs)
}
