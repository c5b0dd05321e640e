package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// A journal's file has two buckets. Keys of entries are their seq, 8 bytes big-endian, so that
// they stand in order and every append goes to the last page. "assent" is small enough for
// bbolt to keep it inside the page that every commit writes anyway: moving the head costs
// nothing.
var (
	bucketInfo    = []byte("assent")
	bucketEntries = []byte("entries")
	keyFormat     = []byte("format")
	keyRun        = []byte("run")
	keyHead       = []byte("head")
	keyImport     = []byte("import")
)

// growBy is how far the file grows ahead of what it holds. Each growth costs an extra fsync;
// bbolt's own 16 MiB would make the file of a small run eight times as large as its content.
const growBy = 64 << 10

// access says how a database is opened.
type access struct {
	flag int
	// walk has every page checked first: bbolt itself would not survive some damages.
	walk bool
	// run limits the walk to what belongs to one run of the shared file; shared has it pass over
	// what is wrong inside of a run's bucket, and common over all that is inside of one.
	run            string
	shared, common bool
}

var (
	readAll = access{flag: os.O_RDONLY, walk: true}
	read    = access{flag: os.O_RDONLY}
	write   = access{flag: os.O_RDWR}
	// writeShared is for the shared file: a damage of one run is that run's. writeCommon looks only
	// at the pages that concern all runs.
	writeShared = access{flag: os.O_RDWR, walk: true, shared: true}
	writeCommon = access{flag: os.O_RDWR, walk: true, shared: true, common: true}
)

// database is an open bbolt file. Whoever has it also has the file's lock.
type database struct {
	id   string
	file *os.File
	db   *bolt.DB
}

// elseThan says what a file is that is no bbolt file.
func elseThan(path string) string {
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		return "an empty file"
	}
	return "something else"
}

func openDatabase(id, path string, a access) (*database, error) {
	file, err := openSafe(path, a.flag)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, unknownRun(id)
	case err != nil:
		return nil, err
	}
	if err := checkPages(file, a); err != nil {
		_ = file.Close()
		if errors.Is(err, errNotBolt) {
			return nil, notAJournal(path, elseThan(path))
		}
		return nil, damaged(id, err.Error())
	}
	d := &database{id: id, file: file}
	options := &bolt.Options{
		ReadOnly: a.flag == os.O_RDONLY, NoStatistics: true,
		// bbolt's own lock is free whenever ours is, but for a program that knows only bbolt.
		Timeout:      time.Second,
		FreelistType: bolt.FreelistMapType,
		OpenFile:     func(string, int, os.FileMode) (*os.File, error) { return file, nil },
	}
	err = guard(id, func() error {
		if d.db, err = bolt.Open(path, 0o600, options); err != nil {
			return err
		}
		d.db.AllocSize = growBy
		return nil
	})
	if err != nil {
		_ = file.Close() // bolt closes it on an error, but not on a panic
		return nil, asDamage(id, err)
	}
	return d, nil
}

// asDamage gives bbolt's own errors about a file our code.
func asDamage(id string, err error) error {
	for _, known := range []error{bolterrors.ErrInvalid, bolterrors.ErrVersionMismatch, bolterrors.ErrChecksum} {
		if errors.Is(err, known) {
			return damaged(id, err.Error())
		}
	}
	if errors.Is(err, bolterrors.ErrTimeout) {
		return fault.New(fault.RunBusy, "the journal of "+of(id)+" is in use by a program that does not take its lock", "end that program")
	}
	return err
}

func (d *database) close() error { return guard(d.id, d.db.Close) }

// abandon gives up a database that panicked. Its locks may be taken, so it cannot be closed;
// the memory map stays until the process ends, and with it the open file, so that bbolt's lock
// on it has to be freed by name.
func (d *database) abandon() {
	freeFlock(d.file)
	_ = d.file.Close()
}

// end closes a database after err, or gives it up if err was a panic.
func (d *database) end(err error) error {
	if errors.As(err, new(*panicked)) {
		d.abandon()
		return err
	}
	return errors.Join(err, d.close())
}

// eachAfter calls f for every stored entry after seq, in order. The bytes are only valid
// during the call.
func eachAfter(in buckets, id string, seq uint64, f func(stored []byte) error) error {
	cursor := in.Bucket(bucketEntries).Cursor()
	for k, v := cursor.Seek(seqKey(seq + 1)); k != nil; k, v = cursor.Next() {
		if len(k) != 8 || v == nil {
			return damaged(id, "an entry's key is no seq")
		}
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

// putStored appends entries, the first of which has the seq first, and moves the head.
func putStored(in buckets, first uint64, stored [][]byte, record []byte) error {
	bucket := in.Bucket(bucketEntries)
	bucket.FillPercent = 1 // appends only: a page that is split will not be written to again
	for i, text := range stored {
		if err := bucket.Put(seqKey(first+uint64(i)), text); err != nil {
			return err
		}
	}
	return in.Bucket(bucketInfo).Put(keyHead, record)
}

func seqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

// rawEntries are stored entries, copied out of the file so that it can be given back before
// they are checked.
type rawEntries struct {
	head head
	// authentic says that this user's assent wrote the head.
	authentic bool
	entries   [][]byte
	// txid is bbolt's number of the commit that was read; of a run in the shared file, where every
	// run's commits are counted together, it is the run's head.
	txid     uint64
	anchor   anchor
	imported importNote
}

func (r *rawEntries) read(tx *bolt.Tx, s *Store, id string, after uint64) error {
	r.txid = uint64(tx.ID())
	if tx.Writable() {
		r.txid-- // that of the commit that is read, not of the one that may follow
	}
	return r.readIn(tx, s, id, after)
}

// readPlace is read for a run wherever it stands.
func (r *rawEntries) readPlace(tx *bolt.Tx, s *Store, p place, after uint64) error {
	if !p.shared {
		return r.read(tx, s, p.run, after)
	}
	in, err := p.in(tx)
	if err != nil {
		return err
	}
	err = r.readIn(in, s, p.run, after)
	r.txid = r.head.seq
	return err
}

func (r *rawEntries) readIn(in buckets, s *Store, id string, after uint64) (err error) {
	if r.head, r.authentic, err = s.readHead(in, id); err != nil {
		return err
	}
	if r.imported, err = s.readImport(in, id); err != nil {
		return err
	}
	return eachAfter(in, id, after, func(stored []byte) error {
		r.entries = append(r.entries, bytes.Clone(stored))
		return nil
	})
}
