//go:build unix

package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// program writes a program that leaves a mark beside itself, and then does what it is told.
func program(t *testing.T, does string) (path, mark string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "program")
	mark = path + ".ran"
	put(t, path, "#!/bin/sh\necho ran >>'"+mark+"'\n"+does+"\n")
	require.NoError(t, os.Chmod(path, 0o755))
	return path, mark
}

// B60: nothing that the configuration or the repository would run besides is run: no signing, no hook, no
// editor, no pager, no monitor, nobody who asks for a password.
func TestB60NothingElseIsRun(t *testing.T) {
	r := newRepository(t)
	path, mark := program(t, "sleep 300")
	for name, value := range map[string]string{
		"commit.gpgSign": "true", "gpg.program": path, "user.signingKey": "x", "tag.gpgSign": "true",
		"core.editor": path, "sequence.editor": path, "core.pager": path, "pager.status": path, "core.fsmonitor": path, "core.askPass": path, "credential.helper": path,
		"diff.external": path, "gc.auto": "1", "gc.autoDetach": "false", "user.useConfigOnly": "true", "core.safecrlf": "true", "log.showSignature": "true",
		"commit.template": "/nowhere", "core.commentChar": "A", "commit.verbose": "true", "commit.status": "false", "status.showUntrackedFiles": "no", "add.ignoreErrors": "false",
		"i18n.commitEncoding": "latin1", "core.quotePath": "true", "submodule.recurse": "true", "checkout.workers": "0",
		"core.logAllRefUpdates": "false", "index.version": "4", "core.splitIndex": "true", "core.untrackedCache": "true", "push.default": "nothing", "advice.addEmbeddedRepo": "true",
	} {
		r.git("config", name, value)
	}
	for _, hook := range []string{"pre-commit", "post-commit", "commit-msg", "prepare-commit-msg", "post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "post-merge"} {
		require.NoError(t, os.Symlink(path, filepath.Join(r.dir, ".git", "hooks", hook)))
	}
	require.NoError(t, os.RemoveAll(mark), "the hooks of the tests' own git do not count")
	t.Setenv("GIT_EDITOR", path)
	t.Setenv("GIT_ASKPASS", path)
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_INDEX_FILE", "/nowhere")
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "x ü"), "one\r\ntwo\n")
	w, note, err := tree.Finish(t.Context())
	require.NoError(t, err)
	require.Empty(t, note)
	require.Equal(t, "x ü", w.Files[0].Path)
	put(t, filepath.Join(tree.Path(), "y"), "y")
	_, err = r.try(interrupted)
	require.NoError(t, err)
	_, err = r.try(fresh)
	require.NoError(t, err)
	require.NoFileExists(t, mark)
}

// B60: a filter of the repository's that hangs is ended, and the error names the step; the next attempt
// goes on from there, and no work is lost.
func TestB60FilterHangs(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	path, mark := program(t, "exec sleep 300")
	limited := func(q *worktree.Request) { q.Limit = soon }
	tree := r.open(limited)
	put(t, filepath.Join(tree.Path(), ".gitattributes"), "*.x filter=slow\n")
	put(t, filepath.Join(tree.Path(), "file.x"), "precious")
	r.git("config", "filter.slow.clean", path)
	r.git("config", "filter.slow.smudge", path)
	_, _, err := tree.Finish(t.Context())
	require.True(t, fault.Is(err, fault.WorktreeUnavailable), err)
	require.ErrorContains(t, err, "git did not finish the step add in 2s")
	require.ErrorContains(t, err, tree.Path())
	require.FileExists(t, mark)
	tree = r.open(interrupted, limited)
	require.FileExists(t, filepath.Join(filepath.Dir(tree.Path()), "aside-1", "file.x"))

	r.write(".gitattributes", "*.x filter=slow\n")
	r.write("file.x", "x")
	r.git("-c", "filter.slow.clean=", "add", "-A")
	r.git("-c", "filter.slow.clean=", "commit", "-q", "-m", "slow")
	second := func(q *worktree.Request) { q.Key = "/agent#2" }
	_, err = r.try(second, limited)
	require.ErrorContains(t, err, "git did not finish the step checkout in 2s")
	r.git("config", "filter.slow.smudge", "cat")
	r.git("config", "filter.slow.clean", "cat")
	tree = r.open(second, interrupted, limited)
	require.FileExists(t, filepath.Join(tree.Path(), "file.x"))
}
