//go:build unix

package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openSafe opens a file of the store. It follows no link at the end of path, and does not
// wait for the other end of a pipe.
func openSafe(path string, flag int) (*os.File, error) {
	file, err := os.OpenFile(path, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	switch {
	case errors.Is(err, unix.ELOOP):
		return nil, unsafeStore(path, "is a symbolic link", "remove it")
	case errors.Is(err, unix.EISDIR):
		return nil, notAJournal(path, "a folder")
	case err != nil:
		return nil, err
	}
	if err := checkFile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func checkOwner(path string, info fs.FileInfo, forbidden fs.FileMode, next string) error {
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Geteuid() {
		return unsafeStore(path, fmt.Sprintf("belongs to user %d, not to you (%d)", owner.Uid, os.Geteuid()), "use a store of your own: set ASSENT_HOME to a folder of yours")
	}
	if mode := info.Mode().Perm(); mode&forbidden != 0 {
		return unsafeStore(path, fmt.Sprintf("is open to other users (%04o)", mode), next)
	}
	return nil
}

func checkLinks(path string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return unsafeStore(path, "has a second name (hard link)", "remove the other name")
	}
	return nil
}
