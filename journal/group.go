package journal

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// In the shared file, updates of many runs share each commit. An Update puts itself into a queue.
// One goroutine takes all that waits, of each run the first; sees to it that each knows its run's
// newest entry; lets all of them decide at once, each in its caller's goroutine; takes those that
// have come meanwhile, too; and commits what was decided. Nothing waits for a time to pass: while
// one commit is on its way to the disk, the next one gathers. The goroutine ends when nothing
// waits.

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
		if !p.create {
			p.turn <- struct{}{}
		}
	}
	decided := group[:0]
	for _, p := range group {
		if !p.create {
			<-p.ready
		}
		if len(p.entries) > 0 {
			decided = append(decided, p)
		}
	}
	return decided
}

// nameAnchors makes the anchors of new runs durable, before the runs are.
func (f *sharedFile) nameAnchors(group []*pending) []*pending {
	if !slices.ContainsFunc(group, func(p *pending) bool { return p.create }) {
		return group
	}
	err := durable.SyncDir(f.store.anchorsDir())
	if err == nil {
		return group
	}
	return slices.DeleteFunc(group, func(p *pending) bool {
		if p.create {
			p.answer(err)
		}
		return p.create
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
	if p.create {
		return nil
	}
	return h.catchUp(tx)
}

// commit makes one transaction of the first of the decided, durable when it returns, and gives
// back those that are left. A fault of one update fails that one; then nothing is committed, and
// the others are among those left. After a commit that failed it is not known what happened, to
// none of them.
func (f *sharedFile) commit(decided []*pending) (left []*pending) {
	batch := decided[:cut(decided)]
	var tx *bolt.Tx
	bad := -1
	err := f.ensureHeld()
	if err == nil {
		err = guard(sharedName, func() (err error) {
			if tx, err = f.held.db.Begin(true); err != nil {
				return err
			}
			for i, p := range batch {
				bad = i
				if err := f.store.putPending(tx, p); err != nil {
					return err
				}
			}
			bad = -1
			return nil
		})
	}
	if err == nil {
		err = f.finish(tx, batch)
		if err == nil {
			return decided[len(batch):]
		}
	}
	f.undo(tx, err)
	if bad >= 0 {
		batch[bad].fail(err)
		return append(decided[:bad:bad], decided[bad+1:]...)
	}
	for _, p := range batch {
		p.fail(err)
	}
	return decided[len(batch):]
}

func (f *sharedFile) ensureHeld() error {
	if f.held != nil {
		return nil
	}
	return f.beginBurst()
}

// undo ends a transaction that came to nothing, and the burst with it: what is on disk is read
// anew.
func (f *sharedFile) undo(tx *bolt.Tx, err error) {
	if !errors.As(err, new(*panicked)) && tx != nil {
		err = guard(sharedName, tx.Rollback)
	}
	if errors.As(err, new(*panicked)) {
		f.giveUp()
	}
	_ = f.endBurst() // an anchor that could not be written is still due
}

// cut says how many updates go into one transaction: bbolt holds all of it in memory.
func cut(decided []*pending) int {
	size := 0
	for i, p := range decided {
		for _, text := range p.stored {
			size += len(text)
		}
		if i > 0 && size > maxBatch {
			return i
		}
	}
	return len(decided)
}

// putPending adds one update to a transaction, if its run still ends where the update begins.
func (s *Store) putPending(tx *bolt.Tx, p *pending) error {
	place := s.sharedPlace(p.h.id)
	if p.create {
		runs, err := place.runs(tx)
		if err != nil {
			return err
		}
		bucket, err := runs.CreateBucket([]byte(p.h.id))
		if err != nil {
			return err
		}
		return errors.Join(s.initialize(bucket, p.h.id), putStored(bucket, p.entries[0].Seq, p.stored, p.record))
	}
	in, err := place.in(tx)
	if err != nil {
		return err
	}
	stored := in.Bucket(bucketInfo).Get(keyHead)
	if len(stored) != headSize || binary.BigEndian.Uint64(stored) != p.from.seq || hex.EncodeToString(stored[8:40]) != p.from.hash {
		// Only where the file had to be given up, and somebody came in between.
		return fault.New(fault.RunBusy, fmt.Sprintf("run %s was appended to by another process meanwhile", p.h.id), "try again")
	}
	return putStored(in, p.entries[0].Seq, p.stored, p.record)
}

// finish commits, writes the anchors of sealed entries, and answers.
func (f *sharedFile) finish(tx *bolt.Tx, batch []*pending) error {
	f.wrote = true
	err := guard(sharedName, func() error {
		if err := f.store.at("commit"); err != nil {
			return err
		}
		f.sees(uint64(tx.ID())) // before others can see the commit, so that it is no news here
		return tx.Commit()
	})
	if err == nil {
		err = f.store.at("committed")
	}
	if err != nil {
		f.sees(0)
		return err
	}
	var unsealed, decisions []*pending
	alone := true
	for _, p := range batch {
		h := p.h
		h.due = anchor{h.chain.head, h.chain.hash}
		h.seen.Store(h.chain.head)
		f.learn(h.id, h.chain.head)
		f.due[h] = true
		alone = alone && h.brief
		if p.sealed() {
			decisions = append(decisions, p)
		} else {
			unsealed = append(unsealed, p)
		}
	}
	f.tell(batch)
	f.anchorAll(decisions)
	if slices.ContainsFunc(decisions, func(p *pending) bool { return p.err != nil }) {
		_ = f.endBurst()
	}
	if alone { // nobody here appends in bursts: others get the file at once
		if err := f.endBurst(); err != nil {
			for _, p := range batch {
				p.err = errors.Join(p.err, err)
			}
		}
	}
	for _, p := range append(unsealed, decisions...) {
		if !p.h.stale {
			p.h.known = p.h.chain.head
		}
		p.done <- struct{}{}
	}
	return nil
}

func (p *pending) sealed() bool {
	for _, e := range p.entries {
		if sealed(e.Kind) {
			return true
		}
	}
	return false
}

// anchorAll makes the anchors of decisions durable, at the same time: a disk that syncs one file
// syncs many with it.
func (f *sharedFile) anchorAll(decisions []*pending) {
	var wait sync.WaitGroup
	room := make(chan struct{}, maxSyncs)
	for _, p := range decisions {
		room <- struct{}{}
		wait.Go(func() {
			if p.err = p.h.writeAnchor(true); p.err != nil {
				p.h.stale = true // as after a commit that failed
				p.h.seen.Store(0)
			}
			<-room
		})
	}
	wait.Wait()
}

func (f *sharedFile) sees(txid uint64) {
	f.knowing.Lock()
	defer f.knowing.Unlock()
	f.seen = txid
}
