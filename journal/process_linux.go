package journal

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// startTime is when a process started, in clock ticks since the machine did; 0 if it does not
// run (a zombie does not).
func startTime(pid int) int64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// proc(5): the second field is the name in parentheses, which may hold anything. The state
	// is the third field, the start time the 22nd.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return 0
	}
	started, _ := strconv.ParseInt(fields[19], 10, 64)
	return started
}

func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}
