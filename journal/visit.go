package journal

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Visit is a run as any process but its owner sees it. It needs no lease: it works while the
// run is busy. Update, Sync and State belong to one goroutine.
type Visit interface {
	// ID is the run's id.
	ID() string
	// State is the run as of the last Update or Sync.
	State() *State
	// Update is Run.Update for answers: fn may return gate.answered, gate.closed, gate.revoked
	// and a cancelling run.finished. Whether an answer may be given now is fn's business, with
	// Owner's help; whether the gate is still pending is checked here.
	Update(ctx context.Context, fn func(st *State) ([]Draft, error)) ([]Entry, error)
	// Sync returns the entries appended since the last Sync.
	Sync(ctx context.Context) ([]Entry, error)
	// Changes ticks when another process may have appended.
	Changes() <-chan struct{}
	// Owner tells whether a living process executes the run, and which. It takes nothing
	// itself, so that it never stands in the way of a taker.
	Owner() (Process, bool)
	// Executing says whether the process of the run's latest attempt is alive. It is not enough
	// that some process owns the run: one that is about to take it over has not asked anything
	// yet.
	Executing() bool
	// Work are the calls at work, as far as the owner has told of them; none if nobody owns the
	// run. Changes ticks when they change.
	Work() []Work
	// Attachment opens an attachment, also one that is still being written. That there is none is
	// fs.ErrNotExist.
	Attachment(name string) (io.ReadCloser, error)
	// Close ends the visit.
	Close() error
}

// visit is the Visit of a Store.
type visit struct{ h *handle }

var _ Visit = (*visit)(nil)

func (v *visit) ID() string { return v.h.id }

func (v *visit) State() *State { return v.h.state }

func (v *visit) Update(ctx context.Context, fn func(st *State) ([]Draft, error)) ([]Entry, error) {
	return v.h.update(ctx, func(st *State) ([]Draft, error) {
		drafts, err := fn(st)
		if err == nil {
			err = st.MayVisit(drafts)
		}
		if err != nil {
			return nil, err
		}
		return drafts, nil
	})
}

func (v *visit) Sync(ctx context.Context) ([]Entry, error) { return v.h.sync(ctx) }

func (v *visit) Changes() <-chan struct{} { return v.h.changes() }

// Owner asks the kernel who has the lease.
func (v *visit) Owner() (Process, bool) { return v.h.store.owner(v.h.id) }

func (v *visit) Executing() bool {
	owner, alive := v.Owner()
	last := v.h.state.Attempts[len(v.h.state.Attempts)-1].Owner
	return alive && owner.PID == last.PID && owner.Started == last.Started
}

func (v *visit) Close() error { return v.h.close() }

// visitorMay keeps a process that does not own the run from more than answering.
func visitorMay(st *State, d Draft) error {
	switch d.Kind {
	case KindGateAnswered, KindGateClosed, KindGateRevoked:
		return nil
	case KindRunFinished:
		finished, ok := d.Data.(RunFinished)
		if !ok || finished.State != StatusCancelled {
			break
		}
		return st.ended()
	}
	return fault.New(fault.TransitionAbsent, fmt.Sprintf("only the run's owner may write %s", d.Kind),
		"assent resume "+st.ID+"   # takes the run over first")
}
