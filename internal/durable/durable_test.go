package durable_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

func TestWriteFileReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, durable.WriteFile(path, []byte("old"), 0o644))
	require.NoError(t, durable.WriteFile(path, []byte("new content"), 0o600))
	requireContent(t, path, "new content")
	requireAlone(t, path)
}

func TestCreateFileRefusesWhatExists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, durable.CreateFile(path, []byte("first"), 0o600))
	require.ErrorIs(t, durable.CreateFile(path, []byte("second"), 0o600), fs.ErrExist)
	requireContent(t, path, "first")
	requireAlone(t, path)
}

func TestMissingFolderIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent", "file")
	require.ErrorIs(t, durable.WriteFile(path, nil, 0o600), fs.ErrNotExist)
	require.ErrorIs(t, durable.CreateFile(path, nil, 0o600), fs.ErrNotExist)
	require.ErrorIs(t, durable.SyncDir(filepath.Dir(path)), fs.ErrNotExist)
}

func TestRelativeName(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, durable.WriteFile("plain", []byte("x"), 0o600))
	requireContent(t, "plain", "x")
}

// Eight writers want one name; one gets it, and its content is whole.
func TestCreateFileHasOneWinner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	errs := make([]error, 8)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() { errs[i] = durable.CreateFile(path, []byte("by "+strconv.Itoa(i)), 0o600) })
	}
	group.Wait()
	winner := -1
	for i, err := range errs {
		if err == nil {
			require.Equal(t, -1, winner, "two winners")
			winner = i
			continue
		}
		require.ErrorIs(t, err, fs.ErrExist)
	}
	requireContent(t, path, "by "+strconv.Itoa(winner))
	requireAlone(t, path)
}

// Every durable point, failed and failed-but-persisted: the name leads to all of the old
// content or all of the new, and a failure before the move leaves the old.
func TestEveryStepFailing(t *testing.T) {
	order := []string{"sync", "move", "syncDir"}
	for i, step := range order {
		for _, persisted := range []bool{false, true} {
			for _, create := range []bool{false, true} {
				t.Run(step+" persisted="+strconv.FormatBool(persisted)+" create="+strconv.FormatBool(create), func(t *testing.T) {
					path := filepath.Join(t.TempDir(), "file")
					if !create {
						require.NoError(t, durable.WriteFile(path, []byte("old"), 0o600))
					}
					steps, err := durable.Broken(step, persisted, create, path, []byte("new"))
					require.ErrorIs(t, err, durable.ErrInjected)
					require.ErrorContains(t, err, path)
					require.Equal(t, order[:i+1], steps, "a step after the one that failed")

					moved := step == "syncDir" || step == "move" && persisted
					switch {
					case moved:
						requireContent(t, path, "new")
					case create:
						require.NoFileExists(t, path)
					default:
						requireContent(t, path, "old")
					}
					if moved || !create {
						requireAlone(t, path)
					}
				})
			}
		}
	}
}

func TestStepsInOrder(t *testing.T) {
	for _, create := range []bool{false, true} {
		steps, err := durable.Broken("", false, create, filepath.Join(t.TempDir(), "file"), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"sync", "move", "syncDir"}, steps)
	}
}

func requireContent(t *testing.T, path, want string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(data))
}

// requireAlone checks that no file was left under another name.
func requireAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, filepath.Base(path), entries[0].Name())
	if runtime.GOOS != "windows" {
		info, err := entries[0].Info()
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o600), info.Mode())
	}
}
