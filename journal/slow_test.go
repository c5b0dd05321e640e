package journal_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/journal"
)

// slow is an update of a run in the shared file whose decision waits, the first time, until it is
// let go.
type slow struct {
	heads []uint64 // at which it decided
	err   error
	go_   chan struct{}
	done  sync.WaitGroup
}

func newSlow(t *testing.T, r journal.Run) *slow {
	t.Helper()
	u := &slow{go_: make(chan struct{})}
	deciding := make(chan struct{})
	u.done.Go(func() {
		_, u.err = r.Update(t.Context(), func(st *journal.State) ([]journal.Draft, error) {
			u.heads = append(u.heads, st.Head)
			if len(u.heads) == 1 {
				close(deciding)
				<-u.go_
			}
			return []journal.Draft{finished(7)}, nil
		})
	})
	<-deciding
	return u
}

// Who takes long to decide holds up nobody else: neither the runs of this process nor others that
// want the file.
func TestP9_ASlowDecisionIsItsOwn(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBatched(t)
	journal.Patience(b.Store, time.Millisecond)
	runs := b.runs(3)
	u := newSlow(t, runs[0])
	for i := range 5 {
		_, err := journal.Append(t.Context(), runs[1], finished(i))
		require.NoError(t, err)
	}
	v, err := open(t, b.o).Visit(t.Context(), runs[2].ID())
	require.NoError(t, err)
	require.NoError(t, v.Close())
	close(u.go_)
	u.done.Wait()
	require.NoError(t, u.err)
	require.Equal(t, []uint64{1}, u.heads, "nobody wrote to its run, so it stands")
	require.Equal(t, []int{2, 6, 1}, b.done(runs))
}

// If somebody wrote to its run meanwhile, it decides again, on what is there now; and those that
// were to share its commit have theirs.
func TestASlowDecisionIsMadeAgain(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBatched(t)
	journal.Patience(b.Store, time.Millisecond)
	runs := b.runs(3)
	_, err := journal.Append(t.Context(), runs[0], asked("g", true))
	require.NoError(t, err)
	u := newSlow(t, runs[0])
	v, err := open(t, b.o).Visit(t.Context(), runs[0].ID())
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), v, answered("g", "true"))
	require.NoError(t, err)
	require.NoError(t, v.Close())

	journal.Patience(b.Store, time.Minute)
	update := func(r journal.Run) func() {
		return func() {
			if _, err := journal.Append(t.Context(), r, finished(0)); err != nil {
				t.Error(err)
			}
		}
	}
	b.together(update(runs[1]), nil, func() { close(u.go_) }, update(runs[2]))
	u.done.Wait()
	require.NoError(t, u.err)
	require.Equal(t, []uint64{2, 3}, u.heads)
	news, err := runs[0].Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	require.Equal(t, []int{4, 2, 2}, b.done(runs))
}

// A slow decision that comes to nothing, or is given up, is no matter to anybody.
func TestASlowDecisionAgainstWriting(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBatched(t)
	journal.Patience(b.Store, time.Millisecond)
	runs := b.runs(2)
	for _, fn := range []func() ([]journal.Draft, error){
		func() ([]journal.Draft, error) { return nil, nil },
		func() ([]journal.Draft, error) { return nil, errDisk },
		func() ([]journal.Draft, error) {
			return []journal.Draft{finished(0), closed("none", journal.Expired)}, nil
		},
	} {
		var done sync.WaitGroup
		deciding, goOn := make(chan struct{}), make(chan struct{})
		done.Go(func() {
			_, _ = runs[0].Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
				close(deciding)
				<-goOn
				return fn()
			})
		})
		<-deciding
		_, err := journal.Append(t.Context(), runs[1], finished(0))
		require.NoError(t, err)
		close(goOn)
		done.Wait()
		require.Equal(t, uint64(1), runs[0].State().Head)
	}
	_, err := journal.Append(t.Context(), runs[0], finished(0))
	require.NoError(t, err)
	require.Equal(t, []int{2, 4}, b.done(runs))
}

// An anchor that cannot be written is its run's fault: what others have made durable is no error,
// and neither is their end.
func TestAnAnchorThatFailsIsItsRunsOwn(t *testing.T) {
	defer goleak.VerifyNone(t)
	o := newOptions(t)
	o.Shared = true
	o.HoldFor = time.Hour // no timer ends a burst between two steps of the test
	s := open(t, o)
	runs := make([]journal.Run, 3)
	for i := range runs {
		runs[i] = create(t, s)
	}
	_, err := journal.Append(t.Context(), runs[1], asked("g", true))
	require.NoError(t, err)
	bad := runs[0].ID()
	require.NoError(t, runs[0].Close())
	v, err := s.Visit(t.Context(), runs[1].ID())
	require.NoError(t, err)
	again := func() {
		_, err = journal.Append(t.Context(), runs[0], finished(0))
	}

	runs[0], err = s.Take(t.Context(), bad, resume) // its anchor is due with the end of the burst
	require.NoError(t, err)
	failed := 0
	journal.SetFail(s, func(point string) error {
		if point == "anchor.write "+bad {
			failed++
			return errDisk
		}
		return nil
	})
	_, err = journal.Append(t.Context(), v, answered("g", "true")) // ends the burst
	require.NoError(t, err)
	require.Equal(t, 1, failed)
	require.NoError(t, v.Close())
	require.NoError(t, runs[1].Close())
	require.NoError(t, runs[2].Close())
	again()
	require.ErrorIs(t, err, errDisk, "its own run is told")
	journal.SetFail(s, nil)
	again()
	require.NoError(t, err)
	require.NoError(t, runs[0].Close())
	for _, r := range runs {
		require.True(t, verified(t, s, r.ID()).Proven)
	}
}
