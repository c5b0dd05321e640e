package journal_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// batched is a store with a shared file, of which the test holds back one commit while it gathers
// the next.
type batched struct {
	*journal.Store
	o       journal.Options
	t       *testing.T
	commits atomic.Int32
	syncs   atomic.Int32
	hold    atomic.Pointer[chan struct{}]
	fail    atomic.Pointer[string] // the point that fails, once, from commit failAt on
	failAt  atomic.Int32
}

func newBatched(t *testing.T) *batched {
	o := newOptions(t)
	o.Shared = true
	b := &batched{Store: open(t, o), o: o, t: t}
	journal.Patience(b.Store, time.Minute) // so that a slow machine changes no count of commits
	journal.SetFail(b.Store, func(point string) error {
		switch point {
		case "commit":
			b.commits.Add(1)
			if hold := b.hold.Load(); hold != nil {
				<-*hold
			}
		case "anchor.synced":
			b.syncs.Add(1)
		}
		if name := b.fail.Load(); name != nil && *name == point && b.commits.Load() >= b.failAt.Load() && b.fail.CompareAndSwap(name, nil) {
			return errDisk
		}
		return nil
	})
	return b
}

// together has updates wait for one commit: first goes ahead of them and is held back until all
// are there. before, if not nil, is called when they are.
func (b *batched) together(first func(), before func(), updates ...func()) {
	b.t.Helper()
	hold := make(chan struct{})
	b.hold.Store(&hold)
	at := b.commits.Load()
	var wait sync.WaitGroup
	wait.Go(first)
	require.Eventually(b.t, func() bool { return b.commits.Load() == at+1 }, time.Minute, time.Millisecond)
	for i, update := range updates {
		wait.Go(update)
		require.Eventually(b.t, func() bool { return journal.Waiting(b.Store) == i+1 }, time.Minute, time.Millisecond)
	}
	if before != nil {
		before()
	}
	b.hold.Store(nil)
	close(hold)
	wait.Wait()
}

func (b *batched) runs(n int) []journal.Run {
	list := make([]journal.Run, n)
	for i := range list {
		list[i] = create(b.t, b.Store)
	}
	return list
}

// done closes and verifies runs, and gives their numbers of entries.
func (b *batched) done(runs []journal.Run) (entries []int) {
	b.t.Helper()
	for _, r := range runs {
		require.NoError(b.t, r.Close())
		report := verified(b.t, b.Store, r.ID())
		require.True(b.t, report.Proven)
		entries = append(entries, report.Entries)
	}
	return entries
}

// Whatever waits while one commit is on its way shares the next.
func TestGroupCommit(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBatched(t)
	runs := b.runs(20)
	before := b.commits.Load()
	append1 := func(r journal.Run, d journal.Draft) func() {
		return func() {
			_, err := journal.Append(t.Context(), r, d)
			if err != nil {
				t.Error(err)
			}
		}
	}
	var updates []func()
	for _, r := range runs[1:] {
		updates = append(updates, append1(r, finished(0)))
	}
	b.together(append1(runs[0], finished(0)), nil, updates...)
	require.Equal(t, int32(2), b.commits.Load()-before)

	// Decisions, too: each has its own anchor, and it is synced.
	updates = nil
	for _, r := range runs[1:] {
		_, err := journal.Append(t.Context(), r, asked("g", true))
		require.NoError(t, err)
		updates = append(updates, append1(r, answered("g", "true")))
	}
	before, syncs := b.commits.Load(), b.syncs.Load()
	b.together(append1(runs[0], finished(1)), nil, updates...)
	require.Equal(t, int32(2), b.commits.Load()-before)
	require.Equal(t, int32(19), b.syncs.Load()-syncs)
	for _, entries := range b.done(runs)[1:] {
		require.Equal(t, 4, entries)
	}
}

// What goes wrong with one update of a commit is nothing to the others.
func TestGroupCommitWithBadCompany(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBatched(t)
	runs := b.runs(8)
	no := errors.New("no")
	errs := make([]error, len(runs))
	update := func(i int, fn func(*journal.State) ([]journal.Draft, error)) func() {
		return func() { _, errs[i] = runs[i].Update(t.Context(), fn) }
	}
	one := func(*journal.State) ([]journal.Draft, error) { return []journal.Draft{finished(0)}, nil }
	ctx, cancel := context.WithCancel(t.Context())
	before := b.commits.Load()
	b.together(update(0, one), cancel,
		update(1, func(*journal.State) ([]journal.Draft, error) { return []journal.Draft{finished(0)}, no }),
		update(2, func(*journal.State) ([]journal.Draft, error) { return nil, nil }),
		update(3, func(*journal.State) ([]journal.Draft, error) {
			return []journal.Draft{finished(0), closed("none", journal.Expired)}, nil
		}),
		func() {
			defer func() { errs[4] = errors.New(recover().(string)) }()
			_, _ = runs[4].Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { panic("oh") })
		},
		func() { _, errs[5] = journal.Append(ctx, runs[5], finished(0)) },
		update(6, one), update(7, one),
	)
	require.Equal(t, int32(2), b.commits.Load()-before)
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], no)
	require.NoError(t, errs[2])
	require.Equal(t, fault.TransitionAbsent, fault.CodeOf(errs[3]))
	require.EqualError(t, errs[4], "oh")
	if errs[5] != nil { // it may have been taken before it heard of the end
		require.ErrorIs(t, errs[5], context.Canceled)
	}
	require.NoError(t, errs[6])
	require.NoError(t, errs[7])
	for i, r := range runs { // and every one goes on
		head := r.State().Head
		entries, err := journal.Append(t.Context(), r, finished(9))
		require.NoError(t, err, i)
		require.Equal(t, head+1, entries[0].Seq)
	}
	entries := b.done(runs)
	require.Equal(t, []int{3, 2, 2, 2, 2}, entries[:5])
	require.Equal(t, []int{3, 3}, entries[6:])
}

// Two updates of one run never share a commit: the second decides on what the first has written.
func TestGroupCommitOfOneRunTwice(t *testing.T) {
	b := newBatched(t)
	runs := b.runs(2)
	_, err := journal.Append(t.Context(), runs[1], asked("g", true))
	require.NoError(t, err)
	v, err := b.Visit(t.Context(), runs[1].ID())
	require.NoError(t, err)
	b.together(func() { _, _ = journal.Append(t.Context(), runs[0], finished(0)) }, nil,
		func() {
			if _, err := journal.Append(t.Context(), runs[1], finished(0)); err != nil {
				t.Error(err)
			}
		},
		func() {
			_, err := v.Update(t.Context(), func(st *journal.State) ([]journal.Draft, error) {
				if st.Head != 3 {
					t.Errorf("decided at entry %d", st.Head)
				}
				return []journal.Draft{answered("g", "true")}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	news, err := runs[1].Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	require.NoError(t, v.Close())
	require.Equal(t, []int{2, 4}, b.done(runs))
}

// After a commit that failed, all that were in it read the disk again.
func TestGroupCommitThatFails(t *testing.T) {
	for point, persisted := range map[string]bool{"commit": false, "committed": true} {
		t.Run(point, func(t *testing.T) {
			b := newBatched(t)
			runs := b.runs(4)
			errs := make([]error, len(runs))
			update := func(i int) func() {
				return func() { _, errs[i] = journal.Append(t.Context(), runs[i], finished(0)) }
			}
			b.failAt.Store(b.commits.Load() + 2) // not that of the first, but that of the three
			b.fail.Store(&point)
			b.together(update(0), nil, update(1), update(2), update(3))
			require.NoError(t, errs[0])
			head := 1
			if persisted {
				head = 2
			}
			for i, r := range runs[1:] {
				require.ErrorIs(t, errs[i+1], errDisk)
				require.Equal(t, uint64(head), r.State().Head)
				news, err := r.Sync(t.Context())
				require.NoError(t, err)
				require.Len(t, news, head-1, "what was written after all is news")
			}
			for _, r := range runs {
				_, err := journal.Append(t.Context(), r, finished(2))
				require.NoError(t, err)
			}
			require.Equal(t, []int{3, head + 1, head + 1, head + 1}, b.done(runs))
		})
	}
}

// A page of one run that is damaged while others are at work: that run refuses, they go on.
func TestDamageOfOneRunInTheSharedFile(t *testing.T) {
	b := newBatched(t)
	runs := b.runs(3)
	big := finished(0)
	f := big.Data.(journal.CallFinished)
	f.Value = marshal(t, string(bytes.Repeat([]byte("mark"), 2000)))
	big.Data = f
	for i, r := range runs {
		d := finished(0)
		if i == 1 {
			d = big
		}
		_, err := journal.Append(t.Context(), r, d)
		require.NoError(t, err)
	}
	v, err := b.Visit(t.Context(), runs[0].ID()) // comes when the burst is over
	require.NoError(t, err)
	require.NoError(t, v.Close())
	path := b.DBPath(runs[1].ID())
	data := readFile(t, path)
	text := bytes.Index(data, bytes.Repeat([]byte("mark"), 2000))
	require.Positive(t, text)
	page := text / os.Getpagesize() * os.Getpagesize()
	for i := range 16 {
		data[page+i] ^= 0xA5
	}
	writeFile(t, path, data)

	errs := make([]error, len(runs))
	update := func(i int) func() {
		return func() { _, errs[i] = journal.Append(t.Context(), runs[i], finished(1)) }
	}
	b.together(update(0), nil, update(1), update(2))
	require.NoError(t, errs[0])
	require.Equal(t, fault.JournalDamaged, fault.CodeOf(errs[1]), "%v", errs[1])
	require.NoError(t, errs[2])
	for _, r := range runs {
		_ = r.Close()
	}
	_, err = b.Visit(t.Context(), runs[1].ID())
	require.Equal(t, fault.JournalDamaged, fault.CodeOf(err), "%v", err)
	rows, err := b.List(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, 3)
	for _, i := range []int{0, 2} {
		require.Equal(t, 3, verified(t, b.Store, runs[i].ID()).Entries)
	}
	// So it is for who has not written yet, and checks all of the file before.
	r, err := open(t, b.o).Take(t.Context(), runs[0].ID(), resume)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	_, err = b.Take(t.Context(), runs[1].ID(), resume)
	require.Equal(t, fault.JournalDamaged, fault.CodeOf(err), "%v", err)
	verified(t, b.Store, runs[0].ID())
}

// Pruning takes single runs out of the shared file; the others stay, and new ones come.
func TestPruneInTheSharedFile(t *testing.T) {
	o := newOptions(t)
	o.Shared = true
	s := open(t, o)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	there := map[string]bool{}
	for range 3 {
		var wait sync.WaitGroup
		ids := make([]string, 40)
		for i := range ids {
			wait.Go(func() {
				r, err := s.Create(t.Context(), started())
				if err == nil {
					_, err = journal.Append(t.Context(), r, finished(0))
					err = errors.Join(err, r.Close())
				}
				if err != nil {
					t.Error(err)
					return
				}
				ids[i] = r.ID()
			})
		}
		wait.Wait()
		for _, id := range ids {
			there[id] = true
		}
		for id := range there {
			if random.IntN(2) == 0 {
				require.NoError(t, s.Prune(t.Context(), id))
				delete(there, id)
				_, err := s.Visit(t.Context(), id)
				require.Equal(t, fault.RunUnknown, fault.CodeOf(err))
			}
		}
		rows, err := s.List(t.Context())
		require.NoError(t, err)
		require.Len(t, rows, len(there))
		for _, row := range rows {
			require.NoError(t, row.Err)
			require.True(t, there[row.ID])
		}
	}
	for id := range there {
		require.Equal(t, 2, verified(t, s, id).Entries)
	}
}

// What two processes append to one shared file, through stores of their own, reaches both.
func TestTwoStoresOfOneSharedFile(t *testing.T) {
	o := newOptions(t)
	o.Shared = true
	a, b := open(t, o), open(t, o)
	r, busy := create(t, a), create(t, a)
	_, err := journal.Append(t.Context(), r, asked("g", true))
	require.NoError(t, err)
	settle(r.Changes())
	settle(busy.Changes())
	v, err := b.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{answered("g", "true")}, nil
	})
	require.NoError(t, err)
	select {
	case <-r.Changes():
	case <-time.After(time.Minute):
		t.Fatal("nobody told")
	}
	news, err := r.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	news, err = busy.Sync(t.Context())
	require.NoError(t, err)
	require.Empty(t, news)
	_, err = journal.Append(t.Context(), r, finished(0))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, busy.Close())
	news, err = v.Sync(t.Context())
	require.NoError(t, err)
	require.Len(t, news, 1)
	require.NoError(t, v.Close())
	verified(t, b, r.ID())
}
