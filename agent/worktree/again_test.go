package worktree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// keptRefs are the names under which work of cut-off attempts is kept.
func (r *repository) keptRefs() []string {
	return strings.Fields(r.git("for-each-ref", "--format=%(refname)", "refs/assent/"))
}

// An attempt that was cut off leaves commits and files; they are kept, and the tree begins again.
func TestInterrupted(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "committed"), "1")
	in(t, tree.Path(), "add", ".")
	in(t, tree.Path(), "commit", "-q", "-m", "half")
	put(t, filepath.Join(tree.Path(), "left"), "2")
	require.NoError(t, os.WriteFile(filepath.Join(tree.Path(), "a.txt"), []byte("edited"), 0o644))
	base, before := tree.Base(), r.state()
	r.git("commit", "-q", "--allow-empty", "-m", "the user goes on")
	before = strings.ReplaceAll(before, base, r.git("rev-parse", "HEAD"))

	tree = r.open(interrupted)
	require.Equal(t, base, tree.Base(), "it begins where it began")
	require.NoFileExists(t, filepath.Join(tree.Path(), "committed"))
	require.NoFileExists(t, filepath.Join(tree.Path(), "left"))
	require.Equal(t, base, r.git("rev-parse", tree.Branch()))
	require.Empty(t, in(t, tree.Path(), "status", "--porcelain"))
	refs := r.keptRefs()
	require.Len(t, refs, 1)
	require.Equal(t, "refs/assent/kept/"+run+"/"+filepath.Base(filepath.Dir(tree.Path()))+"/1", refs[0])
	require.Equal(t, "2", r.git("show", refs[0]+":left"))
	require.Equal(t, "edited", r.git("show", refs[0]+":a.txt"))
	require.Equal(t, "half", r.git("log", "-1", "--format=%s", refs[0]+"^"))
	require.Contains(t, tree.Notes()[0], refs[0])

	r.open(interrupted)
	require.Len(t, r.keptRefs(), 1, "nothing was done since")
	put(t, filepath.Join(tree.Path(), "more"), "3")
	finish(t, r.open())
	tree = r.open(fresh)
	require.Len(t, r.keptRefs(), 2)
	require.Equal(t, "3", r.git("show", r.keptRefs()[1]+":more"))
	require.Equal(t, base, r.git("rev-parse", tree.Branch()))
	w, _ := finish(t, tree)
	require.Equal(t, base, w.Commit)
	require.Equal(t, strings.Count(before, "\n"), strings.Count(r.state(), "\n"))
}

// What a cut-off attempt did on another branch, or on none, is kept with what it did on its own.
func TestInterruptedElsewhere(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	for _, line := range [][]string{{"commit", "-q", "--allow-empty", "-m", "on the branch"}, {"checkout", "-q", "--detach", tree.Base()}, {"commit", "-q", "--allow-empty", "-m", "on none"}} {
		in(t, tree.Path(), line...)
	}
	tree = r.open(interrupted)
	require.Len(t, r.keptRefs(), 1)
	require.ElementsMatch(t, []string{"on none", "on the branch", "first"}, strings.Split(r.git("log", "--format=%s", "--no-merges", "--skip=0", r.keptRefs()[0]), "\n"))
	require.Equal(t, tree.Branch(), in(t, tree.Path(), "branch", "--show-current"))
}

// Discard puts a tree back that was not to be changed, and keeps what was done.
func TestDiscard(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "x"), "1")
	require.NoError(t, os.Remove(filepath.Join(tree.Path(), "a.txt")))
	require.NoError(t, tree.Discard(t.Context()))
	require.FileExists(t, filepath.Join(tree.Path(), "a.txt"))
	require.NoFileExists(t, filepath.Join(tree.Path(), "x"))
	w, _ := finish(t, tree)
	require.Equal(t, w.Base, w.Commit)
	require.Equal(t, "1", r.git("show", r.keptRefs()[0]+":x"))
}

// B69 (a): this run's own branch is taken up, also where its tree is gone, still registered or not.
func TestB69OwnBranch(t *testing.T) {
	for name, c := range map[string]func(r *repository, path string){
		"missing, registered": func(r *repository, path string) { require.NoError(t, os.RemoveAll(path)) },
		"missing, pruned": func(r *repository, path string) {
			require.NoError(t, os.RemoveAll(path))
			r.git("worktree", "prune")
		},
		"removed by git": func(r *repository, path string) { r.git("worktree", "remove", path) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			tree := r.open()
			put(t, filepath.Join(tree.Path(), "x"), "1")
			done, _ := finish(t, tree)
			c(r, tree.Path())
			tree = r.open()
			require.FileExists(t, filepath.Join(tree.Path(), "x"))
			again, _ := finish(t, tree)
			require.Equal(t, done, again)

			c(r, tree.Path())
			tree = r.open(fresh)
			require.NoFileExists(t, filepath.Join(tree.Path(), "x"))
			require.Equal(t, done.Commit, r.git("rev-parse", r.keptRefs()[0]))
		})
	}
}

// B69 (b), (c): a branch that the run did not make, commits that the call did not make, a branch that is
// checked out elsewhere: refused by the name, and left alone.
func TestB69ForeignBranch(t *testing.T) {
	name := newRepository(t).open().Branch()
	commit := func(r *repository) string {
		return r.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "foreign")
	}
	for title, c := range map[string]struct {
		before, between func(r *repository, path string)
		says            string
	}{
		"there before":              {before: func(r *repository, _ string) { r.git("branch", name) }, says: "the branch " + name + " is there already"},
		"there before, checked out": {before: func(r *repository, _ string) { r.git("switch", "-q", "-c", name) }, says: "the branch " + name + " is there already"},
		"a branch above":            {before: func(r *repository, _ string) { r.git("branch", "assent") }, says: "there is a branch assent,"},
		"a branch right above":      {before: func(r *repository, _ string) { r.git("branch", strings.TrimSuffix(prefix, "/")) }, says: "there is a branch assent/6rabcd,"},
		"foreign commits":           {between: func(r *repository, _ string) { r.git("update-ref", "refs/heads/"+name, commit(r)) }, says: "the branch " + name + " is at"},
		"foreign commits, tree removed": {between: func(r *repository, path string) {
			r.git("worktree", "remove", path)
			r.git("branch", "-f", name, commit(r))
		}, says: "the branch " + name + " is at"},
		"checked out in the main tree": {between: func(r *repository, path string) { r.git("worktree", "remove", path); r.git("switch", "-q", name) }, says: "the branch " + name + " is checked out in "},
		"locked":                       {between: func(r *repository, path string) { r.git("worktree", "lock", "--reason", "I look at it", path) }, says: "is locked (I look at it)"},
		"a folder in its place": {before: func(r *repository, _ string) {
			require.NoError(t, os.MkdirAll(filepath.Join(r.root, run, filepath.Base(name), "tree", "mine"), 0o700))
		}, says: "tree is there already"},
		"a link in its place": {between: func(r *repository, path string) {
			r.git("worktree", "remove", path)
			require.NoError(t, os.Symlink(r.dir, path))
		}, says: "is no folder"},
	} {
		t.Run(title, func(t *testing.T) {
			r := newRepository(t)
			path := filepath.Join(r.root, run, filepath.Base(name), "tree")
			if c.before != nil {
				c.before(r, path)
			}
			if c.between != nil {
				r.open()
				c.between(r, path)
			}
			before := r.state() + r.git("for-each-ref") + r.git("worktree", "list")
			_, err := r.try(interrupted)
			require.True(t, fault.Is(err, fault.WorktreeConflict), err)
			require.ErrorContains(t, err, c.says)
			_, err = r.try(interrupted)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, before, r.state()+r.git("for-each-ref")+r.git("worktree", "list"))
		})
	}
}

// B69: a folder that git does not know any more is moved out of the way, with all that is in it.
func TestB69UnknownFolder(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "x"), "1")
	admin := in(t, tree.Path(), "rev-parse", "--git-dir")
	require.NoError(t, os.RemoveAll(admin))
	tree = r.open(interrupted)
	require.FileExists(t, filepath.Join(filepath.Dir(tree.Path()), "aside-1", "x"))
	require.NoFileExists(t, filepath.Join(tree.Path(), "x"))
	require.Contains(t, strings.Join(tree.Notes(), "; "), "aside-1")
	w, note := finish(t, tree)
	require.Contains(t, note, "aside-1")
	require.Empty(t, w.Files)
	require.Contains(t, r.clean().Why, "aside-1")
}

// A record of another repository, or one that an agent spoiled, is not believed.
func TestSpoiledRecord(t *testing.T) {
	r := newRepository(t)
	dir := filepath.Dir(r.open().Path())
	for _, fields := range []map[string]any{
		{"run": "01AAAAAAAAAAAAAAAAAAAAAAAA"}, {"key": "/agent#9"}, {"state": "odd"}, {"base": "--output=x"}, {"base": "HEAD"}, {"commit": "main"}, {"format": 2}, {"format": 0}, {"common": r.root}, {"was": "x"}, {"at": "x"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, "worktree.json"))
		require.NoError(t, err)
		setRecord(t, dir, fields)
		_, err = r.try()
		require.True(t, fault.Is(err, fault.WorktreeConflict), "%v: %v", fields, err)
		require.NotEmpty(t, r.listed().Problem)
		require.False(t, r.clean().Removed)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "worktree.json"), text, 0o600))
	}
	// Path and branch in it lead nowhere.
	precious := filepath.Join(t.TempDir(), "precious")
	put(t, filepath.Join(precious, "x"), "x")
	setRecord(t, dir, map[string]any{"path": precious, "branch": "main"})
	require.Equal(t, filepath.Join(dir, "tree"), r.open(interrupted).Path())
	setRecord(t, dir, map[string]any{"path": precious, "branch": "main"})
	require.True(t, r.clean().Removed)
	require.FileExists(t, filepath.Join(precious, "x"))
	require.NotEmpty(t, r.git("rev-parse", "main"))
}
