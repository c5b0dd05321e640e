package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/durable"
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

// logFolder is the folder of logs, held open: whatever is put in its place meanwhile, nothing is
// looked at or removed elsewhere. A nil one has no logs.
type logFolder struct{ root *os.Root }

// openLogs opens the folder of logs, and refuses what openLog does. There may be none.
func openLogs(store string) (*logFolder, error) {
	info, err := os.Lstat(filepath.Join(store, "logs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = safe(filepath.Join(store, "logs"), info, info.IsDir(), "a folder", "chmod 700 ")
	}
	if err != nil {
		return nil, err
	}
	above, err := os.OpenRoot(store)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of logs: %w", err)
	}
	defer above.Close()
	root, err := durable.OpenIn(above, "logs")
	if err != nil {
		return nil, fault.Wrap(err, fault.StoreUnsafe, "the folder of logs cannot be opened", "")
	}
	return &logFolder{root}, nil
}

func (l *logFolder) close() {
	if l != nil {
		_ = l.root.Close() // it was read, and what was removed is removed
	}
}

// runs are those that have a log here. Another name is that of a run that has not begun yet.
func (l *logFolder) runs() ([]string, error) {
	if l == nil {
		return nil, nil
	}
	list, err := fs.ReadDir(l.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("looking for logs: %w", err)
	}
	var ids []string
	for _, log := range list {
		if id, ok := strings.CutSuffix(log.Name(), ".log"); ok && ulid.MatchString(id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// size is that of a run's log, 0 if it has none.
func (l *logFolder) size(run string) int64 {
	if l == nil {
		return 0
	}
	info, err := l.root.Lstat(run + ".log")
	if err != nil {
		return 0
	}
	return info.Size()
}

func (l *logFolder) remove(run string) error {
	if l == nil {
		return nil
	}
	if err := l.root.Remove(run + ".log"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the log of run %s: %w", run, err)
	}
	return nil
}

// ulid is the form of run ids.
var ulid = regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)

// safe refuses what is not of the kind that is wanted, and what others may read or change.
func safe(path string, info fs.FileInfo, right bool, wanted, mend string) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fault.New(fault.StoreUnsafe, path+" is a symbolic link", "remove it")
	case !right:
		return fault.New(fault.StoreUnsafe, path+" is not "+wanted, "move it away")
	case ofOthers(info):
		return fault.New(fault.StoreUnsafe, path+" is open to other users, or belongs to one", mend+quoteCommand([]string{path}))
	}
	return nil
}
