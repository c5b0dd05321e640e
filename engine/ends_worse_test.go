package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// A completed run keeps its result where trying its failed call again would only lead up to work that nobody said may be repeated.
func TestACompletedRunIsNotMadeWorse(t *testing.T) {
	store, broken := newStore(t), true
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Label == "look" && broken {
			return nil, fault.New(fault.AgentFailed, "down", "")
		}
		return "done", nil
	}}
	p := script(t, `const a = await agent("x", {label: "look", readOnly: true}); return [a, await agent("x", {label: "work"})];`)
	r := run(t, p, engine.Options{Store: store, Agent: workers})
	require.Equal(t, journal.StatusCompleted, r.State)
	require.Equal(t, []string{"look", "work"}, workers.take())
	broken = false

	_, err := engine.Resume(context.Background(), r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.True(t, fault.Is(err, fault.WorkWouldRepeat), "%v", err)
	require.ErrorContains(t, err, "work")
	require.Empty(t, workers.take())
	st := state(t, store, r.Run)
	require.Equal(t, journal.StatusCompleted, st.Finished.State)
	require.JSONEq(t, `[null,"done"]`, string(st.Finished.Result))

	again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, RerunChanged: true})
	require.JSONEq(t, `["done","done"]`, string(again.Value))
	require.Equal(t, []string{"look", "work"}, workers.take())
}
