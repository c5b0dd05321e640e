package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// openLog opens the log of a run; one that has no id yet gets its name later. As in the rest of
// the store, no link is followed and nothing is used that others have a hand in.
func openLog(dir, run string) (*os.File, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("making the folder of logs: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of logs: %w", err)
	}
	if err := safe(dir, info, info.IsDir(), "a folder", "chmod 700 "); err != nil {
		return nil, err
	}
	if run == "" {
		run = fmt.Sprintf("starting-%d-%d", os.Getpid(), time.Now().UnixNano())
	}
	path := filepath.Join(dir, run+".log")
	log, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|ownLog, 0o600)
	if err != nil {
		return nil, fault.Wrap(err, fault.StoreUnsafe, "the log of the run cannot be written", "")
	}
	if info, err = log.Stat(); err == nil {
		err = safe(path, info, info.Mode().IsRegular(), "a file", "chmod 600 ")
	}
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return log, nil
}

// safe refuses what is not of the kind that is wanted, and what others may read or change.
func safe(path string, info fs.FileInfo, right bool, wanted, mend string) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fault.New(fault.StoreUnsafe, path+" is a symbolic link", "remove it")
	case !right:
		return fault.New(fault.StoreUnsafe, path+" is not "+wanted, "move it away")
	case ofOthers(info):
		return fault.New(fault.StoreUnsafe, path+" is open to other users, or belongs to one", mend+path)
	}
	return nil
}
