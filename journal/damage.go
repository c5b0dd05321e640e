package journal

import (
	"fmt"
	"runtime/debug"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// guard runs f, which walks a memory-mapped file that may be damaged in any way. bbolt panics
// over what it cannot understand, and a page that is missing is a memory fault; both become
// JOURNAL_DAMAGED. After that the database is to be abandoned, not closed: the panic may have
// left its locks taken.
func guard(id string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{damaged(id, fmt.Sprintf("the file cannot be read: %v", p))}
		}
	}()
	return f()
}

// panicked marks a damage that was found by a panic.
type panicked struct{ error }

func (p *panicked) Unwrap() error { return p.error }

// of names a run in an error, or the file that runs share, or an export that names no run.
func of(id string) string {
	switch id {
	case sharedName:
		return "the shared file"
	case "":
		return "the export"
	}
	return "run " + id
}

func damaged(id, what string) error {
	return fault.New(fault.JournalDamaged, of(id)+": "+what, mend(id))
}

// mend says what to do about a file that cannot be used.
func mend(id string) string {
	if id == sharedName || id == "" {
		return "restore the file from a copy; nothing was written, and nothing in it is used"
	}
	return "assent verify " + id + "   # names the file, which is to be restored from a copy; nothing in it is used"
}

func notAJournal(path, what string) error {
	return fault.New(fault.NotAJournal, fmt.Sprintf("%s is not a journal but %s", path, what),
		"move the file away, or restore the journal from a copy")
}

func forged(id string, what string) error {
	return fault.New(fault.JournalForged, of(id)+": "+what,
		"assent verify "+id+"   # says all that is wrong; find out who changed the file, for nothing in it counts as an approval")
}

func rolledBack(id string, head, anchored uint64) error {
	return fault.New(fault.JournalRollback,
		fmt.Sprintf("run %s: the journal ends at entry %d, but entry %d had been written", id, head, anchored),
		"assent verify "+id+"   # names the file; restore the newest copy of it, for an older one could take back a decision")
}

func tooNew(id, what string) error {
	return fault.New(fault.JournalTooNew, of(id)+": "+what, "use a newer version of assent")
}

func unknownRun(id string) error {
	return fault.New(fault.RunUnknown, fmt.Sprintf("there is no run %s", id), "assent ls --all   # lists the runs")
}

// atEntry is a fault of one entry.
type atEntry struct {
	error
	seq uint64
}

func (a *atEntry) Unwrap() error { return a.error }
