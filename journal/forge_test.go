package journal_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// rechain appends an entry as somebody does who knows the format, but has not the key. The
// forger's own key seals it.
func rechain(t *testing.T, s *journal.Store, id string, d journal.Draft) {
	t.Helper()
	o := newOptions(t)
	other := open(t, o)
	require.NoError(t, os.WriteFile(other.DBPath(id), readFile(t, s.DBPath(id)), 0o600))
	v := headEntry(t, s.DBPath(id))
	e := journal.Entry{Seq: v.Seq + 1, Prev: v.Hash(), At: v.At, Kind: d.Kind, Key: d.Key, Identity: d.Identity, Data: marshal(t, d.Data)}
	e.Seal = other.ForgeSeal(id, e)
	edit(t, s.DBPath(id), func(entries, info *bolt.Bucket) {
		must(entries.Put(key(e.Seq), e.Bytes()))
		must(info.Put([]byte("head"), append(key(e.Seq), unhex(t, e.Hash())...)))
	})
}

func headEntry(t *testing.T, path string) (last journal.Entry) {
	t.Helper()
	edit(t, path, func(entries, _ *bolt.Bucket) {
		_, stored := entries.Cursor().Last()
		var err error
		last, err = journal.ParseEntry(bytes.Clone(stored))
		must(err)
	})
	return last
}

func TestS01_ForgedApproval(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
	rechain(t, s, r.ID(), answered("g1", "true"))
	refused(t, o, s, r.ID(), fault.JournalForged)
	report, err := journal.Verify(t.Context(), s, r.ID())
	require.NoError(t, err)
	require.Equal(t, uint64(3), report.Problems[0].Seq, "the entry is named")
}

func TestS03_RestoredOlderCopy(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	pending := readFile(t, s.DBPath(r.ID()))
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return []journal.Draft{answered("g1", "false")}, nil })
	require.NoError(t, err)
	require.NoError(t, v.Close())
	newest := readFile(t, s.DBPath(r.ID()))

	writeFile(t, s.DBPath(r.ID()), pending)
	refused(t, o, s, r.ID(), fault.JournalRollback)

	// Without the anchor the copy is readable, but proves nothing.
	slots := readFile(t, s.AnchorPath(r.ID()))
	removeFile(t, s.AnchorPath(r.ID()))
	v, err = s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	require.False(t, v.State().Proven)
	require.Contains(t, v.State().Unproven, "anchor")
	require.NoError(t, v.Close())

	// An anchor whose slots are made up counts as none.
	writeFile(t, s.AnchorPath(r.ID()), bytes.Replace(slots, []byte(" 3 "), []byte(" 2 "), 1))
	v, err = s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	require.NoError(t, v.Close())

	writeFile(t, s.AnchorPath(r.ID()), slots)
	writeFile(t, s.DBPath(r.ID()), newest)
	require.True(t, verified(t, s, r.ID()).Proven)
}

// A journal that was written on from an older copy has another entry where the anchor points.
func TestS03_HistoryThatForks(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, finished(0))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	old := readFile(t, s.DBPath(r.ID()))
	slots := readFile(t, s.AnchorPath(r.ID()))
	grow := func(i int) {
		r, err = s.Take(t.Context(), r.ID(), resume)
		require.NoError(t, err)
		_, err = journal.Append(t.Context(), r, finished(i))
		require.NoError(t, err)
		require.NoError(t, r.Close())
	}
	grow(1)
	newer := readFile(t, s.AnchorPath(r.ID()))
	writeFile(t, s.DBPath(r.ID()), old)
	writeFile(t, s.AnchorPath(r.ID()), slots)
	grow(2)
	grow(3)
	verified(t, s, r.ID())
	writeFile(t, s.AnchorPath(r.ID()), newer)
	refused(t, o, s, r.ID(), fault.JournalForged)
}

func TestS04_CopiedToAnotherRun(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	a, b := create(t, s), create(t, s)
	for _, r := range []journal.Run{a, b} {
		_, err := journal.Append(t.Context(), r, asked("g1", true))
		require.NoError(t, err)
	}
	_, err := journal.Append(t.Context(), a, answered("g1", "true"))
	require.NoError(t, err)
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
	kept := readFile(t, s.DBPath(b.ID()))

	writeFile(t, s.DBPath(b.ID()), readFile(t, s.DBPath(a.ID())))
	refusedOne(t, s, b.ID(), fault.JournalForged)
	// Also with its name changed inside: the chain begins with the run's id.
	edit(t, s.DBPath(b.ID()), func(_, info *bolt.Bucket) { must(info.Put([]byte("run"), []byte(b.ID()))) })
	refusedOne(t, s, b.ID(), fault.JournalForged)

	// Or only the approval, with its seal, appended where it would fit.
	writeFile(t, s.DBPath(b.ID()), kept)
	approval := headEntry(t, s.DBPath(a.ID()))
	last := headEntry(t, s.DBPath(b.ID()))
	moved := approval
	moved.Prev = last.Hash()
	edit(t, s.DBPath(b.ID()), func(entries, info *bolt.Bucket) {
		must(entries.Put(key(moved.Seq), moved.Bytes()))
		must(info.Put([]byte("head"), append(key(moved.Seq), unhex(t, moved.Hash())...)))
	})
	refusedOne(t, s, b.ID(), fault.JournalForged)

	// Another user's store takes neither the file nor its answers.
	other := open(t, newOptions(t))
	writeFile(t, other.DBPath(a.ID()), readFile(t, s.DBPath(a.ID())))
	refusedOne(t, other, a.ID(), fault.JournalForged)
	verified(t, s, a.ID())
}

func refusedOne(t *testing.T, s *journal.Store, id string, code fault.Code) {
	t.Helper()
	_, err := s.Visit(t.Context(), id)
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
	_, err = s.Take(t.Context(), id, resume)
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
}
