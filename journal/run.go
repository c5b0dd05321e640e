package journal

import (
	"context"
	"errors"
)

// Run is a run as its owner sees it. Update, Append, Sync and State belong to one goroutine;
// the other methods may be called from any.
type Run struct {
	h       *handle
	lease   *lease
	attempt uint64 // seq of the run.started or run.resumed that made this the owner
}

// ID is the run's id.
func (r *Run) ID() string { return r.h.id }

// State is the run as of the last Update or Sync.
func (r *Run) State() *State { return r.h.state }

// Append appends fixed drafts.
func (r *Run) Append(ctx context.Context, drafts ...Draft) ([]Entry, error) {
	return r.Update(ctx, func(*State) ([]Draft, error) { return drafts, nil })
}

// Update reads what others appended, calls fn with the state, and appends fn's drafts, all in
// one transaction. It returns the entries of the drafts; what others appended comes with the
// next Sync. It fails with LEASE_LOST if another process has taken the run over, and with
// RUN_CANCELLED or RUN_FINISHED if the run has ended. While fn runs, nobody else gets at the
// journal, so it has to be quick.
func (r *Run) Update(ctx context.Context, fn func(st *State) ([]Draft, error)) ([]Entry, error) {
	return r.h.update(ctx, func(st *State) ([]Draft, error) {
		if err := r.owns(st); err != nil {
			return nil, err
		}
		return fn(st)
	})
}

// Sync returns the entries that others appended since the last Sync. It costs next to nothing
// if there are none.
func (r *Run) Sync(ctx context.Context) ([]Entry, error) { return r.h.sync(ctx) }

// Changes ticks when another process may have appended. Ticks are merged; Sync tells.
func (r *Run) Changes() <-chan struct{} { return r.h.changes() }

// Step is the place of a live call.
func (r *Run) Step(key string) *Step { return &Step{run: r, key: key} }

// Close ends the ownership. The journal says nothing of it: append run.paused or run.finished
// before.
func (r *Run) Close() error {
	err := r.h.close()
	if r.lease != nil {
		err = errors.Join(err, r.lease.release())
	}
	return err
}
