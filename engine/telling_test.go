package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// Another process sees a read-only call while it is at work, and a quick one leaves no file.
func TestWorkIsTold(t *testing.T) {
	store := newStore(t)
	release := make(chan struct{})
	agents := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		if req.Label != "slow" {
			return "quick", nil
		}
		select {
		case <-release:
			return "done", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
	p := script(t, `
		await agent("quick", {readOnly: true});
		phase("look");
		return await agent("look around", {label: "slow", readOnly: true});`)
	began := make(chan string, 1)
	ended := make(chan *engine.Result, 1)
	go func() {
		r, err := engine.Run(context.Background(), p, engine.Options{Store: store, Agent: agents, Observe: func(e engine.Event) {
			if e.Type == engine.RunBegan {
				began <- e.Run
			}
		}})
		if err != nil {
			r = &engine.Result{Err: err}
		}
		ended <- r
	}()
	v, err := store.Visit(t.Context(), <-began)
	require.NoError(t, err)
	defer v.Close()
	changes := v.Changes()
	var work []journal.Work
	for deadline := time.After(10 * time.Second); len(work) == 0; work = v.Work() {
		select {
		case <-changes:
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			require.Fail(t, "the call at work was never told of")
		}
	}
	require.Len(t, work, 1)
	require.Equal(t, "/agent#1", work[0].Key)
	require.Equal(t, "slow", work[0].Label)
	require.Equal(t, "look", work[0].Phase)
	require.Equal(t, "look around", work[0].Prompt)
	require.True(t, work[0].ReadOnly)
	close(release)
	r := <-ended
	require.NoError(t, r.Err)
	require.Equal(t, "completed", r.State)
	require.Empty(t, v.Work())
}
