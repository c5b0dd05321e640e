//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
)

func rename(from, to string) error { return os.Rename(from, to) }

// renameNew gives the file its name by a hard link, which fails if the name is taken.
func renameNew(from, to string) error {
	err := os.Link(from, to)
	switch {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return renameReserved(from, to)
}

// renameReserved is for file systems without hard links: it takes the name with an empty file
// first. Only there can a power cut leave an empty file.
func renameReserved(from, to string) error {
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Close(), os.Rename(from, to)); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

// SyncDir makes the names in dir durable: files created, renamed or removed there.
func SyncDir(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// syncRoot is SyncDir for a folder that is open.
func syncRoot(dir *os.Root) error {
	file, err := dir.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
