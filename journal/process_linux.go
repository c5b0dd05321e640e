package journal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
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

// belongs says that a process is this user's and has the mark of run's agents in its
// environment. One whose environment cannot be read has not.
func (g group) belongs(run string) bool {
	file, err := os.Open(fmt.Sprintf("/proc/%d/environ", g.PID))
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
		return false
	}
	environ, err := io.ReadAll(io.LimitReader(file, maxEnviron))
	return err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+agentMark+"="+run+"/"))
}
