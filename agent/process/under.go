package process

import (
	"os"
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
