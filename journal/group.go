package journal

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

// In the shared file, updates of many runs share each commit. An Update puts itself into a queue.
// One goroutine takes all that waits, of each run the first; sees to it that each knows its run's
// newest entry; lets all of them decide at once, each in its caller's goroutine; takes those that
// have come meanwhile, too; and commits what was decided. Nothing waits for a time to pass: while
// one commit is on its way to the disk, the next one gathers. The goroutine ends when nothing
// waits.
//
// Who takes longer to decide than a burst lasts is left behind, and comes to a later commit: its
// decision counts if its run still ends where it did, and is made again if not.

// commitAll commits until nothing waits.
func (f *sharedFile) commitAll() {
	for f.more() {
		f.mu.Lock()
		f.round()
		f.mu.Unlock()
	}
}

func (f *sharedFile) more() bool {
	f.queue.Lock()
	defer f.queue.Unlock()
	f.waiting = slices.DeleteFunc(f.waiting, func(p *pending) bool { return p.taken.Load() })
	f.committing = len(f.waiting) > 0
	return f.committing
}

// take takes what waits, but of each run only one, and none of those that are busy. The others
// keep their place.
func (f *sharedFile) take(busy map[string]bool) []*pending {
	f.queue.Lock()
	defer f.queue.Unlock()
	var taken []*pending
	left := f.waiting[:0]
	for _, p := range f.waiting {
		switch {
		case busy[p.h.id]:
			left = append(left, p)
		case p.taken.CompareAndSwap(false, true): // the others have given up
			busy[p.h.id] = true
			taken = append(taken, p)
		}
	}
	clear(f.waiting[len(left):])
	f.waiting = left
	return taken
}

// gather is take after giving way to whoever is about to append: those that the last commit
// answered. Where nobody is, it costs nothing. Half of the runs are enough: while they are on
// their way to the disk, the other half gets to where it appends.
func (f *sharedFile) gather(busy map[string]bool) []*pending {
	for i := 0; i < giveWay && len(busy) < f.crowd()/2; i++ {
		if group := f.take(busy); len(group) > 0 {
			return group
		}
		runtime.Gosched()
	}
	return f.take(busy)
}

// crowd is how many runs are open here.
func (f *sharedFile) crowd() int {
	f.knowing.Lock()
	defer f.knowing.Unlock()
	return len(f.open)
}

// round is one round of commits, almost always one.
func (f *sharedFile) round() {
	busy := map[string]bool{}
	err := f.beginBurst()
	var decided []*pending
	for group := f.gather(busy); len(group) > 0; group = f.gather(busy) {
		if err != nil {
			answerAll(group, err)
			continue
		}
		decided = append(decided, f.decide(group)...)
	}
	for len(decided) > 0 {
		decided = f.commit(decided)
	}
	if f.reread {
		f.reread = false
		_ = f.endBurst()
	}
}

func answerAll(group []*pending, err error) {
	for _, p := range group {
		p.answer(err)
	}
}

// decide lets a group decide, and gives those that want something written.
func (f *sharedFile) decide(group []*pending) []*pending {
	group = f.catchUp(f.nameAnchors(group))
	for _, p := range group {
		if !p.settled() {
			p.turn <- struct{}{}
		}
	}
	timer := time.NewTimer(f.patience)
	defer timer.Stop()
	list := group[:0]
	for _, p := range group {
		switch {
		case !p.settled() && !p.await(timer):
		case len(p.entries) > 0:
			list = append(list, p)
		default:
			f.reread = f.reread || p.h.stale
		}
	}
	return list
}

// await waits for a decision, and gives up when the time is over.
func (p *pending) await(timer *time.Timer) bool {
	select {
	case <-p.ready:
		return true
	default:
	}
	select {
	case <-p.ready:
		return true
	case <-timer.C:
		timer.Reset(0) // for the next one, too
	}
	if p.phase.CompareAndSwap(deciding, late) {
		return false
	}
	<-p.ready // it has decided at the last moment
	return true
}

// nameAnchors makes the anchors of new runs durable, before the runs are.
func (f *sharedFile) nameAnchors(group []*pending) []*pending {
	created := slices.DeleteFunc(slices.Clone(group), func(p *pending) bool { return !p.create })
	if len(created) == 0 {
		return group
	}
	atOnce(created, func(p *pending) error { return p.h.anchor.file.Sync() })
	named := durable.SyncDir(f.store.anchorsDir())
	return slices.DeleteFunc(group, func(p *pending) bool {
		if !p.create || p.err == nil && named == nil {
			return false
		}
		p.answer(fmt.Errorf("writing the anchor: %w", errors.Join(p.err, named)))
		return true
	})
}

// catchUp has every handle of a group read what others appended. Who cannot is answered and left
// out; if that was because of a damage, the others begin again, for somebody else may have come
// in between.
func (f *sharedFile) catchUp(group []*pending) []*pending {
	for {
		bad, err := f.tryCatchUp(group)
		if err == nil {
			return group
		}
		panicked := errors.As(err, new(*panicked))
		if panicked {
			f.giveUp()
		}
		if bad < 0 {
			answerAll(group, err)
			return nil
		}
		group[bad].answer(err)
		group = append(group[:bad], group[bad+1:]...)
		if !panicked || len(group) == 0 {
			continue
		}
		if err := f.beginBurst(); err != nil {
			answerAll(group, err)
			return nil
		}
	}
}

// tryCatchUp says which of a group could not catch up, and why; -1 if it is nobody's own fault.
func (f *sharedFile) tryCatchUp(group []*pending) (bad int, err error) {
	if len(group) == 0 {
		return -1, nil
	}
	if f.held == nil { // it was given up with the group before
		if err := f.beginBurst(); err != nil {
			return -1, err
		}
	}
	bad = -1
	err = guard(sharedName, func() error {
		return f.held.db.View(func(tx *bolt.Tx) error {
			f.knowing.Lock()
			known := f.seen == uint64(tx.ID()) // nobody else has committed since this store did
			f.knowing.Unlock()
			if !known {
				if err := f.readHeads(tx); err != nil {
					return err
				}
				f.store.hub.tell((*handle).lags)
			}
			for i, p := range group {
				bad = i
				if err := f.catchUpOne(tx, p, known); err != nil {
					return err
				}
			}
			bad = -1
			return nil
		})
	})
	return bad, err
}

func (f *sharedFile) catchUpOne(tx *bolt.Tx, p *pending, known bool) error {
	h := p.h
	if h.burst != f.burst {
		// What failed at the end of the last burst is tried again, and told.
		if !f.due[h] {
			if err := h.writeAnchor(false); err != nil {
				return err
			}
		}
		h.burst, h.caughtUp = f.burst, known && !f.behind(h)
	}
	if p.settled() {
		return nil
	}
	return h.catchUp(tx)
}
