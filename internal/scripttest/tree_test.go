//go:build unix

package scripttest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The folder that a test works on is a copy: no link in it leads back, and what the run does to it,
// it does to the copy.
func TestTheWorkspaceIsACopy(t *testing.T) {
	t.Parallel()
	folder, outside := t.TempDir(), t.TempDir()
	original := filepath.Join(folder, "project")
	for name, text := range map[string]string{
		"project/a.txt": "a", "project/sub/run.sh": "#!/bin/sh\necho ran >ran.txt\n", "project/.git/HEAD": "x",
	} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(outside, "mine"), []byte("mine"), 0o600))
	for link, to := range map[string]string{
		"near": "a.txt", "folder": "sub", "out": outside, "up": "../../" + filepath.Base(outside), "whole": filepath.Join(original, "a.txt"), "nowhere": "none",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(original, link)))
	}
	cases, err := load(t, folder, `return await agent("x");`, `
[[test]]
workspace = "project"
files = {"laid.txt" = "l"}
[[test.answer]]
prompt = "x"
text = "done"
run = "set -e; ./sub/run.sh; echo b >a.txt; test \"$(cat near)\" = b; test -f folder/run.sh; for l in out up whole nowhere .git; do if test -e $l || test -L $l; then exit 9; fi; done"
[test.expect]
result = "done"
changed = ["a.txt", "ran.txt"]
files = {"a.txt" = "b\n", "laid.txt" = "l"}
`)
	require.NoError(t, err)
	r := runAll(t, noOptions, cases)
	require.True(t, r[0].OK, "%v", r[0].Differences)
	a, err := os.ReadFile(filepath.Join(original, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "a", string(a))
	require.NoFileExists(t, filepath.Join(original, "ran.txt"))
}

// What a run leaves may be no file at all: nothing waits for the other end of a pipe, and no link is followed out.
func TestWhatIsNoFileIsNotRead(t *testing.T) {
	t.Parallel()
	fails(t, `return await agent("x");`, "[[test.answer]]\nprompt = 'x'\ntext = ''\nrun = 'mkfifo pipe; ln -s pipe near; ln -s /etc/passwd out; echo y >file; ln -s file link'\n"+
		"[test.expect]\nfiles = {pipe = true, near = '', out = true, './link' = \"y\\n\"}\nchanged = ['file']\n",
		"files: expected near, and there is none", "files: expected out, and there is none", "files: expected pipe, and there is none")
}

// A run that closes its folders is cleared away all the same.
func TestClosedFoldersAreRemoved(t *testing.T) {
	t.Parallel()
	cases, err := load(t, t.TempDir(), `return await agent("x");`,
		"[[test]]\n[[test.answer]]\nprompt = 'x'\ntext = ''\nrun = 'mkdir -p d/e; touch d/e/f; chmod 0 d/e; chmod 0500 d'\n")
	require.NoError(t, err)
	require.True(t, runAll(t, noOptions, cases)[0].OK)
}
