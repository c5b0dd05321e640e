package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockByte takes one byte's lock if nobody has it. Windows frees it when the handle's process
// dies.
func lockByte(file *os.File, at int64) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: uint32(at)})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

func unlockByte(file *os.File, at int64) {
	// Freeing a lock of an open file does not fail; if it did, closing the file would do it.
	_ = windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, &windows.Overlapped{Offset: uint32(at)})
}

// byteLocked asks whether somebody else has a byte's lock, and takes nothing: locks are
// mandatory here, so a locked byte cannot be read.
func byteLocked(file *os.File, at int64) (bool, error) {
	var b [1]byte
	_, err := file.ReadAt(b[:], at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}

// freeFlock frees the lock that bbolt has taken on its file: the byte before the end of all
// offsets.
func freeFlock(file *os.File) {
	const last = 1<<32 - 1
	_ = windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, &windows.Overlapped{Offset: last, OffsetHigh: last})
}
