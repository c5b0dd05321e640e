package journal

import (
	"context"
	"errors"
	"io"
)

// Run is a run as its owner sees it. Update, Sync and State belong to one goroutine; the other
// methods may be called from any. [Store.Create] and [Store.Take] give one; package journaltest
// checks whatever else is to stand in for it.
type Run interface {
	// ID is the run's id.
	ID() string
	// State is the run as of the last Update or Sync.
	State() *State
	// Update reads what others appended, calls fn with the state, and appends fn's drafts, all
	// in one transaction. It returns the entries of the drafts; what others appended comes with
	// the next Sync. It fails with LEASE_LOST if another process has taken the run over, and
	// with RUN_CANCELLED or RUN_FINISHED if the run has ended. While fn runs, nobody else gets
	// at the journal, so it has to be quick; if that could not be kept up, because others wait for
	// the same file, and somebody appended meanwhile, fn is called again.
	Update(ctx context.Context, fn func(st *State) ([]Draft, error)) ([]Entry, error)
	// Sync returns the entries that others appended since the last Sync. It costs next to
	// nothing if there are none.
	Sync(ctx context.Context) ([]Entry, error)
	// Changes ticks when another process may have appended. Ticks are merged; Sync tells.
	Changes() <-chan struct{}
	// TellWork tells others which calls are at work, for people who look: it is advisory, costs no
	// fsync, and none takes back what was told. What it fails with is no reason to stop.
	TellWork(calls []Work) error
	// Attach makes an attachment: a file beside the journal, which goes with the run. A name is given
	// once. What was written is durable when the writer was closed; readers see it before.
	Attach(name string) (io.WriteCloser, error)
	// Step is the place of a live call.
	Step(key string) *Step
	// Close ends the ownership. The journal says nothing of it: append run.paused or
	// run.finished before.
	Close() error
}

// owned is the Run of a Store.
type owned struct {
	h       *handle
	lease   *lease
	attempt uint64 // seq of the run.started or run.resumed that made this the owner
}

var _ Run = (*owned)(nil)

func (r *owned) ID() string { return r.h.id }

func (r *owned) State() *State { return r.h.state }

func (r *owned) Update(ctx context.Context, fn func(st *State) ([]Draft, error)) ([]Entry, error) {
	return r.h.update(ctx, func(st *State) ([]Draft, error) {
		// The lease says the same, but a lease file can be removed by hand.
		if err := st.MayOwn(r.attempt); err != nil {
			return nil, err
		}
		return fn(st)
	})
}

func (r *owned) Sync(ctx context.Context) ([]Entry, error) { return r.h.sync(ctx) }

func (r *owned) Changes() <-chan struct{} { return r.h.changes() }

func (r *owned) Step(key string) *Step { return NewStep(r.h.id, key, r.lease.note) }

func (r *owned) Close() error {
	err := r.h.close()
	if r.lease != nil {
		err = errors.Join(err, r.lease.release())
	}
	return err
}

// Append appends fixed drafts to a run or a visit.
func Append(ctx context.Context, r interface {
	Update(ctx context.Context, fn func(st *State) ([]Draft, error)) ([]Entry, error)
}, drafts ...Draft,
) ([]Entry, error) {
	return r.Update(ctx, func(*State) ([]Draft, error) { return drafts, nil })
}
