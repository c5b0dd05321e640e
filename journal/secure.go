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

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if !strings.ContainsAny(path, " \t\r\n'\"\\|;&<>$`()*?[]{}#~!^") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'"'"'`) + "'"
}

func unsafeStore(path, what, next string) error {
	return fault.New(fault.StoreUnsafe, path+" "+what, next)
}

// checkApart refuses a key folder that is part of the store, and a store in the key's folder,
// also where links lead there.
func checkApart(dir, keyDir string) error {
	if dir == "" || keyDir == "" {
		return errors.New("journal: Options.Dir and Options.KeyDir are needed")
	}
	store, err := resolve(dir)
	if err != nil {
		return err
	}
	keys, err := resolve(keyDir)
	if err != nil {
		return err
	}
	switch {
	case within(keys, store):
		return unsafeStore(keys, "is inside of the store "+store, "keep the sealing key outside of the store")
	case within(store, keys):
		return unsafeStore(store, "is inside of the sealing key's folder "+keys, "keep the store outside of it")
	}
	return nil
}

// resolve follows the links of a path as far as there is something.
func resolve(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for there, rest := absolute, ""; ; there, rest = filepath.Dir(there), filepath.Join(filepath.Base(there), rest) {
		target, err := filepath.EvalSymlinks(there)
		switch {
		case err == nil:
			return filepath.Join(target, rest), nil
		case !errors.Is(err, fs.ErrNotExist) || there == filepath.Dir(there):
			return "", fmt.Errorf("opening the store: %w", err)
		}
	}
}

// within says that path is dir or lies below it, by whatever name.
func within(path, dir string) bool {
	folder, absent := os.Stat(dir)
	for ; ; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		if path == dir || err == nil && absent == nil && os.SameFile(info, folder) {
			return true
		}
		if path == filepath.Dir(path) {
			return false
		}
	}
}

// makeDir makes a folder, or checks the one that is there.
func makeDir(dir string, forbidden fs.FileMode) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("making the store: %w", err)
		}
		if err := durable.SyncDir(filepath.Dir(dir)); err != nil {
			return fmt.Errorf("making the store: %w", err)
		}
	}
	return checkDir(dir, forbidden)
}

// checkDir refuses a folder that is a link, not this user's own, or open to others as far as the bits
// of forbidden say.
func checkDir(dir string, forbidden fs.FileMode) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("opening the store: %w", err)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return unsafeStore(dir, "is a symbolic link", "name the folder itself")
	case !info.IsDir():
		return unsafeStore(dir, "is not a folder", "name a folder: ASSENT_HOME says which, or Options.Dir")
	}
	return checkOwner(dir, info, forbidden, "chmod 700 "+quoted(dir))
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
	return checkOwner(path, info, ownerOnly, "chmod 600 "+quoted(path))
}
