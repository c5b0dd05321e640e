package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// all calls every method that writes, and those that read trees.
func (u *user) all() {
	u.t.Helper()
	t, ctx := u.t, u.t.Context()
	base := u.head()
	a := u.commit(base, "a", files{"a.txt": "one\n2\n3\n4\n5\n"})
	b := u.commit(base, "b", files{"a.txt": "1\n2\n3\n4\nfive\n", "n": "n\n"})
	c := u.commit(base, "c", files{"a.txt": "uno\n2\n3\n4\n5\n"})
	s := u.stack(base, part("a", base, a), part("b", base, b))
	require.Nil(t, s.Conflict)
	require.Equal(t, "one\n2\n3\n4\nfive", u.show(s.Commit, "a.txt"))
	clash := u.stack(base, part("a", base, a), part("c", base, c))
	require.Equal(t, []string{"a.txt"}, clash.Conflict.Files)
	sealed, changed, err := u.Seal(ctx, base, s.Commit, repository.Message{Title: "all", Trailers: ours()}, at)
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt", "n"}, paths(changed))
	require.True(t, u.conform(base, sealed, "a.txt", "n").OK)
	_, _, list, err := u.Compare(ctx, base, sealed, 1000)
	require.NoError(t, err)
	require.Len(t, list, 2)
	_, err = u.setBranch(sealed)
	require.NoError(t, err)
	moved, err := u.MovedBase(ctx, "origin", "main", base, []string{"a.txt"})
	require.NoError(t, err)
	require.False(t, moved.Moved)
	pushed, err := u.push(sealed)
	require.NoError(t, err)
	require.True(t, pushed)
	remove, err := u.Checkout(ctx, sealed, filepath.Join(u.work, "checks", "x"))
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(u.work, "checks", "x", "n"))
	require.NoError(t, remove(ctx))
	require.NoError(t, u.Repair(ctx, branch+"-repair", sealed, filepath.Join(u.work, "repair")))
	commit, dirty, err := u.Repaired(ctx, branch+"-repair")
	require.NoError(t, err)
	require.Equal(t, sealed, commit)
	require.Empty(t, dirty)
	made, err := u.Made(ctx)
	require.NoError(t, err)
	tree, err := u.Tree(ctx, sealed)
	require.NoError(t, err)
	require.True(t, made[tree])
	tree, err = u.Tree(ctx, c)
	require.NoError(t, err)
	require.False(t, made[tree], "what did not fit was made by nobody but its worker")
	beyond, err := u.Beyond(ctx, base, s.Commit)
	require.NoError(t, err)
	require.Equal(t, []string{a, s.Commit}, beyond)
	for _, pair := range []struct {
		a, b string
		want bool
	}{{s.Commit, base, true}, {base, s.Commit, false}, {base, base, true}} {
		within, err := u.Contains(ctx, pair.a, pair.b)
		require.NoError(t, err)
		require.Equal(t, pair.want, within)
	}
}

// B71: what a person has open, edited and not yet added is the same afterwards, to the byte.
func TestB71UsersTreeIsLeftAlone(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.remote()
	u.write("a.txt", "an edit\n")
	u.write("staged", "x\n")
	u.git("add", "staged")
	u.write("untracked/file", "x\n")
	u.write("tool.sh", "#!/bin/sh\n") // the same text at another time: git would like to write its index
	before := u.state()
	u.all()
	paths, err := u.Dirty(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt", "staged", "untracked/"}, paths)
	require.Equal(t, before, u.state())
}

func TestSHA256(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "repo")
	build(t, dir, "--object-format=sha256")
	real, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	u := open(t, real, filepath.Join(filepath.Dir(real), "work", run))
	require.Len(t, u.head(), 64)
	u.remote()
	before := u.state()
	u.all()
	require.Equal(t, before, u.state())
}

func TestFolderBelowTheTop(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.remote()
	r, err := repository.Open(filepath.Join(u.dir, "sub dir"), mark, nil)
	require.NoError(t, err)
	require.Equal(t, u.dir, r.Top)
	u.Repository = r
	u.all()
}

// The user works in a working tree that git worktree made, and its main one has the base checked out.
func TestLinkedWorktree(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.remote()
	linked := filepath.Join(filepath.Dir(u.dir), "linked")
	u.git("worktree", "add", "-q", "-b", "topic", linked)
	l := open(t, linked, u.work)
	is, err := u.Linked(t.Context())
	require.NoError(t, err)
	require.False(t, is)
	is, err = l.Linked(t.Context())
	require.NoError(t, err)
	require.True(t, is)
	put(t, filepath.Join(linked, "edit"), "x\n")
	before, beforeMain := l.state(), u.state()
	l.all()
	require.Equal(t, before, l.state())
	require.Equal(t, beforeMain, u.state())
}

// In a shallow clone the history ends, and what is delivered does not need more of it.
func TestShallowClone(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.git("commit", "-q", "--allow-empty", "-m", "second")
	u.git("commit", "-q", "--allow-empty", "-m", "third")
	far := u.remote()
	dir := filepath.Join(filepath.Dir(u.dir), "shallow")
	out, err := exec.Command("git", "clone", "-q", "--depth", "1", "file://"+far, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	in(t, dir, "config", "user.name", "Ann")
	in(t, dir, "config", "user.email", "ann@example.org")
	s := open(t, dir, u.work)
	require.Equal(t, "1", s.git("rev-list", "--count", "HEAD"))
	before := s.state()
	s.all()
	require.Equal(t, before, s.state())
	require.Equal(t, "4", in(t, far, "rev-list", "--count", "refs/heads/"+branch))
}

func TestWhereThePlaceIs(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	commit, name, err := u.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{u.head(), "main"}, []string{commit, name})
	u.git("switch", "-q", "--detach")
	_, name, err = u.Head(t.Context())
	require.NoError(t, err)
	require.Empty(t, name)
	for folder, want := range map[string]bool{".": false, "sub dir": false, ".git": true, ".git/refs": true} {
		r, err := repository.Open(filepath.Join(u.dir, folder), mark, nil)
		require.NoError(t, err)
		bare, err := r.Bare(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, bare, folder)
	}
	under, err := u.Operation(t.Context())
	require.NoError(t, err)
	require.Empty(t, under)
	for file, want := range map[string]string{"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "rebase-merge": "rebase", "BISECT_LOG": "bisect"} {
		put(t, filepath.Join(u.dir, ".git", file), u.head()+"\n")
		under, err := u.Operation(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, under)
		require.NoError(t, os.Remove(filepath.Join(u.dir, ".git", file)))
	}
	version, ok, err := u.NewEnough(t.Context())
	require.NoError(t, err)
	require.True(t, ok, version)
	person, address, err := u.Identity(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"Ann Ünal", "ann@example.org"}, []string{person, address})
	for name, want := range map[string]string{"HEAD": u.head(), "HEAD:a.txt": "", "nothing": "", "--all": "", "main": u.head()} {
		found, err := u.Commit(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, want, found, name)
	}
	_, err = repository.Open(t.TempDir(), mark, nil)
	require.Error(t, err)
}
