package journal

// SetFail makes the store's failpoints call f.
func SetFail(s *Store, f func(point string) error) {
	if f == nil {
		s.fail.Store(nil)
		return
	}
	s.fail.Store(&f)
}

// Paths of a run's files, for tests that damage them.
func (s *Store) DBPath(id string) string     { return s.dbPath(id) }
func (s *Store) LockPath(id string) string   { return s.lockPath(id) }
func (s *Store) LeasePath(id string) string  { return s.leasePath(id) }
func (s *Store) AnchorPath(id string) string { return s.anchorPath(id) }

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

// HeadRecord is the head that this store writes.
func (s *Store) HeadRecord(run string, seq uint64, hash string) []byte {
	return s.headRecord(run, head{seq, hash})
}
