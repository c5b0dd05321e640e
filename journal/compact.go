package journal

import (
	"context"
	"errors"
	"fmt"
	"os"

	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Compacted is what compaction came to: the size of the journal's file before and after, in bytes.
type Compacted struct{ Before, After int64 }

// Compact writes a run's journal anew, without the pages that nothing uses any more; the entries
// stay as they are, to the byte. Of a run in the file that runs share, it is the whole file. If
// somebody executes the run, or any other in that file, it is refused as RUN_BUSY. Whatever happens
// meanwhile, the old file is there or the new one.
//
// Nobody gets at the file until that is done. Those are only people who look or answer, and come
// again: a run that is at work must not be kept from its journal for so long.
func Compact(ctx context.Context, s *Store, id string) (size Compacted, err error) {
	h, err := s.findHandle(id)
	if err != nil {
		return size, err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if !h.place.shared {
		lease, err := s.takeLease(id)
		if err != nil {
			return size, err
		}
		defer func() { err = errors.Join(err, lease.release()) }()
	}
	err = h.locked(ctx, func() (err error) {
		if h.place.shared {
			if err := s.sharedAtRest(ctx); err != nil {
				return err
			}
		}
		size, err = h.compact()
		return err
	})
	return size, err
}

// sharedAtRest refuses if somebody executes a run of the shared file. The caller has the file's
// lock: a run that begins meanwhile, or is taken over, comes to its first entry only behind that.
func (s *Store) sharedAtRest(ctx context.Context) error {
	ids, err := s.listShared()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		if owner, alive := s.owner(id); alive {
			return fault.New(fault.RunBusy,
				fmt.Sprintf("run %s is executed by process %d on %s, and all runs of that file would wait", id, owner.PID, owner.Host),
				"assent watch "+id+"   # shows it as it goes; compact when it has ended")
		}
	}
	return nil
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
	if err := s.nameNew(name, "rewrite"); err != nil {
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
		_, err := s.writeNew(name, number, func(to *bolt.DB) error { return bolt.Compact(to, from.db, 0) })
		return err
	}))
}

func lengthOf(path string) (int64, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Size is how many bytes the file of a run's journal has, with its attachments; of a run in the file
// that runs share, the attachments alone.
func (s *Store) Size(id string) (int64, error) {
	at, err := s.locate(id)
	if err != nil {
		return 0, err
	}
	size, err := s.sizeOfAttachments(id)
	if err != nil || at.shared {
		return size, err
	}
	length, err := lengthOf(at.path)
	return size + length, err
}
