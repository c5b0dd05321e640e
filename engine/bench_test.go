package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// rawRate is how many times a second the disk appends 4 KiB and syncs: the budget that the
// journal lives on. It is measured beside each figure, so that a ratio can be quoted.
func rawRate(b *testing.B) float64 {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	require.NoError(b, err)
	defer f.Close()
	block := make([]byte, 4096)
	const n = 500
	began := time.Now()
	for range n {
		_, err := f.Write(block)
		require.NoError(b, err)
		require.NoError(b, f.Sync())
	}
	return n / time.Since(began).Seconds()
}

type instant struct{}

func (instant) Run(context.Context, agent.Request, agent.Step) (agent.Response, error) {
	return agent.Response{Value: json.RawMessage(`"done"`)}, nil
}

func sequential(n int) string {
	return fmt.Sprintf(`for (let i = 0; i < %d; i++) await agent("step " + i, {readOnly: true}); return await checkpoint("next?", {headless: "suspend"});`, n)
}

// BenchmarkSequential is 1,000 read-only calls one after the other: calls a second as a ratio
// of the disk's own rate, and bytes of file a call.
func BenchmarkSequential(b *testing.B) {
	const calls = 1000
	for _, readOnly := range []bool{true, false} {
		b.Run(fmt.Sprintf("readOnly=%v", readOnly), func(b *testing.B) {
			dir := b.TempDir()
			store, err := storeIn(dir)
			require.NoError(b, err)
			p, err := compile(fmt.Sprintf(`for (let i = 0; i < %d; i++) await agent("step " + i, {readOnly: %v});`, calls, readOnly))
			require.NoError(b, err)
			var took time.Duration
			var size int64
			raw := rawRate(b)
			for b.Loop() {
				began := time.Now()
				r, err := engine.Run(context.Background(), p, engine.Options{Store: store, Agent: instant{}, Settings: journal.Settings{MaxCalls: 100_000}})
				took += time.Since(began)
				require.NoError(b, err)
				require.Equal(b, "completed", r.State)
				info, err := os.Stat(filepath.Join(dir, "store", "runs", r.Run+".db"))
				require.NoError(b, err)
				size += info.Size()
			}
			raw = (raw + rawRate(b)) / 2
			rate := float64(calls*b.N) / took.Seconds()
			b.ReportMetric(rate, "calls/s")
			b.ReportMetric(rate/raw, "ratio-to-raw-fsync")
			b.ReportMetric(float64(size)/float64(calls*b.N), "file-B/call")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkResume is the time and memory from Resume to the next call, after n finished ones.
func BenchmarkResume(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			store, err := storeIn(b.TempDir())
			require.NoError(b, err)
			p, err := compile(sequential(n))
			require.NoError(b, err)
			o := engine.Options{Store: store, Agent: instant{}, Settings: journal.Settings{MaxCalls: 100_000}}
			r, err := engine.Run(context.Background(), p, o)
			require.NoError(b, err)
			require.Equal(b, "waiting", r.State)
			var peak uint64
			var took time.Duration
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				began := time.Now()
				o.Observe = func(e engine.Event) {
					if e.Type == engine.GateOpened {
						took += time.Since(began)
						runtime.GC()
						runtime.ReadMemStats(&after)
					}
				}
				_, err := engine.Resume(context.Background(), r.Run, nil, o)
				require.NoError(b, err)
				peak = max(peak, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
			}
			b.ReportMetric(float64(took.Milliseconds())/float64(b.N), "ms-to-next-call")
			b.ReportMetric(float64(peak)/(1<<20), "live-MiB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkDecision is the time from a decision in another handle of the journal to the
// executor acting on it.
func BenchmarkDecision(b *testing.B) {
	store, err := storeIn(b.TempDir())
	require.NoError(b, err)
	p, err := compile(`
const hold = agent("hold");
for (let i = 0; i < 1000000; i++) await checkpoint("go " + i + "?", {headless: "suspend"});
await hold;`)
	require.NoError(b, err)
	opened, ended := make(chan engine.Event, 1), make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(context.Background())
	o := engine.Options{
		Store: store, Settings: journal.Settings{MaxCalls: 1 << 30},
		Agent: &team{answer: func(ctx context.Context, _ agent.Request) (any, error) { <-ctx.Done(); return nil, ctx.Err() }},
		Observe: func(e engine.Event) {
			switch e.Type {
			case engine.GateOpened:
				opened <- e
			case engine.GateEnded:
				ended <- struct{}{}
			}
		},
	}
	done := make(chan error, 1)
	go func() {
		_, err := engine.Run(ctx, p, o)
		done <- err
	}()
	var took time.Duration
	for b.Loop() {
		e := <-opened
		v, err := store.Visit(context.Background(), e.Run)
		require.NoError(b, err)
		_, err = checkpoint.Respond(context.Background(), v, func() bool { return true }, time.Now, checkpoint.Response{
			Gate: e.Gate.Asked.Gate, Decision: json.RawMessage("true"), Who: journal.Who{User: "bob"},
		})
		require.NoError(b, err)
		began := time.Now()
		require.NoError(b, v.Close())
		<-ended
		took += time.Since(began)
	}
	b.ReportMetric(float64(took.Microseconds())/1000/float64(b.N), "ms-to-executor")
	<-opened
	cancel()
	require.NoError(b, <-done)
}
