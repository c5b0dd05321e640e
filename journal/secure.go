package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// What may others do with a folder?
const (
	// ownerOnly is for the folders that this package fills.
	ownerOnly = 0o077
	// othersMayRead is for the folders that the user named: everything in them is closed.
	othersMayRead = 0o022
)

func unsafeStore(path, what, next string) error {
	return fault.New(fault.StoreUnsafe, path+" "+what, next)
}

// checkApart refuses a key folder that is part of the store.
func checkApart(dir, keyDir string) error {
	if dir == "" || keyDir == "" {
		return errors.New("journal: Options.Dir and Options.KeyDir are needed")
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	keys, err := filepath.Abs(keyDir)
	if err != nil {
		return err
	}
	if inside, err := filepath.Rel(absolute, keys); err == nil && inside != ".." && !strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		return unsafeStore(keys, "is inside of the store "+absolute, "keep the sealing key outside of the store")
	}
	return nil
}

// makeDir makes a folder, or checks the one that is there: not a link, this user's own, and
// closed to others as far as the bits of forbidden say.
func makeDir(dir string, forbidden fs.FileMode) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("making the store: %w", err)
		}
		if err := durable.SyncDir(filepath.Dir(dir)); err != nil {
			return fmt.Errorf("making the store: %w", err)
		}
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("opening the store: %w", err)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return unsafeStore(dir, "is a symbolic link", "name the folder itself")
	case !info.IsDir():
		return unsafeStore(dir, "is not a folder", "name a folder")
	}
	return checkOwner(dir, info, forbidden, "chmod 700 "+dir)
}

// checkFile refuses an open file that somebody else could write to, or that is also something
// else. It looks at the file that was opened, not at its name again.
func checkFile(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	path := file.Name()
	switch {
	case info.IsDir():
		return notAJournal(path, "a folder")
	case !info.Mode().IsRegular():
		return unsafeStore(path, "is not a regular file", "remove it")
	}
	if err := checkLinks(path, info); err != nil {
		return err
	}
	return checkOwner(path, info, ownerOnly, "chmod 600 "+path)
}
