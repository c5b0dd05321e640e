package journal

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Prune removes a run with all that belongs to it. It refuses a run that somebody executes or
// that waits for an answer.
func (s *Store) Prune(ctx context.Context, id string) error {
	h, err := s.openHandle(ctx, id)
	if err != nil {
		return err
	}
	lease, err := s.takeLease(id)
	if err != nil {
		return errors.Join(err, h.close())
	}
	if err := errors.Join(h.locked(ctx, h.removeJournal), h.close()); err != nil {
		return errors.Join(err, lease.release())
	}
	return s.removeRest(id, lease)
}

func (h *handle) removeJournal() error {
	raw, err := h.readRaw(0, readAll)
	if err != nil {
		return err
	}
	state, _, err := raw.fold(h.id, h.store.PublicKey(), nil, strict)
	if err != nil {
		return err
	}
	if pending := state.Pending(); len(pending) > 0 {
		return fault.New(fault.RunWaiting, fmt.Sprintf("run %s waits for an answer to gate %s", h.id, pending[0].Asked.Gate),
			"assent review "+h.id+"   # or assent cancel, which ends it")
	}
	if h.place.shared {
		return h.removeBucket()
	}
	if err := os.Remove(h.store.dbPath(h.id)); err != nil {
		return fmt.Errorf("removing run %s: %w", h.id, err)
	}
	if err := durable.SyncDir(h.store.runsDir()); err != nil {
		return fmt.Errorf("removing run %s: %w", h.id, err)
	}
	return nil
}

// removeRest removes what stands beside a journal that is gone, the lease last: until then nobody
// can create or import a run of this id.
func (s *Store) removeRest(id string, l *lease) error {
	var errs []error
	for _, path := range []string{s.newPath(id), s.lockPath(id), s.anchorPath(id)} {
		errs = append(errs, remove(path))
	}
	return errors.Join(append(errs, l.drop(s.leasePath(id)))...)
}
