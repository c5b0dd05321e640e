//go:build unix

package process

import (
	"os"
	"syscall"
)

// attributes put the child into a session of its own. That makes it the leader of a process
// group of its own too, and leaves it without a controlling terminal: /dev/tty cannot be
// opened.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// askGroup asks all processes of the group to end. The number of a group is not given to
// another process while the group has a member.
func askGroup(_ *os.Process, group int) {
	if groupAlive(group) {
		_ = syscall.Kill(-group, syscall.SIGTERM)
	}
}

// endGroup makes them end.
func endGroup(_ *os.Process, group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }
