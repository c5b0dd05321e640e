package worktree_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// A tree begins at the commit of the user's, in the same folder, on a branch named after run and call;
// what is done there comes onto that branch, committed or not.
func TestWorkComesOntoTheBranch(t *testing.T) {
	r := newRepository(t)
	before := r.state()
	tree := r.open(func(q *worktree.Request) { q.Folder = filepath.Join(r.dir, "sub dir") })
	require.True(t, strings.HasPrefix(tree.Branch(), prefix+"parallel-0-3-agent-1-"), tree.Branch())
	require.Equal(t, r.git("rev-parse", "HEAD"), tree.Base())
	require.Equal(t, filepath.Join(tree.Path(), "sub dir"), tree.Folder())
	require.Empty(t, tree.Notes())
	put(t, filepath.Join(tree.Folder(), "b.txt"), "changed\n")
	in(t, tree.Folder(), "commit", "-q", "-a", "-m", "by the agent")
	put(t, filepath.Join(tree.Path(), "neu ä.txt"), "new\n")
	require.NoError(t, os.Remove(filepath.Join(tree.Path(), "a.txt")))
	w, note := finish(t, tree)
	require.Empty(t, note)
	require.Equal(t, []journal.FileChange{{Path: "a.txt", Kind: "removed"}, {Path: "neu ä.txt", Kind: "added"}, {Path: "sub dir/b.txt", Kind: "changed"}}, w.Files)
	require.Equal(t, tree.Path(), w.Path)
	require.Equal(t, tree.Base(), w.Base)
	require.Empty(t, in(t, tree.Path(), "status", "--porcelain"))
	require.Equal(t, "2", r.git("rev-list", "--count", w.Base+".."+w.Branch))
	message := r.git("log", "-1", "--format=%an <%ae>%n%B", w.Branch)
	require.Equal(t, "Assent <assent@localhost>\nfix it: what the agent left uncommitted\n\nCommitted by Assent after the call "+key+" of run "+run+
		".\n\nAssent-Run: "+run+"\nAssent-Call: "+key, message)
	require.Equal(t, before, r.state())
	require.Equal(t, "finished", recordOf(t, tree)["state"])
}

func TestNothingDone(t *testing.T) {
	r := newRepository(t)
	w, note := finish(t, r.open())
	require.Empty(t, note)
	require.Equal(t, w.Base, w.Commit)
	require.Empty(t, w.Files)
}

// The user's own name is on what is committed for them.
func TestUsersIdentity(t *testing.T) {
	r := newRepository(t)
	r.git("config", "user.name", "Bea")
	r.git("config", "user.email", "bea@example.org")
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "x"), "x")
	w, _ := finish(t, tree)
	require.Equal(t, "Bea bea@example.org", r.git("log", "-1", "--format=%cn %ce", w.Commit))
}

// B71: the user's uncommitted work is not touched, and not in the worktree; the agent's is kept.
func TestB71UncommittedWork(t *testing.T) {
	r := newRepository(t)
	r.write("a.txt", "edited by the user\n")
	r.write("untracked.txt", "mine\n")
	r.git("add", "a.txt")
	r.write("a.txt", "edited once more\n")
	before := r.state()
	tree := r.open()
	require.Len(t, tree.Notes(), 1)
	require.Contains(t, tree.Notes()[0], "uncommitted work in "+r.dir+" was not in the worktree")
	text, err := os.ReadFile(filepath.Join(tree.Path(), "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "a\n", string(text))
	require.NoFileExists(t, filepath.Join(tree.Path(), "untracked.txt"))
	put(t, filepath.Join(tree.Path(), "left.txt"), "by the agent, which timed out\n")
	require.Equal(t, "uncommitted work", r.listed().Dirty)
	require.Equal(t, "it has uncommitted work", r.clean().Why)
	w, note := finish(t, tree)
	require.Contains(t, note, "uncommitted work in")
	require.Equal(t, []journal.FileChange{{Path: "left.txt", Kind: "added"}}, w.Files)
	require.Equal(t, before, r.state())
	_, note = finish(t, r.open())
	require.Contains(t, note, "uncommitted work in", "also in a later process")
}

func TestRefusals(t *testing.T) {
	none := t.TempDir()
	r := &repository{t, none, filepath.Join(none, "work")}
	_, err := r.try()
	require.True(t, fault.Is(err, fault.WorktreeUnavailable), err)
	require.ErrorContains(t, err, "is in none")
	r.git("init", "-q", "-b", "main")
	r.root = filepath.Join(t.TempDir(), "work")
	_, err = r.try()
	require.True(t, fault.Is(err, fault.WorktreeUnavailable), err)
	require.ErrorContains(t, err, "no commit yet")
	list, err := worktree.List(context.Background(), r.root)
	require.NoError(t, err)
	require.Empty(t, list)

	r = newRepository(t)
	r.root = filepath.Join(r.dir, "work")
	before := r.git("status", "--porcelain", "--ignored")
	_, err = r.try()
	require.ErrorContains(t, err, "lies in the repository")
	require.Equal(t, before, r.git("status", "--porcelain", "--ignored"))
	_, err = worktree.Open(context.Background(), worktree.Place{Root: t.TempDir(), Run: "../x"}, r.request())
	require.True(t, fault.Is(err, fault.WorktreeUnavailable), err)
}

// Two calls have two trees, also where their keys differ in nothing that a file name shows.
func TestCallsAreKeptApart(t *testing.T) {
	r := newRepository(t)
	seen := map[string]bool{}
	for _, k := range []string{"/agent#0", "/agent[0", "/Agent#0", "", strings.Repeat("/parallel#0[1]", 400), strings.Repeat("/parallel#0[2]", 400), "/dag#0(übung)/agent#0"} {
		tree := r.open(func(q *worktree.Request) { q.Key, q.Label = k, "" })
		slug := filepath.Base(filepath.Dir(tree.Path()))
		require.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, slug)
		require.LessOrEqual(t, len(slug), 51)
		require.False(t, seen[slug])
		seen[slug] = true
		put(t, filepath.Join(tree.Path(), "x"), k)
		finish(t, tree)
	}
}

// A call's folder need not be one that is committed; but it does not lead out of the tree.
func TestFolderOfTheCall(t *testing.T) {
	r := newRepository(t)
	r.write("new/file", "x")
	tree := r.open(func(q *worktree.Request) { q.Folder = filepath.Join(r.dir, "new") })
	require.DirExists(t, tree.Folder())
	require.Equal(t, filepath.Join(tree.Path(), "new"), tree.Folder())

	outside := t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(r.dir, "link")))
	r.git("add", "link")
	r.git("commit", "-q", "-m", "a link")
	require.NoError(t, os.Remove(filepath.Join(r.dir, "link")))
	r.write("link/file", "x")
	_, err := r.try(func(q *worktree.Request) { q.Key, q.Folder = "/agent#7", filepath.Join(r.dir, "link") })
	require.True(t, fault.Is(err, fault.WorktreeUnavailable), err)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A tree in which a call has worked is as it was when the same call goes on.
func TestReused(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "x"), "1")
	tree = r.open()
	require.FileExists(t, filepath.Join(tree.Path(), "x"))
	first, _ := finish(t, tree)
	tree = r.open()
	put(t, filepath.Join(tree.Path(), "y"), "2")
	second, _ := finish(t, tree)
	require.Equal(t, first.Commit, r.git("rev-parse", second.Commit+"^"))
	require.Len(t, second.Files, 2)
}
