package journal

import (
	"context"
	"errors"
)

// Take makes this process the owner of a run: it takes the lease (RUN_BUSY if another living
// process has it), ends the process groups that a dead owner left, and appends what fn says as
// run.resumed. In the same transaction, gates that the dead owner was showing are closed as
// interrupted: what was on a screen that is gone cannot be answered any more. Owner and
// Version of run.resumed are filled in where they are empty. A run that has finished can be
// taken, unless it was cancelled.
func (s *Store) Take(ctx context.Context, id string, fn func(st *State) (RunResumed, error)) (_ Run, err error) {
	h, err := s.openHandle(ctx, id)
	if err != nil {
		return nil, err
	}
	r := &owned{h: h}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if err := h.state.MayTake(); err != nil {
		return nil, err
	}
	if r.lease, err = s.takeLease(id); err != nil {
		return nil, err
	}
	if err := s.at("take.leased"); err != nil {
		return nil, err
	}
	entries, err := h.update(ctx, func(st *State) ([]Draft, error) {
		if err := st.MayTake(); err != nil {
			return nil, err
		}
		resumed, err := fn(st)
		if err != nil {
			return nil, err
		}
		if resumed.Owner == (Process{}) {
			resumed.Owner = thisProcess()
		}
		if resumed.Version == "" {
			resumed.Version = s.o.Version
		}
		return append(st.Interruptions(), Draft{Kind: KindRunResumed, Data: resumed}), nil
	})
	if err != nil {
		return nil, err
	}
	r.attempt = entries[len(entries)-1].Seq
	h.unseen = nil // fn has seen them
	return r, nil
}

// Visit opens a run for reading and answering, whoever owns it.
func (s *Store) Visit(ctx context.Context, id string) (Visit, error) {
	h, err := s.openHandle(ctx, id)
	if err != nil {
		return nil, err
	}
	h.brief = true
	return &visit{h: h}, nil
}
