package journal

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"sync"

	bolt "go.etcd.io/bbolt"
)

// commit makes one transaction of the first of the decided, durable when it returns, and gives
// back those that are left. A fault of one update fails that one; then nothing is committed, and
// the others are among those left. After a commit that failed it is not known what happened, to
// none of them.
func (f *sharedFile) commit(decided []*pending) (left []*pending) {
	batch := decided[:cut(decided)]
	var tx *bolt.Tx
	bad := -1
	err := f.ensureHeld()
	unheld := err != nil
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
	f.reread = true
	if bad >= 0 {
		batch[bad].fail(err)
		return append(decided[:bad:bad], decided[bad+1:]...)
	}
	_ = f.endBurst() // what it holds is not to be gone on from
	for _, p := range batch {
		p.unwritten = unheld
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

// undo ends a transaction that came to nothing.
func (f *sharedFile) undo(tx *bolt.Tx, err error) {
	if !errors.As(err, new(*panicked)) && tx != nil {
		err = guard(sharedName, tx.Rollback)
	}
	if errors.As(err, new(*panicked)) {
		f.giveUp()
	}
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
		return errMoved // the decision was late, or the file had to be given up, and somebody came in between
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
	atOnce(decisions, func(p *pending) error { return p.h.writeAnchor(true) })
	for _, p := range decisions {
		if p.err != nil { // as after a commit that failed
			p.h.stale = true
			p.h.seen.Store(0)
			f.reread = true
		}
	}
	if alone { // nobody here appends in bursts: others get the file at once
		_ = f.endBurst() // all of it is durable already
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

func (f *sharedFile) sees(txid uint64) {
	f.knowing.Lock()
	defer f.knowing.Unlock()
	f.seen = txid
}

// atOnce syncs files of several updates at the same time, for a disk that syncs one of them syncs
// many with it; an error is its update's.
func atOnce(group []*pending, sync1 func(p *pending) error) {
	var wait sync.WaitGroup
	room := make(chan struct{}, maxSyncs)
	for _, p := range group {
		room <- struct{}{}
		wait.Go(func() {
			p.err = sync1(p)
			<-room
		})
	}
	wait.Wait()
}
