package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// BenchmarkShared is 64 runs at once, of 20 read-only calls one after the other, in one process:
// calls a second as a ratio of the disk's own rate, which is measured before and after each
// round. With files of their own, each call has a commit of its own; in a shared file, calls that
// end at the same time share one.
func BenchmarkShared(b *testing.B) {
	const runs, calls = 64, 20
	p, err := compile(fmt.Sprintf(`for (let i = 0; i < %d; i++) await agent("step " + i, {readOnly: true});`, calls))
	require.NoError(b, err)
	for name, shared := range map[string]bool{"shared": true, "own": false} {
		b.Run(fmt.Sprintf("file=%s", name), func(b *testing.B) {
			dir := b.TempDir()
			store, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys"), Shared: shared})
			require.NoError(b, err)
			var took time.Duration
			var raw float64
			for b.Loop() {
				before := rawRate(b)
				began := time.Now()
				ids := make([]string, runs)
				var wait sync.WaitGroup
				for i := range runs {
					wait.Go(func() {
						r, err := engine.Run(context.Background(), p, engine.Options{Store: store, Agent: instant{}})
						if err == nil && r.State == journal.StatusCompleted {
							ids[i] = r.Run
						}
					})
				}
				wait.Wait()
				took += time.Since(began)
				raw += (before + rawRate(b)) / 2
				require.NotContains(b, ids, "", "every run completes")
			}
			rate := float64(runs*calls*b.N) / took.Seconds()
			b.ReportMetric(rate, "calls/s")
			b.ReportMetric(rate/(raw/float64(b.N)), "ratio-to-raw-fsync")
			b.ReportMetric(0, "ns/op")
			runs, err := store.List(context.Background())
			require.NoError(b, err)
			for _, r := range runs {
				report, err := journal.Verify(context.Background(), store, r.ID)
				require.NoError(b, err)
				require.True(b, report.OK, "%v", report.Problems)
			}
		})
	}
}
