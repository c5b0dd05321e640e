package journaltest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// patience is how long the suite waits for what has to happen at once.
const patience = 10 * time.Second

const (
	programHash = "5a3c9e1f0000000000000000000000000000000000000000000000000000abcd"
	identity    = "1d00000000000000000000000000000000000000000000000000000000000001"
	nonce       = "00112233445566778899aabbccddeeff"
	// planText and planSum: printf '%s' '{"steps":["a","b"]}' | sha256sum
	planText = `{"steps":["a","b"]}`
	planSum  = "64f58a2ced5051f0ab9e7ec9d61a3726d5135c409d95ae77452cb50fd0e4cc59"
)

func started() journal.RunStarted {
	return journal.RunStarted{
		Title:    "a run",
		Program:  journal.Program{Name: "a.js", Hash: programHash, Language: 1, Sources: []journal.Source{{Path: "a.js", Text: "return 1"}}},
		Settings: journal.Settings{MaxCalls: 1000, Concurrency: 2, StretchMs: 30000},
	}
}

func create(t *testing.T, s Store) journal.Run {
	t.Helper()
	r, err := s.Create(t.Context(), started())
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func visit(t *testing.T, s Store, id string) journal.Visit {
	t.Helper()
	v, err := s.Visit(t.Context(), id)
	require.NoError(t, err)
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func take(t *testing.T, s Store, id string) (journal.Run, error) {
	t.Helper()
	r, err := s.Take(t.Context(), id, func(st *journal.State) (journal.RunResumed, error) {
		return journal.RunResumed{Settings: st.Settings}, nil
	})
	if err == nil {
		t.Cleanup(func() { _ = r.Close() })
	}
	return r, err
}

func refusedAs(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
}

// appended appends drafts and gives the entries.
func appended(t *testing.T, r journal.Run, drafts ...journal.Draft) []journal.Entry {
	t.Helper()
	entries, err := journal.Append(t.Context(), r, drafts...)
	require.NoError(t, err)
	return entries
}

func valued(i int, value string) journal.Draft {
	return journal.Draft{
		Kind: journal.KindCallFinished, Key: fmt.Sprintf("/agent#%d", i), Identity: identity,
		Data: journal.CallFinished{
			Call:  &journal.Call{Name: "agent", Args: []json.RawMessage{json.RawMessage(`"look"`)}, After: 1, ReadOnly: true},
			Value: json.RawMessage(value), Usage: journal.Usage{Input: 10, Output: 1},
		},
	}
}

func finished(i int) journal.Draft { return valued(i, `"it is fine"`) }

func begun(i int) journal.Draft {
	return journal.Draft{
		Kind: journal.KindCallStarted, Key: fmt.Sprintf("/agent#%d", i), Identity: identity,
		Data: journal.CallStarted{Call: journal.Call{Name: "agent", Args: []json.RawMessage{json.RawMessage(`"do it"`)}, After: 1}},
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

// answer is what a person says to a gate.
func answer(gate, decision string) journal.GateAnswered {
	return journal.GateAnswered{
		Gate: gate, Nonce: nonce, Checksum: planSum, Program: programHash, Decision: json.RawMessage(decision),
		Who:          journal.Who{User: "ann", Host: "here", Way: "command"},
		PlanApproval: &journal.PlanApproval{Checksum: planSum, Decision: json.RawMessage(decision)},
	}
}

func answered(a journal.GateAnswered) journal.Draft {
	return journal.Draft{Kind: journal.KindGateAnswered, Key: "/planApprove#" + a.Gate, Identity: identity, Data: a}
}

func closed(gate string, state journal.GateState) journal.Draft {
	return journal.Draft{
		Kind: journal.KindGateClosed, Key: "/planApprove#" + gate, Identity: identity,
		Data: journal.GateClosed{Gate: gate, State: string(state)},
	}
}

func ended(state string) journal.Draft {
	return journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: state}}
}
