package journal

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of sys/proc.h.
const zombie = 5

// startTime is when a process started, in microseconds since 1970; 0 if it does not run.
func startTime(pid int) int64 {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || info.Proc.P_stat == zombie {
		return 0
	}
	return info.Proc.P_starttime.Sec*1e6 + int64(info.Proc.P_starttime.Usec)
}

func bootID() string {
	boot, err := unix.SysctlTimeval("kern.boottime")
	if err != nil {
		return ""
	}
	return strconv.FormatInt(boot.Sec, 10)
}

// belongs says that a process is this user's. The environment of a program that comes with the
// system is not shown to anybody, so that the mark of run's agents cannot be asked for.
func (g group) belongs(string) bool {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", g.PID)
	return err == nil && int(info.Eproc.Ucred.Uid) == os.Geteuid()
}
