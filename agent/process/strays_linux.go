package process

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// endStrays ends the processes of one attempt that left its process group, as tools do that
// start their commands in sessions of their own. They are known by the variable that each
// process inherits. One that dropped it is not found.
func endStrays(attempt string) {
	if attempt != "" {
		endMarked([]byte(attemptMarker + "=" + attempt))
	}
}

// EndStrays ends what is left of a run's agents after the process that drove them was
// killed, and returns how many processes that were. It looks for the marker in the environment
// of this user's processes, so it also finds those that left their process group; it spares
// the caller and what the caller descends from. Linux only, best effort: elsewhere it does
// nothing.
func EndStrays(run string) int {
	if run == "" {
		return 0
	}
	return endMarked([]byte(Marker + "=" + run + "/"))
}

// endMarked kills every process with a variable that begins with prefix. It looks again until
// it finds none, since a process may fork while it looks.
func endMarked(prefix []byte) int {
	spared := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !spared[pid]; _, pid, _ = status(pid) {
		spared[pid] = true
	}
	total := 0
	for range 20 {
		found := 0
		for _, pid := range processes() {
			if !spared[pid] && endIfMarked(pid, prefix) {
				spared[pid] = true // it may take a moment to go
				found++
			}
		}
		if found == 0 {
			break
		}
		total += found
	}
	return total
}

// endIfMarked holds the process by a descriptor while it looks, so that another process that
// gets the same number is never hit.
func endIfMarked(pid int, prefix []byte) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	if !hasVariable(pid, prefix) {
		return false
	}
	return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}

// hasVariable reports whether the environment that a process was started with has a variable
// that begins with prefix. It is empty for a zombie and unreadable for another user's.
func hasVariable(pid int, prefix []byte) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && (bytes.HasPrefix(text, prefix) || bytes.Contains(text, append([]byte{0}, prefix...)))
}
