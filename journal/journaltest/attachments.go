package journaltest

import (
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// read gives an attachment as it is now.
func read(t *testing.T, v journal.Visit, name string) string {
	t.Helper()
	file, err := v.Attachment(name)
	require.NoError(t, err)
	defer file.Close()
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	return string(text)
}

func attachmentsKept(t *testing.T, s Store) {
	r, other := create(t, s), create(t, s)
	v := visit(t, s, r.ID())
	_, err := v.Attachment("agent-0-1.ndjson")
	require.ErrorIs(t, err, fs.ErrNotExist)
	w, err := r.Attach("agent-0-1.ndjson")
	require.NoError(t, err)
	_, err = io.WriteString(w, "one\n")
	require.NoError(t, err)
	require.Equal(t, "one\n", read(t, v, "agent-0-1.ndjson"), "readers see it while it is written")
	_, err = io.WriteString(w, "two\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	_, err = visit(t, s, other.ID()).Attachment("agent-0-1.ndjson")
	require.ErrorIs(t, err, fs.ErrNotExist, "it is of one run")

	done := valued(0, `"yes"`)
	record := done.Data.(journal.CallFinished)
	record.Transcript = &journal.Attachment{
		Name: "agent-0-1.ndjson", Size: 8,
		SHA256: "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8",
	}
	done.Data = record
	seq := appended(t, r, done)[0].Seq
	require.NoError(t, r.Close())
	st := visit(t, s, r.ID()).State()
	require.Equal(t, record.Transcript, st.Calls["/agent#0"].Finish.Transcript)
	require.Equal(t, []journal.Attached{{Seq: seq, Attachment: *record.Transcript}}, st.Attachments)
	require.Equal(t, "one\ntwo\n", read(t, visit(t, s, r.ID()), "agent-0-1.ndjson"), "they outlive the owner")

	next, err := take(t, s, r.ID())
	require.NoError(t, err)
	_, err = next.Attach("agent-0-1.ndjson")
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = next.Attach("agent-0-2.ndjson")
	require.NoError(t, err)
}

func attachmentsNamed(t *testing.T, s Store) {
	r := create(t, s)
	v := visit(t, s, r.ID())
	for _, name := range []string{"", ".", "..", "../a", "a/b", `a\b`, "/a", "-a", ".a", "A", "a b", "a\x00", "é"} {
		_, err := r.Attach(name)
		refusedAs(t, fault.TransitionAbsent, err)
		_, err = v.Attachment(name)
		refusedAs(t, fault.TransitionAbsent, err)
	}
	for _, name := range []string{"a", "0", "a.patch", "a_b-c.d.ndjson", strings.Repeat("a", 120)} {
		w, err := r.Attach(name)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		_, err = r.Attach(name)
		require.ErrorIs(t, err, fs.ErrExist)
		require.Empty(t, read(t, v, name))
	}
	require.NoError(t, r.Close())
	_, err := r.Attach("late")
	require.Error(t, err)
}
