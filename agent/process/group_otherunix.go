//go:build unix && !linux

package process

import "syscall"

// groupAlive reports whether the group has a member.
func groupAlive(group int) bool { return syscall.Kill(-group, 0) != syscall.ESRCH }
