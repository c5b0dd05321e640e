package journal_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

var errDisk = errors.New("the disk says no")

// The points at which a write can stop, in pairs of "before it happened" and "it happened, but
// the caller heard of an error": commit and committed, anchor.write and anchor.written, and so on.
var points = []string{"take.leased", "commit", "committed", "anchor.write", "anchor.written", "anchor.synced"}

// At every point one write fails. Then the same handle goes on, or a new one is opened, and
// both see what is on disk: all of the entry or nothing.
func TestCrashMatrix(t *testing.T) {
	for _, point := range points {
		for _, kind := range []string{"answer", "call", "resume"} {
			t.Run(point+"/"+kind, func(t *testing.T) {
				o := newOptions(t)
				o.HoldFor = time.Hour // no timer ends a burst between two steps of the test
				s := open(t, o)
				r := create(t, s)
				_, err := journal.Append(t.Context(), r, asked("g1", true))
				require.NoError(t, err)
				if kind == "resume" {
					require.NoError(t, r.Close())
				}
				failed := false
				journal.SetFail(s, func(at string) error {
					if at == point && !failed {
						failed = true
						return errDisk
					}
					return nil
				})
				persisted := point != "commit" && point != "take.leased"
				var head uint64 = 2
				switch kind {
				case "answer":
					_, err = journal.Append(t.Context(), r, answered("g1", "true"))
				case "call":
					_, err = journal.Append(t.Context(), r, finished(0))
				case "resume":
					var again journal.Run
					if again, err = s.Take(t.Context(), r.ID(), resume); err == nil {
						err = again.Close()
					}
				}
				if err != nil {
					require.ErrorIs(t, err, errDisk)
				}
				if persisted || err == nil {
					head = 3
				}
				if kind != "resume" {
					require.Equal(t, head, r.State().Head, "the handle has read the disk again")
					if kind == "answer" && err != nil {
						_, again := journal.Append(t.Context(), r, answered("g1", "true"))
						if persisted {
							require.Equal(t, fault.TransitionAbsent, fault.CodeOf(again))
							news, err := r.Sync(t.Context())
							require.NoError(t, err)
							require.Len(t, news, 1, "an entry that was written after all is news")
						} else {
							require.NoError(t, again)
							head++
						}
					}
					_ = r.Close() // the anchor may fail here; the journal is ahead of it
				}
				journal.SetFail(s, nil)
				report := verified(t, s, r.ID())
				require.Equal(t, int(head), report.Entries)
				require.True(t, report.Proven)
				next, err := s.Take(t.Context(), r.ID(), resume)
				require.NoError(t, err)
				_, err = journal.Append(t.Context(), next, finished(9))
				require.NoError(t, err)
				require.NoError(t, next.Close())
				verified(t, s, r.ID())
			})
		}
	}
}

// A run is there whole, or not at all.
func TestCrashWhileCreating(t *testing.T) {
	for _, point := range []string{"create.anchor", "create.name", "create.named"} {
		t.Run(point, func(t *testing.T) {
			o := newOptions(t)
			s := open(t, o)
			journal.SetFail(s, func(at string) error {
				if at == point {
					return errDisk
				}
				return nil
			})
			_, err := s.Create(t.Context(), started())
			require.ErrorIs(t, err, errDisk)
			journal.SetFail(s, nil)
			rows, err := s.List(t.Context())
			require.NoError(t, err)
			if point != "create.named" {
				require.Empty(t, rows)
				require.Empty(t, filesBelow(t, o.Dir), "nothing is left")
				return
			}
			require.Len(t, rows, 1)
			require.NoError(t, rows[0].Err)
			require.Equal(t, "interrupted", rows[0].State)
			verified(t, s, rows[0].ID)
		})
	}
}
