package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
)

// handle is what Run and Visit have in common: one process's view of one run.
type handle struct {
	store *Store
	id    string
	place place
	// brief says that this handle does not append in bursts: others get the file at once.
	brief bool
	// seen is the newest commit that this handle knows of (rawEntries.txid); read by the hub
	// without mu.
	seen atomic.Uint64
	// holding says that a burst is on: then nobody else can append.
	holding atomic.Bool
	sub     *subscription // made once, under mu

	mu     sync.Mutex // guards the rest
	lock   *fileLock
	anchor *anchorFile
	state  *State
	chain  *chain
	// unseen are the entries of others that Sync has not given out yet.
	unseen []Entry
	// known is the last entry that was handed out, or stands in unseen.
	known uint64
	// stale says that a write went wrong: what is on disk is read anew before anything else.
	stale  bool
	closed bool

	// held is the open database of a burst; nil between bursts. While it is there, so is the
	// lock. since is when the burst began, due the anchor that is to be written at its end.
	held  *database
	since time.Time
	due   anchor
	timer *time.Timer
	// wrote says that the burst has committed something that others are to be told of.
	wrote bool
	// caughtUp says that the burst has looked for entries of others.
	caughtUp bool
	// burst is, in the shared file, the latest burst that this handle took part in. There held,
	// since, timer and wrote are the shared file's, and its mutex guards due, and anchored, which
	// is when the anchor was last written.
	burst    uint64
	anchored time.Time
}

var errClosed = errors.New("journal: the run was closed")

// openHandle opens a run that is there, and reads and checks all of it. It writes nothing.
func (s *Store) openHandle(ctx context.Context, id string) (*handle, error) {
	for again := 0; ; again++ {
		h, err := s.findHandle(id)
		if err != nil {
			return nil, err
		}
		if err = h.reload(ctx); err == nil {
			return h, nil
		}
		// The run may have been removed and imported again since its files were opened.
		replaced := again < 3 && h.replaced()
		if err = errors.Join(err, h.close()); !replaced {
			return nil, err
		}
	}
}

// replaced says that the run's anchor or lock is another file now than the one that is open.
func (h *handle) replaced() bool {
	same := func(open *os.File, path string) bool {
		now, err := os.Lstat(path)
		if open == nil || err != nil {
			return open == nil && errors.Is(err, fs.ErrNotExist)
		}
		then, err := open.Stat()
		return err == nil && os.SameFile(then, now)
	}
	return !same(h.anchor.file, h.store.anchorPath(h.id)) || h.lock != nil && !same(h.lock.file, h.place.lock)
}

// findHandle opens what stands beside the journal of a run that is there.
func (s *Store) findHandle(id string) (_ *handle, err error) {
	at, err := s.locate(id)
	if err != nil {
		return nil, err
	}
	h := s.handleAt(at)
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close())
		}
	}()
	if h.anchor, err = s.anchors(id); err != nil {
		return nil, err
	}
	h.lock, err = h.findLock()
	return h, err
}

// readWhole reads and checks a run's journal once, for who wants no more. visit gets the entries.
func (s *Store) readWhole(ctx context.Context, id string, visit func(Entry)) (raw *rawEntries, err error) {
	h, err := s.findHandle(id)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	err = h.locked(ctx, func() (err error) {
		raw, err = h.readRaw(0, readAll)
		return err
	})
	if err != nil {
		return nil, err
	}
	_, _, err = raw.fold(id, s.PublicKey(), visit, strict)
	return raw, err
}

// handleAt makes a handle that has nothing open yet.
func (s *Store) handleAt(at place) *handle {
	h := &handle{store: s, id: at.run, place: at}
	if at.shared {
		s.shared.join(h)
	}
	return h
}

// findLock opens the lock file. A journal that was restored from a copy may have none; it is
// made only beside a file that has proved to be this run's journal.
func (h *handle) findLock() (*fileLock, error) {
	path := h.place.lock
	lock, err := openLock(h.id, path, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return lock, err
	}
	raw, err := h.readRaw(0, readAll)
	if err != nil {
		return nil, err
	}
	if _, _, err := raw.fold(h.id, h.store.PublicKey(), nil, strict); err != nil {
		return nil, err
	}
	return openLock(h.id, path, os.O_CREATE)
}

// readRaw copies the entries after a seq out of the file. Nothing is checked yet but the pages
// and the head's form, so that the lock is held as short as can be.
func (h *handle) readRaw(after uint64, a access) (*rawEntries, error) {
	if h.place.shared {
		a.run = h.id
	}
	db, err := openDatabase(h.id, h.place.path, a)
	if err != nil {
		return nil, err
	}
	raw := &rawEntries{}
	err = guard(h.id, func() error {
		return db.db.View(func(tx *bolt.Tx) error { return raw.readPlace(tx, h.store, h.place, after) })
	})
	if err := db.end(err); err != nil {
		return nil, err
	}
	pair, err := h.anchor.read()
	raw.anchor = pair.newest()
	return raw, err
}

// locked runs f under the run's lock.
func (h *handle) locked(ctx context.Context, f func() error) error {
	if err := h.lock.take(ctx); err != nil {
		return err
	}
	defer h.lock.release()
	return f()
}

// reload reads and checks the whole journal.
func (h *handle) reload(ctx context.Context) error {
	var raw *rawEntries
	err := h.locked(ctx, func() (err error) {
		raw, err = h.readRaw(0, readAll)
		return err
	})
	if err != nil {
		return err
	}
	var news []Entry
	state, chain, err := raw.fold(h.id, h.store.PublicKey(), func(e Entry) {
		if h.state != nil && e.Seq > h.known { // the first reading is no news
			news = append(news, e)
		}
	}, strict)
	if err != nil {
		return err
	}
	h.unseen = append(h.unseen, news...)
	h.state, h.chain, h.stale = state, chain, false
	h.known = chain.head
	h.sees(raw.txid)
	return nil
}

// sees notes the newest commit that this handle knows of.
func (h *handle) sees(commit uint64) {
	h.seen.Store(commit)
	if h.place.shared {
		h.store.shared.learn(h.id, commit)
	}
}

// sync gives out what others appended.
func (h *handle) sync(ctx context.Context) ([]Entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	if err := h.refresh(ctx); err != nil {
		return nil, err
	}
	news := h.unseen
	h.unseen = nil
	return news, nil
}

func (h *handle) refresh(ctx context.Context) error {
	switch {
	case h.stale:
		return h.reload(ctx)
	case h.place.shared:
		if news, err := h.store.shared.reach(ctx, h); !news {
			return err
		}
	case !h.changed():
		return nil
	}
	var raw *rawEntries
	err := h.locked(ctx, func() (err error) {
		raw, err = h.readRaw(h.chain.head-1, read)
		return err
	})
	if err != nil {
		return err
	}
	return h.follow(raw)
}

// follow adds the entries that others appended. raw begins with the last entry that is known,
// which has to be there as it was. Nothing is added before all of it has proved to be genuine.
func (h *handle) follow(raw *rawEntries) (err error) {
	defer func() { h.stale = h.stale || err != nil }()
	known := h.chain.head
	if !raw.authentic {
		return unwritten(h.id, known, known+1)
	}
	if len(raw.entries) == 0 || hashOf(h.chain.prev, raw.entries[0]) != h.chain.hash {
		return rolledBack(h.id, raw.head.seq, known)
	}
	news := make([]Entry, 0, len(raw.entries)-1)
	hashes := make([]string, 0, len(raw.entries)-1)
	for _, stored := range raw.entries[1:] {
		e, err := h.chain.next(stored)
		if err != nil {
			return err
		}
		news, hashes = append(news, e), append(hashes, h.chain.hash)
	}
	genuine := known
	if i := raw.head.seq - known - 1; raw.head.seq > known && i < uint64(len(hashes)) && hashes[i] == raw.head.hash {
		genuine = raw.head.seq
	}
	if err := raw.ends(h.chain, genuine); err != nil {
		return err
	}
	for i, e := range news {
		if err := readFault(h.id, e, h.state.apply(e, hashes[i])); err != nil {
			return err
		}
	}
	h.unseen = append(h.unseen, news...)
	h.known = h.chain.head
	h.sees(raw.txid)
	return nil
}

// changed says that there may be a commit that this handle does not know of. It is for a run in
// a file of its own.
func (h *handle) changed() bool {
	if h.holding.Load() {
		return false
	}
	file, err := openSafe(h.place.path, os.O_RDONLY)
	if err != nil {
		return true
	}
	defer file.Close()
	newest := newestTx(file)
	// An older commit than the one this handle is making is no news.
	return newest == 0 || newest > h.seen.Load()
}

// changes starts the notification.
func (h *handle) changes() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sub == nil && !h.closed {
		h.sub = h.store.hub.subscribe(h)
	}
	if h.sub == nil {
		return nil
	}
	return h.sub.ticks
}

func (h *handle) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	h.closed = true
	err := h.endBurst()
	if h.place.shared {
		err = h.store.shared.leave(h)
	}
	if h.lock != nil {
		err = errors.Join(err, h.lock.close())
	}
	if h.anchor != nil {
		err = errors.Join(err, h.anchor.close())
	}
	if h.sub != nil {
		h.store.hub.unsubscribe(h.sub)
	}
	return err
}
