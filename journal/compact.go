package journal

import (
	"context"
	"errors"
	"os"

	bolt "go.etcd.io/bbolt"
)

// Compacted is what compaction came to: the size of the journal's file before and after, in bytes.
type Compacted struct{ Before, After int64 }

// Compact writes a run's journal anew, without the pages that nothing uses any more; the entries
// stay as they are, to the byte. Of a run in the file that runs share, it is the whole file. A
// run that somebody executes is refused as RUN_BUSY. Whatever happens meanwhile, the old file is
// there or the new one.
func Compact(ctx context.Context, s *Store, id string) (size Compacted, err error) {
	h, err := s.openHandle(ctx, id)
	if err != nil {
		return size, err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	lease, err := s.takeLease(id)
	if err != nil {
		return size, err
	}
	defer func() { err = errors.Join(err, lease.release()) }()
	err = h.locked(ctx, func() (err error) {
		size, err = h.compact()
		return err
	})
	return size, err
}

// compact has the file's lock.
func (h *handle) compact() (size Compacted, err error) {
	s, name := h.store, h.id
	if h.place.shared {
		name = sharedName
	}
	raw, err := h.readRaw(0, readAll)
	if err != nil {
		return size, err
	}
	if _, _, err := raw.fold(h.id, s.PublicKey(), nil, strict); err != nil {
		return size, err
	}
	if size.Before, err = lengthOf(h.place.path); err != nil {
		return size, err
	}
	if err := s.copyNew(name); err != nil {
		return size, err
	}
	size.After, err = lengthOf(s.newPath(name))
	if err != nil || size.After >= size.Before { // nothing to gain
		size.After = size.Before
		return size, errors.Join(err, remove(s.newPath(name)))
	}
	if err := s.nameNew(name); err != nil {
		return size, errors.Join(err, remove(s.newPath(name)))
	}
	h.lock.ring() // whoever has a run open looks, and finds what it knows
	return size, nil
}

// copyNew writes all that a file holds to a new one.
func (s *Store) copyNew(name string) error {
	from, err := openDatabase(name, s.dbPath(name), readAll)
	if err != nil {
		return err
	}
	return from.end(guard(name, func() error {
		var number uint64
		if err := from.db.View(func(tx *bolt.Tx) error { number = uint64(tx.ID()); return nil }); err != nil {
			return err
		}
		return s.writeNew(name, number, func(to *bolt.DB) error { return bolt.Compact(to, from.db, 0) })
	}))
}

func lengthOf(path string) (int64, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Size is how many bytes the file of a run's journal has; 0 for a run in the file that runs
// share.
func (s *Store) Size(id string) (int64, error) {
	at, err := s.locate(id)
	if err != nil || at.shared {
		return 0, err
	}
	return lengthOf(at.path)
}
