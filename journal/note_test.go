package journal_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// imported is a run of ann's that bob imported.
func imported(t *testing.T) (ann, bob *journal.Store, o journal.Options, id string) {
	t.Helper()
	o = newOptions(t)
	ann, bob = open(t, newOptions(t)), open(t, o)
	id = decided(t, ann)
	_, err := importInto(t, bob, exported(t, ann, id), ann.PublicKey())
	require.NoError(t, err)
	return ann, bob, o, id
}

// Whoever can write to the file tells it that a stranger's seals are good.
func TestS01_PlantedImport(t *testing.T) {
	eve := open(t, newOptions(t))
	// An export of the run, made by eve, who says that it is all hers.
	forge := func(t *testing.T, s *journal.Store, id string) []journal.Entry {
		t.Helper()
		var entries []journal.Entry
		prev := ""
		for line := range strings.Lines(exported(t, s, id)) {
			e, err := journal.ParseEntry([]byte(strings.TrimSuffix(line, "\n")))
			require.NoError(t, err)
			if prev != "" {
				e.Prev = prev
			}
			e.Data = []byte(strings.Replace(string(e.Data), `"decision":false`, `"decision":true`, 2))
			if e.Seal != "" {
				e.Seal = eve.ForgeSeal(id, e)
			}
			prev = e.Hash()
			entries = append(entries, e)
		}
		return entries
	}
	put := func(t *testing.T, s *journal.Store, id string, entries []journal.Entry, note []byte, head func(journal.Entry) []byte) {
		t.Helper()
		edit(t, s.DBPath(id), func(bucket, info *bolt.Bucket) {
			for _, e := range entries {
				must(bucket.Put(key(e.Seq), e.Bytes()))
			}
			if note != nil {
				must(info.Put([]byte("import"), note))
			}
			if head != nil {
				must(info.Put([]byte("head"), head(entries[len(entries)-1])))
			}
		})
	}
	noteOf := func(maker *journal.Store, run string, e journal.Entry, trusted ed25519.PublicKey) []byte {
		return maker.ImportRecord(run, e.Seq, e.Hash(), trusted)
	}
	eves := func(id string) func(journal.Entry) []byte {
		return func(e journal.Entry) []byte { return eve.HeadRecord(id, e.Seq, e.Hash()) }
	}
	for name, attack := range map[string]func(t *testing.T, s *journal.Store, id string){
		"all entries and eve's note": func(t *testing.T, s *journal.Store, id string) {
			entries := forge(t, s, id)
			put(t, s, id, entries, noteOf(eve, id, entries[len(entries)-1], eve.PublicKey()), eves(id))
		},
		"eve imports on top": func(t *testing.T, s *journal.Store, id string) {
			entries := forge(t, s, id)
			last := entries[len(entries)-1]
			e := journal.Entry{
				Seq: last.Seq + 1, Prev: last.Hash(), At: last.At, Kind: journal.KindRunImported,
				Data: marshal(t, journal.RunImported{Key: hex.EncodeToString(eve.PublicKey()), Workspace: "/here"}),
			}
			e.Seal = eve.ForgeSeal(id, e)
			put(t, s, id, append(entries, e), noteOf(eve, id, last, eve.PublicKey()), eves(id))
		},
		"a note and nothing else": func(t *testing.T, s *journal.Store, id string) {
			put(t, s, id, nil, noteOf(eve, id, headEntry(t, s.DBPath(id)), eve.PublicKey()), nil)
		},
		"garbage for a note":     func(t *testing.T, s *journal.Store, id string) { put(t, s, id, nil, make([]byte, 104), nil) },
		"half a note":            func(t *testing.T, s *journal.Store, id string) { put(t, s, id, nil, make([]byte, 40), nil) },
		"entries without a note": func(t *testing.T, s *journal.Store, id string) { put(t, s, id, forge(t, s, id), nil, eves(id)) },
	} {
		t.Run(name, func(t *testing.T) {
			o := newOptions(t)
			s := open(t, o)
			id := decided(t, s)
			attack(t, s, id)
			refused(t, o, s, id, fault.JournalForged, fault.JournalDamaged)
		})
	}
}

// A note that the user's own assent wrote counts only where it was written.
func TestS01_MovedNote(t *testing.T) {
	ann, bob, o, id := imported(t)
	var good []byte
	edit(t, bob.DBPath(id), func(_, info *bolt.Bucket) { good = append(good, info.Get([]byte("import"))...) })
	require.Len(t, good, 104)
	verified(t, bob, id)
	whole := readFile(t, bob.DBPath(id))
	seq, hash := uint64(9), headEntry(t, bob.DBPath(id)).Prev
	require.Equal(t, bob.ImportRecord(id, seq, hash, ann.PublicKey()), good)

	own := decided(t, bob)
	edit(t, bob.DBPath(own), func(_, info *bolt.Bucket) { must(info.Put([]byte("import"), good)) })
	refusedOne(t, bob, own, fault.JournalForged)
	removeFile(t, bob.DBPath(own))

	for name, note := range map[string][]byte{
		"no note":       nil,
		"another key":   bob.ImportRecord(id, seq, hash, bob.PublicKey()),
		"another entry": bob.ImportRecord(id, seq-1, hash, ann.PublicKey()),
		"another hash":  bob.ImportRecord(id, seq, strings.Repeat("0", 64), ann.PublicKey()),
	} {
		t.Run(name, func(t *testing.T) {
			writeFile(t, bob.DBPath(id), whole)
			edit(t, bob.DBPath(id), func(_, info *bolt.Bucket) {
				if note == nil {
					must(info.Delete([]byte("import")))
				} else {
					must(info.Put([]byte("import"), note))
				}
			})
			refused(t, o, bob, id, fault.JournalForged)
		})
	}
	writeFile(t, bob.DBPath(id), whole)
	require.True(t, verified(t, bob, id).Proven)
}

// A process that has the run open takes no run.imported that comes later, not even one in order.
func TestS01_ImportBehindAnOpenRun(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	last := headEntry(t, s.DBPath(r.ID()))
	e := journal.Entry{
		Seq: last.Seq + 1, Prev: last.Hash(), At: last.At, Kind: journal.KindRunImported,
		Data: marshal(t, journal.RunImported{Key: hex.EncodeToString(s.PublicKey())}),
	}
	e.Seal = s.ForgeSeal(r.ID(), e)
	edit(t, s.DBPath(r.ID()), func(entries, info *bolt.Bucket) {
		must(entries.Put(key(e.Seq), e.Bytes()))
		must(info.Put([]byte("head"), s.HeadRecord(r.ID(), e.Seq, e.Hash())))
	})
	_, err = v.Sync(t.Context())
	require.Equal(t, fault.JournalForged, fault.CodeOf(err), "%v", err)
	require.NoError(t, v.Close())
	_ = r.Close()
}

// copied is a store as it stood at some moment: what a process that was killed then left.
func copied(t *testing.T, o journal.Options) journal.Options {
	t.Helper()
	to := newOptions(t)
	for from, to := range map[string]string{o.Dir: to.Dir, o.KeyDir: to.KeyDir} {
		for path, data := range filesBelow(t, from) {
			at := filepath.Join(to, strings.TrimPrefix(path, from))
			require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o700))
			writeFile(t, at, []byte(data))
		}
	}
	return to
}

var importPoints = []string{"import.anchor", "import.anchored", "rewrite.name", "rewrite.named"}

// Wherever an import is cut off, there is no run or all of it, and it can be made again: after
// an error, and after a kill.
func TestCrashWhileImporting(t *testing.T) {
	ann := open(t, newOptions(t))
	id := decided(t, ann)
	text := exported(t, ann, id)
	for _, point := range importPoints {
		for _, known := range []bool{false, true} {
			t.Run(point, func(t *testing.T) {
				o := newOptions(t)
				bob := open(t, o)
				var slots []byte
				if known { // an earlier part was here before
					slots = readFile(t, anchored(t, bob, id, text, 3))
				}
				var killed journal.Options
				journal.SetFail(bob, func(at string) error {
					if at == point {
						killed = copied(t, o)
						return errors.New("the disk says no")
					}
					return nil
				})
				_, err := importInto(t, bob, text, ann.PublicKey())
				require.Error(t, err)
				journal.SetFail(bob, nil)
				named := point == "rewrite.named"
				if !named {
					noRun(t, o)
					if known {
						require.Equal(t, slots, readFile(t, bob.AnchorPath(id)))
					} else {
						require.NoFileExists(t, bob.AnchorPath(id))
					}
				}
				dead := open(t, killed)
				for _, s := range []*journal.Store{bob, dead} {
					rows, err := s.List(t.Context())
					require.NoError(t, err)
					require.Equal(t, named, len(rows) == 1)
					if !named {
						_, err = importInto(t, s, text, ann.PublicKey())
						require.NoError(t, err)
					}
					require.True(t, verified(t, s, id).Proven)
				}
			})
		}
	}
}

// What an import left that was killed between anchor and name is removed from the anchor on: while
// the anchor is there, so is the file that explains it.
func TestCrashWhileRemovingLeftovers(t *testing.T) {
	ann, o := open(t, newOptions(t)), newOptions(t)
	id := decided(t, ann)
	text := exported(t, ann, id)
	bob := open(t, o)
	var killed journal.Options
	journal.SetFail(bob, func(at string) error {
		if at == "rewrite.name" {
			killed = copied(t, o)
		}
		return nil
	})
	_, err := importInto(t, bob, text, ann.PublicKey())
	require.NoError(t, err)
	dead := open(t, killed)
	rewriting := filepath.Join(killed.Dir, "runs", id+".new")
	require.FileExists(t, rewriting)
	require.FileExists(t, dead.AnchorPath(id))
	journal.SetFail(dead, func(at string) error {
		if at == "prune.new" {
			require.NoFileExists(t, dead.AnchorPath(id))
			return errDisk
		}
		return nil
	})
	_, err = dead.RemoveLeftover(t.Context(), id, false)
	require.ErrorIs(t, err, errDisk)
	require.FileExists(t, rewriting)
	journal.SetFail(dead, nil)
	_, err = importInto(t, dead, text, ann.PublicKey())
	require.NoError(t, err)
	require.True(t, verified(t, dead, id).Proven)
}

// anchored makes an anchor that is at entry seq of an export, and gives its path.
func anchored(t *testing.T, s *journal.Store, id, text string, seq int) string {
	t.Helper()
	e, err := journal.ParseEntry([]byte(strings.TrimSuffix(strings.SplitAfter(text, "\n")[seq-1], "\n")))
	require.NoError(t, err)
	writeFile(t, s.AnchorPath(id), s.AnchorText(id, e.Seq, e.Hash()))
	return s.AnchorPath(id)
}
