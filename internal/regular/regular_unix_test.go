//go:build unix

package regular_test

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// What is no file is refused at once and by name, also behind a link.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	t.Chdir(t.TempDir()) // a socket's path is short
	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	require.NoError(t, os.Mkdir("folder", 0o700))
	require.NoError(t, os.Symlink("/dev/zero", "zero"))
	require.NoError(t, os.Symlink("pipe", "link"))
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", "socket")
	require.NoError(t, err)
	defer listener.Close()
	for name, kind := range map[string]string{
		"pipe": "a pipe", "link": "a pipe", "zero": "a device", "socket": "a socket", "folder": "a folder", "/dev/tty": "a device",
	} {
		_, err := regular.Read(name, 10)
		require.ErrorIs(t, err, regular.ErrKind)
		require.EqualError(t, err, "open "+name+": not a regular file but "+kind)
	}
	_, err = regular.Read("absent", 10)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReadHasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o600))
	data, err := regular.Read(path, 5)
	require.NoError(t, err)
	require.Equal(t, "12345", string(data))
	_, err = regular.Read(path, 4)
	require.ErrorIs(t, err, regular.ErrSize)
	// A file without an end in sight: no byte of it is on the disk.
	require.NoError(t, os.Truncate(path, 1<<40))
	_, err = regular.Read(path, 1<<20)
	require.ErrorIs(t, err, regular.ErrSize)
}

func TestFolderIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("a"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sub", "b.js"), []byte("b"), 0o600))
	folder, err := regular.OpenFolder(dir)
	require.NoError(t, err)
	defer folder.Close()
	require.NoError(t, fstest.TestFS(folder, "a.js", "sub/b.js"))
}

// Links are followed inside of the folder, relative or not, and never out of it.
func TestFolderIsNotLeft(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "work")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("a"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "secret"), []byte("secret"), 0o600))
	for name, target := range map[string]string{
		"near": "a.js", "sub/up": "../a.js", "whole": filepath.Join(dir, "a.js"),
		"out": "../secret", "far": filepath.Join(root, "secret"), "twice": "out", "parent": "..", "zero": "/dev/zero",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	folder, err := regular.OpenFolder(dir)
	require.NoError(t, err)
	defer folder.Close()
	for _, name := range []string{"a.js", "near", "sub/up", "whole"} {
		text, err := fs.ReadFile(folder, name)
		require.NoError(t, err, name)
		require.Equal(t, "a", string(text))
	}
	require.Empty(t, folder.Left())
	left := []string{"out", "far", "twice", "parent/secret", "zero"}
	for _, name := range left {
		_, err := fs.ReadFile(folder, name)
		require.ErrorIs(t, err, regular.ErrLeaves, name)
		_, err = fs.Stat(folder, name)
		require.ErrorIs(t, err, regular.ErrLeaves, name)
	}
	require.Subset(t, folder.Left(), left)
	_, err = fs.ReadFile(folder, "pipe")
	require.ErrorIs(t, err, regular.ErrKind)
	_, err = fs.ReadFile(folder, "absent")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// In a folder that is open no link is followed, not even one that stays there.
func TestReadInFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("12345"), 0o600))
	require.NoError(t, os.Symlink("file", filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "zero")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	for _, name := range []string{"link", "zero", "pipe", "folder"} {
		_, err := regular.ReadIn(root, name, 10)
		require.ErrorIs(t, err, regular.ErrKind, name)
	}
	data, err := regular.ReadIn(root, "file", 5)
	require.NoError(t, err)
	require.Equal(t, "12345", string(data))
	_, err = regular.ReadIn(root, "file", 4)
	require.ErrorIs(t, err, regular.ErrSize)
	_, err = regular.ReadIn(root, "absent", 4)
	require.ErrorIs(t, err, fs.ErrNotExist)
}
