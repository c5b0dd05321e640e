package journal_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// The entries are those that were appended, in their order, also while somebody owns the run.
func TestEntries(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := open(t, newOptions(t))
	r := create(t, s)
	appended, err := journal.Append(t.Context(), r, begun(0), ended(0), finished(1))
	require.NoError(t, err)
	all, err := journal.Entries(t.Context(), s, r.ID())
	require.NoError(t, err)
	require.Len(t, all, 4)
	require.Equal(t, journal.KindRunStarted, all[0].Kind)
	require.Equal(t, appended, all[1:])
	other := create(t, s)
	ids, err := s.IDs(t.Context())
	require.NoError(t, err)
	require.ElementsMatch(t, []string{r.ID(), other.ID()}, ids)
	_, err = journal.Entries(t.Context(), s, "01JDZX00000000000000000000")
	require.Equal(t, fault.RunUnknown, fault.CodeOf(err))
	require.NoError(t, r.Close())
	require.NoError(t, other.Close())
	verified(t, s, r.ID())
}
