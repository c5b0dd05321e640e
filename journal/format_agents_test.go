package journal_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// pinnedAgents is a run with what came into the format for agents: tiers, a working tree of a call's
// own, attachments. It was written on the day in the folder's name, and the bytes are never written
// again.
const (
	pinnedAgents = "testdata/format-1-agents-2026-11-30"
	agentsRun    = "01KB90YA7A40GJ48S44MK2EA19"
	transcript   = "agent-0-1.ndjson"
	// said and its hash: printf '%s\n' '{"type":"text","text":"done"}' | sha256sum
	said    = `{"type":"text","text":"done"}` + "\n"
	saidSum = "db3cdc863630092b908023e1b1575e86b7e27a2ff1f79479f85a978821028668"
	base    = "b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0"
	commit  = "89e6c98d92887913cadf06b2adb97f26cde4849b"
)

// agentMembers are its entries that have those members, by seq.
var agentMembers = map[int]string{
	1: `"settings":{"maxCalls":1000,"concurrency":2,"stretchMs":30000,"tiers":{"small":{"model":"haiku"},"big":{"agent":"cloud","model":"opus","effort":"high"}}}`,
	2: `"after":1,"file":"a.js","line":3,"column":7,"isolated":true}`,
	3: `"data":{"value":"done","worktree":{"path":"/work/tree","branch":"assent/2ea19a/agent-0","base":"` + base + `","commit":"` + commit + `",` +
		`"files":[{"path":"a/b.txt","kind":"added"}],"more":2},"transcript":{"name":"` + transcript + `","sha256":"` + saidSum + `","size":30},` +
		`"patch":{"name":"agent-0-1.patch","sha256":"` + planSum + `","size":0}}}`,
}

func TestFormat1AgentsStillReads(t *testing.T) {
	if os.Getenv("ASSENT_PIN") != "" {
		pinAgents(t)
	}
	o := newOptions(t)
	s := open(t, o)
	for from, to := range map[string]string{
		"run.db": s.DBPath(agentsRun), "anchor": s.AnchorPath(agentsRun), "seal.key": filepath.Join(o.KeyDir, "seal.key"),
		transcript: filepath.Join(o.Dir, "attachments", agentsRun, transcript),
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
		require.NoError(t, os.WriteFile(to, readFile(t, filepath.Join(pinnedAgents, from)), 0o600))
	}
	s = open(t, o)
	report := verified(t, s, agentsRun)
	require.True(t, report.Proven)
	require.Empty(t, report.Remarks, "the patch is gone, and that is nothing to remark on")
	text := exported(t, s, agentsRun)
	require.Equal(t, string(readFile(t, filepath.Join(pinnedAgents, "export.ndjson"))), text)
	for seq, want := range agentMembers {
		require.Contains(t, strings.Split(text, "\n")[seq-1], want)
	}
	v, err := s.Visit(t.Context(), agentsRun)
	require.NoError(t, err)
	defer v.Close()
	f := v.State().Calls["/agent#0"].Finish
	require.Equal(t, &journal.Attachment{Name: transcript, SHA256: saidSum, Size: 30}, f.Transcript)
	require.Equal(t, "assent/2ea19a/agent-0", f.Worktree.Branch)
	require.Equal(t, "opus", v.State().Settings.Tiers.Big.Model)
	file, err := v.Attachment(transcript)
	require.NoError(t, err)
	defer file.Close()
	got, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, said, string(got))
}

// pinAgents writes the fixture; it never writes over one.
func pinAgents(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(pinnedAgents); err == nil {
		return
	}
	o := newOptions(t)
	random := make([]byte, 256)
	for i := range random {
		random[i] = byte(i)
	}
	clock := time.Date(2025, 11, 29, 23, 59, 59, 0, time.UTC)
	o.Random, o.Version = bytes.NewReader(random), "0.3.0"
	o.Now = func() time.Time { clock = clock.Add(1234567 * time.Microsecond); return clock }
	s := open(t, o)
	first := started()
	first.Owner = journal.Process{PID: 4711, Started: 815, Host: "host", User: "ann"}
	first.Settings.Tiers = journal.Tiers{Small: journal.Tier{Model: "haiku"}, Big: journal.Tier{Agent: "cloud", Model: "opus", Effort: "high"}}
	r, err := s.Create(t.Context(), first)
	require.NoError(t, err)
	isolated := begun(0)
	record := isolated.Data.(journal.CallStarted)
	record.Isolated = true
	isolated.Data = record
	w, err := r.Attach(transcript)
	require.NoError(t, err)
	_, err = w.Write([]byte(said))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	_, err = journal.Append(t.Context(), r, isolated, journal.Draft{Kind: journal.KindCallFinished, Key: "/agent#0", Data: left()}, journal.Draft{
		Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "completed", Result: json.RawMessage(`1`)},
	})
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, os.MkdirAll(pinnedAgents, 0o755))
	for name, data := range map[string][]byte{
		"run.db": readFile(t, s.DBPath(r.ID())), "anchor": readFile(t, s.AnchorPath(r.ID())),
		"seal.key": readFile(t, filepath.Join(o.KeyDir, "seal.key")), "export.ndjson": []byte(exported(t, s, r.ID())), transcript: []byte(said),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(pinnedAgents, name), data, 0o644))
	}
}

// left is the answer of a call with all that it can leave.
func left() journal.CallFinished {
	return journal.CallFinished{
		Value: json.RawMessage(`"done"`),
		Worktree: &journal.Worktree{
			Path: "/work/tree", Branch: "assent/2ea19a/agent-0", Base: base, Commit: commit,
			Files: []journal.FileChange{{Path: "a/b.txt", Kind: "added"}}, More: 2,
		},
		Transcript: &journal.Attachment{Name: transcript, SHA256: saidSum, Size: 30},
		Patch:      &journal.Attachment{Name: "agent-0-1.patch", SHA256: planSum},
	}
}
