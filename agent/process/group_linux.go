package process

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// groupAlive reports whether the group has a member that still runs. Zombies answer to
// signals, and where nothing reaps orphans (a container) they stay, so /proc decides.
func groupAlive(group int) bool {
	if syscall.Kill(-group, 0) == syscall.ESRCH {
		return false
	}
	for _, pid := range processes() {
		state, _, g := status(pid)
		if g == group && state != 'Z' && state != 'X' {
			return true
		}
	}
	return false
}

// processes lists the processes there are.
func processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// status reads a process's state, parent and group from /proc/PID/stat (proc_pid_stat(5));
// zeros if it is gone. The name before them may hold spaces and parentheses, so reading starts
// behind the last one.
func status(pid int) (state byte, parent, group int) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, 0
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 3 {
		return 0, 0, 0
	}
	parent, _ = strconv.Atoi(string(fields[1]))
	group, _ = strconv.Atoi(string(fields[2]))
	return fields[0][0], parent, group
}
