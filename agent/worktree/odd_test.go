package worktree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/worktree"
)

// worked has a call write a file in a tree of its own, and gives the tree.
func (r *repository) worked(name string, change ...func(*worktree.Request)) *worktree.Tree {
	r.t.Helper()
	before := r.state()
	tree := r.open(change...)
	put(r.t, filepath.Join(tree.Path(), name), "x\n")
	w, _ := finish(r.t, tree)
	require.Len(r.t, w.Files, 1)
	require.Equal(r.t, before, r.state())
	return tree
}

func TestDetachedHead(t *testing.T) {
	r := newRepository(t)
	r.git("commit", "-q", "--allow-empty", "-m", "second")
	r.git("checkout", "-q", "--detach", "HEAD^")
	tree := r.worked("x")
	require.Equal(t, r.git("rev-parse", "HEAD"), tree.Base())
}

// A workspace that is itself a linked worktree, of a repository or of a bare one beside it.
func TestLinkedWorkspace(t *testing.T) {
	r := newRepository(t)
	linked := filepath.Join(filepath.Dir(r.dir), "linked")
	r.git("worktree", "add", "-q", "-b", "topic", linked)
	commitIn(t, linked, "topical")
	tree := r.worked("x", func(q *worktree.Request) { q.Folder = linked })
	require.FileExists(t, filepath.Join(tree.Path(), "topical"))

	bare := filepath.Join(filepath.Dir(r.dir), "project")
	require.NoError(t, os.Mkdir(bare, 0o755))
	in(t, bare, "clone", "-q", "--bare", r.dir, ".bare")
	put(t, filepath.Join(bare, ".git"), "gitdir: ./.bare\n")
	in(t, bare, "worktree", "add", "-q", "main")
	for n, folder := range []string{filepath.Join(bare, "main"), bare} {
		key := "/agent#" + string(rune('0'+n))
		tree := r.open(func(q *worktree.Request) { q.Key, q.Folder = key, folder })
		put(t, filepath.Join(tree.Path(), "x"), "x")
		w, note := finish(t, tree)
		require.Empty(t, note)
		require.Len(t, w.Files, 1)
	}
	require.Empty(t, in(t, filepath.Join(bare, "main"), "status", "--porcelain"))
}

// A sparse checkout is as sparse in the worktree.
func TestSparseCheckout(t *testing.T) {
	for name, sparse := range map[string]func(r *repository){
		"cone":    func(r *repository) { r.git("sparse-checkout", "set", "--cone", "in") },
		"no cone": func(r *repository) { r.git("sparse-checkout", "set", "--no-cone", "/in/", "/a.txt") },
		"without a configuration for worktrees": func(r *repository) {
			r.git("config", "core.sparseCheckout", "true")
			r.write(".git/info/sparse-checkout", "/in/\n/a.txt\n")
			r.git("read-tree", "-mu", "HEAD")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.write("in/file", "x")
			r.write("out/file", "x")
			commitIn(t, r.dir, "in/more")
			sparse(r)
			require.NoDirExists(t, filepath.Join(r.dir, "out"))
			before := r.state()
			tree := r.open()
			require.FileExists(t, filepath.Join(tree.Path(), "in", "file"))
			require.NoDirExists(t, filepath.Join(tree.Path(), "out"))
			put(t, filepath.Join(tree.Path(), "in", "new"), "x")
			put(t, filepath.Join(tree.Path(), "outer", "new"), "x")
			w, note := finish(t, tree)
			require.Empty(t, note)
			require.Len(t, w.Files, 2, "also what lies outside of the part")
			require.Equal(t, "x", r.git("show", w.Commit+":out/file"), "and nothing that is not there is removed")
			require.Equal(t, before, r.state())
			tree = r.open(fresh)
			require.NoDirExists(t, filepath.Join(tree.Path(), "out"))
		})
	}
}

func TestWorktreeConfig(t *testing.T) {
	r := newRepository(t)
	r.git("config", "extensions.worktreeConfig", "true")
	r.git("config", "--worktree", "core.ignoreCase", "true")
	r.worked("x")
}

// Submodules that the user has are there, at the commit that is recorded, without a network; one that
// the user has not is empty, and said.
func TestSubmodules(t *testing.T) {
	inner, lib := newRepository(t), newRepository(t)
	lib.git("submodule", "--quiet", "add", "--name", "deep one", inner.dir, "deep")
	lib.git("commit", "-q", "-m", "with a submodule")
	r := newRepository(t)
	r.git("submodule", "--quiet", "add", lib.dir, "libs/lib")
	r.git("submodule", "--quiet", "add", inner.dir, "other")
	r.git("commit", "-q", "-m", "with submodules")
	r.git("submodule", "--quiet", "update", "--init", "--recursive")
	r.git("submodule", "--quiet", "deinit", "other")
	url := in(t, filepath.Join(r.dir, "libs/lib"), "config", "remote.origin.url")
	for _, gone := range []*repository{inner, lib} {
		require.NoError(t, os.RemoveAll(gone.dir))
	}
	before := r.state()
	tree := r.open()
	require.FileExists(t, filepath.Join(tree.Path(), "libs", "lib", "a.txt"))
	require.FileExists(t, filepath.Join(tree.Path(), "libs", "lib", "deep", "a.txt"))
	require.Equal(t, url, in(t, filepath.Join(tree.Path(), "libs", "lib"), "config", "remote.origin.url"))
	require.Equal(t, []string{"the submodule other is empty in the worktree, as it is in yours"}, tree.Notes())
	require.Empty(t, in(t, tree.Path(), "status", "--porcelain"))
	put(t, filepath.Join(tree.Path(), "x"), "x")
	w, _ := finish(t, tree)
	require.Len(t, w.Files, 1)
	require.Equal(t, before, r.state())
	r.git("merge", "-q", w.Branch)
	require.Empty(t, r.listed().Dirty)

	commitIn(t, filepath.Join(tree.Path(), "libs", "lib"), "precious")
	require.Equal(t, "uncommitted work", r.listed().Dirty)
	w, note := finish(t, r.open())
	require.Contains(t, note, "in a repository of its own (libs/lib)")
	r.git("merge", "-q", w.Branch)
	require.Contains(t, r.clean().Why, "work in a repository of its own (libs/lib)")
	cleaned := r.clean(r.listed().Name())
	require.True(t, cleaned.Removed)
	require.NoDirExists(t, tree.Path())
}

// A filter whose program is not installed, such as git-lfs, is left out: files are as they are stored.
func TestMissingFilter(t *testing.T) {
	r := newRepository(t)
	r.write(".gitattributes", "*.bin filter=lfs -text\n")
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 3\n"
	r.write("big.bin", pointer)
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "large files")
	for name, command := range map[string]string{"clean": "no-such-git-lfs clean -- %f", "smudge": "no-such-git-lfs smudge -- %f", "process": "no-such-git-lfs filter-process", "required": "true"} {
		r.git("config", "filter.lfs."+name, command)
	}
	tree := r.open()
	text, err := os.ReadFile(filepath.Join(tree.Path(), "big.bin"))
	require.NoError(t, err)
	require.Equal(t, pointer, string(text))
	put(t, filepath.Join(tree.Path(), "new.bin"), "x")
	require.NoError(t, os.Chtimes(filepath.Join(tree.Path(), "big.bin"), r.listed().Since, r.listed().Since))
	w, note := finish(t, tree)
	require.Contains(t, note, "the filter lfs was left out, since no-such-git-lfs is not installed")
	require.Len(t, w.Files, 1)
	require.Empty(t, r.listed().Dirty)
	require.Equal(t, 1, strings.Count(note, "left out"))
}
