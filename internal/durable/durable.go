package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is what has to happen in the right order. Tests make each of its steps fail.
type disk struct {
	sync    func(*os.File) error
	replace func(from, to string) error
	// create moves from to to, which must not exist.
	create  func(from, to string) error
	syncDir func(dir string) error
}

var system = disk{sync: (*os.File).Sync, replace: rename, create: renameNew, syncDir: SyncDir}

// WriteFile puts data into the file at path, in place of what it held before. The file gets
// exactly the permissions perm, whatever the umask. After an error it holds all of what it held
// before, or all of data.
func WriteFile(path string, data []byte, perm os.FileMode) error {
	return system.write(path, data, perm, system.replace)
}

// CreateFile is WriteFile for a path that must not exist; if it does, the error is
// fs.ErrExist and nothing changed. Of several processes that create one path, one succeeds.
func CreateFile(path string, data []byte, perm os.FileMode) error {
	// The usual refusal should cost no write; the one that decides comes with the move.
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return system.write(path, data, perm, system.create)
}

func (d disk) write(path string, data []byte, perm os.FileMode, move func(from, to string) error) (err error) {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	file, err := os.CreateTemp(dir, "."+name+".*.tmp")
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err // whoever named path knows of no other file
		}
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			// The first error is the one that counts; what is left is named as doc.go says.
			_ = os.Remove(file.Name())
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	if err := errors.Join(d.fill(file, data, perm), file.Close()); err != nil {
		return err
	}
	if err := move(file.Name(), path); err != nil {
		return err
	}
	return d.syncDir(dir)
}

func (d disk) fill(file *os.File, data []byte, perm os.FileMode) error {
	if err := file.Chmod(perm); err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		return err
	}
	return d.sync(file)
}
