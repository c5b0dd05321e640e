package journal

import (
	"context"
	"os"
)

// Before a store first writes to the shared file, all its pages are checked: a free list that names
// a page of some run makes the next commit write over it. That takes a third of a second for 600
// MiB, too long to keep others from the file. So it is done without the lock, and counts if the
// file is still the same when the lock has been taken. bbolt writes to no page that is in use, so
// that who reads meanwhile reads what stands there, until the commit after the next.

// survey is a commit of the shared file, all pages of which were found sound.
type survey struct {
	info os.FileInfo
	txid uint64
}

// What came of looking at the pages without the lock.
const (
	surveySound = iota
	// surveyMoved says that somebody committed meanwhile: whoever writes now has checked the pages.
	surveyMoved
	// surveyFailed is no verdict yet; it is for who has the lock to say.
	surveyFailed
)

func (s *Store) survey() (survey, int) {
	file, err := openSafe(s.dbPath(sharedName), os.O_RDONLY)
	if err != nil {
		return survey{}, surveyFailed
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return survey{}, surveyFailed
	}
	at := newestTx(file)
	err = checkPages(file, writeShared)
	switch {
	case newestTx(file) != at:
		return survey{}, surveyMoved
	case err != nil || at == 0:
		return survey{}, surveyFailed
	}
	return survey{info, at}, surveySound
}

// holds says that the file is what it was. The caller has its lock.
func (v survey) holds(path string) bool {
	file, err := openSafe(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	return err == nil && os.SameFile(info, v.info) && newestTx(file) == v.txid
}

// takeSurveyed takes the lock of the shared file for writing, and says how the file is to be opened.
// Where others commit faster than the pages can be looked at, only those are checked that concern
// all runs: those who commit have checked the others, and each run's own are checked when it is
// opened.
func (f *sharedFile) takeSurveyed(ctx context.Context, lock *fileLock) (access, error) {
	for tries := 1; ; tries++ {
		walked := f.walked.Load()
		var found survey
		outcome := surveySound
		if !walked {
			found, outcome = f.store.survey()
			if err := f.store.at("surveyed"); err != nil {
				return access{}, err
			}
		}
		if err := lock.take(ctx); err != nil {
			return access{}, err
		}
		switch {
		case walked, outcome == surveySound && found.holds(f.store.dbPath(sharedName)):
			return write, nil
		case outcome == surveyFailed:
			return writeShared, nil
		case tries == maxSurveys:
			return writeCommon, nil
		}
		lock.release()
	}
}
