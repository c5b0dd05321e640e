package journal_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// newOptions is a store for a test. Tests that run below a test named so have their runs in a
// shared file.
func newOptions(t testing.TB) journal.Options {
	t.Helper()
	dir := t.TempDir()
	return journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys"), Version: "test", Shared: strings.Contains(t.Name(), "/shared/")}
}

func open(t testing.TB, o journal.Options) *journal.Store {
	t.Helper()
	s, err := journal.Open(o)
	require.NoError(t, err)
	return s
}

func started() journal.RunStarted {
	return journal.RunStarted{
		Title:    "a run",
		Args:     json.RawMessage(`{"z":1,"a":[2]}`),
		Program:  journal.Program{Name: "a.js", Hash: programHash, Language: 1, Sources: []journal.Source{{Path: "a.js", Text: "return 1"}}},
		Settings: journal.Settings{MaxCalls: 1000, Concurrency: 2, StretchMs: 30000},
	}
}

func create(t testing.TB, s *journal.Store) journal.Run {
	t.Helper()
	r, err := s.Create(t.Context(), started())
	require.NoError(t, err)
	return r
}

func resume(*journal.State) (journal.RunResumed, error) {
	return journal.RunResumed{Settings: started().Settings}, nil
}

// verified is how every test of storage ends.
func verified(t testing.TB, s *journal.Store, id string) *journal.Report {
	t.Helper()
	report, err := journal.Verify(t.Context(), s, id)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	require.True(t, report.OK)
	return report
}

const (
	programHash = "5a3c9e1f0000000000000000000000000000000000000000000000000000abcd"
	identity    = "1d00000000000000000000000000000000000000000000000000000000000001"
	nonce       = "00112233445566778899aabbccddeeff"
	// planText and planSum: printf '%s' '{"steps":["a","b"]}' | sha256sum
	planText = `{"steps":["a","b"]}`
	planSum  = "64f58a2ced5051f0ab9e7ec9d61a3726d5135c409d95ae77452cb50fd0e4cc59"
)

func finished(i int) journal.Draft {
	return journal.Draft{
		Kind: journal.KindCallFinished, Key: fmt.Sprintf("/agent#%d", i), Identity: identity,
		Data: journal.CallFinished{
			Call:  &journal.Call{Name: "agent", Args: []json.RawMessage{json.RawMessage(`"look at the code"`)}, After: 1, ReadOnly: true},
			Value: json.RawMessage(`"it is fine"`), Usage: journal.Usage{Input: 10, Output: 1}, DurationMs: 5,
		},
	}
}

func begun(i int) journal.Draft {
	return journal.Draft{
		Kind: journal.KindCallStarted, Key: fmt.Sprintf("/agent#%d", i), Identity: identity,
		Data: journal.CallStarted{Call: journal.Call{
			Name: "agent", Args: []json.RawMessage{json.RawMessage(`"do something"`), json.RawMessage(`{"label":"work"}`)}, After: 1,
			File: "a.js", Line: 3, Column: 7,
		}},
	}
}

func ended(i int) journal.Draft {
	return journal.Draft{
		Kind: journal.KindCallFinished, Key: fmt.Sprintf("/agent#%d", i),
		Data: journal.CallFinished{Value: json.RawMessage(`"done"`), Usage: journal.Usage{Input: 10, Output: 1}, DurationMs: 5},
	}
}

func asked(gate string, suspended bool) journal.Draft {
	return journal.Draft{
		Kind: journal.KindGateAsked, Key: "/planApprove#" + gate, Identity: identity,
		Data: journal.GateAsked{
			Gate: gate, Nonce: nonce, Kind: "plan", Prompt: "Approve this plan?", Checksum: planSum, Plan: planText,
			Program: programHash, After: 1, Suspended: suspended,
		},
	}
}

func answered(gate, decision string) journal.Draft {
	return journal.Draft{
		Kind: journal.KindGateAnswered, Key: "/planApprove#" + gate, Identity: identity,
		Data: journal.GateAnswered{
			Gate: gate, Nonce: nonce, Checksum: planSum, Program: programHash, Decision: json.RawMessage(decision),
			Who:          journal.Who{User: "ann", Host: "here", Way: "command"},
			PlanApproval: &journal.PlanApproval{Checksum: planSum, Decision: json.RawMessage(decision)},
		},
	}
}

func closed(gate string, state journal.GateState) journal.Draft {
	return journal.Draft{
		Kind: journal.KindGateClosed, Key: "/planApprove#" + gate, Identity: identity,
		Data: journal.GateClosed{Gate: gate, State: string(state)},
	}
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

func removeFile(t testing.TB, path string) {
	t.Helper()
	require.NoError(t, os.Remove(path))
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// filesBelow lists the files below a folder with their content.
func filesBelow(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files[path] = string(readFile(t, path))
		}
		return err
	}))
	return files
}

func marshal(t testing.TB, v any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	data, err := hex.DecodeString(s)
	require.NoError(t, err)
	return data
}
