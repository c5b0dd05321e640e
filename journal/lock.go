package journal

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// The first two bytes of a lock file are only there to be locked. Who wants the file takes the
// turnstile first, then the lock, and gives the turnstile back. So a process that has just let
// go of the lock, and wants it again at once, comes after those that already wait.
const (
	byteLock      = 0
	byteTurnstile = 1
	pidAt         = 2
	pidSize       = 12
)

// fileLock is the lock of one file of journals, as one handle has it open. id is the run's, or
// sharedName.
type fileLock struct {
	id   string
	file *os.File
}

func openLock(id, path string, flag int) (*fileLock, error) {
	file, err := openSafe(path, os.O_RDWR|flag)
	if err != nil {
		return nil, err
	}
	return &fileLock{id: id, file: file}, nil
}

// take waits for the lock. Whoever has it gives it back in milliseconds; if that does not
// happen, the error names the process.
func (l *fileLock) take(ctx context.Context) error {
	deadline := time.Now().Add(lockPatience)
	if err := l.wait(ctx, byteTurnstile, deadline); err != nil {
		return err
	}
	err := l.wait(ctx, byteLock, deadline)
	unlockByte(l.file, byteTurnstile)
	if err != nil {
		return err
	}
	return l.sign()
}

func (l *fileLock) wait(ctx context.Context, at int64, deadline time.Time) error {
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		ok, err := lockByte(l.file, at)
		if ok || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fault.New(fault.RunBusy, fmt.Sprintf("the journal of %s is in use by process %s", of(l.id), l.holder()),
				"end that process, or let it go on if it is stopped")
		}
		time.Sleep(pause)
	}
}

func (l *fileLock) release() { unlockByte(l.file, byteLock) }

// ring tells all that watch the folder of locks that something was committed. The journals
// themselves stand in another folder: bbolt writes five pages for a commit, and who watches
// them is woken for each. Who does not hear it looks by itself after a while.
func (l *fileLock) ring() { _, _ = l.file.WriteAt(pidLine(), pidAt) }

func (l *fileLock) close() error { return l.file.Close() }

// sign leaves this process's pid for those that wait in vain.
func (l *fileLock) sign() error {
	var there [pidSize]byte
	if n, _ := l.file.ReadAt(there[:], pidAt); bytes.Equal(there[:n], pidLine()) {
		return nil
	}
	_, err := l.file.WriteAt(pidLine(), pidAt)
	return err
}

func pidLine() []byte { return fmt.Appendf(nil, "%-*d\n", pidSize-1, os.Getpid()) }

func (l *fileLock) holder() string {
	var there [pidSize]byte
	n, _ := l.file.ReadAt(there[:], pidAt)
	pid := strings.TrimSpace(string(there[:n]))
	if _, err := strconv.Atoi(pid); err != nil {
		return "(unknown)"
	}
	return pid
}
