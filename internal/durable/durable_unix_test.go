//go:build unix

package durable_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

// S18: a link that was put at the name leads nothing of ours elsewhere.
func TestS18_LinksAreNotFollowed(t *testing.T) {
	for name, target := range map[string]string{"to a file": "victim", "to nothing": "absent"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			victim, link := filepath.Join(dir, "victim"), filepath.Join(dir, "link")
			require.NoError(t, os.WriteFile(victim, []byte("untouched"), 0o600))
			require.NoError(t, os.Symlink(filepath.Join(dir, target), link))

			require.ErrorIs(t, durable.CreateFile(link, []byte("x"), 0o600), fs.ErrExist)
			require.ErrorIs(t, durable.RenameReserved(victim, link), fs.ErrExist)
			requireContent(t, victim, "untouched")

			require.NoError(t, durable.WriteFile(link, []byte("x"), 0o600))
			requireContent(t, victim, "untouched")
			info, err := os.Lstat(link)
			require.NoError(t, err)
			require.True(t, info.Mode().IsRegular())
			require.NoFileExists(t, filepath.Join(dir, "absent"))
		})
	}
}

// S18: permissions are those that were asked for under any umask.
func TestS18_PermissionsAreExact(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o777} {
		path := filepath.Join(t.TempDir(), "file")
		before := syscall.Umask(umask)
		err := durable.CreateFile(path, []byte("x"), 0o640)
		syscall.Umask(before)
		require.NoError(t, err)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o640), info.Mode(), "umask %o", umask)
	}
}

func TestRenameReserved(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	require.NoError(t, os.WriteFile(from, []byte("x"), 0o600))
	require.NoError(t, durable.RenameReserved(from, to))
	requireContent(t, to, "x")
	require.NoFileExists(t, from)

	require.ErrorIs(t, durable.RenameReserved(to, to), fs.ErrExist)
	requireContent(t, to, "x")

	require.ErrorIs(t, durable.RenameReserved(from, filepath.Join(dir, "new")), fs.ErrNotExist)
	require.NoFileExists(t, filepath.Join(dir, "new"))
}
