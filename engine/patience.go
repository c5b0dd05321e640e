package engine

import (
	"context"
	"errors"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

const (
	// lastTries is how many more times a run that was cut off asks for its journal, to record what
	// has been done. The journal itself waits some seconds each time.
	lastTries = 8
	// busyPause is for a journal that does not wait.
	busyPause = 100 * time.Millisecond
)

// patiently does something with the journal, and does it again for as long as somebody else has
// the journal to himself: a process that was stopped, or a slow disk. The run is still this
// process's own, and work goes on; what has been answered meanwhile was paid for, and is not
// to be lost because it could not be written at once. The person is told what it waits for.
func (a *attempt) patiently(ctx context.Context, do func() error) error {
	told := false
	for left := lastTries; ; {
		err := do()
		if !busy(err) || isOver(ctx) {
			return err
		}
		if !told {
			told = true
			cause, _ := errors.AsType[*fault.Error](err)
			a.warn(cause.What + "; this run waits until it can go on (" + cause.Next + ")")
		}
		select {
		case <-a.over:
			if left--; left == 0 {
				return err
			}
		default:
		}
		time.Sleep(busyPause)
	}
}

// busy says that somebody else had the journal, and that nothing else is wrong: where more is, it
// is not known whether anything was written.
func busy(err error) bool {
	_, several := errors.AsType[interface {
		error
		Unwrap() []error
	}](err)
	return !several && fault.Is(err, fault.RunBusy)
}
