package repository_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// A commit is read as it is, whatever stands in the user's tree.
func TestFiles(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	commit := u.entries(base, "more", files{"src/deep/ü.go": "package ü\n", "AGENTS.md": "be good\n", "big": strings.Repeat("x", 1<<20+1)}, []string{
		"160000," + base + ",lib", "120000=AGENTS.md,CLAUDE.md", "120000=../AGENTS.md,src/notes", "120000=src/deep,short", "120000=../../etc/passwd,out", "120000=/etc/passwd,root",
		"120000=loop,loop",
	})
	u.write("a.txt", "of the user\n")
	tree, err := u.Files(t.Context(), commit)
	require.NoError(t, err)
	read := func(name string) string {
		t.Helper()
		text, err := fs.ReadFile(tree, name)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, "1\n2\n3\n4\n5\n", read("a.txt"))
	require.Equal(t, "package ü\n", read("src/deep/ü.go"))
	require.Equal(t, "be good\n", read("CLAUDE.md"))
	require.Equal(t, "be good\n", read("src/notes"))
	require.Equal(t, "package ü\n", read("short/ü.go"))
	for _, name := range []string{"none", "a.txt/x", "lib", "lib/x", "out", "root", "loop", "src/none"} {
		_, err := fs.Stat(tree, name)
		require.ErrorIs(t, err, fs.ErrNotExist, name)
		_, err = fs.ReadFile(tree, name)
		require.ErrorIs(t, err, fs.ErrNotExist, name)
	}
	for _, name := range []string{"/a.txt", "../a.txt", "src/../a.txt", ""} {
		_, err := tree.Open(name)
		require.ErrorIs(t, err, fs.ErrInvalid, name)
	}
	_, err = fs.ReadFile(tree, "big")
	require.ErrorContains(t, err, "too large")
	stat, err := fs.Stat(tree, "big")
	require.NoError(t, err)
	require.Equal(t, int64(1<<20+1), stat.Size())
	_, err = fs.ReadDir(tree, "a.txt")
	require.ErrorContains(t, err, "no folder")
	entries, err := fs.ReadDir(tree, ".")
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"AGENTS.md", "CLAUDE.md", "a.txt", "big", "loop", "out", "root", "short", "src", "sub dir", "tool.sh"}, names)

	plain, err := u.Files(t.Context(), base)
	require.NoError(t, err)
	require.NoError(t, fstest.TestFS(plain, "a.txt", "sub dir/b.txt", "tool.sh"))
	_, err = u.Files(t.Context(), strings.Repeat("1", 40))
	require.ErrorContains(t, err, "there is no commit")
}

// An agent can have git show another object in the place of one (git replace): what is judged is what
// is published all the same.
func TestReplacedObjectsAreNotSeen(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	evil := u.commit(base, "evil", files{"a.txt": "evil\n"})
	good := u.commit(base, "good", files{"a.txt": "good\n"})
	u.git("replace", evil, good)
	u.git("replace", u.git("--no-replace-objects", "rev-parse", evil+":a.txt"), u.git("rev-parse", good+":a.txt"))
	require.Equal(t, "good", u.show(evil, "a.txt"), "git itself shows the other one")

	patch, _, _, err := u.Compare(t.Context(), base, evil, 1<<20)
	require.NoError(t, err)
	require.Contains(t, patch, "+evil\n")
	tree, err := u.Files(t.Context(), evil)
	require.NoError(t, err)
	text, err := fs.ReadFile(tree, "a.txt")
	require.NoError(t, err)
	require.Equal(t, "evil\n", string(text))
	folder := t.TempDir() + "/tree"
	remove, err := u.Checkout(t.Context(), evil, folder)
	require.NoError(t, err)
	onDisk, err := fs.ReadFile(os.DirFS(folder), "a.txt")
	require.NoError(t, err)
	require.Equal(t, "evil\n", string(onDisk))
	require.NoError(t, remove(t.Context()))
	s := u.stack(u.commit(base, "before", files{"n": "1"}), part("x", base, evil))
	require.Equal(t, "evil", in(t, u.dir, "--no-replace-objects", "cat-file", "-p", s.Commit+":a.txt"))
}
