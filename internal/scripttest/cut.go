package scripttest

import (
	"context"
	"errors"
	"sync"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// errCut is what a run that was cut off gets from its journal.
var errCut = errors.New("the test cut the run off")

// scissors counts the answers that a run journals, and after so many of them lets nothing more
// into the journal: for whoever reads it later, that is when its process died.
type scissors struct {
	*journal.Store
	// after is how many answers are kept; 0 is all.
	after int

	mu sync.Mutex
	// count is guarded by mu.
	count int
	// last is the call of the latest answer; guarded by mu.
	last string
}

var _ engine.Store = (*scissors)(nil)

// Create begins a run that can be cut off.
func (s *scissors) Create(ctx context.Context, r journal.RunStarted) (journal.Run, error) {
	run, err := s.Store.Create(ctx, r)
	if err != nil {
		return nil, err
	}
	return cutRun{run, s}, nil
}

type cutRun struct {
	journal.Run
	scissors *scissors
}

// Update appends, as long as the run is not cut off.
func (r cutRun) Update(ctx context.Context, fn func(st *journal.State) ([]journal.Draft, error)) ([]journal.Entry, error) {
	if r.scissors.closed() {
		return nil, errCut
	}
	entries, err := r.Run.Update(ctx, fn)
	r.scissors.take(entries)
	return entries, err
}

func (s *scissors) closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.after > 0 && s.count >= s.after
}

func (s *scissors) take(entries []journal.Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		switch e.Kind {
		case journal.KindCallFinished, journal.KindGateAnswered, journal.KindGateClosed:
			s.count++
			s.last = e.Key
		default: // no answer
		}
	}
}

// answers counts the answers so far.
func (s *scissors) answers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}
