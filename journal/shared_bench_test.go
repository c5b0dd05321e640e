package journal_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// BenchmarkSharedAppend has 64 runs append 20 entries each, at the same time, one after the other.
// ratio is the rate of entries over that of raw appends, which are measured before and after.
func BenchmarkSharedAppend(b *testing.B) {
	const runs, appends = 64, 20
	o := newOptions(b)
	o.Shared = true
	s := open(b, o)
	appendRaw := rawFile(b)
	var ours, raw time.Duration
	measure := func() {
		began := time.Now()
		for range 200 {
			appendRaw()
		}
		raw += time.Since(began)
	}
	for b.Loop() {
		list := make([]journal.Run, runs)
		for i := range list {
			list[i] = create(b, s)
		}
		measure()
		began := time.Now()
		var wait sync.WaitGroup
		for _, r := range list {
			wait.Go(func() {
				for i := range appends {
					if _, err := journal.Append(b.Context(), r, finished(i)); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wait.Wait()
		ours += time.Since(began)
		measure()
		for _, r := range list {
			require.NoError(b, r.Close())
			verified(b, s, r.ID())
		}
	}
	b.ReportMetric(float64(runs*appends*b.N)/ours.Seconds(), "entries/s")
	b.ReportMetric(float64(raw)/400*runs*appends/float64(ours), "ratio")
	b.ReportMetric(0, "ns/op")
}
