package engine_test

import (
	"context"
	"errors"
	"hash/fnv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// unequal makes an agent take 0 to 3 ms, by its prompt.
func unequal(ctx context.Context, prompt string) {
	h := fnv.New32a()
	h.Write([]byte(prompt))
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(h.Sum32()%4) * time.Millisecond):
	}
}

// TestWaste holds what a resume may cost: all calls of a run are done but the named one, and a
// second resume costs nothing.
func TestWaste(t *testing.T) {
	const (
		pipe = `
const items = [...Array(40).keys()];
return await pipeline(items, (v, item, i) => agent("a" + i), (v, item, i) => agent("b" + i));`
		chains = `
const r = await parallel([...Array(40).keys()].map(i => async () => {
	let v = 0;
	for (let s = 0; s < 3; s++) v = await agent("c" + i + "." + s);
	return v;
}));
return await agent("join");`
		promiseAll = `
const r = await Promise.all([...Array(40).keys()].map(async i => {
	let v = 0;
	for (let s = 0; s < 3; s++) v = await agent("c" + i + "." + s);
	return v;
}));
return await agent("join");`
		thens = `
const r = await Promise.all([...Array(40).keys()].map(i =>
	agent("c" + i + ".0").then(() => agent("c" + i + ".1")).then(() => agent("c" + i + ".2"))));
return await agent("join");`
		flat   = `return await parallel([...Array(102).keys()].map(i => () => agent("f" + i)));`
		serial = `let v; for (let i = 0; i < 20; i++) v = await agent("s" + i); return v;`
		holds  = `let v = ""; for (let i = 0; i < 20; i++) v = await agent("s" + i + " after " + (v === null ? "nothing" : v.length > 9 ? "some" : v)); return v;`
		nested = `
return await parallel([0, 1, 2].map(i => () => pipeline([0, 1, 2],
	(v, item, j) => agent("n" + i + j), (v, item, j) => agent("m" + i + j))));`
	)
	for _, c := range []struct {
		name, body string
		// hangs never answers in the first attempt; fails fails in it.
		hangs, fails string
		want         int
	}{
		{"40x2 pipeline", pipe, "b39", "", 1},
		{"40x2 pipeline, early item", pipe, "b7", "", 1},
		{"40x2 pipeline, first stage failed", pipe, "", "a7", 2},
		{"40 chains of 3 and a join", chains, "join", "", 1},
		{"40 chains of 3, one link and the join", chains, "c7.2", "", 2},
		{"Promise.all of 40 async functions and a join", promiseAll, "join", "", 1},
		{"40 then chains and a join", thens, "join", "", 1},
		{"flat parallel of 102, number 4 failed", flat, "", "f4", 1},
		{"sequential 20, number 10 failed", serial, "", "s9", 11},
		{"sequential 20, number 10 failed, prompts hold the answer before", holds, "", "s9 after some", 11},
		{"nested frames", nested, "m11", "", 1},
	} {
		for _, readOnly := range []bool{true, false} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				store := newStore(t)
				settings := journal.Settings{ReadOnly: readOnly, Concurrency: 8}
				ctx, kill := context.WithCancel(context.Background())
				defer kill()
				first := true
				workers := &team{}
				workers.answer = func(ctx context.Context, req agent.Request) (any, error) {
					unequal(ctx, req.Prompt)
					if first && req.Prompt == c.hangs {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					if first && req.Prompt == c.fails {
						return nil, errors.New("it broke")
					}
					return "done: " + req.Prompt, nil
				}
				o := engine.Options{Store: store, Agent: workers, Settings: settings}
				program := script(t, c.body)
				o.Observe = cutWhenOnly(c.hangs, kill)
				r, err := engine.Run(ctx, program, o)
				require.NoError(t, err)
				if c.hangs != "" {
					require.Equal(t, "interrupted", r.State)
				}
				workers.take()

				first, o.Observe = false, nil
				o.RerunInterrupted, o.RerunChanged = !readOnly, !readOnly
				again := resume(t, r.Run, nil, o)
				require.Equal(t, "completed", again.State)
				require.Len(t, workers.take(), c.want, "calls that the resume pays for")

				last := resume(t, r.Run, nil, o)
				require.Equal(t, string(again.Value), string(last.Value))
				require.Empty(t, workers.take(), "a second resume costs nothing")
				replayed, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
				require.NoError(t, err)
				require.Equal(t, string(again.Value), string(replayed.Value))
			})
		}
	}
}

// cutWhenOnly ends the attempt when nothing but the call with the given prompt is at work and
// nothing new has begun since the last answer.
func cutWhenOnly(prompt string, kill func()) func(engine.Event) {
	working := map[string]bool{}
	var timer *time.Timer
	return func(e engine.Event) {
		switch e.Type {
		case engine.CallBegan:
			working[e.Key] = true
		case engine.CallEnded:
			delete(working, e.Key)
		}
		if timer != nil {
			timer.Stop()
		}
		if prompt != "" && len(working) == 1 {
			timer = time.AfterFunc(100*time.Millisecond, kill)
		}
	}
}
