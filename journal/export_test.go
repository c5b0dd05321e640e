package journal

import "time"

// SetFail makes the store's failpoints call f.
func SetFail(s *Store, f func(point string) error) {
	if f == nil {
		s.fail.Store(nil)
		return
	}
	s.fail.Store(&f)
}

// Paths of a run's files, for tests that damage them.
func (s *Store) DBPath(id string) string     { return s.standsIn(id).path }
func (s *Store) LockPath(id string) string   { return s.standsIn(id).lock }
func (s *Store) LeasePath(id string) string  { return s.leasePath(id) }
func (s *Store) AnchorPath(id string) string { return s.anchorPath(id) }

// standsIn is where a run is, or would be created.
func (s *Store) standsIn(id string) place {
	if at, err := s.locate(id); err == nil {
		return at
	}
	if s.o.Shared {
		return s.sharedPlace(id)
	}
	return s.ownPlace(id)
}

// Next is the gate state machine.
func Next(from, to GateState) error { return from.next(to) }

// ParseEntry is the decoder of the one encoding.
var ParseEntry = parseEntry

// StartTime is the kernel's start time of a process, 0 if it does not run.
var StartTime = startTime

// ForgeSeal seals an entry of any run with this store's key.
func (s *Store) ForgeSeal(run string, e Entry) string { return seal(s.key, run, e) }

// Unwatched leaves the store with its poll.
func Unwatched(s *Store) { s.hub.unwatched = true }

// ImportRecord is the note of an import that this store writes.
func (s *Store) ImportRecord(run string, upTo uint64, hash string, key []byte) []byte {
	return s.importRecord(run, origin{upTo, key, hash})
}

// AnchorText is an anchor at one entry.
func (s *Store) AnchorText(run string, seq uint64, hash string) []byte {
	return s.anchorText(run, anchor{seq, hash})
}

// HeadRecord is the head that this store writes.
func (s *Store) HeadRecord(run string, seq uint64, hash string) []byte {
	return s.headRecord(run, head{seq, hash})
}

// Patience is how long a decision in the shared file holds up others.
func Patience(s *Store, d time.Duration) { s.shared.patience = d }

// Waiting is how many updates of the shared file nobody has taken yet.
func Waiting(s *Store) int {
	s.shared.queue.Lock()
	defer s.shared.queue.Unlock()
	return len(s.shared.waiting)
}
