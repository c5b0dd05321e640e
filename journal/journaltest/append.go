package journaltest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func newRun(t *testing.T, s Store) {
	r := create(t, s)
	st := r.State()
	require.Len(t, r.ID(), 26, "a ULID")
	require.Equal(t, r.ID(), st.ID)
	require.Equal(t, r.ID(), st.Started.Run)
	require.Len(t, st.Started.Seed, 64, "32 bytes in hex")
	require.Equal(t, "null", string(st.Started.Args))
	require.NotEmpty(t, st.Started.Version)
	require.NotZero(t, st.Started.Owner)
	require.Equal(t, uint64(1), st.Head)
	require.Len(t, st.Attempts, 1)
	require.True(t, st.Proven, "what nobody vouches for counts for nothing")
	require.NotEqual(t, create(t, s).ID(), r.ID())
	step := r.Step("/agent#0")
	require.Equal(t, r.ID(), step.RunID())
	require.Equal(t, "/agent#0", step.Key())
	step.Process(0, 0)()
}

func unknownRun(t *testing.T, s Store) {
	create(t, s)
	for _, id := range []string{"01KB8ANC3N0000000000000000", "", "../../x"} {
		_, err := s.Visit(t.Context(), id)
		refusedAs(t, fault.RunUnknown, err)
		_, err = take(t, s, id)
		refusedAs(t, fault.RunUnknown, err)
	}
}

func entriesFollow(t *testing.T, s Store) {
	r := create(t, s)
	before := r.State().HeadHash
	entries := append(appended(t, r, finished(0), finished(1)), appended(t, r, finished(2))...)
	require.Len(t, entries, 3)
	for i, e := range entries {
		require.Equal(t, uint64(i+2), e.Seq)
		require.Equal(t, before, e.Prev)
		before = e.Hash()
		require.Equal(t, e.At.UTC().Truncate(time.Millisecond), e.At)
		require.Equal(t, journal.KindCallFinished, e.Kind)
		require.Equal(t, identity, e.Identity)
	}
	require.Equal(t, uint64(4), r.State().Head)
	require.Equal(t, before, r.State().HeadHash)
	require.Equal(t, journal.Usage{Input: 20, Output: 2}, r.State().UsageAt(3))
}

func valuesKeepTheirText(t *testing.T, s Store) {
	r := create(t, s)
	const value = "{\"z\":1e2,\"a\":{\"10\":\"<&>\u2028\\u0041\",\"9\":[]},\"n\":12345678901234567890}"
	d := valued(0, value)
	d.Key = "/dag#0[\"a\\b\n\x01é😀]/agent#0"
	appended(t, r, d)
	require.Equal(t, value, string(visit(t, s, r.ID()).State().Calls[d.Key].Finish.Value))
}

func largeValue(t *testing.T, s Store) {
	r := create(t, s)
	value := `"` + strings.Repeat("x", 8<<20) + `"`
	appended(t, r, valued(0, value), finished(1))
	st := visit(t, s, r.ID()).State()
	require.Equal(t, value, string(st.Calls["/agent#0"].Finish.Value))
	require.Equal(t, uint64(3), st.Head)
}

func runAndVisitAgree(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, begun(0), finished(1), asked("g", true))
	appended(t, r, journal.Draft{Kind: journal.KindNote, Data: journal.Note{Type: "log", Text: "x", After: 1}})
	v := visit(t, s, r.ID())
	require.Equal(t, r.ID(), v.ID())
	require.Equal(t, r.State(), v.State())
	_, err := v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{answered(answer("g", "true"))}, nil
	})
	require.NoError(t, err)
	_, err = r.Sync(t.Context())
	require.NoError(t, err)
	require.Equal(t, v.State(), r.State())
	require.Equal(t, v.State(), visit(t, s, r.ID()).State(), "read from the first entry on")
}

func refusedUpdate(t *testing.T, s Store) {
	r := create(t, s)
	no := errors.New("no")
	for _, drafts := range [][]journal.Draft{nil, {finished(0)}} {
		entries, err := r.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return drafts, no })
		require.ErrorIs(t, err, no)
		require.Empty(t, entries)
	}
	entries, err := r.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return nil, nil })
	require.NoError(t, err)
	require.Empty(t, entries)
	nothingHappened(t, s, r)
}

func impossibleDraft(t *testing.T, s Store) {
	r := create(t, s)
	for _, d := range []journal.Draft{
		closed("none", journal.Expired),
		{Kind: journal.KindCallFinished, Key: "/agent#9", Data: journal.CallFinished{}},
		{Kind: journal.KindRunImported, Data: journal.RunImported{}},
		{Kind: journal.KindRunStarted, Data: started()},
	} {
		_, err := journal.Append(t.Context(), r, finished(0), d)
		refusedAs(t, fault.TransitionAbsent, err)
		nothingHappened(t, s, r)
	}
	_, err := journal.Append(t.Context(), r, finished(0), journal.Draft{Kind: "gate.vote", Data: journal.Note{}})
	require.Error(t, err)
	nothingHappened(t, s, r)
	require.Equal(t, uint64(2), appended(t, r, finished(0))[0].Seq, "and the run goes on")
}

func nothingHappened(t *testing.T, s Store, r journal.Run) {
	t.Helper()
	require.Equal(t, uint64(1), r.State().Head)
	require.Empty(t, r.State().Calls)
	require.Equal(t, r.State(), visit(t, s, r.ID()).State())
}

func panicLeavesNothing(t *testing.T, s Store) {
	r := create(t, s)
	require.PanicsWithValue(t, "oh", func() {
		_, _ = r.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { panic("oh") })
	})
	nothingHappened(t, s, r)
	require.Equal(t, uint64(2), appended(t, r, finished(0))[0].Seq)
}

func endedContext(t *testing.T, s Store) {
	r := create(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	head := uint64(1)
	if _, err := journal.Append(ctx, r, finished(0)); err == nil {
		head++
	}
	require.Equal(t, head, visit(t, s, r.ID()).State().Head)
	require.Equal(t, head+1, appended(t, r, finished(1))[0].Seq)
}

func closeTwice(t *testing.T, s Store) {
	r := create(t, s)
	v := visit(t, s, r.ID())
	for range 2 {
		require.NoError(t, r.Close())
		require.NoError(t, v.Close())
	}
	_, err := journal.Append(t.Context(), r, finished(0))
	require.Error(t, err)
	_, err = r.Sync(t.Context())
	require.Error(t, err)
	require.Equal(t, uint64(1), r.State().Head)
}
