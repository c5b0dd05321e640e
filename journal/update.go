package journal

import (
	"context"
	"errors"
	"time"

	bolt "go.etcd.io/bbolt"
)

// update is the one way to append: catch up, ask fn, append, commit, in one transaction. In a
// file that runs share, the transaction is shared too.
func (h *handle) update(ctx context.Context, fn func(*State) ([]Draft, error)) ([]Entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	if h.stale {
		if err := h.reload(ctx); err != nil {
			return nil, err
		}
	}
	if h.place.shared {
		return h.updateShared(ctx, fn)
	}
	if err := h.beginBurst(ctx); err != nil {
		return nil, err
	}
	entries, err := h.transact(fn)
	if h.brief {
		err = errors.Join(err, h.endBurst())
	}
	if h.stale {
		// What is on disk decides; until that is read again, nothing is known.
		return nil, errors.Join(err, h.endBurst(), h.reload(ctx))
	}
	return entries, err
}

// transact is one transaction of a burst.
func (h *handle) transact(fn func(*State) ([]Draft, error)) ([]Entry, error) {
	var tx *bolt.Tx
	err := guard(h.id, func() (err error) {
		if tx, err = h.held.db.Begin(true); err != nil {
			return err
		}
		return h.catchUp(tx)
	})
	if errors.As(err, new(*panicked)) {
		h.giveUp()
		return nil, err
	}
	if tx == nil {
		return nil, err
	}
	defer func() {
		if err := guard(h.id, tx.Rollback); errors.As(err, new(*panicked)) {
			h.giveUp()
		}
	}()
	if err != nil {
		return nil, err
	}
	drafts, err := fn(h.state)
	if err != nil || len(drafts) == 0 {
		return nil, err
	}
	before := h.chain.head
	entries, stored, err := h.write(drafts)
	if err != nil {
		h.stale = h.chain.head != before
		return nil, err
	}
	return entries, h.commit(tx, entries, stored)
}

// catchUp reads what others appended since this handle last looked.
func (h *handle) catchUp(tx *bolt.Tx) error {
	in, err := h.place.in(tx)
	if err != nil {
		return err
	}
	at, authentic, err := h.store.readHead(in, h.id)
	if err != nil || h.caughtUp && authentic && at == (head{h.chain.head, h.chain.hash}) {
		return err
	}
	raw := &rawEntries{}
	if err := raw.readPlace(tx, h.store, h.place, h.chain.head-1); err != nil {
		return err
	}
	if err := h.follow(raw); err != nil {
		return err
	}
	h.caughtUp = true
	if len(h.unseen) > 0 && h.sub != nil {
		h.sub.tick()
	}
	return nil
}

// write makes entries of drafts and adds them to the state. stored are their bytes.
func (h *handle) write(drafts []Draft) (entries []Entry, stored [][]byte, err error) {
	entries, stored, err = h.state.write(drafts, h.store.entry)
	h.chain.head, h.chain.hash = h.state.Head, h.state.HeadHash // also if some were added and one was not
	if len(entries) > 0 {
		h.chain.prev = entries[len(entries)-1].Prev
	}
	return entries, stored, err
}

// commit makes entries durable. After any error it is not known whether they are.
func (h *handle) commit(tx *bolt.Tx, entries []Entry, stored [][]byte) error {
	h.stale, h.wrote = true, true
	last := anchor{h.chain.head, h.chain.hash}
	mine := uint64(tx.ID())
	err := guard(h.id, func() error {
		if err := putStored(tx, entries[0].Seq, stored, h.store.headRecord(h.id, head(last))); err != nil {
			return err
		}
		if err := h.store.at("commit"); err != nil {
			return err
		}
		h.seen.Store(mine) // before others can see the commit, so that it is no news here
		return tx.Commit()
	})
	if err == nil {
		err = h.store.at("committed")
	}
	if err != nil {
		h.seen.Store(0)
		if errors.As(err, new(*panicked)) {
			h.giveUp()
		}
		return err
	}
	h.due = last
	for _, e := range entries {
		if sealed(e.Kind) {
			if err := h.writeAnchor(true); err != nil {
				return err
			}
			break
		}
	}
	h.known = h.chain.head
	h.stale = false
	return nil
}

// beginBurst gets the lock and opens the file, if this handle has not got them from a moment
// ago. A burst that has lasted long enough ends first, and whoever waits comes in between.
func (h *handle) beginBurst(ctx context.Context) error {
	if h.held != nil && time.Since(h.since) < h.store.o.HoldFor {
		return nil
	}
	if err := h.endBurst(); err != nil {
		return err
	}
	if err := h.lock.take(ctx); err != nil {
		return err
	}
	db, err := openDatabase(h.id, h.place.path, write)
	if err != nil {
		h.lock.release()
		return err
	}
	h.held, h.since, h.caughtUp = db, time.Now(), false
	h.holding.Store(true)
	if h.timer == nil {
		h.timer = time.AfterFunc(h.store.o.HoldFor, h.expire)
	} else {
		h.timer.Reset(h.store.o.HoldFor)
	}
	return nil
}

// expire ends a burst that nothing was added to.
func (h *handle) expire() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held != nil && time.Since(h.since) >= h.store.o.HoldFor {
		// What fails here fails again, and is told, at the next append: the anchor is still due.
		_ = h.endBurst()
	}
}

// endBurst gives the file back.
func (h *handle) endBurst() error {
	if h.held == nil {
		return nil
	}
	h.timer.Stop()
	err := errors.Join(h.writeAnchor(false), h.held.close())
	h.letGo()
	return err
}

// giveUp ends a burst whose database cannot be trusted to close.
func (h *handle) giveUp() {
	if h.held == nil {
		return
	}
	h.timer.Stop()
	h.held.abandon()
	h.letGo()
}

func (h *handle) letGo() {
	h.held = nil
	h.holding.Store(false)
	if h.wrote {
		h.lock.ring()
		h.wrote = false
	}
	h.lock.release()
}

func (h *handle) writeAnchor(sync bool) error {
	if h.due.seq == 0 {
		return nil
	}
	if err := h.anchor.write(h.due, sync); err != nil {
		return err
	}
	h.due, h.anchored = anchor{}, time.Now()
	return nil
}
