package journal_test

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func TestARunFromBeginToEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	o := newOptions(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.FixedZone("east", 3600))
	o.Now = func() time.Time { return now }
	s := open(t, o)
	r := create(t, s)
	require.Equal(t, uint64(1), r.State().Head)
	require.Equal(t, r.ID(), r.State().Started.Run)
	require.Len(t, r.State().Started.Seed, 64)

	entries, err := journal.Append(t.Context(), r, begun(0), finished(1))
	require.NoError(t, err)
	require.Equal(t, uint64(2), entries[0].Seq)
	require.Equal(t, entries[0].Hash(), entries[1].Prev)
	require.Equal(t, "2026-01-02T02:04:05.678Z", entries[0].At.Format(time.RFC3339Nano))
	require.True(t, r.State().Calls["/agent#0"].Unfinished())
	require.False(t, r.State().Calls["/agent#1"].Unfinished())

	_, err = journal.Append(t.Context(), r, ended(0))
	require.NoError(t, err)
	finish := r.State().Calls["/agent#0"].Finish
	require.Equal(t, `"done"`, string(finish.Value))
	require.Equal(t, identity, finish.Identity)
	require.Equal(t, uint64(1), finish.After)
	require.Equal(t, journal.Usage{}, r.State().UsageAt(2))
	require.Equal(t, journal.Usage{Input: 10, Output: 1}, r.State().UsageAt(3))
	require.Equal(t, journal.Usage{Input: 20, Output: 2}, r.State().UsageAt(99))

	_, err = journal.Append(t.Context(), r, asked("g1", true), journal.Draft{
		Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "stopped"},
	})
	require.NoError(t, err)
	require.Equal(t, journal.Cancelled, r.State().Gates["g1"].State, "the end closes what is pending")
	require.Equal(t, "stopped", r.State().StatusWith(false))
	_, err = journal.Append(t.Context(), r, begun(7))
	require.Equal(t, fault.RunFinished, fault.CodeOf(err))
	require.NoError(t, r.Close())

	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	require.Equal(t, r.State().HeadHash, v.State().HeadHash)
	require.Equal(t, r.State().Calls, v.State().Calls)
	require.Equal(t, r.State().Gates, v.State().Gates)
	require.True(t, v.State().Proven)
	require.NoError(t, v.Close())
	require.Equal(t, 7, verified(t, s, r.ID()).Entries)
}

func TestValuesKeepTheirText(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	value := json.RawMessage("{\"z\":1e2,\"a\":{\"10\":\"<&>\u2028\\u0041\",\"9\":[]}}")
	d := finished(0)
	f := d.Data.(journal.CallFinished)
	f.Value = value
	d.Data, d.Key = f, "/dag#0[\"a\\b\n\x01é😀]/agent#0"
	_, err := journal.Append(t.Context(), r, d)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	require.Equal(t, string(value), string(v.State().Calls[d.Key].Finish.Value))
	require.NoError(t, v.Close())
	verified(t, s, r.ID())
}

func TestB40_SecondAnswerIsRefused(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true))
	require.NoError(t, err)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	answer := func(d journal.Draft) error {
		_, err := v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return []journal.Draft{d}, nil })
		return err
	}
	require.NoError(t, answer(answered("g1", "false")))
	require.Equal(t, fault.TransitionAbsent, fault.CodeOf(answer(answered("g1", "true"))))
	require.Equal(t, fault.TransitionAbsent, fault.CodeOf(answer(closed("g1", journal.Expired))))

	require.Equal(t, journal.Pending, r.State().Gates["g1"].State, "the owner has not looked yet")
	news, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	require.Equal(t, journal.KindGateAnswered, news[0].Kind)
	require.Equal(t, journal.Rejected, r.State().Gates["g1"].State)
	news, err = r.Sync(t.Context())
	require.NoError(t, err)
	require.Empty(t, news)
	require.NoError(t, v.Close())
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}

// What others appended and an Update met first is still handed out by Sync, once.
func TestUpdateKeepsNewsForSync(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true))
	require.NoError(t, err)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{answered("g1", "true")}, nil
	})
	require.NoError(t, err)
	own, err := journal.Append(t.Context(), r, finished(0))
	require.NoError(t, err)
	require.Equal(t, uint64(4), own[0].Seq)
	news, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	require.Equal(t, uint64(3), news[0].Seq)
	require.NoError(t, v.Close())
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}

func TestAVisitorOnlyAnswers(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	for _, d := range []journal.Draft{
		finished(0), begun(0), asked("g1", true),
		{Kind: journal.KindNote, Data: journal.Note{Type: "log", Text: "x"}},
		{Kind: journal.KindRunResumed, Data: journal.RunResumed{}},
		{Kind: journal.KindRunPaused, Data: journal.RunPaused{State: "paused"}},
		{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "completed"}},
		{Kind: "gate.vote", Data: journal.Note{}},
	} {
		_, err := v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return []journal.Draft{d}, nil })
		require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), d.Kind)
	}
	cancel := journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled"}}
	_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return []journal.Draft{cancel}, nil })
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), r, finished(0))
	require.Equal(t, fault.RunCancelled, fault.CodeOf(err))
	require.NoError(t, v.Close())
	require.NoError(t, r.Close())
	_, err = s.Take(t.Context(), r.ID(), resume)
	require.Equal(t, fault.RunCancelled, fault.CodeOf(err))
	require.Equal(t, 2, verified(t, s, r.ID()).Entries)
}

func TestTakeInterruptsWhatWasShown(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("shown", false), asked("kept", true), asked("later", false))
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), r, journal.Draft{Kind: journal.KindGateSuspended, Data: journal.GateSuspended{Gate: "later"}})
	require.NoError(t, err)
	_, err = s.Take(t.Context(), r.ID(), resume)
	require.Equal(t, fault.RunBusy, fault.CodeOf(err), "the owner lives")
	require.NoError(t, r.Close())

	r, err = s.Take(t.Context(), r.ID(), func(st *journal.State) (journal.RunResumed, error) {
		require.Equal(t, journal.Pending, st.Gates["shown"].State)
		require.Equal(t, "interrupted", st.StatusWith(false))
		settings := st.Settings
		settings.MaxCalls = 2000
		return journal.RunResumed{Settings: settings}, nil
	})
	require.NoError(t, err)
	st := r.State()
	require.Equal(t, journal.Interrupted, st.Gates["shown"].State)
	require.Equal(t, "PLAN_APPROVAL_INTERRUPTED", st.Gates["shown"].Closed.Code)
	require.Equal(t, journal.Pending, st.Gates["kept"].State)
	require.Equal(t, journal.Pending, st.Gates["later"].State)
	require.Len(t, st.Attempts, 2)
	require.Equal(t, 1000, st.SettingsAt(6).MaxCalls)
	require.Equal(t, 2000, st.SettingsAt(7).MaxCalls)
	require.Equal(t, "running", st.StatusWith(true))
	require.Equal(t, "waiting", st.StatusWith(false))
	require.NoError(t, r.Close())
	require.Equal(t, 7, verified(t, s, r.ID()).Entries)
}

func TestTakeThatFnRefusesChangesNothing(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("shown", false))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	_, err = s.Take(t.Context(), r.ID(), func(*journal.State) (journal.RunResumed, error) {
		return journal.RunResumed{}, fault.New(fault.ArgsInvalid, "no", "")
	})
	require.Equal(t, fault.ArgsInvalid, fault.CodeOf(err))
	require.Equal(t, 2, verified(t, s, r.ID()).Entries)
	r, err = s.Take(t.Context(), r.ID(), resume)
	require.NoError(t, err, "the lease was given back")
	require.NoError(t, r.Close())
}

// The lease is a file; whoever removes it lets a second owner in. The journal finds out.
func TestP10_LeaseLost(t *testing.T) {
	s := open(t, newOptions(t))
	first := create(t, s)
	removeFile(t, s.LeasePath(first.ID()))
	second, err := s.Take(t.Context(), first.ID(), resume)
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), first, finished(0))
	require.Equal(t, fault.LeaseLost, fault.CodeOf(err))
	_, err = journal.Append(t.Context(), second, finished(0))
	require.NoError(t, err)
	require.NoError(t, first.Close())
	require.NoError(t, second.Close())
	require.Equal(t, 3, verified(t, s, first.ID()).Entries)
}

// An approval and a cancellation at the same instant: the one that comes first stands, and a
// cancelled gate never becomes an approved one.
func TestS07_ApproveAgainstCancel(t *testing.T) {
	s := open(t, newOptions(t))
	rounds := 10
	if os.Getenv("ASSENT_LONG") != "" {
		rounds = 200
	}
	for range rounds {
		r := create(t, s)
		_, err := journal.Append(t.Context(), r, asked("g1", true))
		require.NoError(t, err)
		require.NoError(t, r.Close())
		codes := make([]fault.Code, 2)
		var wait sync.WaitGroup
		for i, d := range []journal.Draft{
			answered("g1", "true"),
			{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled"}},
		} {
			v, err := s.Visit(t.Context(), r.ID())
			require.NoError(t, err)
			wait.Go(func() {
				_, err := v.Update(context.WithoutCancel(t.Context()), func(*journal.State) ([]journal.Draft, error) {
					return []journal.Draft{d}, nil
				})
				codes[i] = fault.CodeOf(err)
				_ = v.Close()
			})
		}
		wait.Wait()
		report := verified(t, s, r.ID())
		require.Empty(t, codes[1], "a cancellation is always taken")
		if codes[0] == "" {
			require.Equal(t, journal.Approved, report.Gates[0].State)
		} else {
			require.Equal(t, fault.TransitionAbsent, codes[0])
			require.Equal(t, journal.Cancelled, report.Gates[0].State)
		}
	}
}

// No rule of the journal asks what time it is.
func TestS15_ClockThatGoesBack(t *testing.T) {
	o := newOptions(t)
	now := time.Date(2026, 3, 29, 1, 59, 59, 0, time.UTC)
	o.Now = func() time.Time { now = now.Add(-time.Hour); return now }
	s := open(t, o)
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true), finished(0))
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), r, answered("g1", "true"))
	require.NoError(t, err)
	require.True(t, r.State().Gates["g1"].AnswerAt.Before(r.State().Gates["g1"].At))
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}

// An Update that catches up and then writes nothing leaves the next commit of others as news.
func TestNewsAfterAnEmptyUpdate(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true), asked("g2", true))
	require.NoError(t, err)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	for _, gate := range []string{"g1", "g2"} {
		_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
			return []journal.Draft{answered(gate, "true")}, nil
		})
		require.NoError(t, err)
		if gate == "g1" {
			_, err = journal.Append(t.Context(), r)
			require.NoError(t, err)
			time.Sleep(5 * time.Millisecond) // the burst ends
		}
		news, err := r.Sync(t.Context())
		require.NoError(t, err)
		require.Len(t, news, 1, gate)
	}
	require.NoError(t, v.Close())
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}
