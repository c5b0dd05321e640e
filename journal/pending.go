package journal

import (
	"context"
	"errors"
	"sync/atomic"
)

// pending is an Update that waits for its commit.
type pending struct {
	h *handle
	// taken says that the committing goroutine has it; or its caller, who gives up.
	taken atomic.Bool
	// turn tells the caller to decide, ready the committing goroutine that it has; done comes
	// last. Each is sent at most once and has room for it.
	turn, ready, done chan struct{}
	// phase is one of those below: whether the committing goroutine still waits for the caller is
	// settled by a compare-and-swap.
	phase atomic.Int32

	// What the caller decided: set before ready, along with err if it was refused.
	create  bool
	from    head // where the run ended
	entries []Entry
	stored  [][]byte
	record  []byte // the head that follows

	err error // set before done
	// unwritten says that nothing of it was written for sure, though the state has it.
	unwritten bool
}

// The phases of a pending.
const (
	deciding = iota
	decided
	// late is for who decided too slowly for the others: it comes again when it has decided.
	late
)

// settled says that there is nothing left to decide.
func (p *pending) settled() bool { return p.create || p.phase.Load() == late }

func newPending(h *handle) *pending {
	return &pending{h: h, turn: make(chan struct{}, 1), ready: make(chan struct{}, 1), done: make(chan struct{}, 1)}
}

// submit gives an update to the committing goroutine.
func (f *sharedFile) submit(p *pending) {
	f.queue.Lock()
	f.waiting = append(f.waiting, p)
	start := !f.committing
	f.committing = true
	f.queue.Unlock()
	if start {
		go f.commitAll()
	}
}

// errMoved says that a decision was made on a state that is not the newest any more.
var errMoved = errors.New("journal: the run was appended to meanwhile")

// updateShared is update for a run in the shared file; h.mu is held. Where somebody came in between
// a decision and its commit, it is made again.
func (h *handle) updateShared(ctx context.Context, fn func(*State) ([]Draft, error)) ([]Entry, error) {
	for {
		p := newPending(h)
		entries, err := h.updateOnce(ctx, p, fn)
		if !errors.Is(err, errMoved) {
			return entries, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

func (h *handle) updateOnce(ctx context.Context, p *pending, fn func(*State) ([]Draft, error)) ([]Entry, error) {
	h.store.shared.submit(p)
	select {
	case <-p.turn:
	case <-p.done:
		return h.outcome(ctx, p)
	case <-ctx.Done():
		if p.taken.CompareAndSwap(false, true) {
			return nil, ctx.Err()
		}
		select {
		case <-p.turn:
		case <-p.done:
			return h.outcome(ctx, p)
		}
	}
	if p.decide(fn); len(p.entries) > 0 {
		<-p.done
	}
	return h.outcome(ctx, p)
}

// outcome is what an update comes to.
func (h *handle) outcome(ctx context.Context, p *pending) ([]Entry, error) {
	switch {
	case h.stale && p.unwritten:
		if err := h.reload(ctx); err != nil {
			return nil, err
		}
		return nil, p.err
	case h.stale: // what is on disk decides
		return nil, errors.Join(p.err, h.reload(ctx))
	case p.err != nil:
		return nil, p.err
	}
	return p.entries, nil
}

// decide runs fn and encodes what it wants written, in the caller's goroutine. If fn panics, or
// ends the goroutine, that is the caller's, and nothing is written.
func (p *pending) decide(fn func(*State) ([]Draft, error)) {
	h := p.h
	p.from = head{h.chain.head, h.chain.hash}
	var entries []Entry
	defer func() {
		if len(entries) == 0 {
			h.stale = h.chain.head != p.from.seq
		}
		p.entries = entries
		switch {
		case p.phase.CompareAndSwap(deciding, decided):
			p.ready <- struct{}{}
		case len(entries) > 0:
			p.taken.Store(false)
			h.store.shared.submit(p)
		}
	}()
	drafts, err := fn(h.state)
	if err != nil || len(drafts) == 0 {
		p.err = err
		return
	}
	written, stored, err := h.write(drafts)
	if err != nil {
		p.err = err
		return
	}
	p.stored, p.record = stored, h.store.headRecord(h.id, head{h.chain.head, h.chain.hash})
	entries = written
}

func (p *pending) answer(err error) {
	p.err = err
	p.done <- struct{}{}
}

// fail answers an update whose entries stand in the state, and perhaps on disk, but cannot be
// counted on.
func (p *pending) fail(err error) {
	p.unwritten = p.unwritten || errors.Is(err, errMoved)
	p.h.stale = true
	p.h.seen.Store(0)
	p.answer(err)
}
