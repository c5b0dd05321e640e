package journal_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// approved is a run of four entries: started, asked, answered (sealed), and a call that stands
// behind the last seal. The anchor is at the last.
func approved(t *testing.T, s *journal.Store) journal.Run {
	t.Helper()
	r := create(t, s)
	for _, d := range []journal.Draft{asked("g1", true), answered("g1", "true"), finished(0)} {
		_, err := journal.Append(t.Context(), r, d)
		require.NoError(t, err)
	}
	return r
}

func storedHead(t *testing.T, s *journal.Store, id string) (record []byte) {
	t.Helper()
	edit(t, s.DBPath(id), func(_, info *bolt.Bucket) { record = bytes.Clone(info.Get([]byte("head"))) })
	require.Len(t, record, 72)
	return record
}

// extend appends an entry with a right chain, as anybody can, and the head that record makes of
// its seq and hash; old is the head that was there.
func extend(t *testing.T, s *journal.Store, id string, d journal.Draft, record func(old, bare []byte, e journal.Entry) []byte) {
	t.Helper()
	last, old := headEntry(t, s.DBPath(id)), storedHead(t, s, id)
	e := journal.Entry{Seq: last.Seq + 1, Prev: last.Hash(), At: last.At, Kind: d.Kind, Key: d.Key, Identity: d.Identity, Data: marshal(t, d.Data)}
	bare := append(key(e.Seq), unhex(t, e.Hash())...)
	edit(t, s.DBPath(id), func(entries, info *bolt.Bucket) {
		must(entries.Put(key(e.Seq), e.Bytes()))
		must(info.Put([]byte("head"), record(old, bare, e)))
	})
}

func bareHead(_, bare []byte, _ journal.Entry) []byte { return bare }

// unsealed is one draft of every kind without a seal that could follow.
func unsealed() map[string]journal.Draft {
	again := asked("g2", true)
	return map[string]journal.Draft{
		"gate.asked":    again,
		"call.started":  begun(1),
		"call.finished": finished(1),
		"run.resumed":   {Kind: journal.KindRunResumed, Data: journal.RunResumed{Settings: started().Settings, Version: "x"}},
		"run.paused":    {Kind: journal.KindRunPaused, Data: journal.RunPaused{State: "waiting"}},
		"note":          {Kind: journal.KindNote, Data: journal.Note{Type: "log", Text: "x", After: 1}},
	}
}

func TestS01_ForgedTail(t *testing.T) {
	stranger := open(t, newOptions(t))
	const otherRun = "01KB8ANC3N0000000000000000"
	for name, record := range map[string]func(s *journal.Store, id string) func(old, bare []byte, e journal.Entry) []byte{
		"no authenticator": func(*journal.Store, string) func(old, bare []byte, e journal.Entry) []byte { return bareHead },
		"the last one's": func(*journal.Store, string) func(old, bare []byte, e journal.Entry) []byte {
			return func(old, bare []byte, _ journal.Entry) []byte { return append(bare, old[40:]...) }
		},
		"the last head": func(*journal.Store, string) func(old, bare []byte, e journal.Entry) []byte {
			return func(old, _ []byte, _ journal.Entry) []byte { return old }
		},
		"zeroes": func(*journal.Store, string) func(old, bare []byte, e journal.Entry) []byte {
			return func(_, bare []byte, _ journal.Entry) []byte { return append(bare, make([]byte, 32)...) }
		},
		"another user's": func(_ *journal.Store, id string) func(old, bare []byte, e journal.Entry) []byte {
			return func(_, _ []byte, e journal.Entry) []byte { return stranger.HeadRecord(id, e.Seq, e.Hash()) }
		},
		"another run's": func(s *journal.Store, _ string) func(old, bare []byte, e journal.Entry) []byte {
			return func(_, _ []byte, e journal.Entry) []byte { return s.HeadRecord(otherRun, e.Seq, e.Hash()) }
		},
		"another place's": func(s *journal.Store, id string) func(old, bare []byte, e journal.Entry) []byte {
			return func(_, bare []byte, e journal.Entry) []byte {
				return append(bare, s.HeadRecord(id, e.Seq+1, e.Hash())[40:]...)
			}
		},
		"one byte more": func(s *journal.Store, id string) func(old, bare []byte, e journal.Entry) []byte {
			return func(_, _ []byte, e journal.Entry) []byte { return append(s.HeadRecord(id, e.Seq, e.Hash()), 0) }
		},
	} {
		for kind, d := range unsealed() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				o := newOptions(t)
				s := open(t, o)
				r := approved(t, s)
				require.NoError(t, r.Close())
				extend(t, s, r.ID(), d, record(s, r.ID()))
				refused(t, o, s, r.ID(), fault.JournalForged)
				_, err := s.Visit(t.Context(), r.ID())
				require.ErrorContains(t, err, "after 4 were not written by this user's assent")
				require.Equal(t, fault.JournalForged, fault.CodeOf(journal.Export(t.Context(), s, r.ID(), &bytes.Buffer{})))
				require.Equal(t, fault.JournalForged, fault.CodeOf(s.Prune(t.Context(), r.ID())))
				require.FileExists(t, s.DBPath(r.ID()))

				report, err := journal.Verify(t.Context(), s, r.ID())
				require.NoError(t, err)
				require.Len(t, report.Problems, 1)
				require.Equal(t, uint64(5), report.Problems[0].Seq)
				require.False(t, report.Proven)
				require.NotEmpty(t, report.Unproven)
				require.Equal(t, 5, report.Entries, "what is readable is shown")
				require.Equal(t, journal.Approved, report.Gates[0].State)
			})
		}
	}
}

// The same entry with the head that this user's assent would have written is taken: what
// refuses the others is the authenticator.
func TestS01_GenuineTail(t *testing.T) {
	s := open(t, newOptions(t))
	r := approved(t, s)
	require.NoError(t, r.Close())
	extend(t, s, r.ID(), finished(1), func(_, _ []byte, e journal.Entry) []byte { return s.HeadRecord(r.ID(), e.Seq, e.Hash()) })
	require.Equal(t, 5, verified(t, s, r.ID()).Entries)
}

// Handles that have the run open meet the forged entry too, take nothing of it, and write
// nothing behind it.
func TestS01_ForgedTailOfAnOpenRun(t *testing.T) {
	for name, record := range map[string]func(old, bare []byte, e journal.Entry) []byte{
		"no authenticator": bareHead,
		"the last head":    func(old, _ []byte, _ journal.Entry) []byte { return old },
	} {
		for kind, d := range unsealed() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				s := open(t, newOptions(t))
				r := approved(t, s)
				v, err := s.Visit(t.Context(), r.ID()) // comes when the burst of r is over
				require.NoError(t, err)
				extend(t, s, r.ID(), d, record)
				forged := readFile(t, s.DBPath(r.ID()))
				state, err := json.Marshal(v.State())
				require.NoError(t, err)

				_, err = v.Sync(t.Context())
				require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
				require.ErrorContains(t, err, "after 4 were not")
				_, err = r.Sync(t.Context())
				require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
				_, err = journal.Append(t.Context(), r, finished(7))
				require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
				_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
					t.Error("nobody decides on a forged state")
					return nil, nil
				})
				require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
				after, err := json.Marshal(v.State())
				require.NoError(t, err)
				require.JSONEq(t, string(state), string(after))
				require.Equal(t, uint64(4), r.State().Head)
				require.NoError(t, v.Close())
				require.NoError(t, r.Close())
				require.Equal(t, forged, readFile(t, s.DBPath(r.ID())))
			})
		}
	}
}

// An append that did not look before meets it as well.
func TestS01_ForgedTailMetByAnAppend(t *testing.T) {
	s := open(t, newOptions(t))
	r := approved(t, s)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	extend(t, s, r.ID(), asked("g2", true), bareHead)
	forged := readFile(t, s.DBPath(r.ID()))
	_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{answered("g2", "true")}, nil
	})
	require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
	_, err = journal.Append(t.Context(), r, finished(7))
	require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
	require.NoError(t, v.Close())
	require.NoError(t, r.Close())
	require.Equal(t, forged, readFile(t, s.DBPath(r.ID())))
}

// The last entry, which nothing is chained to, exchanged for another.
func TestS01_ForgedLastEntry(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	slots := readFile(t, s.AnchorPath(r.ID())) // as after a crash: the anchor was left behind
	_, err := journal.Append(t.Context(), r, finished(0))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	writeFile(t, s.AnchorPath(r.ID()), slots)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	require.True(t, v.State().Proven, "being ahead of the anchor is normal")
	require.NoError(t, v.Close())

	last := headEntry(t, s.DBPath(r.ID()))
	last.Data = bytes.Replace(last.Data, []byte("it is fine"), []byte("it is f1ne"), 1)
	edit(t, s.DBPath(r.ID()), func(entries, info *bolt.Bucket) {
		must(entries.Put(key(2), last.Bytes()))
		must(info.Put([]byte("head"), append(append(key(2), unhex(t, last.Hash())...), info.Get([]byte("head"))[40:]...)))
	})
	refused(t, o, s, r.ID(), fault.JournalForged)
	_, err = s.Visit(t.Context(), r.ID())
	require.ErrorContains(t, err, "after 1 were not")
}

// A head that was written once is genuine for good; with it goes only the journal of then, and
// that one is older than the anchor.
func TestS03_OlderHead(t *testing.T) {
	prepare := func(t *testing.T) (o journal.Options, s *journal.Store, id string, old []byte) {
		o = newOptions(t)
		s = open(t, o)
		r := approved(t, s)
		require.NoError(t, r.Close())
		old = storedHead(t, s, r.ID())
		r, err := s.Take(t.Context(), r.ID(), resume)
		require.NoError(t, err)
		_, err = journal.Append(t.Context(), r, finished(1))
		require.NoError(t, err)
		require.NoError(t, r.Close())
		return o, s, r.ID(), old
	}
	for name, c := range map[string]struct {
		cut  []uint64
		head bool
		code fault.Code
	}{
		"with the entries of then":          {[]uint64{5, 6}, true, fault.JournalRollback},
		"with some of the later entries":    {[]uint64{6}, true, fault.JournalForged},
		"with all of them":                  {nil, true, fault.JournalForged},
		"entries cut, but the head is left": {[]uint64{5, 6}, false, fault.JournalDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			o, s, id, old := prepare(t)
			edit(t, s.DBPath(id), func(entries, info *bolt.Bucket) {
				for _, seq := range c.cut {
					must(entries.Delete(key(seq)))
				}
				if c.head {
					must(info.Put([]byte("head"), old))
				}
			})
			refused(t, o, s, id, c.code)
		})
	}
}

// The head of one run, as it is, in the file of another.
func TestS04_HeadOfAnotherRun(t *testing.T) {
	s := open(t, newOptions(t))
	a, b := approved(t, s), approved(t, s)
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
	record := storedHead(t, s, a.ID())
	own := storedHead(t, s, b.ID())
	for name, head := range map[string][]byte{
		"all of it":             record,
		"the authenticator":     append(bytes.Clone(own[:40]), record[40:]...),
		"all but authenticator": append(bytes.Clone(record[:40]), own[40:]...),
	} {
		edit(t, s.DBPath(b.ID()), func(_, info *bolt.Bucket) { must(info.Put([]byte("head"), head)) })
		refusedOne(t, s, b.ID(), fault.JournalForged)
		report, err := journal.Verify(t.Context(), s, b.ID())
		require.NoError(t, err)
		require.Equal(t, string(fault.JournalForged), report.Problems[0].Code, name)
	}
	edit(t, s.DBPath(b.ID()), func(_, info *bolt.Bucket) { must(info.Put([]byte("head"), own)) })
	verified(t, s, b.ID())
}

// The head is made anew with every commit, also inside of a burst.
func TestHeadOfEveryCommit(t *testing.T) {
	o := newOptions(t)
	o.HoldFor = time.Hour
	s := open(t, o)
	r := create(t, s)
	for i := range 5 {
		_, err := journal.Append(t.Context(), r, finished(i))
		require.NoError(t, err)
	}
	require.NoError(t, r.Close())
	last := headEntry(t, s.DBPath(r.ID()))
	require.Equal(t, uint64(6), last.Seq)
	require.Equal(t, s.HeadRecord(r.ID(), 6, last.Hash()), storedHead(t, s, r.ID()))
	verified(t, s, r.ID())
}
