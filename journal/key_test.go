package journal_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// A key that is lost is not replaced by another as if nothing had been.
func TestS18_MissingKey(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, o journal.Options){
		"runs and anchors": func(*testing.T, journal.Options) {},
		"anchors only":     func(t *testing.T, o journal.Options) { require.NoError(t, os.RemoveAll(o.Dir)) },
		"runs only": func(t *testing.T, o journal.Options) {
			require.NoError(t, os.RemoveAll(filepath.Join(o.KeyDir, "anchors")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOptions(t)
			r := create(t, open(t, o))
			require.NoError(t, r.Close())
			path := filepath.Join(o.KeyDir, "seal.key")
			line := readFile(t, path)
			removeFile(t, path)
			prepare(t, o)
			_, err := journal.Open(o)
			require.Equal(t, fault.KeyUnusable, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, path)
			require.NoFileExists(t, path)

			writeFile(t, path, line)
			open(t, o)
		})
	}
	t.Run("nothing sealed yet", func(t *testing.T) {
		o := newOptions(t)
		first := open(t, o).PublicKey()
		removeFile(t, filepath.Join(o.KeyDir, "seal.key"))
		require.NotEqual(t, first, open(t, o).PublicKey())
	})
	t.Run("moved away to begin anew", func(t *testing.T) {
		o := newOptions(t)
		r := create(t, open(t, o))
		require.NoError(t, r.Close())
		removeFile(t, filepath.Join(o.KeyDir, "seal.key"))
		require.NoError(t, os.Rename(filepath.Join(o.Dir, "runs"), filepath.Join(t.TempDir(), "runs")))
		require.NoError(t, os.Rename(filepath.Join(o.KeyDir, "anchors"), filepath.Join(t.TempDir(), "anchors")))
		verified(t, open(t, o), create(t, open(t, o)).ID())
	})
}

// Many that open a new store at once, and begin runs at once, have one key.
func TestFirstOpeningsAtOnce(t *testing.T) {
	o := newOptions(t)
	ids := make([]string, 8)
	var wait sync.WaitGroup
	for i := range ids {
		wait.Go(func() {
			s, err := journal.Open(o)
			if err != nil {
				t.Error(err)
				return
			}
			r, err := s.Create(t.Context(), started())
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = r.ID()
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	s := open(t, o)
	for _, id := range ids {
		verified(t, s, id)
	}
}
