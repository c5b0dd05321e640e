package journal_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/journal"
)

// Who looks for runs while somebody has the shared file waits as long as the caller says.
func TestLookingEndsWithItsContext(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBatched(t)
	r := b.runs(1)[0]
	text := exported(t, b.Store, r.ID())
	other := open(t, b.o)
	hold := make(chan struct{})
	b.hold.Store(&hold)
	at := b.commits.Load()
	var busy sync.WaitGroup
	busy.Go(func() {
		if _, err := journal.Append(t.Context(), r, finished(0)); err != nil {
			t.Error(err)
		}
	})
	require.Eventually(t, func() bool { return b.commits.Load() > at }, time.Minute, time.Millisecond)
	for name, look := range map[string]func(ctx context.Context) error{
		"IDs":  func(ctx context.Context) error { _, err := other.IDs(ctx); return err },
		"Find": func(ctx context.Context) error { _, err := other.Find(ctx, r.ID()); return err },
		"Import": func(ctx context.Context) error {
			_, err := journal.Import(ctx, other, strings.NewReader(text), journal.ImportOptions{})
			return err
		},
		"Leftovers": func(ctx context.Context) error { _, err := other.Leftovers(ctx); return err },
		"RemoveLeftover": func(ctx context.Context) error {
			_, err := other.RemoveLeftover(ctx, "01KB90YA7A40GJ48S44MK2EA19", false)
			return err
		},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		require.ErrorIs(t, look(ctx), context.DeadlineExceeded, name)
		cancel()
	}
	b.hold.Store(nil)
	close(hold)
	busy.Wait()
	require.Equal(t, []int{2}, b.done([]journal.Run{r}))
}
