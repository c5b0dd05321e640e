package durable

import (
	"os"

	"golang.org/x/sys/windows"
)

func rename(from, to string) error {
	return move(from, to, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
}

func renameNew(from, to string) error { return move(from, to, windows.MOVEFILE_WRITE_THROUGH) }

// move returns after the name is on the disk; that is what WRITE_THROUGH asks for.
func move(from, to string, flags uint32) error {
	old, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	name, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	if err := windows.MoveFileEx(old, name, flags); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// SyncDir does nothing but look for dir: Windows has no fsync of a folder for ordinary users,
// and NTFS keeps names in its own log.
func SyncDir(dir string) error {
	_, err := os.Stat(dir)
	return err
}

// syncRoot is SyncDir for a folder that is open.
func syncRoot(dir *os.Root) error {
	_, err := dir.Stat(".")
	return err
}
