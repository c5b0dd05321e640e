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
	if err := errors.Join(h.removeJournal(ctx), h.close()); err != nil {
		return errors.Join(err, lease.release())
	}
	return s.removeRest(id, lease)
}

func (h *handle) removeJournal(ctx context.Context) error {
	if !h.place.shared {
		return h.locked(ctx, func() error { return h.removeFrom(write) })
	}
	a, err := h.store.shared.takeSurveyed(ctx, h.lock)
	if err != nil {
		return err
	}
	defer h.lock.release()
	return h.removeFrom(a)
}

// removeFrom has the lock of the journal's file. The shared one is to be opened as a says.
func (h *handle) removeFrom(a access) error {
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
		return h.removeBucket(a)
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
// can create or import a run of this id. RUN.new goes when the anchor has gone for good: of an
// import that was cut off, it alone explains the anchor.
func (s *Store) removeRest(id string, l *lease) error {
	err := errors.Join(s.removeAttachments(id), remove(s.workPath(id)), remove(s.lockPath(id)), remove(s.anchorPath(id)))
	if exists(s.newPath(id)) {
		if err == nil {
			err = durable.SyncDir(s.anchorsDir())
		}
		if err == nil {
			err = s.at("prune.new")
		}
		if err == nil {
			err = remove(s.newPath(id))
		}
	}
	return errors.Join(err, l.drop(s.leasePath(id)))
}
