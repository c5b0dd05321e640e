package scripttest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// begin sets the stage for the first test of a file.
func begin(t *testing.T, script, tests string) *trial {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.Chmod(folder, 0o700))
	file := filepath.Join(folder, "t.js"+Ending)
	require.NoError(t, os.WriteFile(file, []byte(tests), 0o600))
	f, err := Load(file, filepath.Join(folder, "t.js"), "t")
	require.NoError(t, err)
	program, err := vm.Compile(fstest.MapFS{"t.js": {Data: []byte("export const meta = { name: 't', description: 't' };\n" + script)}}, "t.js")
	require.NoError(t, err)
	o := Options{Exit: func(*engine.Result, error) int { return 0 }}
	made, err := newTrial(o, f.Tests[0], program, filepath.Join(folder, "run"), 0)
	require.NoError(t, err)
	return made
}

const asks = `const a = await planApprove({ x: 1 }); if (a.decision === true) await agent("work", { label: "w", under: a }); return a.decision;`

const says = "[[test]]\n[[test.gate]]\ndecision = true\n[[test.answer]]\nlabel = 'w'\ntext = 'x'\n"

// What the test answers is recorded as simulated, in a run that was begun as a simulated one.
func TestAnswersAreSimulated(t *testing.T) {
	t.Parallel()
	trial := begin(t, asks, says)
	out, err := trial.start(context.Background())
	require.NoError(t, err)
	require.Equal(t, "completed", out.state)
	st, err := trial.state(context.Background(), out.run)
	require.NoError(t, err)
	require.True(t, st.Settings.Simulated)
	require.Len(t, st.GateOrder, 1)
	require.Equal(t, journal.Who{Name: "the test", Way: "simulated"}, st.Gates[st.GateOrder[0]].Answer.Who)
}

// In any other run, the same answer approves nothing.
func TestAnswersCountNowhereElse(t *testing.T) {
	t.Parallel()
	trial := begin(t, asks, says)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := trial.options(trial.stage.store)
	o.Settings.Simulated = false
	trial.person.stop = cancel
	r, err := engine.Run(ctx, trial.program, o)
	require.NoError(t, err)
	require.NotEqual(t, journal.StatusCompleted, r.State)
	require.Zero(t, trial.prepared.count(), "nothing works under what nobody approved")
	st, err := trial.state(context.Background(), r.Run)
	require.NoError(t, err)
	for _, g := range st.Gates {
		require.NotEqual(t, journal.Approved, g.State)
	}
}

// A journal that is damaged is found.
func TestADamagedJournalIsFound(t *testing.T) {
	t.Parallel()
	trial := begin(t, asks, says)
	out, err := trial.start(context.Background())
	require.NoError(t, err)
	list, err := trial.proofs(context.Background(), out)
	require.NoError(t, err)
	require.Empty(t, list)
	path := trial.stage.store.Path(out.run)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, page := range []int{0, 4096} {
		copy(data[page+20:], "xyz")
	}
	require.NoError(t, os.WriteFile(path, data, 0o600))
	list, err = trial.proofs(context.Background(), out)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	require.Regexp(t, `^verify: [A-Z_]+: `, list[0])
}

// A call whose answer the journal has is not to be made again.
func TestWorkThatIsDoneAgainIsFound(t *testing.T) {
	t.Parallel()
	trial := begin(t, asks, says)
	trial.prepared.over = map[string]bool{"/agent#0": true}
	_, err := trial.prepared.Run(context.Background(), agent.Request{Call: "/agent#0", Label: "w", Prompt: "work"}, nil)
	require.NoError(t, err)
	_, err = trial.prepared.Run(context.Background(), agent.Request{Call: "/agent#1", Label: "w", Prompt: "more"}, nil)
	require.NoError(t, err)
	list, err := trial.compare(trial, outcome{state: "completed"}, outcome{state: "completed"}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`the call with label "w" and prompt "work" had ended, and was made again`, "no gate came for [[test.gate]] 1"}, list)
}
