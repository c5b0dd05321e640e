package journal_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// decided is a run with an approval, a rejection, an answered question and a pending one.
func decided(t *testing.T, s *journal.Store) string {
	t.Helper()
	first := started()
	first.Workspace = "/there"
	r, err := s.Create(t.Context(), first)
	require.NoError(t, err)
	question := journal.Draft{Kind: journal.KindGateAsked, Key: "/checkpoint#0", Identity: identity, Data: journal.GateAsked{
		Gate: "q", Nonce: nonce, Kind: "input", Prompt: "Which?", Checksum: identity, Program: programHash, After: 1, Suspended: true,
	}}
	answer := journal.Draft{Kind: journal.KindGateAnswered, Key: "/checkpoint#0", Identity: identity, Data: journal.GateAnswered{
		Gate: "q", Nonce: nonce, Checksum: identity, Program: programHash, Decision: json.RawMessage(`"this"`),
		Who: journal.Who{User: "ann", Host: "here", Way: "command"},
	}}
	for _, d := range []journal.Draft{
		asked("yes", true), answered("yes", "true"), asked("no", true), answered("no", "false"), question, answer,
		finished(0), asked("open", true),
	} {
		_, err := journal.Append(t.Context(), r, d)
		require.NoError(t, err)
	}
	require.NoError(t, r.Close())
	return r.ID()
}

func exported(t *testing.T, s *journal.Store, id string) string {
	t.Helper()
	var export bytes.Buffer
	require.NoError(t, journal.Export(t.Context(), s, id, &export))
	return export.String()
}

func importInto(t *testing.T, s *journal.Store, text string, key ed25519.PublicKey) (string, error) {
	t.Helper()
	done, err := journal.Import(t.Context(), s, strings.NewReader(text), journal.ImportOptions{Key: key, Workspace: "/here"})
	return done.ID, err
}

// stateOf is a run as a visitor sees it.
func stateOf(t *testing.T, s *journal.Store, id string) *journal.State {
	t.Helper()
	v, err := s.Visit(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, v.Close())
	return v.State()
}

// noRun checks that a refused import left nothing of a run.
func noRun(t *testing.T, o journal.Options) {
	t.Helper()
	for _, dir := range []string{"runs", "locks"} {
		left, err := os.ReadDir(filepath.Join(o.Dir, dir))
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

func TestImportFromAnotherUser(t *testing.T) {
	ann, bob := open(t, newOptions(t)), open(t, newOptions(t))
	id := decided(t, ann)
	text := exported(t, ann, id)
	got, err := importInto(t, bob, text, ann.PublicKey())
	require.NoError(t, err)
	require.Equal(t, id, got)

	report := verified(t, bob, id)
	require.True(t, report.Proven)
	require.Equal(t, hex.EncodeToString(ann.PublicKey()), report.Imported.Key)
	require.Equal(t, uint64(10), report.ImportedSeq)
	after := exported(t, bob, id)
	require.True(t, strings.HasPrefix(after, text), "the entries stay as they were")
	require.Equal(t, 10, strings.Count(after, "\n"))

	st := stateOf(t, bob, id)
	require.Equal(t, "/here", st.Workspace)
	require.Equal(t, "/there", st.Started.Workspace)
	require.Equal(t, journal.Lapsed, st.Gates["yes"].State)
	require.Equal(t, journal.Rejected, st.Gates["no"].State)
	require.Equal(t, journal.Answered, st.Gates["q"].State)
	require.Equal(t, journal.Pending, st.Gates["open"].State)

	// It goes on: an answer, another attempt, a second process.
	v, err := bob.Visit(t.Context(), id)
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), v, answered("open", "true"))
	require.NoError(t, err)
	require.NoError(t, v.Close())
	r, err := bob.Take(t.Context(), id, resume)
	require.NoError(t, err)
	require.Equal(t, journal.Approved, r.State().Gates["open"].State)
	_, err = journal.Append(t.Context(), r, finished(1))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	verified(t, bob, id)
	verified(t, ann, id)
}

// An import vouches for the one before it, and only the last importer's key proves anything.
func TestImportOfAnImport(t *testing.T) {
	ann, bob, eve := open(t, newOptions(t)), open(t, newOptions(t)), open(t, newOptions(t))
	id := decided(t, ann)
	_, err := importInto(t, bob, exported(t, ann, id), ann.PublicKey())
	require.NoError(t, err)
	v, err := bob.Visit(t.Context(), id)
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), v, answered("open", "true"))
	require.NoError(t, err)
	require.NoError(t, v.Close())
	text := exported(t, bob, id)

	report, err := journal.VerifyExport(strings.NewReader(text), bob.PublicKey())
	require.NoError(t, err)
	require.True(t, report.OK, "%v", report.Problems)
	report, err = journal.VerifyExport(strings.NewReader(text), ann.PublicKey())
	require.NoError(t, err)
	require.False(t, report.OK)
	_, err = importInto(t, eve, text, ann.PublicKey())
	require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)

	_, err = importInto(t, eve, text, bob.PublicKey())
	require.NoError(t, err)
	verified(t, eve, id)
	st := stateOf(t, eve, id)
	require.Equal(t, journal.Lapsed, st.Gates["open"].State)
	require.Equal(t, uint64(12), st.ImportedSeq)

	// And back to where it came from, where an anchor knows better than the first part alone.
	require.NoError(t, os.Remove(ann.DBPath(id)))
	_, err = importInto(t, ann, exported(t, eve, id), eve.PublicKey())
	require.NoError(t, err)
	require.True(t, verified(t, ann, id).Proven)
	require.Equal(t, uint64(13), stateOf(t, ann, id).ImportedSeq)
}

// Whether a run came back is not to be seen from its last entry: that may be an import by this very
// process, which was exported and came back in its turn.
func TestImportSaysWhatItDid(t *testing.T) {
	ann, bob := open(t, newOptions(t)), open(t, newOptions(t))
	id := decided(t, ann)
	done, err := journal.Import(t.Context(), bob, strings.NewReader(exported(t, ann, id)), journal.ImportOptions{Key: ann.PublicKey()})
	require.NoError(t, err)
	require.Equal(t, journal.Imported{ID: id}, done)
	own := exported(t, bob, id)
	removeFile(t, bob.DBPath(id))
	done, err = journal.Import(t.Context(), bob, strings.NewReader(own), journal.ImportOptions{})
	require.NoError(t, err)
	require.Equal(t, journal.Imported{ID: id, Restored: true}, done)
	require.Equal(t, own, exported(t, bob, id))
	verified(t, bob, id)
}

// The user's own newest export gives back what was lost, with its approvals.
func TestImportRestores(t *testing.T) {
	s := open(t, newOptions(t))
	id := decided(t, s)
	text := exported(t, s, id)
	removeFile(t, s.DBPath(id))
	done, err := journal.Import(t.Context(), s, strings.NewReader(text), journal.ImportOptions{})
	require.NoError(t, err)
	require.Equal(t, journal.Imported{ID: id, Restored: true}, done)
	require.Equal(t, text, exported(t, s, id))
	require.True(t, verified(t, s, id).Proven)
	st := stateOf(t, s, id)
	require.Equal(t, journal.Approved, st.Gates["yes"].State)
	require.Nil(t, st.Imported)
	require.Equal(t, "/there", st.Workspace)

	_, err = importInto(t, s, text, nil)
	require.Equal(t, fault.RunExists, fault.CodeOf(err), "%v", err)
}

func TestImportOfWhatWasImportedHereRestores(t *testing.T) {
	ann, bob := open(t, newOptions(t)), open(t, newOptions(t))
	id := decided(t, ann)
	_, err := importInto(t, bob, exported(t, ann, id), ann.PublicKey())
	require.NoError(t, err)
	text := exported(t, bob, id)
	removeFile(t, bob.DBPath(id))
	_, err = importInto(t, bob, exported(t, ann, id), ann.PublicKey())
	require.Equal(t, fault.JournalRollback, fault.CodeOf(err), "%v", err)
	_, err = importInto(t, bob, text, nil)
	require.NoError(t, err)
	require.Equal(t, text, exported(t, bob, id))
	require.True(t, verified(t, bob, id).Proven)
}

func TestS03_ImportOfAnOlderExport(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	id := decided(t, s)
	older := exported(t, s, id)
	v, err := s.Visit(t.Context(), id)
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), v, answered("open", "false"))
	require.NoError(t, err)
	require.NoError(t, v.Close())
	slots := readFile(t, s.AnchorPath(id))
	for _, path := range []string{s.DBPath(id), s.LockPath(id), s.LeasePath(id)} {
		removeFile(t, path)
	}
	_, err = importInto(t, s, older, nil)
	require.Equal(t, fault.JournalRollback, fault.CodeOf(err), "%v", err)
	noRun(t, o)
	require.Equal(t, slots, readFile(t, s.AnchorPath(id)), "the anchor stays")

	// Without the anchor it is not known what came later: nothing approved stands any more.
	removeFile(t, s.AnchorPath(id))
	_, err = importInto(t, s, older, nil)
	require.NoError(t, err)
	require.True(t, verified(t, s, id).Proven)
	require.Equal(t, journal.Lapsed, stateOf(t, s, id).Gates["yes"].State)
}

// An anchor that says nothing is replaced; one that contradicts is believed.
func TestImportAgainstTheAnchor(t *testing.T) {
	ann, o := open(t, newOptions(t)), newOptions(t)
	bob := open(t, o)
	id := decided(t, ann)
	text := exported(t, ann, id)
	writeFile(t, bob.AnchorPath(id), bytes.Repeat([]byte(" "), 512))
	_, err := importInto(t, bob, text, ann.PublicKey())
	require.NoError(t, err)
	require.True(t, verified(t, bob, id).Proven)

	// Ann's run went another way meanwhile, from entry 9 on; an export of that contradicts.
	other := strings.Join(strings.SplitAfter(text, "\n")[:8], "")
	carl := open(t, newOptions(t))
	_, err = importInto(t, carl, other, ann.PublicKey())
	require.NoError(t, err)
	for _, path := range []string{bob.DBPath(id), bob.LockPath(id), bob.LeasePath(id)} {
		removeFile(t, path)
	}
	v, err := carl.Visit(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, v.Close())
	r, err := carl.Take(t.Context(), id, resume)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	_, err = importInto(t, bob, exported(t, carl, id), carl.PublicKey())
	require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
	noRun(t, o)
}

// The run goes on where it was when the anchor is behind: what came after it nobody vouches for.
func TestImportBehindTheAnchor(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g", true), answered("g", "true"))
	require.NoError(t, err)
	slots := readFile(t, s.AnchorPath(r.ID()))
	_, err = journal.Append(t.Context(), r, finished(1))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	text := exported(t, s, r.ID())
	removeFile(t, s.DBPath(r.ID()))
	writeFile(t, s.AnchorPath(r.ID()), slots)
	_, err = importInto(t, s, text, nil)
	require.NoError(t, err)
	require.True(t, verified(t, s, r.ID()).Proven)
	require.Equal(t, journal.Lapsed, stateOf(t, s, r.ID()).Gates["g"].State)
}

func TestImportChecksEverythingFirst(t *testing.T) {
	ann, o := open(t, newOptions(t)), newOptions(t)
	bob := open(t, o)
	id := decided(t, ann)
	text := exported(t, ann, id)
	lines := strings.SplitAfter(text, "\n")
	last, err := journal.ParseEntry([]byte(strings.TrimSuffix(lines[len(lines)-2], "\n")))
	require.NoError(t, err)
	// planted is text with a run.imported behind it that vouches for a stranger's key.
	planted := func(seal func(string, journal.Entry) string, key ed25519.PublicKey) string {
		e := journal.Entry{
			Seq: last.Seq + 1, Prev: last.Hash(), At: last.At, Kind: journal.KindRunImported,
			Data: marshal(t, journal.RunImported{Key: hex.EncodeToString(key), Workspace: "/here", Version: "test"}),
		}
		e.Seal = seal(id, e)
		return text + string(e.Bytes()) + "\n"
	}
	eve := open(t, newOptions(t))
	for name, c := range map[string]struct {
		text string
		key  ed25519.PublicKey
		code fault.Code
	}{
		"own key":              {text, nil, fault.JournalForged},
		"wrong key":            {text, eve.PublicKey(), fault.JournalForged},
		"decision changed":     {strings.Replace(text, `"decision":false`, `"decision":true`, 1), ann.PublicKey(), fault.JournalForged},
		"entry left out":       {strings.Join(append(append([]string{}, lines[:3]...), lines[4:]...), ""), ann.PublicKey(), fault.JournalDamaged},
		"empty":                {"", ann.PublicKey(), fault.JournalDamaged},
		"empty lines":          {strings.Repeat("\n", 1<<16), ann.PublicKey(), fault.JournalDamaged},
		"no newline":           {strings.Repeat("x", 1<<16), ann.PublicKey(), fault.JournalDamaged},
		"line behind":          {text + "\n", ann.PublicKey(), fault.JournalDamaged},
		"other run's id":       {strings.Replace(text, id, "01KB90YA7A40GJ48S44MK2EA19", 1), ann.PublicKey(), fault.JournalForged},
		"path for an id":       {strings.Replace(text, id, "../../../../../../../tmp/a", 1), ann.PublicKey(), fault.JournalForged},
		"eve vouches":          {planted(eve.ForgeSeal, ann.PublicKey()), ann.PublicKey(), fault.JournalForged},
		"eve vouches for eve":  {planted(eve.ForgeSeal, eve.PublicKey()), eve.PublicKey(), fault.JournalForged},
		"ann's seal, eve's":    {planted(ann.ForgeSeal, eve.PublicKey()), ann.PublicKey(), fault.JournalForged},
		"no key":               {planted(ann.ForgeSeal, nil), ann.PublicKey(), fault.JournalForged},
		"half a key":           {planted(ann.ForgeSeal, ann.PublicKey()[:16]), ann.PublicKey(), fault.JournalForged},
		"imported as the head": {strings.Replace(lines[0], `"kind":"run.started"`, `"kind":"run.imported"`, 1), ann.PublicKey(), fault.JournalDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := importInto(t, bob, c.text, c.key)
			require.Equal(t, c.code, fault.CodeOf(err), "%v", err)
			noRun(t, o)
			require.NoFileExists(t, bob.AnchorPath(id))
		})
	}
	_, err = journal.Import(t.Context(), bob, strings.NewReader(text), journal.ImportOptions{Key: []byte("short")})
	require.Error(t, err)

	// Ann's own word for an import of Ann's entries is good, for whoever trusts Ann.
	_, err = importInto(t, bob, planted(ann.ForgeSeal, ann.PublicKey()), ann.PublicKey())
	require.NoError(t, err)
	verified(t, bob, id)
}

func TestOnlyAnImportWritesRunImported(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	imported := journal.Draft{Kind: journal.KindRunImported, Data: journal.RunImported{Key: hex.EncodeToString(s.PublicKey())}}
	_, err := journal.Append(t.Context(), r, imported)
	require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), "%v", err)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), v, imported)
	require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), "%v", err)
	require.NoError(t, v.Close())
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}
