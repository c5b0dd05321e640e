//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// ownLog opens without following a link, and without waiting for the other end of a pipe.
const ownLog = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ofOthers says that another user has a file, or may change or read it.
func ofOthers(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) != os.Geteuid() || info.Mode().Perm()&0o077 != 0
}
