//go:build unix

package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// The locks are those of an open file description: two handles of one process shut each other
// out, closing some other handle frees nothing, and the kernel frees them when the process dies.

// lockByte takes one byte's lock if nobody has it.
func lockByte(file *os.File, at int64) (bool, error) {
	err := fcntl(file, ofdSet, &unix.Flock_t{Type: unix.F_WRLCK, Start: at, Len: 1})
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return false, nil
	}
	return err == nil, err
}

func unlockByte(file *os.File, at int64) {
	// Freeing a lock of an open file does not fail; if it did, closing the file would do it.
	_ = fcntl(file, ofdSet, &unix.Flock_t{Type: unix.F_UNLCK, Start: at, Len: 1})
}

// byteLocked asks who has a byte's lock, and takes nothing.
func byteLocked(file *os.File, at int64) (bool, error) {
	query := unix.Flock_t{Type: unix.F_WRLCK, Start: at, Len: 1}
	err := fcntl(file, ofdGet, &query)
	return err == nil && query.Type != unix.F_UNLCK, err
}

func fcntl(file *os.File, command int, lock *unix.Flock_t) error {
	for {
		err := unix.FcntlFlock(file.Fd(), command, lock)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// freeFlock frees the lock that bbolt has taken on its file.
func freeFlock(file *os.File) { _ = unix.Flock(int(file.Fd()), unix.LOCK_UN) }
