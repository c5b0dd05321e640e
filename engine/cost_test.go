package engine_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// transactions reads the number of the last committed transaction out of a bbolt file: the
// field txid of the newer of its two meta pages (page header 16 bytes; magic, version, page
// size, flags 4 bytes each; root 16, freelist 8, high water mark 8).
func transactions(t *testing.T, path string) uint64 {
	t.Helper()
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	size := binary.LittleEndian.Uint32(file[16+8:])
	const txid = 16 + 4*4 + 16 + 8 + 8
	return max(binary.LittleEndian.Uint64(file[txid:]), binary.LittleEndian.Uint64(file[size+txid:]))
}

// A call costs at most two transactions of the journal if it may change something, and one if
// it cannot.
func TestTransactionsPerCall(t *testing.T) {
	for body, perCall := range map[string]uint64{
		`for (let i = 0; i < 50; i++) await agent("a" + i, {readOnly: true}); await checkpoint("?", {headless: "suspend"})`:   1,
		`for (let i = 0; i < 50; i++) await agent("a" + i); await checkpoint("?", {headless: "suspend"})`:                     2,
		`for (let i = 0; i < 50; i++) { log("at " + i); await agent("a" + i) }; await checkpoint("?", {headless: "suspend"})`: 2,
	} {
		dir := t.TempDir()
		store, err := storeIn(dir)
		require.NoError(t, err)
		var first, last uint64
		calls := 0
		o := engine.Options{Store: store, Agent: &team{}}
		o.Observe = func(e engine.Event) {
			if e.Type != engine.CallEnded {
				return
			}
			last = transactions(t, filepath.Join(dir, "store", "runs", e.Run+".db"))
			if calls == 0 {
				first = last
			}
			calls++
		}
		run(t, script(t, body), o)
		require.Equal(t, 50, calls)
		require.Equal(t, 49*perCall, last-first, body)
	}
}

func TestB34_ReplayDoesNotGoByPosition(t *testing.T) {
	body := `
const before = await agent("before");
const r = await pipeline([0, 1, 2, 3, 4, 5], (v, item) => agent("a" + item), (v, item) => agent("b" + item), (v, item) => agent("c" + item));
return [before, r, await checkpoint("ok?", {default: true})];`
	want := run(t, script(t, body), engine.Options{Store: newStore(t), Agent: &team{}})
	store := newStore(t)
	ctx, cut := context.WithCancel(context.Background())
	defer cut()
	var invoked, finished atomic.Int32
	o := engine.Options{Store: store, Settings: journal.Settings{Concurrency: 1}}
	o.Agent = &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		invoked.Add(1)
		if finished.Load() == 17 {
			cut()
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return "done: " + req.Prompt, nil
	}}
	o.Observe = func(e engine.Event) {
		if e.Type == engine.CallEnded {
			finished.Add(1)
		}
	}
	r, err := engine.Run(ctx, script(t, body), o)
	require.NoError(t, err)
	require.Equal(t, "interrupted", r.State)
	o.Settings.Concurrency, o.RerunInterrupted = 8, true // another order of answers than before
	o.Agent = &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		invoked.Add(1)
		unequal(ctx, req.Prompt)
		return "done: " + req.Prompt, nil
	}}
	done := resume(t, r.Run, nil, o)
	require.JSONEq(t, string(want.Value), string(done.Value))
	require.Equal(t, int32(19+1), invoked.Load(), "19 agents, and the one that was in flight once more")
}
