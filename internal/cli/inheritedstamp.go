package cli

import (
	"slices"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/journal"
)

// stamp makes a run read-only that is started or resumed below a call that only reads: what such a call
// starts only reads too, for good. No flag and no configuration lifts it.
func (a *app) stamp(s *journal.Settings) {
	if !process.UnderReadOnly() {
		return
	}
	if !s.ReadOnly {
		a.say("read-only: a call that only reads started this, so that every agent of this run only reads too")
	}
	s.ReadOnly = true
}

// inheriting is the environment for a process of ours that outlives this one: by then nobody is
// above it whose environment would tell that it only reads.
func (a *app) inheriting() []string {
	if !process.UnderReadOnly() {
		return a.Env
	}
	return append(slices.Clone(a.Env), process.ReadOnlyMarker+"=1")
}
