package journal

import (
	"bufio"
	"context"
	"io"
)

// Export writes a run's entries as they are stored, one a line. The seals can be verified with
// the user's public key, the newest state only by who has the anchor.
func Export(ctx context.Context, s *Store, id string, w io.Writer) error {
	raw, err := s.readWhole(ctx, id, nil)
	if err != nil {
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
