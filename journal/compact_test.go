package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// large is a call with an answer of n bytes.
func large(i, n int) journal.Draft {
	d := finished(i)
	d.Data = journal.CallFinished{
		Call:  &journal.Call{Name: "agent", Args: []json.RawMessage{json.RawMessage(`"x"`)}, After: 1, ReadOnly: true},
		Value: json.RawMessage(`"` + strings.Repeat("a", n) + `"`),
	}
	return d
}

// grown is a run whose file has many pages that nothing uses any more.
func grown(t *testing.T, s *journal.Store) string {
	t.Helper()
	r := create(t, s)
	for i := range 60 {
		_, err := journal.Append(t.Context(), r, large(i, 3000))
		require.NoError(t, err)
	}
	_, err := journal.Append(t.Context(), r, asked("g", true), answered("g", "true"))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return r.ID()
}

// The space of a result of 64 MiB comes back: by compaction what was only in the way, by pruning
// all of it.
func TestB31_SpaceComesBack(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	for i := range 20 {
		_, err := journal.Append(t.Context(), r, finished(i))
		require.NoError(t, err)
	}
	_, err := journal.Append(t.Context(), r, large(99, 64<<20))
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), r, finished(100))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	c, err := journal.Compact(t.Context(), s, r.ID())
	require.NoError(t, err)
	require.Equal(t, size(t, s.DBPath(r.ID())), c.After)
	require.LessOrEqual(t, c.After, c.Before)
	require.Less(t, c.After, int64(65<<20))
	verified(t, s, r.ID())
	require.NoError(t, s.Prune(t.Context(), r.ID()))
	require.Empty(t, filesBelow(t, o.Dir))
}

func TestCompact(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	id := grown(t, s)
	text, slots := exported(t, s, id), readFile(t, s.AnchorPath(id))
	v, err := s.Visit(t.Context(), id) // somebody has it open meanwhile
	require.NoError(t, err)
	before := size(t, s.DBPath(id))
	c, err := journal.Compact(t.Context(), s, id)
	require.NoError(t, err)
	require.Equal(t, before, c.Before)
	require.Less(t, c.After, c.Before)
	require.Equal(t, c.After, size(t, s.DBPath(id)))
	require.Equal(t, text, exported(t, s, id))
	require.Equal(t, slots, readFile(t, s.AnchorPath(id)))
	require.True(t, verified(t, s, id).Proven)

	// What is written then is seen by who had the run open before, and by who writes.
	r, err := s.Take(t.Context(), id, resume)
	require.NoError(t, err)
	for i := range 3 {
		_, err = journal.Append(t.Context(), r, finished(200+i))
		require.NoError(t, err)
	}
	require.NoError(t, r.Close())
	news, err := v.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 4)
	require.NoError(t, v.Close())
	verified(t, s, id)

	_, err = journal.Compact(t.Context(), s, id)
	require.NoError(t, err)
	again, err := journal.Compact(t.Context(), s, id)
	require.NoError(t, err)
	require.Equal(t, again.Before, again.After, "there is nothing more to gain")
	require.NoFileExists(t, strings.TrimSuffix(s.DBPath(id), ".db")+".new")
	verified(t, s, id)
}

func TestCompactAnImportedRun(t *testing.T) {
	_, bob, _, id := imported(t)
	r, err := bob.Take(t.Context(), id, resume)
	require.NoError(t, err)
	for i := range 40 {
		_, err = journal.Append(t.Context(), r, large(i, 3000))
		require.NoError(t, err)
	}
	require.NoError(t, r.Close())
	text := exported(t, bob, id)
	c, err := journal.Compact(t.Context(), bob, id)
	require.NoError(t, err)
	require.Less(t, c.After, c.Before)
	require.Equal(t, text, exported(t, bob, id))
	require.True(t, verified(t, bob, id).Proven)
}

func TestCompactRefuses(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	_, err := journal.Compact(t.Context(), s, "01KB90YA7A40GJ48S44MK2EA19")
	require.Equal(t, fault.RunUnknown, fault.CodeOf(err), "%v", err)
	r := create(t, s)
	_, err = journal.Compact(t.Context(), s, r.ID())
	require.Equal(t, fault.RunBusy, fault.CodeOf(err), "%v", err)
	require.NoError(t, r.Close())
	data := readFile(t, s.DBPath(r.ID()))
	writeFile(t, s.DBPath(r.ID()), bytes.Replace(data, []byte("a run"), []byte("a ruN"), 1))
	_, err = journal.Compact(t.Context(), s, r.ID())
	require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
	writeFile(t, s.DBPath(r.ID()), data)
	verified(t, s, r.ID())
}

// Cut off anywhere, compaction leaves the old file or the new one, with the same entries.
func TestCrashWhileCompacting(t *testing.T) {
	for _, point := range []string{"rewrite.name", "rewrite.named"} {
		t.Run(point, func(t *testing.T) {
			o := newOptions(t)
			s := open(t, o)
			id := grown(t, s)
			text := exported(t, s, id)
			var killed journal.Options
			journal.SetFail(s, func(at string) error {
				if at == point {
					killed = copied(t, o)
					return errors.New("the disk says no")
				}
				return nil
			})
			_, err := journal.Compact(t.Context(), s, id)
			require.Error(t, err)
			journal.SetFail(s, nil)
			for _, s := range []*journal.Store{s, open(t, killed)} {
				require.Equal(t, text, exported(t, s, id))
				require.True(t, verified(t, s, id).Proven)
				_, err = journal.Compact(t.Context(), s, id)
				require.NoError(t, err)
				require.Equal(t, text, exported(t, s, id))
				left, err := s.Leftovers(t.Context())
				require.NoError(t, err)
				require.Empty(t, left)
				verified(t, s, id)
			}
		})
	}
}

func TestLeftovers(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	points := map[string]journal.Options{}
	journal.SetFail(s, func(at string) error { points[at] = copied(t, o); return nil })
	r := create(t, s) // what a kill would leave at each point
	require.NoError(t, r.Close())
	journal.SetFail(s, nil)
	id := r.ID()
	for _, point := range []string{"create.anchor", "create.name"} {
		t.Run(point, func(t *testing.T) {
			o := points[point]
			dead := open(t, o)
			left, err := dead.Leftovers(t.Context())
			require.NoError(t, err)
			require.Len(t, left, 1)
			require.Equal(t, id, left[0].Run)
			require.Positive(t, left[0].Bytes)
			require.Zero(t, left[0].Anchor)
			removed, err := dead.RemoveLeftover(t.Context(), id, false)
			require.NoError(t, err)
			require.Equal(t, left[0], removed)
			require.Empty(t, filesBelow(t, o.Dir))
			require.NoFileExists(t, dead.AnchorPath(id))
			removed, err = dead.RemoveLeftover(t.Context(), id, true)
			require.NoError(t, err)
			require.Empty(t, removed.Run)
			require.Empty(t, filesBelow(t, o.Dir), "looking leaves nothing")
		})
	}
	left, err := s.Leftovers(t.Context())
	require.NoError(t, err)
	require.Empty(t, left, "a run that is whole has none")
	removed, err := s.RemoveLeftover(t.Context(), id, true)
	require.NoError(t, err)
	require.Empty(t, removed.Run)
	verified(t, s, id)

	// A rewriting that was cut off.
	rewriting := strings.TrimSuffix(s.DBPath(id), ".db") + ".new"
	writeFile(t, rewriting, []byte("half"))
	left, err = s.Leftovers(t.Context())
	require.NoError(t, err)
	require.Equal(t, []journal.Leftover{{Run: id, Rewritten: true, Bytes: 4}}, left)
	_, err = s.RemoveLeftover(t.Context(), id, false)
	require.NoError(t, err)
	require.NoFileExists(t, rewriting)
	verified(t, s, id)
}

// While a run is being made, nothing of it is a leftover; nor is the anchor of a journal that is
// gone, unless somebody says so.
func TestLeftoversOfTheLiving(t *testing.T) {
	o := newOptions(t)
	s, other := open(t, o), open(t, o)
	looked := 0
	journal.SetFail(s, func(at string) error {
		looked++
		left, err := other.Leftovers(t.Context())
		require.NoError(t, err)
		require.Empty(t, left, at)
		for path := range filesBelow(t, o.Dir) {
			if strings.HasSuffix(path, ".lease") {
				_, err = other.RemoveLeftover(t.Context(), strings.TrimSuffix(path[len(path)-32:], ".lease"), true)
				require.Equal(t, fault.RunBusy, fault.CodeOf(err), "%v", err)
			}
		}
		return nil
	})
	r := create(t, s)
	journal.SetFail(s, nil)
	require.Positive(t, looked)
	_, err := journal.Append(t.Context(), r, asked("g", true), answered("g", "true"))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	verified(t, s, r.ID())

	data := readFile(t, s.DBPath(r.ID()))
	removeFile(t, s.DBPath(r.ID()))
	left, err := s.Leftovers(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(3), left[0].Anchor)
	removed, err := s.RemoveLeftover(t.Context(), r.ID(), false)
	require.NoError(t, err)
	require.Empty(t, removed.Run)
	writeFile(t, s.DBPath(r.ID()), data)
	require.True(t, verified(t, s, r.ID()).Proven, "the copy came back, and is what it was")
	removeFile(t, s.DBPath(r.ID()))
	_, err = s.RemoveLeftover(t.Context(), r.ID(), true)
	require.NoError(t, err)
	_, err = os.Stat(s.AnchorPath(r.ID()))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// In the file that runs share, compaction is of all of them, and nobody loses an entry by it.
func TestCompactTheSharedFile(t *testing.T) {
	o := newOptions(t)
	o.Shared = true
	s := open(t, o)
	gone, id := grown(t, s), grown(t, s)
	other := create(t, s) // is at work meanwhile
	text := exported(t, s, id)
	left, err := s.Leftovers(t.Context())
	require.NoError(t, err)
	require.Empty(t, left, "runs without files of their own are none")
	require.NoError(t, s.Prune(t.Context(), gone))

	// Whoever executes a run of the file would be kept from it for too long.
	_, err = journal.Compact(t.Context(), s, id)
	require.Equal(t, fault.RunBusy, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, other.ID())
	_, err = journal.Append(t.Context(), other, finished(0))
	require.NoError(t, err)
	require.NoError(t, other.Close())

	// Nor does anybody begin meanwhile.
	second, begun := open(t, o), 0
	journal.SetFail(s, func(point string) error {
		if point == "rewrite.name" {
			begun++
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := second.Take(ctx, other.ID(), resume)
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		return nil
	})
	c, err := journal.Compact(t.Context(), s, id)
	require.NoError(t, err)
	journal.SetFail(s, nil)
	require.Equal(t, 1, begun)
	other, err = s.Take(t.Context(), other.ID(), resume)
	require.NoError(t, err)
	require.Less(t, c.After, c.Before)
	require.Equal(t, text, exported(t, s, id))
	_, err = journal.Append(t.Context(), other, finished(1))
	require.NoError(t, err)
	v, err := open(t, o).Visit(t.Context(), other.ID())
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), other, finished(2))
	require.NoError(t, err)
	require.NoError(t, other.Close())
	news, err := v.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	require.NoError(t, v.Close())
	_, err = importInto(t, s, text, nil)
	require.Equal(t, fault.RunExists, fault.CodeOf(err), "%v", err)
	for _, run := range []string{id, other.ID()} {
		require.True(t, verified(t, s, run).Proven)
	}
}
