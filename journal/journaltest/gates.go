package journaltest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func visitorOnlyAnswers(t *testing.T, s Store) {
	r := create(t, s)
	v := visit(t, s, r.ID())
	for _, d := range []journal.Draft{
		finished(0), begun(0), asked("a", true),
		{Kind: journal.KindNote, Data: journal.Note{Type: "log", Text: "x"}},
		{Kind: journal.KindRunResumed, Data: journal.RunResumed{}},
		{Kind: journal.KindRunPaused, Data: journal.RunPaused{State: "paused"}},
		{Kind: journal.KindRunImported, Data: journal.RunImported{}},
		ended(journal.StatusCompleted),
	} {
		refusedAs(t, fault.TransitionAbsent, says(t, v, d))
	}
	nothingHappened(t, s, r)
}

func answerCarried(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true))
	given := answer("a", "true")
	given.Mode, given.Who.Name = "accept-edits", "Ann"
	given.PlanApproval.ApprovedAt = r.State().StartedAt
	require.NoError(t, says(t, visit(t, s, r.ID()), answered(given)))
	_, err := r.Sync(t.Context())
	require.NoError(t, err)
	for _, st := range []*journal.State{r.State(), visit(t, s, r.ID()).State()} {
		gate := st.Gates["a"]
		require.Equal(t, journal.Approved, gate.State)
		require.Equal(t, given, *gate.Answer)
		require.Equal(t, uint64(3), gate.AnswerSeq)
		require.True(t, st.Proven)
	}
}

func answerToElse(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true))
	v := visit(t, s, r.ID())
	for name, change := range map[string]func(a *journal.GateAnswered){
		"gate":     func(a *journal.GateAnswered) { a.Gate = "b" },
		"nonce":    func(a *journal.GateAnswered) { a.Nonce = "ff" + nonce[2:] },
		"checksum": func(a *journal.GateAnswered) { a.Checksum = programHash },
		"program":  func(a *journal.GateAnswered) { a.Program = planSum },
		"plan":     func(a *journal.GateAnswered) { a.PlanApproval = nil },
	} {
		a := answer("a", "true")
		change(&a)
		d := answered(a)
		d.Key = "/planApprove#a"
		err := says(t, v, d)
		require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), "%s: %v", name, err)
	}
	d := answered(answer("a", "true"))
	d.Identity = planSum
	refusedAs(t, fault.TransitionAbsent, says(t, v, d))
	require.Equal(t, journal.Pending, visit(t, s, r.ID()).State().Gates["a"].State)
}

func firstAnswerStands(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true))
	v := visit(t, s, r.ID())
	require.NoError(t, says(t, v, answered(answer("a", "false"))))
	for _, d := range []journal.Draft{
		answered(answer("a", "true")), answered(answer("a", "false")), closed("a", journal.Expired),
	} {
		refusedAs(t, fault.TransitionAbsent, says(t, v, d))
		_, err := journal.Append(t.Context(), r, d)
		refusedAs(t, fault.TransitionAbsent, err)
	}
	require.Equal(t, journal.Rejected, visit(t, s, r.ID()).State().Gates["a"].State)
}

func oneOfTwoAnswers(t *testing.T, s Store) {
	for range 10 {
		r := create(t, s)
		appended(t, r, asked("a", true))
		decisions := []string{"true", "false"}
		errs := make([]error, len(decisions))
		var wait sync.WaitGroup
		for i, decision := range decisions {
			v := visit(t, s, r.ID())
			wait.Go(func() { errs[i] = says(t, v, answered(answer("a", decision))) })
		}
		wait.Wait()
		winner := 0
		if errs[0] != nil {
			winner = 1
		}
		require.NoError(t, errs[winner])
		refusedAs(t, fault.TransitionAbsent, errs[1-winner])
		st := visit(t, s, r.ID()).State()
		require.Equal(t, decisions[winner], string(st.Gates["a"].Answer.Decision))
		require.Equal(t, uint64(3), st.Head)
	}
}

func revokedOnce(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true), asked("b", true))
	v := visit(t, s, r.ID())
	revoked := func(gate string) journal.Draft {
		return journal.Draft{
			Kind: journal.KindGateRevoked, Key: "/planApprove#" + gate, Identity: identity,
			Data: journal.GateRevoked{Gate: gate, Nonce: nonce, Checksum: planSum, Who: journal.Who{User: "ann", Way: "command"}, Reason: "too soon"},
		}
	}
	refusedAs(t, fault.TransitionAbsent, says(t, v, revoked("a")))
	require.NoError(t, says(t, v, answered(answer("a", "true"))))
	require.NoError(t, says(t, v, answered(answer("b", "false"))))
	require.NoError(t, says(t, v, revoked("a")))
	refusedAs(t, fault.TransitionAbsent, says(t, v, revoked("a")))
	refusedAs(t, fault.TransitionAbsent, says(t, v, revoked("b")))
	_, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Equal(t, journal.Revoked, r.State().Gates["a"].State)
	require.Equal(t, "too soon", r.State().Gates["a"].Revocation.Reason)
	require.Equal(t, uint64(6), r.State().Gates["a"].RevokedSeq)
}
