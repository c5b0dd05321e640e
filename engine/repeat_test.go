package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
)

func TestReadOnlyWorkNeedsNoLeave(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{}}
	r := run(t, script(t, `return await agent("look", {readOnly: true})`), o)
	r = resume(t, r.Run, script(t, `return await agent("look")`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
}

func TestChosenFailureRunsAgainQuietly(t *testing.T) {
	store := newStore(t)
	body := `const a = await agent("scout", {readOnly: true}); const b = await agent("edit " + a); return b;`
	first := cutDuring(t, body, "edit done: scout", engine.Options{Store: store})
	workers := &team{}
	o := engine.Options{Store: store, Agent: workers, Recover: func(context.Context, engine.Recovery) (engine.Choice, error) { return engine.ChooseFail, nil }}
	r := resume(t, first.Run, nil, o)
	require.Equal(t, "completed", r.State)
	require.Empty(t, workers.take())
	o.Recover = nil
	r = resume(t, first.Run, script(t, `const a = await agent("scout 2", {readOnly: true}); const b = await agent("edit " + a); return b;`), o)
	require.Equal(t, "interrupted", r.State)
	require.Equal(t, []string{"scout 2"}, workers.take())
}

func TestRerunLeaveIsForThoseListed(t *testing.T) {
	store := newStore(t)
	body := `
await parallel([
	async () => { const x = await agent("edit"); await agent("deploy " + x) },
]);`
	workers := &team{}
	o := engine.Options{Store: store, Agent: workers}
	r := run(t, script(t, body), o)
	require.Equal(t, "completed", r.State)
	p := strings.Replace(body, `"edit"`, `"edit 2"`, 1)
	// attempt 2: edit 2 is cut off
	ctx, cut := context.WithCancel(context.Background())
	o2 := engine.Options{Store: store, RerunChanged: true, Agent: &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		cut()
		<-ctx.Done()
		return nil, ctx.Err()
	}}}
	_, err := engine.Resume(ctx, r.Run, script(t, p), o2)
	require.NoError(t, err)
	workers.take()
	var listed []string
	o.Recover = func(_ context.Context, q engine.Recovery) (engine.Choice, error) {
		for _, c := range slices.Concat(q.Interrupted, q.Changed, q.Following) {
			listed = append(listed, c.Key)
		}
		return engine.ChooseRerun, nil
	}
	resume(t, r.Run, nil, o)
	require.Len(t, listed, 2, "the finished deploy is named too")
	require.Len(t, workers.take(), 2)
}

// ---- checkpoint.Ask

func TestChoseOverwritesCancelled(t *testing.T) {
	store := newStore(t)
	body := `return await parallel([async () => { await agent("LOOK",{readOnly:true}); return await agent("edit") }, () => agent("slow",{readOnly:true})])`
	first := cutDuring(t, body, "edit", engine.Options{Store: store})
	hold := make(chan struct{})
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		if req.Prompt == "slow2" {
			<-ctx.Done()
			<-hold
			return nil, ctx.Err()
		}
		return "x", nil
	}}
	o := engine.Options{Store: store, Agent: workers, RerunChanged: true, Recover: func(ctx context.Context, q engine.Recovery) (engine.Choice, error) {
		go func() { _ = cancelNow(store, q.Run); time.Sleep(300 * time.Millisecond); close(hold) }()
		<-ctx.Done()
		return "", ctx.Err()
	}}
	p := script(t, strings.NewReplacer("LOOK", "look2", `"slow"`, `"slow2"`).Replace(body))
	r := resume(t, first.Run, p, o)
	require.Equal(t, "cancelled", r.State, "%v", r.Err)
}
