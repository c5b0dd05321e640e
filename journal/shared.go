package journal

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
)

// sharedFile is a store's view of the file that runs share: who has which of them open here, how
// far each has come, and the burst in which the file is open for all of them. group.go has how
// their appends come together.
type sharedFile struct {
	store *Store

	// holding says that a burst is on: then no other process can append.
	holding atomic.Bool
	// looking keeps all but one from reading the file for the same news.
	looking sync.Mutex

	knowing sync.Mutex // guards the next three; nobody waits for anything while holding it
	// seen is bbolt's number of the newest commit that heads takes account of; 0 if none is.
	seen uint64
	// heads are the heads of the runs that are open here, as far as anybody here knows them.
	heads map[string]uint64
	open  map[string]map[*handle]bool

	queue sync.Mutex // guards the next two
	// waiting are the updates that nobody has taken yet; committing says that a goroutine is
	// there to take them.
	waiting    []*pending
	committing bool

	mu sync.Mutex // guards the rest, and the anchors that are due of all handles in the file
	// lock is opened with the first burst, and closed with the last handle.
	lock *fileLock
	// held is the open database of a burst, nil between bursts; since is when the burst began,
	// and burst counts them.
	held  *database
	since time.Time
	burst uint64
	timer *time.Timer
	// wrote says that the burst has committed something that others are to be told of.
	wrote bool
	// due are the handles whose anchor is to be written at the end of the burst, or of a later one.
	due map[*handle]bool
	// reread says that somebody waits for the burst to end, to read again what is on disk.
	reread bool
	// walked says that the pages were checked since this store first wrote to the file.
	walked atomic.Bool
	// patience is how long a decision may hold up those of others.
	patience time.Duration
}

// gone is the head of a run that is not there, or cannot be read: that is news as well.
const gone = math.MaxUint64

// join makes a handle known: from now on its run's head is looked after.
func (f *sharedFile) join(h *handle) {
	f.knowing.Lock()
	defer f.knowing.Unlock()
	if f.open == nil {
		f.open, f.heads = map[string]map[*handle]bool{}, map[string]uint64{}
		f.due = map[*handle]bool{}
	}
	if f.open[h.id] == nil {
		f.open[h.id] = map[*handle]bool{}
	}
	f.open[h.id][h] = true
}

// leave ends the burst that a handle took part in, so that others get the file, and forgets the
// handle. With the last one goes the lock.
func (f *sharedFile) leave(h *handle) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.knowing.Lock()
	delete(f.open[h.id], h)
	if len(f.open[h.id]) == 0 {
		delete(f.open, h.id)
		delete(f.heads, h.id)
	}
	f.knowing.Unlock()
	var err error
	if h.due.seq != 0 && f.held == nil { // put off at the end of a busy burst, or failed then
		err = f.beginBurst()
		h.burst = f.burst
	}
	if f.held != nil {
		err = errors.Join(err, h.writeAnchor(false))
		if h.burst == f.burst || f.unused() {
			err = errors.Join(err, f.endBurst())
		}
	}
	delete(f.due, h)
	return errors.Join(err, f.closeUnused())
}

// unused says that no handle is left.
func (f *sharedFile) unused() bool {
	f.knowing.Lock()
	defer f.knowing.Unlock()
	return len(f.open) == 0
}

func (f *sharedFile) closeUnused() error {
	if f.lock == nil || f.held != nil || !f.unused() {
		return nil
	}
	err := f.lock.close()
	f.lock = nil
	return err
}

// behind says that somebody here knows of an entry that h does not.
func (f *sharedFile) behind(h *handle) bool {
	f.knowing.Lock()
	defer f.knowing.Unlock()
	return f.heads[h.id] > h.seen.Load()
}

// learn notes how far a run has come.
func (f *sharedFile) learn(run string, head uint64) {
	f.knowing.Lock()
	defer f.knowing.Unlock()
	if f.open[run] != nil && (head > f.heads[run] || f.heads[run] == gone) {
		f.heads[run] = head
	}
}

// news says that there may be a commit of another process. It takes no lock of the file.
func (f *sharedFile) news() bool {
	if f.holding.Load() {
		return false
	}
	file, err := openSafe(f.store.dbPath(sharedName), os.O_RDONLY)
	if err != nil {
		return true
	}
	defer file.Close()
	newest := newestTx(file)
	f.knowing.Lock()
	defer f.knowing.Unlock()
	return newest == 0 || newest > f.seen
}

// reach says whether there is something for h to read, after a look where there may be.
func (f *sharedFile) reach(ctx context.Context, h *handle) (bool, error) {
	if !f.behind(h) {
		if err := f.look(ctx, h); err != nil {
			return false, err
		}
	}
	return f.behind(h), nil
}

// look reads how far all runs that are open here have come, once for all of them.
func (f *sharedFile) look(ctx context.Context, h *handle) error {
	f.looking.Lock()
	defer f.looking.Unlock()
	if !f.news() {
		return nil
	}
	return h.locked(ctx, func() error {
		db, err := openDatabase(sharedName, f.store.dbPath(sharedName), read)
		if err != nil {
			return err
		}
		return db.end(guard(sharedName, func() error { return db.db.View(f.readHeads) }))
	})
}

// readHeads is look inside of a transaction that only reads.
func (f *sharedFile) readHeads(tx *bolt.Tx) error {
	runs, err := f.store.sharedPlace("").runs(tx)
	if err != nil {
		return err
	}
	f.knowing.Lock()
	defer f.knowing.Unlock()
	for id := range f.open {
		f.heads[id] = gone
		_ = guard(id, func() error {
			if run := runs.Bucket([]byte(id)); run != nil {
				f.heads[id] = f.store.soundHead(run, id)
			}
			return nil
		})
	}
	f.seen = uint64(tx.ID())
	return nil
}

// soundHead is how far a run has come, if its head is genuine and names its last entry.
func (s *Store) soundHead(in buckets, id string) uint64 {
	at, authentic, err := s.readHead(in, id)
	if err != nil || !authentic {
		return gone
	}
	last, stored := in.Bucket(bucketEntries).Cursor().Last()
	if !bytes.Equal(last, seqKey(at.seq)) || hashOfStored(stored) != at.hash {
		return gone
	}
	return at.seq
}

// tell ticks the other handles here of runs that were appended to.
func (f *sharedFile) tell(batch []*pending) {
	told := map[string]*handle{}
	f.knowing.Lock()
	for _, p := range batch {
		if len(f.open[p.h.id]) > 1 {
			told[p.h.id] = p.h
		}
	}
	f.knowing.Unlock()
	if len(told) > 0 {
		f.store.hub.tell(func(h *handle) bool { return told[h.id] != nil && told[h.id] != h })
	}
}

// beginBurst gets the lock and opens the file, if that has not been done a moment ago. f.mu is
// held.
func (f *sharedFile) beginBurst() error {
	if f.held != nil && time.Since(f.since) < f.store.o.HoldFor {
		return nil
	}
	_ = f.endBurst() // what it committed is durable; if the file cannot be opened again, that is told
	if f.lock == nil {
		lock, err := openLock(sharedName, f.store.lockPath(sharedName), 0)
		if errors.Is(err, fs.ErrNotExist) {
			lock, err = openLock(sharedName, f.store.lockPath(sharedName), os.O_CREATE)
		}
		if err != nil {
			return err
		}
		f.lock = lock
	}
	a, err := f.takeSurveyed(context.Background(), f.lock)
	if err != nil {
		return err
	}
	db, err := openDatabase(sharedName, f.store.dbPath(sharedName), a)
	if err != nil {
		f.lock.release()
		return err
	}
	f.walked.Store(true)
	f.held, f.since = db, time.Now()
	f.burst++
	f.holding.Store(true)
	if f.timer == nil {
		f.timer = time.AfterFunc(f.store.o.HoldFor, f.expire)
	} else {
		f.timer.Reset(f.store.o.HoldFor)
	}
	return nil
}

// expire ends a burst that nothing was added to, and writes the anchors that were put off when
// nobody begins another one.
func (f *sharedFile) expire() {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.held == nil && len(f.due) > 0:
		if f.beginBurst() != nil {
			return // then the next burst writes them
		}
		f.writeAnchors(0)
		_ = f.endBurst()
	case f.held != nil && time.Since(f.since) >= f.store.o.HoldFor:
		_ = f.endBurst()
	}
	_ = f.closeUnused()
}

// endBurst gives the file back.
func (f *sharedFile) endBurst() error {
	if f.held == nil {
		return nil
	}
	f.timer.Stop()
	f.writeAnchors(anchorEvery)
	err := f.held.close()
	f.letGo()
	return err
}

// writeAnchors writes those of the due anchors that were last written at least so long ago. To sign
// one costs as much as all else that an append costs; a busy run's is not signed with every burst.
// What fails is nobody's but its run's: that tries again, and tells, when it next appends or closes.
func (f *sharedFile) writeAnchors(ago time.Duration) {
	for h := range f.due {
		if time.Since(h.anchored) >= ago {
			_ = h.writeAnchor(false)
			delete(f.due, h)
		}
	}
}

// giveUp ends a burst whose database cannot be trusted to close. All of it is checked again
// before it is next written to.
func (f *sharedFile) giveUp() {
	if f.held == nil {
		return
	}
	f.timer.Stop()
	f.held.abandon()
	f.walked.Store(false)
	f.letGo()
}

func (f *sharedFile) letGo() {
	f.held = nil
	f.holding.Store(false)
	if len(f.due) > 0 {
		f.timer.Reset(anchorEvery)
	}
	if f.wrote {
		f.lock.ring()
		f.wrote = false
	}
	f.lock.release()
}
