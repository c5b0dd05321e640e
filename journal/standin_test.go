package journal_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// A state that is made of another's entries, one by one, is that state; one that is out of its place
// is refused, and changes nothing.
func TestStateFromEntries(t *testing.T) {
	const id = "01KB8ANC3N0000000000000000"
	r := started()
	r.Run = id
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.UTC)
	st := journal.NewState(id)
	entries, err := st.Write([]journal.Draft{
		{Kind: journal.KindRunStarted, Data: r},
		finished(0), asked("g", true),
		{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "stopped"}},
	}, at)
	require.NoError(t, err)
	require.Len(t, entries, 5, "with the closing of the gate")
	require.Equal(t, "2026-01-02T03:04:05.678Z", entries[0].At.Format(time.RFC3339Nano))
	require.Empty(t, entries[4].Seal)

	again := journal.NewState(id)
	require.Equal(t, fault.JournalDamaged, fault.CodeOf(again.Apply(entries[1])))
	for i, e := range entries {
		require.NoError(t, again.Apply(e))
		require.Equal(t, uint64(i+1), again.Head)
		require.Equal(t, fault.JournalDamaged, fault.CodeOf(again.Apply(e)), "twice")
	}
	require.Equal(t, st, again)
	require.False(t, again.Proven, "that is for the keeper to say")

	other := journal.NewState("01KB8ANC3N0000000000000001")
	require.Equal(t, fault.JournalDamaged, fault.CodeOf(other.Apply(entries[0])), "another run's")
	require.Equal(t, fault.RunFinished, fault.CodeOf(st.MayOwn(1)))
	require.Equal(t, fault.LeaseLost, fault.CodeOf(st.MayOwn(2)))
	require.NoError(t, st.MayTake())
}
