package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// crowded is a store whose journals somebody else has to himself, for so many times as are left.
type crowded struct {
	*journal.Store
	left  atomic.Int32
	tried atomic.Int32
}

func (s *crowded) Create(ctx context.Context, r journal.RunStarted) (journal.Run, error) {
	run, err := s.Store.Create(ctx, r)
	return &crowdedRun{run, s}, err
}

type crowdedRun struct {
	journal.Run
	s *crowded
}

func (r *crowdedRun) busy() error {
	if r.s.left.Add(-1) < 0 {
		return nil
	}
	r.s.tried.Add(1)
	return fault.New(fault.RunBusy, "the journal of run X is in use by process 7", "end that process")
}

func (r *crowdedRun) Update(ctx context.Context, fn func(*journal.State) ([]journal.Draft, error)) ([]journal.Entry, error) {
	if err := r.busy(); err != nil {
		return nil, err
	}
	return r.Run.Update(ctx, fn)
}

func (r *crowdedRun) Sync(ctx context.Context) ([]journal.Entry, error) {
	if err := r.busy(); err != nil {
		return nil, err
	}
	return r.Run.Sync(ctx)
}

// An answer that comes while somebody else has the journal is written when it is free again, and
// the person is told what the run waits for.
func TestP6_AnAnswerOutlastsALockedJournal(t *testing.T) {
	store := &crowded{Store: newStore(t)}
	team := &team{answer: func(context.Context, agent.Request) (any, error) {
		store.left.Store(3)
		return "done", nil
	}}
	var warnings []string
	r := run(t, script(t, `return await agent("work")`), engine.Options{Store: store, Agent: team, Observe: func(e engine.Event) {
		if e.Type == engine.Warned {
			warnings = append(warnings, e.Text)
		}
	}})
	require.Equal(t, journal.StatusCompleted, r.State)
	require.Equal(t, []string{"work"}, team.take())
	require.Equal(t, int32(3), store.tried.Load())
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0], "in use by process 7")
	require.NotNil(t, state(t, store.Store, r.Run).Calls["/agent#0"].Finish)
}

// That holds also for a run that is being cut off; but it does not keep its caller for ever.
func TestP6_AnAnswerOutlastsALockedJournalAndTheEnd(t *testing.T) {
	for tries, kept := range map[int32]bool{3: true, 1000: false} {
		store := &crowded{Store: newStore(t)}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		team := &team{answer: func(context.Context, agent.Request) (any, error) {
			store.left.Store(tries)
			cancel()
			return "done", nil
		}}
		r, err := engine.Run(ctx, script(t, `return await agent("work")`), engine.Options{Store: store, Agent: team})
		rows, listErr := store.List(t.Context())
		require.NoError(t, listErr)
		require.Len(t, rows, 1)
		call := state(t, store.Store, rows[0].ID).Calls["/agent#0"]
		if kept {
			require.NoError(t, err)
			require.Equal(t, journal.StatusInterrupted, r.State)
			require.NotNil(t, call.Finish)
			continue
		}
		require.Equal(t, fault.RunBusy, fault.CodeOf(err), "%v", err)
		require.Nil(t, call.Finish)
	}
}
