//go:build unix

package journal_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// attached writes an attachment and closes it.
func attached(t testing.TB, r journal.Run, name, text string) {
	t.Helper()
	w, err := r.Attach(name)
	require.NoError(t, err)
	_, err = io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
}

// transcribed is a store with an ended run that has an attachment, and the path of that.
func transcribed(t *testing.T, o journal.Options) (s *journal.Store, id, path string) {
	t.Helper()
	s = open(t, o)
	r := create(t, s)
	attached(t, r, transcript, said)
	done := finished(0)
	record := done.Data.(journal.CallFinished)
	record.Transcript = left().Transcript
	done.Data = record
	_, err := journal.Append(t.Context(), r, done, journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "completed"}})
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return s, r.ID(), filepath.Join(o.Dir, "attachments", r.ID(), transcript)
}

func bothPlaces(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	for _, place := range []string{"own", "shared"} {
		t.Run(place, func(t *testing.T) { t.Run("run", test) })
	}
}

// An attachment is the user's alone, is counted and goes with its run; rewriting leaves it.
func TestAttachmentsLiveWithTheirRun(t *testing.T) {
	bothPlaces(t, func(t *testing.T) {
		o := newOptions(t)
		s, id, path := transcribed(t, o)
		for _, at := range []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(path)} {
			info, err := os.Stat(at)
			require.NoError(t, err)
			require.Equal(t, os.ModeDir|0o700, info.Mode())
		}
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
		require.Empty(t, verified(t, s, id).Remarks)

		with, err := s.Size(id)
		require.NoError(t, err)
		journalAlone := size(t, s.DBPath(id))
		if o.Shared {
			journalAlone = 0
		}
		require.Equal(t, journalAlone+30, with)

		_, err = journal.Compact(t.Context(), s, id)
		require.NoError(t, err)
		require.Equal(t, said, string(readFile(t, path)))
		ids, err := s.IDs(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{id}, ids)
		left, err := s.Leftovers(t.Context())
		require.NoError(t, err)
		require.Empty(t, left)
		verified(t, s, id)

		require.NoError(t, s.Prune(t.Context(), id))
		require.NoDirExists(t, filepath.Dir(path))
	})
}

// What a removal that was cut off leaves of them is found, and removed.
func TestCrashWhileRemovingAttachments(t *testing.T) {
	bothPlaces(t, func(t *testing.T) {
		o := newOptions(t)
		s, id, path := transcribed(t, o)
		folder := filepath.Dir(path)
		elsewhere := filepath.Join(t.TempDir(), "attachments")
		require.NoError(t, os.Rename(folder, elsewhere))
		require.NoError(t, s.Prune(t.Context(), id))
		require.NoError(t, os.Rename(elsewhere, folder)) // what a kill leaves before the last step

		left, err := s.Leftovers(t.Context())
		require.NoError(t, err)
		require.Equal(t, []journal.Leftover{{Run: id, Bytes: 30}}, left)
		removed, err := s.RemoveLeftover(t.Context(), id, false)
		require.NoError(t, err)
		require.Equal(t, left[0], removed)
		require.NoDirExists(t, folder)
		left, err = s.Leftovers(t.Context())
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

// What is there and is another file is remarked on; what is gone is not. Neither is damage.
func TestVerifyRemarksOnAttachments(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, path string)
		want  string
	}{
		"whole":     {func(*testing.T, string) {}, ""},
		"gone":      {func(t *testing.T, path string) { removeFile(t, path) }, ""},
		"all gone":  {func(t *testing.T, path string) { require.NoError(t, os.RemoveAll(filepath.Dir(filepath.Dir(path)))) }, ""},
		"longer":    {func(t *testing.T, path string) { writeFile(t, path, []byte(said+said)) }, "is not what it was"},
		"shorter":   {func(t *testing.T, path string) { writeFile(t, path, nil) }, "is not what it was"},
		"another":   {func(t *testing.T, path string) { writeFile(t, path, []byte(`{"type":"text","text":"none"}`+"\n")) }, "is not what it was"},
		"a folder":  {func(t *testing.T, path string) { removeFile(t, path); require.NoError(t, os.Mkdir(path, 0o700)) }, "folder"},
		"a link":    {linked, "symbolic link"},
		"open dirs": {func(t *testing.T, path string) { require.NoError(t, os.Chmod(filepath.Dir(path), 0o777)) }, "open to other users"},
	} {
		t.Run(name, func(t *testing.T) {
			s, id, path := transcribed(t, newOptions(t))
			c.spoil(t, path)
			report := verified(t, s, id)
			require.True(t, report.Proven)
			if c.want == "" {
				require.Empty(t, report.Remarks)
				return
			}
			require.Len(t, report.Remarks, 1)
			require.Equal(t, uint64(2), report.Remarks[0].Seq)
			require.Contains(t, report.Remarks[0].What, c.want)
		})
	}
}

func linked(t *testing.T, path string) {
	t.Helper()
	target := filepath.Join(t.TempDir(), "target")
	require.NoError(t, os.Rename(path, target))
	require.NoError(t, os.Symlink(target, path))
}

// Nothing is written, read or removed through a link.
func TestS18_AttachmentsThroughALink(t *testing.T) {
	for _, which := range []string{"attachments", "run"} {
		t.Run(which, func(t *testing.T) {
			o := newOptions(t)
			s := open(t, o)
			r := create(t, s)
			folder := filepath.Join(o.Dir, "attachments")
			if which == "run" {
				require.NoError(t, os.Mkdir(folder, 0o700))
				folder = filepath.Join(folder, r.ID())
			}
			target := t.TempDir()
			inside := filepath.Join(target, "kept")
			if which == "attachments" {
				inside = filepath.Join(target, r.ID(), "kept")
				require.NoError(t, os.Mkdir(filepath.Dir(inside), 0o700))
			}
			writeFile(t, inside, []byte("kept"))
			require.NoError(t, os.Symlink(target, folder))
			_, err := r.Attach(transcript)
			require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
			v, err := s.Visit(t.Context(), r.ID())
			require.NoError(t, err)
			_, err = v.Attachment("kept")
			require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
			require.NoError(t, v.Close())
			require.NoError(t, r.Close())
			verified(t, s, r.ID())
			if err := s.Prune(t.Context(), r.ID()); err != nil {
				require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
			}
			require.Equal(t, "kept", string(readFile(t, inside)))
		})
	}
}
