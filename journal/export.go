package journal

import (
	"bufio"
	"context"
	"io"
)

// Export writes a run's entries as they are stored, one a line. The seals can be verified with
// the user's public key, the newest state only by who has the anchor.
func Export(ctx context.Context, s *Store, id string, w io.Writer) error {
	h, err := s.openHandle(ctx, id)
	if err != nil {
		return err
	}
	defer h.close()
	var raw *rawEntries
	err = h.locked(ctx, func() (err error) {
		raw, err = h.readRaw(0, read)
		return err
	})
	if err != nil {
		return err
	}
	if _, _, err := raw.fold(id, s.PublicKey(), nil, strict); err != nil { // it was read again
		return err
	}
	out := bufio.NewWriter(w)
	for _, stored := range raw.entries {
		// A Writer keeps its first error and gives it to Flush.
		_, _ = out.Write(stored)
		_ = out.WriteByte('\n')
	}
	return out.Flush()
}
