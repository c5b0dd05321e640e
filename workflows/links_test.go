//go:build unix

package workflows_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/workflows"
)

// Links are followed inside of the workspace, and never out of it; what is no file is never opened.
func TestOddFilesAreNamed(t *testing.T) {
	l := newLand(t)
	dir := filepath.Dir(l.put(l.project(), "real.js"))
	l.put(filepath.Dir(l.workspace), "outside.js")
	l.put(l.workspace, "elsewhere.js")
	for name, target := range map[string]string{
		"near.js": "real.js", "up.js": "../../elsewhere.js", "out.js": "../../../outside.js", "loop.js": "pool.js", "pool.js": "loop.js", "gone.js": "nowhere.js", "zero.js": "/dev/zero",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.js"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b\xffd.js"), nil, 0o600))
	for _, name := range []string{"real", "near", "up"} {
		_, err := workflows.Find(l.places(), name)
		require.NoError(t, err, name)
	}
	for name, why := range map[string]string{
		"out": "a link that leaves " + l.workspace, "zero": "a link that leaves", "loop": "too many links", "gone": "no such file", "pipe": "something else", "b\xffd": `"b\xffd" is no name`,
	} {
		_, err := workflows.Find(l.places(), name)
		require.True(t, fault.Is(err, fault.WorkflowInvalid), "%s: %v", name, err)
		require.ErrorContains(t, err, why, name)
	}
	list, unread := workflows.List(l.places())
	require.Empty(t, unread)
	require.Len(t, ours(list), 10)
}

// A folder of the project that is itself a link out of the workspace has no workflows; the user's
// own may lie anywhere.
func TestFolderThatIsALink(t *testing.T) {
	l := newLand(t)
	away := filepath.Dir(l.put(filepath.Join(filepath.Dir(l.workspace), "away"), "x.js"))
	require.NoError(t, os.MkdirAll(l.config, 0o700))
	require.NoError(t, os.Symlink(away, filepath.Join(l.config, "workflows")))
	w, err := workflows.Find(l.places(), "x")
	require.NoError(t, err)
	require.Equal(t, workflows.User, w.Origin)

	require.NoError(t, os.Mkdir(filepath.Join(l.workspace, ".assent"), 0o700))
	require.NoError(t, os.Symlink(away, l.project()))
	_, err = workflows.Find(l.places(), "x")
	require.ErrorContains(t, err, "a link that leaves the folder")
	list, unread := workflows.List(l.places())
	require.Len(t, unread, 1)
	require.Len(t, ours(list), 1)
}
