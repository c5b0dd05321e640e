package process

import (
	"os"
	"slices"
	"strings"
)

// UnderAgent reports whether this process descends from a run's agent, and from which: the
// run and call, as RUN/CALL. It looks at its own environment and, on Linux, at the one that
// each process above it was started with, so that dropping the variable is not enough. It is
// a best effort: a process that made itself independent (its parent is gone) and dropped the
// variable is not recognised.
func UnderAgent() (marker string, under bool) {
	if marker, under = os.LookupEnv(Marker); under {
		return marker, true
	}
	for _, variable := range ancestry() {
		if value, ok := strings.CutPrefix(variable, Marker+"="); ok {
			return value, true
		}
	}
	return "", false
}

// ReadOnlyMarker is the variable that every process below a call that only reads has.
const ReadOnlyMarker = "ASSENT_AGENT_READ_ONLY"

// UnderReadOnly reports whether this process descends from a call that only reads, as UnderAgent
// knows it: whatever a run below it starts only reads too, and nothing lifts that. The variable
// counts with any value.
func UnderReadOnly() bool {
	if _, under := os.LookupEnv(ReadOnlyMarker); under {
		return true
	}
	return slices.ContainsFunc(ancestry(), func(variable string) bool { return strings.HasPrefix(variable, ReadOnlyMarker+"=") })
}

// ReadOnly marks what the job starts as below a call that only reads, and leaves nothing of it that
// could write after the call.
func (j *Job) ReadOnly() {
	j.Env = append(j.Env, ReadOnlyMarker+"=1")
	j.readOnly = true
}
