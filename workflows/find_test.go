package workflows_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/workflows"
)

func workspace(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		path := filepath.Join(dir, ".assent", "workflows", filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	return dir
}

func TestFind(t *testing.T) {
	dir := workspace(t, "release.js", "release.mts", "release.mjs", "first.js", "old.cjs", "types.d.ts", ".js", "folder.js/x.js")
	at := func(name string) string { return filepath.Join(dir, ".assent", "workflows", name) }

	list, err := workflows.List(dir)
	require.NoError(t, err)
	require.Equal(t, []workflows.Workflow{{"first", at("first.js")}, {"release", at("release.mts")}}, list)

	path, err := workflows.Find(dir, "release")
	require.NoError(t, err)
	require.Equal(t, at("release.mts"), path)
}

func TestFindNamesTheNearest(t *testing.T) {
	dir := workspace(t, "release.js", "first.js")
	for name, next := range map[string]string{
		"frist":    "did you mean first?",
		"first.js": "did you mean first?",
		"realease": "did you mean release?",
		"deploy":   "name one of these, or give the path of a script",
		"":         "name one of these, or give the path of a script",
		"../first": "did you mean first?",
	} {
		_, err := workflows.Find(dir, name)
		e, ok := err.(*fault.Error) //nolint:errorlint // the refusal itself is looked at
		require.True(t, ok, name)
		require.Equal(t, fault.WorkflowUnknown, e.Code)
		require.Contains(t, e.What, ".assent/workflows has: first, release", name)
		require.Equal(t, next, e.Next, name)
	}
}

func TestFindWhereThereIsNone(t *testing.T) {
	dir := t.TempDir()
	list, err := workflows.List(dir)
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = workflows.Find(dir, "first")
	require.True(t, fault.Is(err, fault.WorkflowUnknown), "%v", err)
	require.ErrorContains(t, err, `there is no workflow "first"`)
}

// A folder that cannot be read is not an empty one.
func TestFindWhereTheFolderIsAFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".assent"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".assent", "workflows"), nil, 0o600))
	_, err := workflows.Find(dir, "first")
	require.Error(t, err)
	require.False(t, fault.Is(err, fault.WorkflowUnknown), "%v", err)
}
