package journaltest

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// says has a visitor answer a gate.
func says(t *testing.T, v journal.Visit, d journal.Draft) error {
	t.Helper()
	_, err := v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return []journal.Draft{d}, nil })
	return err
}

func syncGivesOnce(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true), asked("b", true))
	v := visit(t, s, r.ID())
	require.NoError(t, says(t, v, answered(answer("a", "true"))))
	require.NoError(t, says(t, v, answered(answer("b", `"shorter"`))))
	require.Equal(t, journal.Pending, r.State().Gates["a"].State, "the owner has not looked yet")
	news, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 2)
	require.Equal(t, []uint64{4, 5}, []uint64{news[0].Seq, news[1].Seq})
	require.Equal(t, news[0].Hash(), news[1].Prev)
	require.Equal(t, journal.Approved, r.State().Gates["a"].State)
	require.Equal(t, journal.ChangesRequested, r.State().Gates["b"].State)
	for _, sync := range []func() ([]journal.Entry, error){
		func() ([]journal.Entry, error) { return r.Sync(t.Context()) },
		func() ([]journal.Entry, error) { return v.Sync(t.Context()) },
	} {
		news, err = sync()
		require.NoError(t, err)
		require.Empty(t, news, "what is known, or one's own, is no news")
	}
}

func syncAfterUpdate(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true))
	require.NoError(t, says(t, visit(t, s, r.ID()), answered(answer("a", "true"))))
	require.Equal(t, uint64(4), appended(t, r, finished(0))[0].Seq)
	require.Equal(t, journal.Approved, r.State().Gates["a"].State)
	news, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	require.Equal(t, uint64(3), news[0].Seq)
}

func changesTick(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true))
	v := visit(t, s, r.ID())
	changes := r.Changes()
	require.NoError(t, says(t, v, answered(answer("a", "true"))))
	for {
		select {
		case <-changes: // some may be about nothing
		case <-time.After(patience):
			t.Fatal("nobody told")
		}
		news, err := r.Sync(t.Context())
		require.NoError(t, err)
		if len(news) > 0 {
			require.Equal(t, journal.KindGateAnswered, news[0].Kind)
			return
		}
	}
}

func decidesOnNewest(t *testing.T, s Store) {
	r := create(t, s)
	appended(t, r, asked("a", true))
	v := visit(t, s, r.ID())
	require.NoError(t, says(t, v, answered(answer("a", "false"))))
	_, err := r.Update(t.Context(), func(st *journal.State) ([]journal.Draft, error) {
		require.Equal(t, journal.Rejected, st.Gates["a"].State)
		return []journal.Draft{finished(0)}, nil
	})
	require.NoError(t, err)
	_, err = v.Update(t.Context(), func(st *journal.State) ([]journal.Draft, error) {
		require.NotNil(t, st.Calls["/agent#0"])
		return nil, nil
	})
	require.NoError(t, err)
}

// writersInOrder has an owner ask and visitors answer at the same time.
func writersInOrder(t *testing.T, s Store) {
	const gates, visitors = 12, 3
	r := create(t, s)
	var drafts []journal.Draft
	for i := range gates {
		drafts = append(drafts, asked(strconv.Itoa(i), true))
	}
	appended(t, r, drafts...)
	var wait sync.WaitGroup
	for n := range visitors {
		v := visit(t, s, r.ID())
		wait.Go(func() {
			for i := n; i < gates; i += visitors {
				if err := says(t, v, answered(answer(strconv.Itoa(i), "true"))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var seqs []uint64
	for i := range gates {
		entries, err := journal.Append(t.Context(), r, finished(i))
		require.NoError(t, err)
		seqs = append(seqs, entries[0].Seq)
	}
	wait.Wait()
	news, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, gates)
	there := map[uint64]bool{}
	for i, e := range news {
		require.True(t, i == 0 || news[i-1].Seq < e.Seq, "in order")
		there[e.Seq] = true
	}
	for _, seq := range seqs {
		require.False(t, there[seq], "one place, one entry")
		there[seq] = true
	}
	for seq := uint64(gates + 2); seq <= 3*gates+1; seq++ {
		require.True(t, there[seq], "no gap at %d", seq)
	}
	require.Equal(t, r.State(), visit(t, s, r.ID()).State())
}

func runsDoNotMix(t *testing.T, s Store) {
	const runs, appends = 8, 10
	ids := make([]string, runs)
	var wait sync.WaitGroup
	for n := range runs {
		wait.Go(func() {
			r, err := s.Create(t.Context(), started())
			if err != nil {
				t.Error(err)
				return
			}
			ids[n] = r.ID()
			for i := range appends {
				// A refusal in one run is nothing to the others.
				if _, err := journal.Append(t.Context(), r, closed("none", journal.Expired)); err == nil {
					t.Error("a gate that is not there was closed")
				}
				if _, err := journal.Append(t.Context(), r, valued(i, strconv.Itoa(n*appends+i))); err != nil {
					t.Error(err)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for n, id := range ids {
		st := visit(t, s, id).State()
		require.Equal(t, uint64(appends+1), st.Head)
		for i := range appends {
			require.Equal(t, strconv.Itoa(n*appends+i), string(st.Calls[fmt.Sprintf("/agent#%d", i)].Finish.Value))
		}
	}
}
