package planapprove_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// A plan that was sent back is linked to the one that came instead, at the same place of the
// script or at the next.
func TestHistoryLinksRevisions(t *testing.T) {
	run := newRun(t)
	first := kept(t, run, "a", `{"title":"First"}`)
	require.NoError(t, answerTo(run, first, `"smaller steps"`))
	second := kept(t, run, "b", `{"title":"Second"}`)
	require.NoError(t, answerTo(run, second, "true"))
	third := kept(t, run, "b", `{"title":"Third"}`)
	fourth := kept(t, run, "c", `{"title":"Fourth"}`)
	type row struct{ title, revises, changes string }
	var rows []row
	for _, p := range planapprove.History(run.State()) {
		r := row{title: p.Title, changes: p.Changes}
		if p.Revises != nil {
			r.revises = p.Revises.Asked.Gate
		}
		rows = append(rows, r)
		require.True(t, p.Counts)
	}
	require.Equal(t, []row{
		{"First", "", "smaller steps"},
		{"Second", first.Asked.Gate, ""},
		{"Third", second.Asked.Gate, ""},
		{"Fourth", "", ""}, // the one before it still waits
	}, rows)
	require.Equal(t, journal.Approved, second.State)
	require.Equal(t, journal.Pending, third.State)
	require.Equal(t, journal.Pending, fourth.State)

	run.State().Proven = false
	for _, p := range planapprove.History(run.State()) {
		require.False(t, p.Counts)
	}
}

// Of a document the lines that differ are shown, not two texts on one line each.
func TestLinesOfADocument(t *testing.T) {
	changes, err := planapprove.Drift(`{"markdown":"# A\n\none\ntwo\n","title":"T"}`, `{"markdown":"# A\n\none\n2\n","title":"U"}`)
	require.NoError(t, err)
	require.Equal(t, "~ $.markdown:\n    @@ -1,4 +1,4 @@\n     # A\n     \n     one\n    -two\n    +2\n~ $.title: \"T\" -> \"U\"\n", planapprove.Lines(changes))
	one, err := planapprove.Drift(`{"t":"a"}`, `{"t":"a\nb"}`)
	require.NoError(t, err)
	require.Equal(t, "~ $.t: \"a\" -> \"a\\nb\"\n", planapprove.Lines(one))
}
