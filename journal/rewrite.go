package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"

	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

// contents are all that a run's own file holds.
type contents struct {
	entries [][]byte
	head    head
	// imported is the stored note of an import; nil if there is none.
	imported []byte
}

// newFile makes a file that was not there, and gives it its name. txid is the number of its commit.
// It is for whoever keeps all others from that name.
func (s *Store) newFile(name string, fill func(tx *bolt.Tx) error) (txid uint64, err error) {
	txid, err = s.writeNew(name, 0, func(db *bolt.DB) error { return db.Update(fill) })
	if err != nil {
		return 0, err
	}
	if err := s.nameNew(name, "create"); err != nil {
		return 0, errors.Join(err, remove(s.newPath(name)))
	}
	return txid, nil
}

// writeNew writes a whole journal to the file that name has before it has its name, durably. fill
// gets the empty database. It is for whoever keeps all others from that name.
//
// after is a commit that the file's own number, txid, comes behind: who knows the journal looks for
// numbers that are larger than those it has seen.
func (s *Store) writeNew(name string, after uint64, fill func(*bolt.DB) error) (txid uint64, err error) {
	path := s.newPath(name)
	if err := remove(path); err != nil { // one that a dead process left
		return 0, fmt.Errorf("writing the journal: %w", err)
	}
	file, err := openSafe(path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return 0, fmt.Errorf("writing the journal: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("writing the journal: %w", err), remove(path))
		}
	}()
	db, err := bolt.Open(path, 0o600, &bolt.Options{
		NoSync: true, NoGrowSync: true, NoStatistics: true, FreelistType: bolt.FreelistMapType,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return file, nil },
	})
	if err != nil {
		return 0, errors.Join(err, file.Close())
	}
	db.AllocSize = growBy
	if err := errors.Join(fill(db), db.Close()); err != nil {
		return 0, err
	}
	return renumber(path, after)
}

func (s *Store) fillFile(tx *bolt.Tx, id string, c contents) error {
	if err := s.initialize(tx, id); err != nil {
		return err
	}
	entries := tx.Bucket(bucketEntries)
	entries.FillPercent = 1 // as put has it: a full page is split for nothing
	for i, stored := range c.entries {
		if err := entries.Put(seqKey(uint64(i+1)), stored); err != nil {
			return err
		}
	}
	info := tx.Bucket(bucketInfo)
	if c.imported != nil {
		if err := info.Put(keyImport, c.imported); err != nil {
			return err
		}
	}
	return info.Put(keyHead, s.headRecord(id, c.head))
}

// renumber gives both meta pages of a file numbers that come behind a commit, and syncs it. The
// number of a commit says, by being even or odd, which of the pages it is in.
func renumber(path string, after uint64) (number uint64, err error) {
	file, err := openSafe(path, os.O_RDWR)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	newest, err := readMeta(file)
	if err != nil {
		return 0, err
	}
	number = newest.txid
	if number <= after+1 {
		number += (after + 3 - number) / 2 * 2
	}
	for _, txid := range []uint64{number, number - 1} {
		at := int64(txid%2) * int64(newest.pageSize)
		var page [pageHeader + metaSize]byte
		if _, err := file.ReadAt(page[:], at); err != nil {
			return 0, err
		}
		fields := page[pageHeader:]
		binary.NativeEndian.PutUint64(fields[48:], txid)
		sum := fnv.New64a()
		sum.Write(fields[:metaSize-8])
		binary.NativeEndian.PutUint64(fields[metaSize-8:], sum.Sum64())
		if _, err := file.WriteAt(page[:], at); err != nil {
			return 0, err
		}
	}
	return number, file.Sync()
}

// nameNew gives what writeNew wrote its name, in place of what has it. work names the failpoints.
func (s *Store) nameNew(name, work string) error {
	if err := s.at(work + ".name"); err != nil {
		return err
	}
	if err := os.Rename(s.newPath(name), s.dbPath(name)); err != nil {
		return fmt.Errorf("naming the journal: %w", err)
	}
	if err := s.at(work + ".named"); err != nil {
		return err
	}
	return durable.SyncDir(s.runsDir())
}
