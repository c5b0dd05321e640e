package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// rawFile is what the disk itself can do: blocks of 4 KiB appended to a file, with an fsync
// after each.
func rawFile(b *testing.B) (appendOne func()) {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, file.Close()) })
	block := make([]byte, 4096)
	return func() {
		_, err := file.Write(block)
		require.NoError(b, err)
		require.NoError(b, file.Sync())
	}
}

// BenchmarkAppend appends one entry at a time. ratio is its rate over that of raw appends,
// which take turns with it, 20 to 20, so that both meet the same disk.
func BenchmarkAppend(b *testing.B) {
	s := open(b, newOptions(b))
	r := create(b, s)
	r.Changes() // an owner listens
	appendRaw := rawFile(b)
	var ours, raw time.Duration
	for i := 0; i < b.N; i += 20 {
		begin := time.Now()
		for j := range 20 {
			_, err := journal.Append(b.Context(), r, finished(i+j))
			require.NoError(b, err)
		}
		ours += time.Since(begin)
		begin = time.Now()
		for range 20 {
			appendRaw()
		}
		raw += time.Since(begin)
	}
	b.ReportMetric(float64(raw)/float64(ours), "ratio")
	b.ReportMetric(float64(raw.Microseconds())/float64(b.N), "raw-µs/op")
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "append-µs/op")
	require.NoError(b, r.Close())
	verified(b, s, r.ID())
}

// BenchmarkFileSize makes 1,000 calls, each with a start and an answer of its own.
func BenchmarkFileSize(b *testing.B) {
	for b.Loop() {
		s := open(b, newOptions(b))
		r := create(b, s)
		before := size(b, s.DBPath(r.ID()))
		for i := range 1000 {
			_, err := journal.Append(b.Context(), r, begun(i))
			require.NoError(b, err)
			_, err = journal.Append(b.Context(), r, ended(i))
			require.NoError(b, err)
		}
		require.NoError(b, r.Close())
		b.ReportMetric(float64(size(b, s.DBPath(r.ID()))-before)/1000, "B/call")
	}
}

// BenchmarkVisit opens, checks and folds a journal.
func BenchmarkVisit(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b, newOptions(b))
			r := create(b, s)
			for i := 0; i < n; i += 100 {
				drafts := make([]journal.Draft, 100)
				for j := range drafts {
					drafts[j] = finished(i + j)
				}
				_, err := journal.Append(b.Context(), r, drafts...)
				require.NoError(b, err)
			}
			require.NoError(b, r.Close())
			b.ReportAllocs()
			var live uint64
			for b.Loop() {
				v, err := s.Visit(b.Context(), r.ID())
				require.NoError(b, err)
				b.StopTimer()
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				live = m.HeapAlloc
				require.NoError(b, v.Close())
				b.StartTimer()
			}
			b.ReportMetric(float64(live)/(1<<20), "live-MiB")
		})
	}
}

// BenchmarkNotice is from another handle's append until the waiting owner has the entry.
func BenchmarkNotice(b *testing.B) {
	s := open(b, newOptions(b))
	r := create(b, s)
	v, err := open2(b, s, r.ID())
	require.NoError(b, err)
	changes := r.Changes()
	var total time.Duration
	for i := range b.N {
		_, err := journal.Append(b.Context(), r, asked(fmt.Sprint(i), true))
		require.NoError(b, err)
		time.Sleep(5 * time.Millisecond)
		for len(changes) > 0 {
			<-changes
		}
		begin := time.Now()
		_, err = v.Update(b.Context(), func(*journal.State) ([]journal.Draft, error) {
			return []journal.Draft{answered(fmt.Sprint(i), "true")}, nil
		})
		require.NoError(b, err)
		for {
			<-changes
			news, err := r.Sync(b.Context())
			require.NoError(b, err)
			if len(news) > 0 {
				break
			}
		}
		total += time.Since(begin)
	}
	b.ReportMetric(float64(total.Microseconds())/float64(b.N), "µs/decision")
	require.NoError(b, v.Close())
	require.NoError(b, r.Close())
	verified(b, s, r.ID())
}

func open2(b *testing.B, s *journal.Store, id string) (journal.Visit, error) {
	b.Helper()
	return s.Visit(b.Context(), id)
}
