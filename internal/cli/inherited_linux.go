package cli

import (
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// keepInherited keeps the open files that this process was given, beyond the standard streams,
// from the programs that it starts: what a shell or an editor left open is no agent's business.
func keepInherited() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	entries, err := os.ReadDir("/proc/self/fd") // for kernels before 5.11
	if err != nil {
		return
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}
