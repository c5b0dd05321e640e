package journal_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// The pages of the shared file are looked at while others can write to it; if somebody has, they are
// looked at again, but not for ever.
func TestP9_TheFirstAppendLeavesTheFileToOthers(t *testing.T) {
	for busy, looks := range []int{1, 2, 3, 3} { // for how many others write in between
		o := newOptions(t)
		o.Shared = true
		first := open(t, o)
		mine, others := create(t, first), create(t, first)
		require.NoError(t, mine.Close())
		second := open(t, o)
		looked := 0
		journal.SetFail(second, func(point string) error {
			if point == "surveyed" {
				if looked++; looked <= busy {
					_, err := journal.Append(t.Context(), others, finished(looked))
					return err
				}
			}
			return nil
		})
		again, err := second.Take(t.Context(), mine.ID(), resume)
		require.NoError(t, err)
		require.Equal(t, looks, looked, "%d", busy)
		_, err = journal.Append(t.Context(), again, finished(0))
		require.NoError(t, err)
		require.Equal(t, looks, looked, "that was for the first time only")
		require.NoError(t, again.Close())
		require.NoError(t, others.Close())
		require.Equal(t, 3, verified(t, second, mine.ID()).Entries)
		require.Equal(t, 1+min(busy, looks), verified(t, second, others.ID()).Entries)

		// Pruning is writing.
		third := open(t, o)
		looked = 0
		journal.SetFail(third, func(point string) error {
			if point == "surveyed" {
				looked++
			}
			return nil
		})
		require.NoError(t, third.Prune(t.Context(), mine.ID()))
		require.Equal(t, 1, looked)
		require.NoError(t, third.Prune(t.Context(), others.ID()))
		require.Equal(t, 1, looked)
	}
}

// A free list that names a page of somebody's run is found before anything is written, whosever run
// it is that is written to.
func TestTheFirstAppendFindsADamagedFreeList(t *testing.T) {
	o := newOptions(t)
	o.Shared = true
	s := open(t, o)
	id, other := grown(t, s), grown(t, s)
	_, err := journal.Compact(t.Context(), s, id) // now all that is in the file is in use
	require.NoError(t, err)
	data := readFile(t, s.DBPath(id))
	lines := strings.Split(exported(t, s, other), "\n")
	text := bytes.Index(data, []byte(lines[5]))
	require.Positive(t, text)
	page := os.Getpagesize()
	changed := 0
	for at := 0; at+page <= len(data); at += page {
		if binary.NativeEndian.Uint16(data[at+8:]) == 0x10 { // a page of the numbers of free pages
			binary.NativeEndian.PutUint16(data[at+10:], 1)
			binary.NativeEndian.PutUint64(data[at+16:], uint64(text/page))
			changed++
		}
	}
	require.Positive(t, changed)
	writeFile(t, s.DBPath(id), data)
	_, err = open(t, o).Take(t.Context(), id, resume)
	require.Equal(t, fault.JournalDamaged, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "calls it free")
	require.Equal(t, data, readFile(t, s.DBPath(id)), "nothing was written")
}

// A run whose name in the shared file was changed is damaged, and not one that never was.
func TestARunThatHasAnotherNameInTheSharedFile(t *testing.T) {
	o := newOptions(t)
	o.Shared = true
	s := open(t, o)
	r, other := create(t, s), create(t, s)
	require.NoError(t, r.Close())
	require.NoError(t, other.Close())
	id := r.ID()
	whole := readFile(t, s.DBPath(id))
	misnamed := 0
	for at := 0; ; at++ {
		next := bytes.Index(whole[at:], []byte(id))
		if next < 0 {
			break
		}
		at += next
		data := bytes.Clone(whole)
		data[at+25] ^= 1
		writeFile(t, s.DBPath(id), data)
		v, err := s.Visit(t.Context(), id)
		if err == nil { // that page is in use no more
			require.NoError(t, v.Close())
			continue
		}
		require.NotEqual(t, fault.RunUnknown, fault.CodeOf(err), "%v", err)
		if strings.Contains(err.Error(), "its name is damaged") {
			misnamed++
		}
	}
	require.Equal(t, 1, misnamed)
	writeFile(t, s.DBPath(id), whole)
	verified(t, s, id)
	verified(t, s, other.ID())
}
