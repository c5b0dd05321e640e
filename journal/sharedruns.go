package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// makeShared opens the lock of the shared file, and makes both if they are not there.
func (s *Store) makeShared(ctx context.Context) (_ *fileLock, err error) {
	lock, err := openLock(sharedName, s.lockPath(sharedName), os.O_CREATE)
	if err != nil || exists(s.dbPath(sharedName)) {
		return lock, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.close())
		}
	}()
	if err := lock.take(ctx); err != nil {
		return nil, err
	}
	defer lock.release()
	if exists(s.dbPath(sharedName)) { // somebody else was first
		return lock, nil
	}
	_, err = s.newFile(sharedName, func(tx *bolt.Tx) error {
		if _, err := tx.CreateBucket(bucketRuns); err != nil {
			return err
		}
		info, err := tx.CreateBucket(bucketInfo)
		if err != nil {
			return err
		}
		return info.Put(keyFormat, fmt.Append(nil, formatVersion))
	})
	return lock, err
}

// addToShared makes a new run's first entry durable, together with what others append.
func (h *handle) addToShared(first Entry) error {
	p := newPending(h)
	p.create, p.entries, p.stored = true, []Entry{first}, [][]byte{first.Bytes()}
	p.record = h.store.headRecord(h.id, head{h.chain.head, h.chain.hash})
	h.store.shared.submit(p)
	<-p.done
	return p.err
}

// removeBucket takes a run out of the shared file. The caller has the file's lock, from
// takeSurveyed.
func (h *handle) removeBucket(a access) error {
	db, err := openDatabase(sharedName, h.place.path, a)
	if err != nil {
		return err
	}
	h.store.shared.walked.Store(true)
	err = db.end(guard(sharedName, func() error {
		return db.db.Update(func(tx *bolt.Tx) error {
			runs, err := h.place.runs(tx)
			if err != nil {
				return err
			}
			return runs.DeleteBucket([]byte(h.id))
		})
	}))
	if err != nil {
		return fmt.Errorf("removing run %s: %w", h.id, err)
	}
	h.lock.ring()
	return nil
}

// sharedIDs are the runs in the shared file.
func (s *Store) sharedIDs(ctx context.Context) (ids []string, err error) {
	err = s.withShared(ctx, func() error {
		ids, err = s.listShared()
		return err
	})
	return ids, err
}

// listShared is sharedIDs for whoever has the file's lock.
func (s *Store) listShared() ([]string, error) {
	file, err := openSafe(s.dbPath(sharedName), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ids, err := readRuns(file)
	switch {
	case errors.Is(err, errNotBolt):
		return nil, notAJournal(s.dbPath(sharedName), elseThan(s.dbPath(sharedName)))
	case errors.Is(err, errForeign):
		return nil, notAJournal(s.dbPath(sharedName), "a bbolt file of another program")
	case err != nil:
		return nil, damaged(sharedName, err.Error())
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !validID(id) }), nil
}

// withShared calls f under the lock of the shared file, if there is such a file. One that was
// copied back without its lock is in nobody's hands.
func (s *Store) withShared(ctx context.Context, f func() error) error {
	if !exists(s.dbPath(sharedName)) {
		return nil
	}
	lock, err := openLock(sharedName, s.lockPath(sharedName), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return f()
	}
	if err != nil {
		return err
	}
	defer lock.close()
	if err := lock.take(ctx); err != nil {
		return err
	}
	defer lock.release()
	return f()
}

// sharedSummaries are the lines of the runs in the shared file but those of others. They are read
// together, in bursts, for others to come in between.
func (s *Store) sharedSummaries(ctx context.Context, others []string) []Summary {
	ids, err := s.sharedIDs(ctx)
	if err != nil {
		return []Summary{{ID: sharedName, Err: err}}
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(others, id) })
	rows := make([]Summary, 0, len(ids))
	for len(ids) > 0 && ctx.Err() == nil {
		var raws []*rawEntries
		var errs []error
		err := s.withShared(ctx, func() (err error) {
			raws, errs, err = s.readMany(ids)
			return err
		})
		if err != nil {
			return append(rows, Summary{ID: sharedName, Err: err})
		}
		if len(errs) == 0 {
			return rows // the file is gone
		}
		for i, raw := range raws {
			rows = append(rows, s.summaryOfRaw(ids[i], raw, errs[i]))
		}
		ids = ids[len(raws):]
	}
	return rows
}

func (s *Store) summaryOfRaw(id string, raw *rawEntries, err error) Summary {
	if err == nil {
		var state *State
		if state, _, err = raw.fold(id, s.PublicKey(), nil, strict); err == nil {
			return s.summaryOf(state)
		}
	}
	return Summary{ID: id, Err: err}
}

// readMany reads the first of some runs of the shared file, one at least, for as long as a burst.
// The caller has the file's lock.
func (s *Store) readMany(ids []string) (raws []*rawEntries, errs []error, err error) {
	began := time.Now()
	for len(ids) > 0 && (len(raws) == 0 || time.Since(began) < s.o.HoldFor) {
		n, err := s.readSome(ids, began, &raws, &errs)
		if err != nil {
			return nil, nil, err
		}
		ids = ids[n:]
	}
	return raws, errs, nil
}

// readSome reads with one open database; it ends early after a run that made it unusable.
func (s *Store) readSome(ids []string, began time.Time, raws *[]*rawEntries, errs *[]error) (n int, err error) {
	db, err := openDatabase(sharedName, s.dbPath(sharedName), read)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		raw := &rawEntries{}
		err = guard(id, func() error {
			if err := checkPages(db.file, access{walk: true, run: id}); err != nil {
				return damaged(id, err.Error())
			}
			return db.db.View(func(tx *bolt.Tx) error { return raw.readPlace(tx, s, s.sharedPlace(id), 0) })
		})
		if err == nil {
			err = raw.readAnchor(s, id)
		}
		*raws, *errs = append(*raws, raw), append(*errs, err)
		n++
		if errors.As(err, new(*panicked)) {
			_ = db.end(err)
			return n, nil
		}
		if time.Since(began) > s.o.HoldFor {
			break
		}
	}
	return n, db.close()
}

func (r *rawEntries) readAnchor(s *Store, id string) error {
	f, err := s.anchors(id)
	if err != nil {
		return err
	}
	pair, err := f.read()
	r.anchor = pair.newest()
	return errors.Join(err, f.close())
}
