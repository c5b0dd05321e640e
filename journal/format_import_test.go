package journal_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
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

	"github.com/seed-8d4a6081/assent/journal"
)

// pinnedImport is a run that was imported, with the kinds and members that came after the first
// fixture, as it was written on the day in the folder's name. The bytes are never written again.
const pinnedImport = "testdata/format-1-imported-2026-11-30"

// newKinds are its entries of those kinds, by seq, up to the prev of each: the hashes say the rest.
var newKinds = map[int]string{
	3: `"kind":"call.finished","key":"/agent#0","data":{"value":"done","changes":{"branches":[{"name":"main","from":"a1","to":"b2"},{"name":"new","to":"b2"}],` +
		`"commits":[{"id":"b2","subject":"Add <x>"}],"files":[{"path":"a/b.txt","kind":"added"}],"more":3}}}`,
	4: `"kind":"gate.asked","key":"/planApprove#g1","identity":"` + identity + `","data":{"gate":"g1","nonce":"` + nonce + `","kind":"plan","prompt":"Approve this plan?",` +
		`"checksum":"` + planSum + `","plan":"{\"steps\":[\"a\",\"b\"]}","program":"` + programHash + `","after":1,"suspended":true,` +
		`"artifact":{"path":".assent/plans/a.md","sha256":"` + planSum + `","size":12},` +
		`"validation":{"call":"/planApprove#g1/validator","model":"big","verdict":"doubtful","summary":"no tests","problems":["step 2"]}}}`,
	5: `"kind":"gate.answered","key":"/planApprove#g1","identity":"` + identity + `","data":{"gate":"g1","nonce":"` + nonce + `","checksum":"` + planSum + `","program":"` + programHash + `",` +
		`"decision":true,"who":{"user":"ann","host":"here","way":"command"},"planApproval":{"checksum":"` + planSum + `","decision":true},"mode":"auto","model":"big","effort":"high"},"seal":"`,
	6: `"kind":"gate.revoked","key":"/planApprove#g1","identity":"` + identity + `","data":{"gate":"g1","nonce":"` + nonce + `","checksum":"` + planSum + `",` +
		`"who":{"user":"ann","host":"here","way":"terminal"},"reason":"too early"},"seal":"`,
	9: `"kind":"run.imported","data":{"key":"KEY","workspace":"/here","version":"0.2.0","owner":{"pid":`,
}

func TestFormat1ImportStillReads(t *testing.T) {
	if os.Getenv("ASSENT_PIN") != "" {
		pinImport(t)
	}
	o := newOptions(t)
	s := open(t, o)
	id := strings.TrimSpace(string(readFile(t, filepath.Join(pinnedImport, "run"))))
	for from, to := range map[string]string{
		"run.db": s.DBPath(id), "anchor": s.AnchorPath(id), "seal.key": filepath.Join(o.KeyDir, "seal.key"),
	} {
		require.NoError(t, os.WriteFile(to, readFile(t, filepath.Join(pinnedImport, from)), 0o600))
	}
	s = open(t, o)
	report := verified(t, s, id)
	require.True(t, report.Proven)
	require.Equal(t, uint64(9), report.ImportedSeq)
	text := exported(t, s, id)
	require.Equal(t, string(readFile(t, filepath.Join(pinnedImport, "export.ndjson"))), text)
	st := stateOf(t, s, id)
	require.Equal(t, journal.Revoked, st.Gates["g1"].State)
	require.Equal(t, journal.Lapsed, st.Gates["g2"].State)
	require.Equal(t, 3, st.Calls["/agent#0"].Finish.Changes.More)

	ann := readFile(t, filepath.Join(pinnedImport, "origin.pub"))
	for seq, want := range newKinds {
		line := strings.Split(text, "\n")[seq-1]
		require.Contains(t, line, strings.Replace(want, "KEY", string(ann), 1))
	}
	c, err := journal.Compact(t.Context(), s, id)
	require.NoError(t, err)
	require.Less(t, c.After, c.Before)
	require.Equal(t, text, exported(t, s, id))
	verified(t, s, id)
}

// An independent reading of what docs/reference/journal-format.md says of imported runs.
func TestFormat1ImportByHand(t *testing.T) {
	id := strings.TrimSpace(string(readFile(t, filepath.Join(pinnedImport, "run"))))
	line := strings.TrimSpace(strings.TrimPrefix(string(readFile(t, filepath.Join(pinnedImport, "seal.key"))), "assent-seal-key-1 "))
	seed, err := base64.StdEncoding.DecodeString(line)
	require.NoError(t, err)
	bob := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	sum := func(text string) string { h := sha256.Sum256([]byte(text)); return hex.EncodeToString(h[:]) }

	lines := strings.Split(strings.TrimSuffix(string(readFile(t, filepath.Join(pinnedImport, "export.ndjson"))), "\n"), "\n")
	keyOf := bob
	prev, seals := "", map[string]int{}
	for i := len(lines) - 1; i >= 0; i-- { // backwards: the last importer vouches for the key before
		var e struct {
			Seq              int
			Prev, Kind, Seal string
			Data             struct{ Key string }
		}
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &e))
		if prev != "" {
			require.Equal(t, prev, sum("assent/entry/1\n"+e.Prev+lines[i]))
		}
		prev = e.Prev
		if e.Seal != "" {
			unsealed := strings.TrimSuffix(lines[i], `,"seal":"`+e.Seal+`"}`) + "}"
			signature, err := base64.RawStdEncoding.DecodeString(e.Seal)
			require.NoError(t, err)
			require.True(t, ed25519.Verify(keyOf, fmt.Appendf(nil, "assent/seal/1\n%s\n%d\n%s\n%s", id, e.Seq, e.Prev, sum(unsealed)), signature), lines[i])
			seals[hex.EncodeToString(keyOf)]++
		}
		if e.Kind == "run.imported" {
			keyOf = unhex(t, e.Data.Key)
			mac := func(key []byte, text string) []byte {
				h := hmac.New(sha256.New, key)
				h.Write([]byte(text))
				return h.Sum(nil)
			}
			want := append(binary.BigEndian.AppendUint64(nil, uint64(e.Seq-1)), unhex(t, e.Prev)...)
			want = append(want, keyOf...)
			want = append(want, mac(mac(seed, "assent/head-key/1"), fmt.Sprintf("assent/import/1\n%s\n%d\n%s\n%s", id, e.Seq-1, e.Prev, e.Data.Key))...)
			copied := filepath.Join(t.TempDir(), "run.db")
			writeFile(t, copied, readFile(t, filepath.Join(pinnedImport, "run.db")))
			edit(t, copied, func(_, info *bolt.Bucket) { require.Equal(t, want, info.Get([]byte("import"))) })
		}
	}
	require.Equal(t, sum("assent/run/1\n"+id), prev)
	require.Len(t, seals, 2, "seals of two keys")
}

// pinImport writes the fixture; it never writes over one.
func pinImport(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(pinnedImport); err == nil {
		return
	}
	clock := time.Date(2026, 11, 30, 16, 0, 0, 0, time.UTC)
	fixed := func(first byte) journal.Options {
		o := newOptions(t)
		random := make([]byte, 256)
		for i := range random {
			random[i] = first + byte(i)
		}
		o.Random, o.Version = bytes.NewReader(random), "0.2.0"
		o.Now = func() time.Time { clock = clock.Add(1234567 * time.Microsecond); return clock }
		return o
	}
	ann, o := open(t, fixed(1)), fixed(101)
	bob := open(t, o)
	first := started()
	first.Owner = journal.Process{PID: 4711, Started: 815, Host: "host", User: "ann"}
	r, err := ann.Create(t.Context(), first)
	require.NoError(t, err)
	done, plan, yes := ended(0), asked("g1", true), answered("g1", "true")
	done.Data = journal.CallFinished{Value: json.RawMessage(`"done"`), Changes: &journal.Changes{
		Branches: []journal.BranchChange{{Name: "main", From: "a1", To: "b2"}, {Name: "new", To: "b2"}},
		Commits:  []journal.Commit{{ID: "b2", Subject: "Add <x>"}}, Files: []journal.FileChange{{Path: "a/b.txt", Kind: "added"}}, More: 3,
	}}
	question := plan.Data.(journal.GateAsked)
	question.Artifact = &journal.Artifact{Path: ".assent/plans/a.md", SHA256: planSum, Size: 12}
	question.Validation = &journal.Validation{Call: "/planApprove#g1/validator", Model: "big", Verdict: "doubtful", Summary: "no tests", Problems: []string{"step 2"}}
	plan.Data = question
	answer := yes.Data.(journal.GateAnswered)
	answer.Mode, answer.Model, answer.Effort = "auto", "big", "high"
	yes.Data = answer
	revoked := journal.Draft{Kind: journal.KindGateRevoked, Key: plan.Key, Identity: plan.Identity, Data: journal.GateRevoked{
		Gate: "g1", Nonce: nonce, Checksum: planSum, Who: journal.Who{User: "ann", Host: "here", Way: "terminal"}, Reason: "too early",
	}}
	for _, d := range []journal.Draft{begun(0), done, plan, yes, revoked, asked("g2", true), answered("g2", "true")} {
		_, err := journal.Append(t.Context(), r, d)
		require.NoError(t, err)
	}
	require.NoError(t, r.Close())
	id, err := importInto(t, bob, exported(t, ann, r.ID()), ann.PublicKey())
	require.NoError(t, err)
	v, err := bob.Visit(t.Context(), id)
	require.NoError(t, err)
	_, err = journal.Append(t.Context(), v, journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled"}})
	require.NoError(t, err)
	require.NoError(t, v.Close())
	require.NoError(t, os.MkdirAll(pinnedImport, 0o755))
	for name, data := range map[string][]byte{
		"run": []byte(id + "\n"), "run.db": readFile(t, bob.DBPath(id)), "anchor": readFile(t, bob.AnchorPath(id)),
		"seal.key": readFile(t, filepath.Join(o.KeyDir, "seal.key")), "export.ndjson": []byte(exported(t, bob, id)),
		"origin.pub": []byte(hex.EncodeToString(ann.PublicKey())),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(pinnedImport, name), data, 0o644))
	}
}
