//go:build unix

package journal

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// endGroups ends process groups that a dead owner left: politely, then not. A group whose
// leader is not the process that was noted, or is none of the run's agents, is somebody else's
// and is left alone.
func endGroups(run string, groups []group) error {
	// Asked once: a process that is ending has no environment any more.
	groups = slices.DeleteFunc(groups, func(g group) bool { return !g.alive() || !g.belongs(run) })
	for _, signal := range []unix.Signal{unix.SIGTERM, unix.SIGKILL} {
		for _, g := range groups {
			if g.alive() {
				_ = unix.Kill(-g.PGID, signal)
			}
		}
		for end := time.Now().Add(groupPatience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
			if !slices.ContainsFunc(groups, group.alive) {
				return nil
			}
		}
	}
	for _, g := range groups {
		if g.alive() {
			return fault.New(fault.RunBusy, fmt.Sprintf("process %d, an agent of the run's last process, does not end", g.PID), fmt.Sprintf("kill -9 -%d   # ends it and all that it started", g.PGID))
		}
	}
	return nil
}

// alive says that the process that was noted still runs and still leads its group.
func (g group) alive() bool {
	if g.PID <= 1 || g.PGID != g.PID || g.Started == 0 || g.PGID == unix.Getpgrp() {
		return false
	}
	pgid, err := unix.Getpgid(g.PID)
	return err == nil && pgid == g.PGID && g.PID != os.Getpid() && startTime(g.PID) == g.Started && !errors.Is(unix.Kill(-g.PGID, 0), unix.ESRCH)
}
