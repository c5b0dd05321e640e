package journal

import (
	"fmt"
	"path/filepath"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// sharedName names the file that runs share, and its lock. No run has this name: it is no ULID.
const sharedName = "shared"

// bucketRuns holds, in the shared file, a bucket for each run, which has the two buckets that a
// run's own file has at its root.
var bucketRuns = []byte("runs")

// place is where a run's journal stands: in a file of its own, or in the one that runs share.
type place struct {
	// run is empty for the shared file as a whole.
	run        string
	path, lock string
	shared     bool
}

// buckets is what a run's two buckets stand in: its own file's root, or its bucket in the shared
// file.
type buckets interface {
	Bucket(name []byte) *bolt.Bucket
}

var (
	_ buckets = (*bolt.Tx)(nil)
	_ buckets = (*bolt.Bucket)(nil)
)

func (s *Store) ownPlace(id string) place {
	return place{run: id, path: s.dbPath(id), lock: s.lockPath(id)}
}

func (s *Store) sharedPlace(id string) place {
	return place{run: id, path: s.dbPath(sharedName), lock: s.lockPath(sharedName), shared: true}
}

// locate finds where a run stands, whatever Options.Shared says of new ones. Of one that is not
// in a file of its own, only the shared file itself can tell whether it is there at all.
func (s *Store) locate(id string) (place, error) {
	switch {
	case !validID(id):
	case exists(s.dbPath(id)):
		return s.ownPlace(id), nil
	case exists(s.dbPath(sharedName)):
		return s.sharedPlace(id), nil
	}
	return place{}, unknownRun(id)
}

// name is what errors call the place.
func (p place) name() string {
	if p.run == "" {
		return sharedName
	}
	return p.run
}

// in gives what the run's buckets stand in.
func (p place) in(tx *bolt.Tx) (buckets, error) {
	if !p.shared {
		return tx, nil
	}
	runs, err := p.runs(tx)
	if err != nil {
		return nil, err
	}
	bucket := runs.Bucket([]byte(p.run))
	if bucket == nil {
		return nil, unknownRun(p.run)
	}
	return bucket, nil
}

// runs is the bucket of all runs of the shared file.
func (p place) runs(tx *bolt.Tx) (*bolt.Bucket, error) {
	info, runs := tx.Bucket(bucketInfo), tx.Bucket(bucketRuns)
	if info == nil || runs == nil {
		return nil, notAJournal(filepath.Base(p.path), "a bbolt file of another program")
	}
	return runs, checkFormat(p.name(), string(info.Get(keyFormat)))
}

// checkFormat refuses a file of a format that this version does not know.
func checkFormat(name, format string) error {
	switch n, err := strconv.Atoi(format); {
	case err != nil || n < 1:
		return damaged(name, fmt.Sprintf("the format is %.20q", format))
	case n > formatVersion:
		return tooNew(name, fmt.Sprintf("the format is %d; this version reads up to %d", n, formatVersion))
	}
	return nil
}
