package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
)

func TestFalseAlarmSharedState(t *testing.T) {
	for _, kind := range []string{"finished again", "started again"} {
		t.Run(kind, func(t *testing.T) {
			store := newStore(t)
			attempt := 0
			var cut context.CancelFunc
			workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
				switch {
				case req.Label == "C" && attempt == 0:
					return nil, errors.New("broke")
				case req.Label == "E":
					time.Sleep(50 * time.Millisecond)
					return "e", nil
				case req.Label == "D" && attempt == 1:
					if kind == "finished again" {
						time.Sleep(100 * time.Millisecond)
						cut()
					}
					<-ctx.Done()
					return nil, ctx.Err()
				case req.Label == "C" && attempt == 1 && kind == "started again":
					cut()
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return "ok " + req.Label, nil
			}}
			body := `
let known = "nothing";
await parallel([
	async () => { known = String(await agent("C", {label: "C"})) },
	async () => { await agent("E", {label: "E", readOnly: true}); await agent("D knows " + known, {label: "D", readOnly: true}) },
]);
await checkpoint("go?", {headless: "suspend"});
return known;`
			o := engine.Options{Store: store, Agent: workers, RerunInterrupted: true, RerunChanged: true}
			r := run(t, script(t, body), o)
			require.Equal(t, "waiting", r.State)
			attempt = 1
			var ctx context.Context
			ctx, cut = context.WithCancel(context.Background())
			defer cut()
			o.RetryFailed = true
			r2, err := engine.Resume(ctx, r.Run, nil, o)
			require.NoError(t, err)
			require.Equal(t, "interrupted", r2.State, "%v", r2.Err)
			attempt = 2
			o.RetryFailed = false
			r3 := resume(t, r.Run, nil, o)
			require.Equal(t, "waiting", r3.State, "%v", r3.Err)
		})
	}
}

func TestFalseAlarmBackAndForth(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{}, RerunChanged: true}
	a := script(t, `return await agent("x")`)
	b := script(t, `return await agent("x", {readOnly: true})`)
	r := run(t, a, o)
	r = resume(t, r.Run, b, o)
	require.Equal(t, "completed", r.State)
	r = resume(t, r.Run, a, o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
}

func TestFalseAlarmByDefault(t *testing.T) {
	store := newStore(t)
	attempt := 0
	var cut context.CancelFunc
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		switch {
		case req.Label == "C" && attempt == 0:
			return nil, errors.New("broke")
		case req.Label == "E":
			time.Sleep(50 * time.Millisecond)
		case req.Label == "D" && attempt == 1:
			time.Sleep(50 * time.Millisecond)
			cut()
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return "ok", nil
	}}
	body := `
const found = [];
await parallel([
	async () => { found.push(await agent("C", {label: "C", readOnly: true})) },
	async () => { await agent("E", {label: "E", readOnly: true}); await agent("D " + found.length, {label: "D", readOnly: true}) },
]);
return found;`
	o := engine.Options{Store: store, Agent: workers}
	r := run(t, script(t, body), o)
	require.Equal(t, "completed", r.State)
	attempt = 1
	var ctx context.Context
	ctx, cut = context.WithCancel(context.Background())
	defer cut()
	r2, err := engine.Resume(ctx, r.Run, nil, o)
	require.NoError(t, err)
	require.Equal(t, "interrupted", r2.State, "%v", r2.Err)
	attempt = 2
	require.Equal(t, "completed", resume(t, r.Run, nil, o).State)
}
