package durable

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateIn is CreateFile for a name in a folder that is open already: whoever puts something
// else in the place of the folder, or of one above it, meanwhile leads nothing elsewhere.
func CreateIn(dir *os.Root, name string, data []byte, perm os.FileMode) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", name, err)
		}
	}()
	if !filepath.IsLocal(name) || filepath.Base(name) != name {
		return fs.ErrInvalid
	}
	if _, err := dir.Lstat(name); err == nil {
		return fs.ErrExist
	}
	temporary := "." + name + "." + rand.Text() + ".tmp"
	file, err := dir.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	if err := errors.Join(system.fill(file, data, perm), file.Close()); err != nil {
		return errors.Join(err, dir.Remove(temporary))
	}
	if err := renameNewIn(dir, temporary, name); err != nil {
		_ = dir.Remove(temporary) // the first error is the one that counts
		return err
	}
	return syncRoot(dir)
}

// renameNewIn is renameNew in an open folder. Where there are no hard links, it takes the name
// with an empty file first; only there can a power cut leave an empty file.
func renameNewIn(dir *os.Root, from, to string) error {
	err := dir.Link(from, to)
	switch {
	case err == nil:
		return dir.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	file, err := dir.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Close(), dir.Rename(from, to)); err != nil {
		return errors.Join(err, dir.Remove(to))
	}
	return nil
}

// MakeIn makes the folder name in an open folder, unless something stands there, and opens it.
// What stands there has to be a folder: a link is refused, wherever it leads.
func MakeIn(dir *os.Root, name string, perm os.FileMode) (*os.Root, error) {
	err := dir.Mkdir(name, perm)
	switch {
	case err == nil:
		if err := syncRoot(dir); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrExist):
		return nil, err
	}
	return OpenIn(dir, name)
}

// ErrNotFolder is for what is no folder, such as a link to one.
var ErrNotFolder = errors.New("not a folder")

// OpenIn opens the folder name of an open folder, and follows no link.
func OpenIn(dir *os.Root, name string) (*os.Root, error) {
	refuse := &fs.PathError{Op: "open", Path: name, Err: ErrNotFolder}
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, refuse
	}
	folder, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	// Something else may stand there by now; what was opened has to be what was looked at.
	if opened, err := folder.Stat("."); err != nil || !os.SameFile(before, opened) {
		return nil, errors.Join(refuse, folder.Close())
	}
	return folder, nil
}
