package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
)

// A forecast names what follows from what runs again, so that nothing that a resume repeats is
// kept from whoever looks first.
func TestForecastNamesWhatFollows(t *testing.T) {
	store, workers := newStore(t), &team{}
	o := engine.Options{Store: store, Agent: workers, Asker: says("true")}
	body := `
const a = await agent("one", {label: "one"});
const both = await parallel([() => agent("two " + a, {label: "two"}), () => agent("look " + a, {readOnly: true})]);
const plan = await planApprove({both});
await agent("three", {under: plan, label: "three"});`
	r := run(t, script(t, body), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	workers.take()
	edited := script(t, strings.Replace(body, `"one",`, `"one and a half",`, 1))
	f, err := engine.DryRun(context.Background(), r.Run, edited, engine.Options{Store: store})
	require.NoError(t, err)
	require.Len(t, f.Again, 1)
	require.Equal(t, "/agent#0", f.Again[0].Key)
	require.Equal(t, "FINISHED_WORK_WOULD_REPEAT", string(f.Refused))
	type row struct {
		key, name, label string
		changes          bool
	}
	var got []row
	for _, c := range f.Behind {
		got = append(got, row{c.Key, c.Name, c.Label, c.MayHaveChanged})
	}
	require.ElementsMatch(t, []row{
		{"/parallel#0[0]/agent#0", "agent", "two", true},
		{"/parallel#0[1]/agent#0", "agent", "", false},
		{"/planApprove#0", "planApprove", "", false},
		{"/agent#1", "agent", "three", true},
	}, got)
	require.Equal(t, "/agent#1", got[3].key, "in the order of the journal")

	headless := engine.Options{Store: store, Agent: workers}
	require.Equal(t, "FINISHED_WORK_WOULD_REPEAT", resume(t, r.Run, edited, headless).Code, "as it was foretold")
	f, err = engine.DryRun(context.Background(), r.Run, edited, engine.Options{Store: store, RerunChanged: true})
	require.NoError(t, err)
	require.Empty(t, f.Refused)
	o.RerunChanged = true
	require.Equal(t, "completed", resume(t, r.Run, edited, o).State)
	require.ElementsMatch(t, []string{"one", "two", "look done: one and a half", "three"}, workers.take(), "all of it ran again")
}

// A branch that nothing runs again in does not follow.
func TestForecastLeavesOtherBranchesOut(t *testing.T) {
	store := newStore(t)
	body := `await parallel([
	async () => { await agent("a1"); await agent("a2") },
	async () => { await agent("b1"); await agent("b2") },
])`
	r := run(t, script(t, body), engine.Options{Store: store, Agent: &team{}})
	f, err := engine.DryRun(context.Background(), r.Run, script(t, strings.Replace(body, `"a1"`, `"a one"`, 1)), engine.Options{Store: store})
	require.NoError(t, err)
	require.Len(t, f.Behind, 1)
	require.Equal(t, "/parallel#0[0]/agent#1", f.Behind[0].Key)
	f, err = engine.DryRun(context.Background(), r.Run, nil, engine.Options{Store: store})
	require.NoError(t, err)
	require.True(t, f.Ends)
	require.Empty(t, f.Behind)
	require.Empty(t, f.Refused)
}

// Where a question is decided first the script may go another way, so no refusal is foretold.
func TestForecastForetellsNoRefusalThatIsNotSure(t *testing.T) {
	store := newStore(t)
	body := `await Promise.race([checkpoint("Sure?", {default: false}), agent("one")]);`
	r := run(t, script(t, `await agent("one"); await agent("x")`), engine.Options{Store: store, Agent: &team{}})
	f, err := engine.DryRun(context.Background(), r.Run, script(t, strings.Replace(body, `"one"`, `"two"`, 1)), engine.Options{Store: store})
	require.NoError(t, err)
	require.Len(t, f.Again, 1)
	require.Empty(t, f.Refused)
	require.NotEmpty(t, f.Behind)
}

// An interrupted call is refused by another name, and an expired question is said to end.
func TestForecastOfCutWorkAndExpiredQuestions(t *testing.T) {
	store := newStore(t)
	cut := cutDuring(t, `await agent("x"); await agent("y")`, "y", engine.Options{Store: store})
	f, err := engine.DryRun(context.Background(), cut.Run, nil, engine.Options{Store: store})
	require.NoError(t, err)
	require.Equal(t, "CALLS_INTERRUPTED", string(f.Refused))
	f, err = engine.DryRun(context.Background(), cut.Run, script(t, `await agent("x2"); await agent("y")`), engine.Options{Store: store})
	require.NoError(t, err)
	require.Equal(t, "FINISHED_WORK_WOULD_REPEAT", string(f.Refused))
	require.Len(t, f.Behind, 1)
	require.Equal(t, "it was interrupted", f.Behind[0].Reason)

	r := run(t, script(t, `return await checkpoint("Sure?", {timeoutMs: 3600_000, default: false})`), engine.Options{Store: store, OnGate: checkpoint.Suspend})
	late := engine.Options{Store: store, Now: func() time.Time { return time.Now().Add(2 * time.Hour) }}
	f, err = engine.DryRun(context.Background(), r.Run, nil, late)
	require.NoError(t, err)
	require.Len(t, f.Waiting, 1)
	require.Equal(t, "its deadline has passed, so it ends without an answer", f.Waiting[0].Reason)
	require.Empty(t, f.Refused)
}
