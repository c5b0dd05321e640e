package journal

// Step is the place of one live call: what a primitive needs to know about where it works.
type Step struct {
	run, key string
	note     func(pid, pgid int) (done func())
}

// NewStep makes the place of a call. note records a running process group until done is called;
// it is what whoever takes the run over after a crash ends first. nil records nothing.
func NewStep(run, key string, note func(pid, pgid int) (done func())) *Step {
	return &Step{run: run, key: key, note: note}
}

// RunID is the run's id.
func (s *Step) RunID() string { return s.run }

// Key is the call's key.
func (s *Step) Key() string { return s.key }

// Process notes a running process group in the lease file, so that whoever takes the run over
// after a crash can end it first. It costs no fsync: after a power cut the process is gone as
// well. Call done when the process has ended.
func (s *Step) Process(pid, pgid int) (done func()) {
	if s.note == nil {
		return func() {}
	}
	return s.note(pid, pgid)
}
