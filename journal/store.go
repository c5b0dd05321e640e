package journal

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"io"
	"path/filepath"
	"sync/atomic"
	"time"
)

// Options say where a store is. The zero value of all but Dir and KeyDir works.
type Options struct {
	// Dir is the store; it is made if it does not exist.
	Dir string
	// KeyDir holds the user's sealing key and the anchors. Neither is below the other, so that
	// who can write to a journal cannot sign it or take its anchor along.
	KeyDir string
	// Version is written into run.started and run.resumed; "dev" if empty.
	Version string
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Random feeds run ids, seeds and the sealing key; crypto/rand if nil.
	Random io.Reader
	// Shared puts the runs that this store creates into one file, where runs that are appended to
	// at the same time share each commit: for a program that drives many at once. It says nothing
	// of runs that are there: they are found wherever they stand.
	Shared bool
	// HoldFor is how long a handle keeps the file to itself in a burst of appends; 3 ms if 0.
	HoldFor time.Duration
}

// Store is a folder of runs, with the user's key. It is safe for concurrent
// use; Open keeps nothing open, so a Store needs no closing.
type Store struct {
	o       Options
	key     ed25519.PrivateKey
	headKey []byte
	hub     hub
	shared  sharedFile
	fail    atomic.Pointer[func(point string) error] // failpoints of the crash tests; nil outside of them
}

// Folders are those that a store writes to.
func (s *Store) Folders() []string { return []string{s.o.Dir, s.o.KeyDir} }

// Open opens the store at o.Dir, and makes it and the sealing key if they are not there. It
// refuses folders and files that somebody else could have changed, and a store whose key has
// gone: KEY_UNUSABLE.
func Open(o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.HoldFor == 0 {
		o.HoldFor = defaultHold
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if err := checkApart(o.Dir, o.KeyDir); err != nil {
		return nil, err
	}
	s := &Store{o: o}
	for _, dir := range []string{o.Dir, o.KeyDir} {
		if err := makeDir(dir, othersMayRead); err != nil {
			return nil, err
		}
	}
	// Again, now that there are both: a link to a folder that was not there yet leads somewhere.
	if err := checkApart(o.Dir, o.KeyDir); err != nil {
		return nil, err
	}
	for _, dir := range []string{s.runsDir(), s.locksDir(), s.anchorsDir()} {
		if err := makeDir(dir, ownerOnly); err != nil {
			return nil, err
		}
	}
	key, err := s.loadKey()
	if err != nil {
		return nil, err
	}
	s.key, s.headKey = key, headKey(key)
	s.hub.dir = s.locksDir()
	s.shared.store, s.shared.patience = s, o.HoldFor
	return s, nil
}

// Path is the file that holds a run's journal, for people: to copy it, or to restore it. It is
// empty if there is no such run.
func (s *Store) Path(id string) string {
	p, _ := s.locate(id) // an error says that there is none
	return p.path
}

// PublicKey is the key that verifies this user's seals.
func (s *Store) PublicKey() ed25519.PublicKey {
	key, ok := s.key.Public().(ed25519.PublicKey)
	if !ok {
		panic("an ed25519 private key has an ed25519 public key")
	}
	return key
}

// now is the clock as entries show it.
func (s *Store) now() time.Time { return s.o.Now().UTC().Truncate(time.Millisecond) }

func (s *Store) runsDir() string    { return filepath.Join(s.o.Dir, "runs") }
func (s *Store) locksDir() string   { return filepath.Join(s.o.Dir, "locks") }
func (s *Store) anchorsDir() string { return filepath.Join(s.o.KeyDir, "anchors") }

func (s *Store) dbPath(id string) string     { return filepath.Join(s.runsDir(), id+".db") }
func (s *Store) newPath(id string) string    { return filepath.Join(s.runsDir(), id+".new") }
func (s *Store) lockPath(id string) string   { return filepath.Join(s.locksDir(), id+".lock") }
func (s *Store) leasePath(id string) string  { return filepath.Join(s.locksDir(), id+".lease") }
func (s *Store) anchorPath(id string) string { return filepath.Join(s.anchorsDir(), id) }

// at is a failpoint: the crash tests make the step after it fail.
func (s *Store) at(point string) error {
	if fail := s.fail.Load(); fail != nil {
		return (*fail)(point)
	}
	return nil
}

// atOf is a failpoint of one run, which has one of its own beside that of all.
func (s *Store) atOf(point, run string) error {
	if fail := s.fail.Load(); fail != nil {
		return errors.Join((*fail)(point), (*fail)(point+" "+run))
	}
	return nil
}
