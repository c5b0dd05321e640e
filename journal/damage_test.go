package journal_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// attempts are all ways into a run. On a damaged one each gives the same refusal, and none
// changes a byte or leaves a file behind.
func refused(t *testing.T, o journal.Options, s *journal.Store, id string, codes ...fault.Code) {
	t.Helper()
	before := filesBelow(t, o.Dir)
	_, err := s.Visit(t.Context(), id)
	require.Error(t, err)
	require.Contains(t, codes, fault.CodeOf(err), "%v", err)
	_, taken := s.Take(t.Context(), id, resume)
	require.Equal(t, fault.CodeOf(err), fault.CodeOf(taken), "%v", taken)
	report, verr := journal.Verify(t.Context(), s, id)
	if verr == nil {
		require.False(t, report.OK)
		require.Contains(t, report.Problems[0].Code, string(fault.CodeOf(err)), "%v", report.Problems)
	} else {
		require.Contains(t, codes, fault.CodeOf(verr))
	}
	rows, err := s.List(t.Context())
	require.NoError(t, err)
	require.Error(t, rows[0].Err)
	after := filesBelow(t, o.Dir)
	require.Len(t, after, len(before), "a file was made")
	for path, content := range before {
		require.Equal(t, content, after[path], path)
	}
}

// sample is a run with some of everything, ended or not.
func sample(t testing.TB, o journal.Options) (*journal.Store, string) {
	t.Helper()
	s := open(t, o)
	r := create(t, s)
	for i := range 30 {
		_, err := journal.Append(t.Context(), r, begun(i))
		require.NoError(t, err)
		_, err = journal.Append(t.Context(), r, ended(i))
		require.NoError(t, err)
	}
	_, err := journal.Append(t.Context(), r, asked("g1", true))
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), r, answered("g1", "false"))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
	return s, r.ID()
}

func TestB30_NoJournal(t *testing.T) {
	const id = "01KB8ANC3N0000000000000000"
	foreign := func(t *testing.T, path string) {
		db, err := bolt.Open(path, 0o600, nil)
		require.NoError(t, err)
		require.NoError(t, db.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket([]byte("other"))
			require.NoError(t, err)
			return b.Put([]byte("k"), []byte("v"))
		}))
		require.NoError(t, db.Close())
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		code fault.Code
	}{
		"empty":     {func(t *testing.T, path string) { writeFile(t, path, nil) }, fault.NotAJournal},
		"text":      {func(t *testing.T, path string) { writeFile(t, path, bytes.Repeat([]byte("hello\n"), 5000)) }, fault.NotAJournal},
		"short":     {func(t *testing.T, path string) { writeFile(t, path, []byte("hello")) }, fault.NotAJournal},
		"zeroes":    {func(t *testing.T, path string) { writeFile(t, path, make([]byte, 1<<16)) }, fault.NotAJournal},
		"directory": {func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) }, fault.NotAJournal},
		"foreign":   {foreign, fault.NotAJournal},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOptions(t)
			s := open(t, o)
			c.make(t, s.DBPath(id))
			refused(t, o, s, id, c.code)
		})
	}
	t.Run("none", func(t *testing.T) {
		o := newOptions(t)
		s := open(t, o)
		for _, id := range []string{id, "", "x", "../../x", "01kb8anc3n0000000000000000"} {
			_, err := s.Visit(t.Context(), id)
			require.Equal(t, fault.RunUnknown, fault.CodeOf(err))
			_, err = s.Take(t.Context(), id, resume)
			require.Equal(t, fault.RunUnknown, fault.CodeOf(err))
			_, err = journal.Verify(t.Context(), s, id)
			require.Equal(t, fault.RunUnknown, fault.CodeOf(err))
		}
		require.Empty(t, filesBelow(t, o.Dir))
	})
}

func TestB28_BothMetaPagesDamaged(t *testing.T) {
	o := newOptions(t)
	s, id := sample(t, o)
	whole := readFile(t, s.DBPath(id))
	for offset := 0; offset < 80; offset += 5 {
		data := bytes.Clone(whole)
		for _, page := range []int{0, os.Getpagesize()} {
			for i := range 3 {
				data[page+offset+i] ^= 0xA5
			}
		}
		writeFile(t, s.DBPath(id), data)
		if v, err := s.Visit(t.Context(), id); err == nil { // nothing that counts stands there
			require.Less(t, offset, 16, "only the page's own header is not summed")
			require.NoError(t, v.Close())
			continue
		}
		refused(t, o, s, id, fault.JournalDamaged)
	}
	// One of them is the page of the commit before; the anchor knows that there was a later one.
	m := 0
	if n := binary.NativeEndian; n.Uint64(whole[16+48:]) < n.Uint64(whole[os.Getpagesize()+16+48:]) {
		m = os.Getpagesize()
	}
	data := bytes.Clone(whole)
	data[m+16+40] ^= 1
	writeFile(t, s.DBPath(id), data)
	refused(t, o, s, id, fault.JournalRollback)

	writeFile(t, s.DBPath(id), whole)
	verified(t, s, id)
}

func TestB28_CutOff(t *testing.T) {
	o := newOptions(t)
	s, id := sample(t, o)
	whole := readFile(t, s.DBPath(id))
	want := headOf(t, s, id)
	for n := 0; n < len(whole); n += 4093 {
		writeFile(t, s.DBPath(id), whole[:n])
		if v, err := s.Visit(t.Context(), id); err == nil { // the file is longer than what it holds
			require.Equal(t, want, v.State().HeadHash)
			require.NoError(t, v.Close())
			continue
		}
		refused(t, o, s, id, fault.JournalDamaged, fault.NotAJournal)
	}
	writeFile(t, s.DBPath(id), whole)
	verified(t, s, id)
}

func headOf(t testing.TB, s *journal.Store, id string) string {
	t.Helper()
	v, err := s.Visit(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, v.Close())
	return v.State().HeadHash
}

// Any byte: either it is not part of what is in use, or the refusal has a code of damage.
func TestP7_FlippedBytes(t *testing.T) {
	o := newOptions(t)
	s, id := sample(t, o)
	whole := readFile(t, s.DBPath(id))
	want := headOf(t, s, id)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	rounds, found := 400, 0
	if os.Getenv("ASSENT_LONG") != "" {
		rounds = 200_000
	}
	for range rounds {
		data := bytes.Clone(whole)
		for range 1 + random.IntN(3) {
			data[random.IntN(len(data))] ^= byte(1 + random.IntN(255))
		}
		writeFile(t, s.DBPath(id), data)
		v, err := s.Visit(t.Context(), id)
		if err == nil {
			require.Equal(t, want, v.State().HeadHash)
			require.NoError(t, v.Close())
			continue
		}
		found++
		require.Contains(t, []fault.Code{
			fault.JournalDamaged, fault.NotAJournal, fault.JournalForged, fault.JournalRollback, fault.JournalTooNew,
		}, fault.CodeOf(err), "%v", err)
		require.Equal(t, data, readFile(t, s.DBPath(id)))
	}
	require.Greater(t, found, rounds/10)
	writeFile(t, s.DBPath(id), whole)
	verified(t, s, id)
}

// edit changes a journal with another bbolt client.
func edit(t *testing.T, path string, f func(entries, info *bolt.Bucket)) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bolt.Tx) error {
		runs := tx.Bucket([]byte("runs"))
		if runs == nil {
			f(tx.Bucket([]byte("entries")), tx.Bucket([]byte("assent")))
			return nil
		}
		newest, _ := runs.Cursor().Last()
		f(runs.Bucket(newest).Bucket([]byte("entries")), runs.Bucket(newest).Bucket([]byte("assent")))
		return nil
	}))
	require.NoError(t, db.Close())
}

func key(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

func TestS02_EditedFile(t *testing.T) {
	swap := func(from, to string) func(entries, info *bolt.Bucket) {
		return func(entries, _ *bolt.Bucket) {
			cursor := entries.Cursor()
			for k, v := cursor.Last(); k != nil; k, v = cursor.Prev() {
				if changed := bytes.Replace(v, []byte(from), []byte(to), 1); !bytes.Equal(changed, v) {
					if err := entries.Put(k, changed); err != nil {
						panic(err)
					}
					return
				}
			}
			panic("nothing to change")
		}
	}
	for name, c := range map[string]struct {
		edit  func(entries, info *bolt.Bucket)
		codes []fault.Code
	}{
		"decision":         {swap(`"decision":false`, `"decision":true`), []fault.Code{fault.JournalForged}},
		"plan, not hash":   {swap(`{\"steps\":[\"a\"`, `{\"steps\":[\"x\"`), []fault.Code{fault.JournalDamaged}},
		"an answer":        {swap(`"value":"done"`, `"value":"d0ne"`), []fault.Code{fault.JournalDamaged, fault.JournalForged}},
		"white space":      {swap(`"value":"done"`, `"value": "done"`), []fault.Code{fault.JournalDamaged}},
		"seal removed":     {swap(`,"seal":"`, `,"seat":"`), []fault.Code{fault.JournalDamaged, fault.JournalForged}},
		"later format":     {func(_, info *bolt.Bucket) { must(info.Put([]byte("format"), []byte("2"))) }, []fault.Code{fault.JournalTooNew}},
		"format is text":   {func(_, info *bolt.Bucket) { must(info.Put([]byte("format"), []byte("one"))) }, []fault.Code{fault.JournalDamaged}},
		"format removed":   {func(_, info *bolt.Bucket) { must(info.Delete([]byte("format"))) }, []fault.Code{fault.JournalDamaged}},
		"head removed":     {func(_, info *bolt.Bucket) { must(info.Delete([]byte("head"))) }, []fault.Code{fault.JournalDamaged}},
		"another run's id": {func(_, info *bolt.Bucket) { must(info.Put([]byte("run"), []byte("01KB8ANC3N0000000000000000"))) }, []fault.Code{fault.JournalForged}},
		"last removed":     {func(entries, _ *bolt.Bucket) { must(entries.Delete(key(63))) }, []fault.Code{fault.JournalDamaged}},
		"one removed":      {func(entries, _ *bolt.Bucket) { must(entries.Delete(key(7))) }, []fault.Code{fault.JournalDamaged}},
		"one more":         {func(entries, _ *bolt.Bucket) { must(entries.Put(key(64), entries.Get(key(63)))) }, []fault.Code{fault.JournalDamaged}},
		"a strange key":    {func(entries, _ *bolt.Bucket) { must(entries.Put([]byte("\xffzz"), []byte("{}"))) }, []fault.Code{fault.JournalDamaged}},
		"two swapped": {func(entries, _ *bolt.Bucket) {
			a, b := bytes.Clone(entries.Get(key(5))), bytes.Clone(entries.Get(key(6)))
			must(entries.Put(key(5), b))
			must(entries.Put(key(6), a))
		}, []fault.Code{fault.JournalDamaged}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOptions(t)
			s, id := sample(t, o)
			edit(t, s.DBPath(id), c.edit)
			refused(t, o, s, id, c.codes...)
		})
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Read-only use changes no byte of anything in the store but the pid in the lock file.
func TestReadingChangesNothing(t *testing.T) {
	o := newOptions(t)
	s, id := sample(t, o)
	db, lease, anchor := readFile(t, s.DBPath(id)), readFile(t, s.LeasePath(id)), readFile(t, s.AnchorPath(id))
	info, err := os.Stat(s.DBPath(id))
	require.NoError(t, err)
	v, err := s.Visit(t.Context(), id)
	require.NoError(t, err)
	_, err = v.Sync(t.Context())
	require.NoError(t, err)
	_, owned := v.Owner()
	require.False(t, owned)
	_, err = v.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) { return nil, context.Canceled })
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, v.Close())
	_, err = s.List(t.Context())
	require.NoError(t, err)
	verified(t, s, id)
	require.NoError(t, journal.Export(t.Context(), s, id, &bytes.Buffer{}))
	require.Equal(t, db, readFile(t, s.DBPath(id)))
	require.Equal(t, lease, readFile(t, s.LeasePath(id)))
	require.Equal(t, anchor, readFile(t, s.AnchorPath(id)))
	again, err := os.Stat(s.DBPath(id))
	require.NoError(t, err)
	require.Equal(t, info.ModTime(), again.ModTime())
}

// A journal that was copied back alone, without lock and lease, is as good as ever.
func TestRestoredFromACopy(t *testing.T) {
	o := newOptions(t)
	s, id := sample(t, o)
	removeFile(t, s.LockPath(id))
	removeFile(t, s.LeasePath(id))
	verified(t, s, id)
	v, err := s.Visit(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, v.Close())
	r, err := s.Take(t.Context(), id, resume)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	verified(t, s, id)
}
