package durable_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

func openRoot(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return root, dir
}

// One of all that create a name succeeds, and nothing but that name is left.
func TestCreateIn(t *testing.T) {
	root, dir := openRoot(t)
	const many = 8
	errs := make(chan error, many)
	for range many {
		go func() { errs <- durable.CreateIn(root, "name", []byte("x"), 0o600) }()
	}
	made := 0
	for range many {
		if err := <-errs; err == nil {
			made++
		} else {
			require.ErrorIs(t, err, fs.ErrExist)
		}
	}
	require.Equal(t, 1, made)
	requireContent(t, filepath.Join(dir, "name"), "x")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	info, err := entries[0].Info()
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	require.ErrorIs(t, durable.CreateIn(root, "../outside", nil, 0o600), fs.ErrInvalid)
}

// The folder that was opened counts, whatever stands at its path now.
func TestCreateInStaysInItsFolder(t *testing.T) {
	root, dir := openRoot(t)
	folder, err := durable.MakeIn(root, "folder", 0o700)
	require.NoError(t, err)
	defer folder.Close()
	elsewhere := t.TempDir()
	require.NoError(t, os.Rename(filepath.Join(dir, "folder"), filepath.Join(dir, "moved")))
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, "folder")))
	require.NoError(t, durable.CreateIn(folder, "name", []byte("x"), 0o600))
	requireContent(t, filepath.Join(dir, "moved", "name"), "x")
	require.NoFileExists(t, filepath.Join(elsewhere, "name"))
}

func TestS18_MakeInFollowsNoLink(t *testing.T) {
	root, dir := openRoot(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o700))
	for name, target := range map[string]string{"inside": "real", "outside": t.TempDir(), "nowhere": "absent"} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
		_, err := durable.MakeIn(root, name, 0o700)
		require.ErrorIs(t, err, durable.ErrNotFolder, name)
		_, err = durable.OpenIn(root, name)
		require.ErrorIs(t, err, durable.ErrNotFolder, name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	_, err := durable.MakeIn(root, "file", 0o700)
	require.ErrorIs(t, err, durable.ErrNotFolder)
	_, err = durable.OpenIn(root, "none")
	require.ErrorIs(t, err, fs.ErrNotExist)
	again, err := durable.MakeIn(root, "real", 0o700)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}
