package journal_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/journal"
)

// settle takes the ticks that are on their way.
func settle(changes <-chan struct{}) {
	for {
		select {
		case <-changes:
		case <-time.After(50 * time.Millisecond):
			return
		}
	}
}

func TestOwnAppendsAreNoNews(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := open(t, newOptions(t))
	r := create(t, s)
	changes := r.Changes()
	settle(changes)
	for i := range 20 {
		_, err := journal.Append(t.Context(), r, finished(i))
		require.NoError(t, err)
	}
	select {
	case <-changes:
		t.Fatal("told of its own appends")
	case <-time.After(1200 * time.Millisecond): // longer than the poll
	}
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}

func TestChangesReachEveryHandle(t *testing.T) {
	for name, alone := range map[string]bool{"notified": false, "polled": true} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			s := open(t, newOptions(t))
			if alone {
				journal.Unwatched(s)
			}
			r := create(t, s)
			_, err := journal.Append(t.Context(), r, asked("g1", true))
			require.NoError(t, err)
			v, err := s.Visit(t.Context(), r.ID())
			require.NoError(t, err)
			w, err := s.Visit(t.Context(), r.ID())
			require.NoError(t, err)
			settle(r.Changes())
			settle(w.Changes())
			_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
				return []journal.Draft{answered("g1", "true")}, nil
			})
			require.NoError(t, err)
			for _, changes := range []<-chan struct{}{r.Changes(), w.Changes()} {
				select {
				case <-changes:
				case <-time.After(time.Minute):
					t.Fatal("nobody told")
				}
			}
			news, err := w.Sync(t.Context())
			require.NoError(t, err)
			require.Len(t, news, 1)
			require.NoError(t, v.Close())
			require.NoError(t, w.Close())
			require.NoError(t, r.Close())
			verified(t, s, r.ID())
		})
	}
}
