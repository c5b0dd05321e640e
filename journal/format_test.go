package journal_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// pinned is a run in format 1 as it was written on the day in the folder's name: database,
// anchor, key and export. The bytes are never written again; what reads today reads for good.
const (
	pinned    = "testdata/format-1-2026-11-30"
	pinnedRun = "01KB90YA7A40GJ48S44MK2EA19"
)

func pinnedOptions(t *testing.T) journal.Options {
	t.Helper()
	o := newOptions(t)
	s := open(t, o)
	for from, to := range map[string]string{
		"run.db": s.DBPath(pinnedRun), "anchor": s.AnchorPath(pinnedRun), "seal.key": filepath.Join(o.KeyDir, "seal.key"),
	} {
		data := readFile(t, filepath.Join(pinned, from))
		require.NoError(t, os.WriteFile(to, data, 0o600))
	}
	return o
}

func TestFormat1StillReads(t *testing.T) {
	if os.Getenv("ASSENT_PIN") != "" {
		pin(t)
	}
	s := open(t, pinnedOptions(t))
	report := verified(t, s, pinnedRun)
	require.Equal(t, 13, report.Entries)
	require.True(t, report.Proven)
	var export bytes.Buffer
	require.NoError(t, journal.Export(t.Context(), s, pinnedRun, &export))
	require.Equal(t, string(readFile(t, filepath.Join(pinned, "export.ndjson"))), export.String())

	report, err := journal.VerifyExport(&export, s.PublicKey())
	require.NoError(t, err)
	require.True(t, report.OK, "%v", report.Problems)
	require.Equal(t, journal.Approved, report.Gates[0].State)
	require.Equal(t, "true", report.Gates[0].Decision)
	require.Equal(t, planSum, report.Gates[0].Checksum)
	require.Equal(t, journal.Interrupted, report.Gates[1].State)

	r, err := s.Take(t.Context(), pinnedRun, resume)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	verified(t, s, pinnedRun)
}

// An independent reading of docs/reference/journal-format.md: chain, seals, anchor and head from
// nothing but the bytes.
func TestFormat1ByHand(t *testing.T) {
	line := strings.TrimSuffix(strings.TrimPrefix(string(readFile(t, filepath.Join(pinned, "seal.key"))), "assent-seal-key-1 "), "\n")
	seed, err := base64.StdEncoding.DecodeString(line)
	require.NoError(t, err)
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	sum := func(text string) string { h := sha256.Sum256([]byte(text)); return hex.EncodeToString(h[:]) }

	prev, seals := sum("assent/run/1\n"+pinnedRun), 0
	lines := strings.Split(strings.TrimSuffix(string(readFile(t, filepath.Join(pinned, "export.ndjson"))), "\n"), "\n")
	for i, stored := range lines {
		var e struct {
			Seq              int
			Prev, Kind, Seal string
		}
		require.NoError(t, json.Unmarshal([]byte(stored), &e))
		require.Equal(t, i+1, e.Seq)
		require.Equal(t, prev, e.Prev)
		if e.Seal != "" {
			seals++
			unsealed := strings.TrimSuffix(stored, `,"seal":"`+e.Seal+`"}`) + "}"
			signature, err := base64.RawStdEncoding.DecodeString(e.Seal)
			require.NoError(t, err)
			text := fmt.Sprintf("assent/seal/1\n%s\n%d\n%s\n%s", pinnedRun, e.Seq, e.Prev, sum(unsealed))
			require.True(t, ed25519.Verify(public, []byte(text), signature))
		}
		prev = sum("assent/entry/1\n" + e.Prev + stored)
	}
	require.Equal(t, 3, seals)

	slots := readFile(t, filepath.Join(pinned, "anchor"))
	require.Len(t, slots, 512)
	newest := 0
	for i := range 2 {
		fields := strings.Fields(string(slots[i*256 : (i+1)*256]))
		require.Equal(t, []string{"assent-anchor-1", pinnedRun}, fields[:2])
		signature, err := base64.RawStdEncoding.DecodeString(fields[4])
		require.NoError(t, err)
		require.True(t, ed25519.Verify(public, []byte("assent/anchor/1\n"+pinnedRun+"\n"+fields[2]+"\n"+fields[3]), signature))
		var seq int
		_, err = fmt.Sscan(fields[2], &seq)
		require.NoError(t, err)
		newest = max(newest, seq)
		if seq == len(lines) {
			require.Equal(t, prev, fields[3])
		}
	}
	require.Equal(t, len(lines), newest)

	mac := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	want := append([]byte{0, 0, 0, 0, 0, 0, 0, 13}, unhex(t, prev)...)
	want = append(want, mac(mac(seed, "assent/head-key/1"), "assent/head/1\n"+pinnedRun+"\n13\n"+prev)...)
	copied := filepath.Join(t.TempDir(), "run.db")
	writeFile(t, copied, readFile(t, filepath.Join(pinned, "run.db")))
	edit(t, copied, func(_, info *bolt.Bucket) { require.Equal(t, want, info.Get([]byte("head"))) })
}

// pin writes the fixture; it never writes over one.
func pin(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(pinned); err == nil {
		return
	}
	o := newOptions(t)
	random := make([]byte, 256)
	for i := range random {
		random[i] = byte(i)
	}
	clock := time.Date(2025, 11, 29, 23, 59, 59, 0, time.UTC)
	o.Random, o.Version = bytes.NewReader(random), "0.1.0"
	o.Now = func() time.Time { clock = clock.Add(1234567 * time.Microsecond); return clock }
	s := open(t, o)
	first := started()
	first.Owner = journal.Process{PID: 4711, Started: 815, Host: "host", User: "ann"}
	r, err := s.Create(t.Context(), first)
	require.NoError(t, err)
	ctx := t.Context()
	failed := finished(2)
	failed.Data = journal.CallFinished{
		Call:    &journal.Call{Name: "agent", Args: []json.RawMessage{json.RawMessage(`"<é\u2028>"`)}, After: 1, Label: "l\u2028", Phase: "p"},
		Failure: &journal.Failure{Code: "AGENT_FAILED", Message: "exit status 1", Class: journal.FailureOrdinary},
	}
	for _, drafts := range [][]journal.Draft{
		{{Kind: journal.KindNote, Data: journal.Note{Type: "log", Level: "info", Text: "hello", Frame: "/", After: 1}}},
		{begun(0)},
		{ended(0), finished(1), failed},
		{asked("01KB8ANC3N0000000000000001", true), asked("01KB8ANC3N0000000000000002", false)},
		{answered("01KB8ANC3N0000000000000001", "true")},
		{{Kind: journal.KindRunPaused, Data: journal.RunPaused{State: "interrupted", Code: "RUN_INTERRUPTED", What: "Ctrl-C"}}},
	} {
		_, err := journal.Append(ctx, r, drafts...)
		require.NoError(t, err)
	}
	require.NoError(t, r.Close())
	r, err = s.Take(ctx, r.ID(), func(st *journal.State) (journal.RunResumed, error) {
		return journal.RunResumed{Settings: st.Settings, Owner: first.Owner}, nil
	})
	require.NoError(t, err)
	_, err = journal.Append(ctx, r, journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "completed", Result: json.RawMessage(`{"ok":true}`)}})
	require.NoError(t, err)
	require.NoError(t, r.Close())
	t.Log(r.ID())
	require.NoError(t, os.MkdirAll(pinned, 0o755))
	var export bytes.Buffer
	require.NoError(t, journal.Export(ctx, s, r.ID(), &export))
	for name, data := range map[string][]byte{
		"run.db": readFile(t, s.DBPath(r.ID())), "anchor": readFile(t, s.AnchorPath(r.ID())),
		"seal.key": readFile(t, filepath.Join(o.KeyDir, "seal.key")), "export.ndjson": export.Bytes(),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(pinned, name), data, 0o644))
	}
}

func TestVerifyExportFindsChanges(t *testing.T) {
	s := open(t, pinnedOptions(t))
	whole := string(readFile(t, filepath.Join(pinned, "export.ndjson")))
	lines := strings.SplitAfter(whole, "\n")
	stranger := open(t, newOptions(t))
	for name, c := range map[string]struct {
		text string
		code fault.Code
	}{
		"empty":          {"", fault.JournalDamaged},
		"no journal":     {"hello\n", fault.JournalDamaged},
		"first line cut": {strings.Join(lines[1:], ""), fault.JournalDamaged},
		"line cut":       {strings.Join(append(append([]string{}, lines[:4]...), lines[5:]...), ""), fault.JournalDamaged},
		"decision":       {strings.Replace(whole, `"decision":true`, `"decision":null`, 1), fault.JournalForged},
		"white space":    {strings.Replace(whole, `"text":"hello"`, `"text": "hello"`, 1), fault.JournalDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := journal.VerifyExport(strings.NewReader(c.text), s.PublicKey())
			require.NoError(t, err)
			require.False(t, report.OK)
			require.Equal(t, string(c.code), report.Problems[0].Code, "%v", report.Problems)
		})
	}
	report, err := journal.VerifyExport(strings.NewReader(whole), stranger.PublicKey())
	require.NoError(t, err)
	require.Len(t, report.Problems, 3, "every seal is a stranger's")
	require.Equal(t, string(fault.JournalForged), report.Problems[0].Code)
}

// FuzzParseEntry: never a panic, and what is accepted is given back to the byte.
func FuzzParseEntry(f *testing.F) {
	if data, err := os.ReadFile(filepath.Join(pinned, "export.ndjson")); err == nil {
		for line := range bytes.Lines(data) {
			f.Add(bytes.TrimSuffix(line, []byte("\n")))
		}
	}
	f.Add([]byte(`{"seq":01,"prev":"","at":"2026-01-01T00:00:00.000Z","kind":"note","data":{}}`))
	f.Add([]byte(`{"seq":1,"prev":"\u0041","at":"2026-01-01T00:00:00.000Z","kind":"note","data":{ }}`))
	f.Fuzz(func(t *testing.T, stored []byte) {
		kept := bytes.Clone(stored)
		e, err := journal.ParseEntry(stored)
		require.Equal(t, kept, stored)
		if err == nil {
			require.Equal(t, string(stored), string(e.Bytes()))
		}
	})
}
