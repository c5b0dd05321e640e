package journal_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func TestFindAndList(t *testing.T) {
	o := newOptions(t)
	random := make([]byte, 1<<12)
	for i := range random {
		random[i] = byte(i)
	}
	o.Random = bytes.NewReader(random)
	o.Now = func() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC) }
	s := open(t, o)
	a, b := create(t, s), create(t, s)
	require.NotEqual(t, a.ID(), b.ID())
	found, err := s.Find(t.Context(), strings.ToLower(a.ID()))
	require.NoError(t, err)
	require.Equal(t, a.ID(), found)
	_, err = s.Find(t.Context(), a.ID()[:8])
	require.Equal(t, fault.RunAmbiguous, fault.CodeOf(err))
	require.ErrorContains(t, err, b.ID())
	for _, none := range []string{"", "01K", "zzzz", "../../etc/passwd"} {
		_, err = s.Find(t.Context(), none)
		require.Equal(t, fault.RunUnknown, fault.CodeOf(err), none)
	}
	_, err = journal.Append(t.Context(), a, asked("g1", true))
	require.NoError(t, err)
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
	writeFile(t, s.DBPath(b.ID()), []byte("no journal"))
	rows, err := s.List(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for _, row := range rows {
		if row.ID == b.ID() {
			require.Equal(t, fault.NotAJournal, fault.CodeOf(row.Err))
			continue
		}
		require.NoError(t, row.Err)
		require.Equal(t, "waiting", row.State)
		require.Equal(t, "g1", row.Waiting[0].Asked.Gate)
		require.False(t, row.Owned)
	}
	verified(t, s, a.ID())
}

func TestB31_PruneGivesTheSpaceBack(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	big := finished(0)
	f := big.Data.(journal.CallFinished)
	f.Value = json.RawMessage(`"` + strings.Repeat("x", 64<<20) + `"`)
	big.Data = f
	_, err := journal.Append(t.Context(), r, big, asked("g1", true))
	require.NoError(t, err)
	require.Equal(t, fault.RunBusy, fault.CodeOf(s.Prune(t.Context(), r.ID())))
	require.NoError(t, r.Close())
	require.Equal(t, fault.RunWaiting, fault.CodeOf(s.Prune(t.Context(), r.ID())))
	verified(t, s, r.ID())

	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	require.Len(t, v.State().Calls["/agent#0"].Finish.Value, 64<<20+2)
	_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{answered("g1", "false")}, nil
	})
	require.NoError(t, err)
	require.NoError(t, v.Close())
	require.NoError(t, s.Prune(t.Context(), r.ID()))
	require.Empty(t, filesBelow(t, o.Dir))
	_, err = s.Visit(t.Context(), r.ID())
	require.Equal(t, fault.RunUnknown, fault.CodeOf(err))
}

func TestB31_Limits(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	long := finished(0)
	long.Key = "/checkpoint#" + strings.Repeat("k", 40000)
	_, err := journal.Append(t.Context(), r, long)
	require.NoError(t, err, "a key is no key of the database")
	huge := finished(1)
	f := huge.Data.(journal.CallFinished)
	f.Value = json.RawMessage(`"` + strings.Repeat("x", 161<<20) + `"`)
	huge.Data = f
	_, err = journal.Append(t.Context(), r, huge)
	require.Equal(t, fault.EntryTooLarge, fault.CodeOf(err))
	require.NoError(t, r.Close())
	require.Equal(t, 2, verified(t, s, r.ID()).Entries)
}
