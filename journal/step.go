package journal

// Step is the place of one live call: what a primitive needs to know about where it works.
type Step struct {
	run *Run
	key string
}

// RunID is the run's id.
func (s *Step) RunID() string { return s.run.ID() }

// Key is the call's key.
func (s *Step) Key() string { return s.key }

// Process notes a running process group in the lease file, so that whoever takes the run over
// after a crash can end it first. It costs no fsync: after a power cut the process is gone as
// well. Call done when the process has ended.
func (s *Step) Process(pid, pgid int) (done func()) { return s.run.lease.note(pid, pgid) }
