package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// A run that ended because a checkpoint had no default is proved by a replay: its journal leads to
// that question, where nobody was.
func TestReplayOfACheckpointWithoutADefault(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store}
	r := run(t, script(t, `return await checkpoint("Go?");`), o)
	require.Equal(t, journal.StatusFailed, r.State)
	require.Equal(t, string(fault.CheckpointNeedsDefault), r.Code)
	again, err := engine.Replay(context.Background(), r.Run, o)
	require.NoError(t, err)
	require.Equal(t, journal.StatusFailed, again.State)
}
