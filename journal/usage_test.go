package journal_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// work is a finished call of agent() in a phase.
func work(key, phase string, used journal.Usage, f *journal.Failure) journal.Draft {
	r := journal.CallFinished{
		Call:  &journal.Call{Name: "agent", Args: []json.RawMessage{json.RawMessage(`"look"`)}, Phase: phase, After: 1, ReadOnly: true},
		Usage: used, Failure: f, DurationMs: 100,
	}
	if f == nil {
		r.Value = json.RawMessage(`"done"`)
	}
	return journal.Draft{Kind: journal.KindCallFinished, Key: key, Identity: identity, Data: r}
}

// The sums are made by hand: 100+10 and 50+5 in "Look", then 200+20 in "Fix", then "Look" again with
// the first call repeated, 30+3.
func TestUsageOfPhases(t *testing.T) {
	s := open(t, newOptions(t))
	r := create(t, s)
	failed := &journal.Failure{Code: "AGENT_FAILED", Message: "no", Class: journal.FailureOrdinary}
	refused := &journal.Failure{Code: "BUDGET_EXCEEDED", Message: "spent", Class: journal.FailureFatal}
	_, err := journal.Append(t.Context(), r,
		work("/agent#0", "Look", journal.Usage{Input: 100, Output: 10, CostMicroUSD: 7}, nil), // 2
		work("/agent#1", "Look", journal.Usage{Input: 50, Output: 5}, failed),                 // 3
		work("/agent#2", "Fix", journal.Usage{Input: 200, Output: 20, CostMicroUSD: 9}, nil),  // 4
		work("/agent#3", "", journal.Usage{}, nil),                                            // 5: told nothing
		work("/agent#0", "Look", journal.Usage{Input: 30, Output: 3, CostMicroUSD: 1}, nil),   // 6: again
		work("/workflow#0[0]/agent#0", "Look", journal.Usage{Input: 1}, nil),                  // 7
		work("/agent#4", "Fix", journal.Usage{}, refused),                                     // 8: nobody was asked
		begun(5), // 9: in no phase
	)
	require.NoError(t, err)
	st := r.State()

	for seq, want := range map[uint64]int64{1: 0, 2: 100, 3: 150, 4: 150, 5: 150, 6: 180, 7: 181, 99: 181} {
		require.Equal(t, want, st.PhaseUsage("Look", seq).Input, "up to %d", seq)
	}
	require.Equal(t, journal.Usage{Input: 200, Output: 20, CostMicroUSD: 9}, st.PhaseUsage("Fix", 99))
	require.Equal(t, journal.Usage{}, st.PhaseUsage("", 99))
	require.Equal(t, journal.Usage{}, st.PhaseUsage("none", 99))

	rows := st.Phases()
	require.Equal(t, []journal.PhaseTotal{
		{
			Title: "Look", Calls: 2, Failed: 1, Usage: journal.Usage{Input: 180, Output: 18, CostMicroUSD: 8}, DurationMs: 300,
			Agents: 3, CostUnknown: 1,
		},
		{Title: "Fix", Calls: 2, Failed: 1, Usage: journal.Usage{Input: 200, Output: 20, CostMicroUSD: 9}, DurationMs: 200, Agents: 1},
		{Title: "", Calls: 2, DurationMs: 100, Agents: 1, TokensUnknown: 1, CostUnknown: 1},
		{Frame: "/workflow#0[0]", Title: "Look", Calls: 1, Usage: journal.Usage{Input: 1}, DurationMs: 100, Agents: 1, CostUnknown: 1},
	}, rows)
	sum := journal.Total(rows)
	require.Equal(t, st.UsageAt(st.Head), sum.Usage)
	require.Equal(t, journal.PhaseTotal{
		Calls: 7, Failed: 2, Usage: journal.Usage{Input: 381, Output: 38, CostMicroUSD: 17}, DurationMs: 700,
		Agents: 6, TokensUnknown: 1, CostUnknown: 3,
	}, sum)
	require.Equal(t, rows, st.Phases(), "asking changes nothing")
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}

func TestFrameOfAWorkflow(t *testing.T) {
	for key, want := range map[string]string{
		"/agent#0": "", "/parallel#0[3]/agent#1": "", "/workflow#0": "", "/workflow#0/agent#0": "",
		"/workflow#0[0]/agent#0":                              "/workflow#0[0]",
		"/parallel#0[3]/workflow#12[0]/parallel#0[1]/agent#0": "/parallel#0[3]/workflow#12[0]",
		"/workflow#0[0]/dag#0[a]/workflow#1[0]~2/agent#0":     "/workflow#0[0]/dag#0[a]/workflow#1[0]",
		"/workflow#0[0]/workflow#1":                           "/workflow#0[0]",
	} {
		require.Equal(t, want, journal.WorkflowFrame(key), key)
	}
}
