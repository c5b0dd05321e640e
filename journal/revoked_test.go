package journal_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func revokedDraft(gate string, change func(*journal.Draft, *journal.GateRevoked)) journal.Draft {
	d := journal.Draft{Kind: journal.KindGateRevoked, Key: "/planApprove#" + gate, Identity: identity}
	r := journal.GateRevoked{Gate: gate, Nonce: nonce, Checksum: planSum, Who: journal.Who{User: "bob", Host: "there", Way: "command"}, Reason: "wrong branch"}
	if change != nil {
		change(&d, &r)
	}
	d.Data = r
	return d
}

func visited(t *testing.T, s *journal.Store, id string, drafts ...journal.Draft) error {
	t.Helper()
	v, err := s.Visit(t.Context(), id)
	require.NoError(t, err)
	defer v.Close()
	_, err = journal.Append(t.Context(), v, drafts...)
	return err
}

// Any process may take an approval back while another one owns the run, and also after its end.
func TestRevocation(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true), answered("g1", "true"), asked("g2", true), answered("g2", "true"))
	require.NoError(t, err)
	require.NoError(t, visited(t, s, r.ID(), revokedDraft("g1", nil)))
	_, err = r.Sync(t.Context())
	require.NoError(t, err)
	g := r.State().Gates["g1"]
	require.Equal(t, journal.Revoked, g.State)
	require.Equal(t, uint64(6), g.RevokedSeq)
	require.Equal(t, "wrong branch", g.Revocation.Reason)
	require.Equal(t, json.RawMessage("true"), g.Answer.Decision, "what was said stays")
	require.Equal(t, uint64(3), g.AnswerSeq)
	require.Equal(t, []*journal.Gate{g}, r.State().Revoked())
	_, err = journal.Append(t.Context(), r, journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "completed"}})
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, visited(t, s, r.ID(), revokedDraft("g2", nil)))
	report := verified(t, s, r.ID())
	require.Equal(t, journal.Revoked, report.Gates[0].State)
	require.Equal(t, "bob", report.Gates[1].Revocation.Who.User)
	rows, err := s.List(t.Context())
	require.NoError(t, err)
	require.Len(t, rows[0].Revoked, 2)
	require.Equal(t, "completed", rows[0].State)
}

// A revocation counts only for the very approval that it repeats, and only once.
func TestRevocationOfAnotherQuestion(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true), answered("g1", "true"), asked("g2", true), asked("g3", true), answered("g3", "false"))
	require.NoError(t, err)
	for name, d := range map[string]journal.Draft{
		"nonce":      revokedDraft("g1", func(_ *journal.Draft, r *journal.GateRevoked) { r.Nonce = "f" + nonce[1:] }),
		"checksum":   revokedDraft("g1", func(_ *journal.Draft, r *journal.GateRevoked) { r.Checksum = programHash }),
		"key":        revokedDraft("g1", func(d *journal.Draft, _ *journal.GateRevoked) { d.Key = "/planApprove#g2" }),
		"identity":   revokedDraft("g1", func(d *journal.Draft, _ *journal.GateRevoked) { d.Identity = programHash }),
		"no gate":    revokedDraft("g1", func(_ *journal.Draft, r *journal.GateRevoked) { r.Gate = "g9" }),
		"waits":      revokedDraft("g2", nil),
		"a no":       revokedDraft("g3", nil),
		"other gate": revokedDraft("g1", func(_ *journal.Draft, r *journal.GateRevoked) { r.Gate = "g3" }),
	} {
		err := visited(t, s, r.ID(), d)
		require.True(t, fault.Is(err, fault.TransitionAbsent), "%s: %v", name, err)
	}
	require.NoError(t, visited(t, s, r.ID(), revokedDraft("g1", nil)))
	for _, d := range []journal.Draft{revokedDraft("g1", nil), answered("g1", "true"), answered("g1", "false"), closed("g1", journal.Expired)} {
		err := visited(t, s, r.ID(), d)
		require.True(t, fault.Is(err, fault.TransitionAbsent), "%s: %v", d.Kind, err)
	}
	_, err = r.Sync(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(7), r.State().Head, "nothing else was written")
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}

// One that has another key cannot take an approval back, and cannot make a revocation undone.
func TestForgedRevocation(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true), answered("g1", "true"))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	approved := readFile(t, s.DBPath(r.ID()))

	rechain(t, s, r.ID(), revokedDraft("g1", nil))
	refused(t, o, s, r.ID(), fault.JournalForged)
	report, err := journal.Verify(t.Context(), s, r.ID())
	require.NoError(t, err)
	require.Equal(t, uint64(4), report.Problems[0].Seq)

	writeFile(t, s.DBPath(r.ID()), approved)
	require.NoError(t, visited(t, s, r.ID(), revokedDraft("g1", nil)))
	revoked := readFile(t, s.DBPath(r.ID()))
	writeFile(t, s.DBPath(r.ID()), approved)
	refused(t, o, s, r.ID(), fault.JournalRollback)
	writeFile(t, s.DBPath(r.ID()), revoked)
	verified(t, s, r.ID())
}
