package journaltest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func oneOwner(t *testing.T, s Store) {
	r := create(t, s)
	_, err := take(t, s, r.ID())
	refusedAs(t, fault.RunBusy, err)
	v := visit(t, s, r.ID())
	owner, alive := v.Owner()
	require.True(t, alive)
	require.Equal(t, r.State().Started.Owner.PID, owner.PID)
	require.True(t, v.Executing())
	require.NoError(t, r.Close())
	_, alive = v.Owner()
	require.False(t, alive)
	require.False(t, v.Executing())
	r, err = take(t, s, r.ID())
	require.NoError(t, err)
	require.Equal(t, uint64(2), r.State().Head)
	require.Len(t, r.State().Attempts, 2)
	require.NotZero(t, r.State().Attempts[1].Owner)
	appended(t, r, finished(0))
	_, err = take(t, s, r.ID())
	refusedAs(t, fault.RunBusy, err)
}

func workIsSeen(t *testing.T, s Store) {
	r := create(t, s)
	v := visit(t, s, r.ID())
	require.Empty(t, v.Work())
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	work := []journal.Work{{Key: "/agent#0", Name: "agent", Label: "scout", ReadOnly: true, Since: since}, {Key: "/agent#1", Name: "agent", Since: since}}
	require.NoError(t, r.TellWork(work))
	require.Equal(t, work, v.Work())
	require.NoError(t, r.TellWork(work[1:]))
	require.Equal(t, work[1:], v.Work())
	require.NoError(t, r.TellWork(nil))
	require.Empty(t, v.Work())
	require.NoError(t, r.TellWork(nil))
	require.NoError(t, r.TellWork(work))
	require.NoError(t, r.Close())
	require.Empty(t, v.Work(), "nobody is at work on a run that nobody owns")
}

func takeInterrupts(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("shown", false), asked("kept", true), asked("later", false))
	appended(t, r, journal.Draft{Kind: journal.KindGateSuspended, Data: journal.GateSuspended{Gate: "later"}})
	require.NoError(t, r.Close())
	r, err := s.Take(t.Context(), r.ID(), func(st *journal.State) (journal.RunResumed, error) {
		require.Equal(t, journal.Pending, st.Gates["shown"].State)
		settings := st.Settings
		settings.MaxCalls = 2000
		return journal.RunResumed{Settings: settings}, nil
	})
	require.NoError(t, err)
	defer r.Close()
	st := r.State()
	require.Equal(t, journal.Interrupted, st.Gates["shown"].State)
	require.Equal(t, string(fault.PlanApprovalInterrupt), st.Gates["shown"].Closed.Code)
	require.Equal(t, journal.Pending, st.Gates["kept"].State)
	require.Equal(t, journal.Pending, st.Gates["later"].State)
	require.Equal(t, uint64(7), st.Head, "the closing, then run.resumed")
	require.Equal(t, uint64(7), st.Attempts[1].Seq)
	require.Equal(t, 2000, st.Settings.MaxCalls)
	require.Equal(t, 1000, st.SettingsAt(6).MaxCalls)
	news, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Empty(t, news, "what the taker saw is no news")
	refusedAs(t, fault.TransitionAbsent, says(t, visit(t, s, r.ID()), answered(answer("shown", "true"))))
}

func takeRefused(t *testing.T, s Store) {
	r := create(t, s)
	require.NoError(t, r.Close())
	no := errors.New("no")
	_, err := s.Take(t.Context(), r.ID(), func(*journal.State) (journal.RunResumed, error) { return journal.RunResumed{}, no })
	require.ErrorIs(t, err, no)
	v := visit(t, s, r.ID())
	require.Equal(t, uint64(1), v.State().Head)
	_, alive := v.Owner()
	require.False(t, alive)
	_, err = take(t, s, r.ID())
	require.NoError(t, err)
}

func leaseLost(t *testing.T, s Store) {
	forgetful, ok := s.(Forgetful)
	if !ok {
		t.Skip("the store cannot be made to forget an owner")
	}
	r := create(t, s)
	forgetful.ForgetOwner(r.ID())
	next, err := take(t, s, r.ID())
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), r, finished(0))
	refusedAs(t, fault.LeaseLost, err)
	appended(t, next, finished(1))
	require.Nil(t, visit(t, s, r.ID()).State().Calls["/agent#0"])
}

func finishedRefuses(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, finished(0), ended(journal.StatusCompleted))
	_, err := journal.Append(t.Context(), r, finished(1))
	refusedAs(t, fault.RunFinished, err)
	require.NoError(t, r.Close())
	require.Equal(t, journal.StatusCompleted, visit(t, s, r.ID()).State().StatusWith(false))
	r, err = take(t, s, r.ID())
	require.NoError(t, err, "what failed in it can be tried again")
	require.Nil(t, r.State().Finished)
	appended(t, r, finished(1))
}

func cancelledRefuses(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true))
	v := visit(t, s, r.ID())
	require.NoError(t, says(t, v, ended(journal.StatusCancelled)))
	_, err := journal.Append(t.Context(), r, finished(0))
	refusedAs(t, fault.RunCancelled, err)
	refusedAs(t, fault.RunCancelled, says(t, v, ended(journal.StatusCancelled)))
	refusedAs(t, fault.TransitionAbsent, says(t, v, answered(answer("a", "true"))))
	require.NoError(t, r.Close())
	_, err = take(t, s, r.ID())
	refusedAs(t, fault.RunCancelled, err)
	st := visit(t, s, r.ID()).State()
	require.Equal(t, journal.Cancelled, st.Gates["a"].State)
	require.Equal(t, string(fault.RunCancelled), st.Gates["a"].Closed.Code)
}

func endCloses(t *testing.T, s Store) {
	r := create(t, s)
	entries := appended(t, r, asked("a", true), asked("b", false), ended(journal.StatusStopped))
	var kinds []journal.Kind
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
	}
	require.Equal(t, []journal.Kind{
		journal.KindGateAsked, journal.KindGateAsked, journal.KindGateClosed, journal.KindGateClosed, journal.KindRunFinished,
	}, kinds)
	for _, gate := range []string{"a", "b"} {
		require.Equal(t, journal.Cancelled, r.State().Gates[gate].State)
		require.Equal(t, string(fault.RunFinished), r.State().Gates[gate].Closed.Code)
	}
}
