package engine_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

const planned = `const before = await agent("look", {label: "scout", readOnly: true});
const approval = await planApprove({steps: [before]});
if (approval.decision !== true) return "no";
return await agent("work", {label: "worker", under: approval});
`

// An approval holds for the script to the byte, so a plan is always asked about again; the work
// behind it is compared as if the answer were the same.
func TestAgainstAssumesTheSameApproval(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, planned), engine.Options{Store: store, Agent: &team{}, Asker: says("true")})
	require.Equal(t, "completed", r.State)
	c := against(t, store, r.Run, script(t, "  "+planned))
	require.False(t, c.Diverges(false))
	require.True(t, c.Diverges(true))
	require.Equal(t, 2, c.Replayed)
	require.Len(t, c.Asked, 1)
	require.Equal(t, "script changed", c.Asked[0].Reason)
	require.True(t, c.Asked[0].Assumed)
	require.False(t, c.Asked[0].Question)
	require.Equal(t, "completed", c.Ending.State)
	// Behind the assumed yes, another prompt is found.
	c = against(t, store, r.Run, script(t, `const before = await agent("look", {label: "scout", readOnly: true});
const approval = await planApprove({steps: [before]});
if (approval.decision !== true) return "no";
return await agent("work hard", {label: "worker", under: approval});
`))
	require.Equal(t, []string{"/agent#1"}, changedKeys(c.Again))
	require.Equal(t, 5, c.First.Line)
	// Another prompt for the same plan is another question, and no drift of the plan.
	c = against(t, store, r.Run, script(t, `const before = await agent("look", {label: "scout", readOnly: true});
const approval = await planApprove({steps: [before]}, {prompt: "Really?"});
if (approval.decision !== true) return "no";
return await agent("work", {label: "worker", under: approval});
`))
	require.Len(t, c.Asked, 1)
	require.Equal(t, "question changed", c.Asked[0].Reason)
	require.True(t, c.Asked[0].Question)
	// Another plan is another question: nothing is assumed.
	c = against(t, store, r.Run, script(t, `const before = await agent("look", {label: "scout", readOnly: true});
const approval = await planApprove({steps: [before, "more"]});
if (approval.decision !== true) return "no";
return await agent("work", {label: "worker", under: approval});
`))
	require.Len(t, c.Asked, 1)
	require.Equal(t, "drift", c.Asked[0].Reason)
	require.True(t, c.Asked[0].Question)
	require.False(t, c.Asked[0].Assumed)
	require.True(t, c.Diverges(false))
	require.Equal(t, []string{"/agent#1"}, repeatedKeys(c.Behind))
	require.Equal(t, 3, c.First.Line)
}

// A no is assumed again like a yes, and so is a default.
func TestAgainstAssumesTheSameNo(t *testing.T) {
	for name, o := range map[string]engine.Options{"no": {Asker: says("false")}, "default": {}} {
		o.Store, o.Agent = newStore(t), &team{}
		r := run(t, script(t, planned), o)
		require.Equal(t, "stopped", r.State, name)
		c := against(t, o.Store.(*journal.Store), r.Run, script(t, " "+planned))
		require.False(t, c.Diverges(false), name)
		require.True(t, c.Asked[0].Assumed, name)
		require.Equal(t, "stopped", c.Ending.State, name)
	}
}

// A validator is a call like any other, below its question.
func TestAgainstAPlanWithAValidator(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, validated), engine.Options{Store: store, Agent: critic(), Asker: says("true")})
	require.Equal(t, "completed", r.State)
	c := against(t, store, r.Run, script(t, "\n"+validated))
	require.False(t, c.Diverges(false))
	require.Equal(t, 2, c.Replayed)
	require.True(t, c.Asked[0].Assumed)
	// Another validator weighs the plan anew, so the question behind it is not reached.
	c = against(t, store, r.Run, script(t, strings.Replace(validated, "careful", "careless", 1)))
	require.Equal(t, []string{validatorKey}, changedKeys(c.Again))
	require.Equal(t, []string{"/planApprove#0", "/agent#0"}, repeatedKeys(c.Behind))
}

// A policy that was chosen with an approval is assumed with it: the work under it is the same.
func TestAgainstAnApprovalWithAPolicy(t *testing.T) {
	store := newStore(t)
	ann := says("true")
	o := engine.Options{Store: store, Agent: &team{}, Asker: checkpoint.AskerFunc(func(ctx context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		answer, err := ann.Ask(ctx, q)
		answer.Mode, answer.Model = "auto", "big"
		return answer, err
	})}
	r := run(t, script(t, planned), o)
	require.Equal(t, "completed", r.State)
	c := against(t, store, r.Run, script(t, " "+planned))
	require.False(t, c.Diverges(false))
	require.Equal(t, 2, c.Replayed)
}

// A run that waits: its plan is asked about anew, a checkpoint goes on waiting.
func TestAgainstAWaitingRun(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{}, OnGate: checkpoint.Suspend}
	r := run(t, script(t, planned), o)
	require.Equal(t, "waiting", r.State)
	c := against(t, store, r.Run, script(t, " "+planned))
	require.False(t, c.Diverges(false))
	require.Len(t, c.Asked, 1)
	require.False(t, c.Asked[0].Assumed)
	require.Nil(t, c.Ending)
	const body = `return await checkpoint("Go?", {default: false})`
	r = run(t, script(t, body), o)
	c = against(t, store, r.Run, script(t, " "+body))
	require.False(t, c.Diverges(true))
	require.Equal(t, []string{"/checkpoint#0"}, repeatedKeys(c.Anyway))
	c = against(t, store, r.Run, script(t, `return await checkpoint("Really?", {default: false})`))
	require.True(t, c.Diverges(false))
	require.True(t, c.Asked[0].Question)
}

// An answered checkpoint replays under an edited script, as an agent's answer does.
func TestAgainstAnAnsweredCheckpoint(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `return await checkpoint("Go?")`), engine.Options{Store: store, Asker: says("true")})
	c := against(t, store, r.Run, script(t, ` return await checkpoint("Go?")`))
	require.False(t, c.Diverges(true))
	require.Equal(t, 1, c.Replayed)
}

// An approval that lapsed with an import has to be given again, with and without an edit; the
// finished work behind it is compared all the same, and the result is proved from what was said.
func TestAgainstAndReplayOfAnImportedRun(t *testing.T) {
	ctx := context.Background()
	from := newStore(t)
	r := run(t, script(t, planned), engine.Options{Store: from, Agent: &team{}, Asker: says("true")})
	var text bytes.Buffer
	require.NoError(t, journal.Export(ctx, from, r.Run, &text))
	store := newStore(t)
	imported, err := journal.Import(ctx, store, &text, journal.ImportOptions{Key: from.PublicKey()})
	require.NoError(t, err)
	require.Equal(t, journal.Lapsed, state(t, store, imported.ID).Gates[state(t, store, imported.ID).GateOrder[0]].State)
	for _, text := range []string{planned, " " + planned} {
		c := against(t, store, imported.ID, script(t, text))
		require.False(t, c.Diverges(false))
		require.True(t, c.Asked[0].Assumed)
		require.Equal(t, "completed", c.Ending.State)
	}
	proof, err := engine.Replay(ctx, imported.ID, engine.Options{Store: store})
	require.NoError(t, err)
	require.JSONEq(t, `"done: work"`, string(proof.Value))
}

// An approval that was withdrawn after the run had ended was one while it went on.
func TestReplayAfterARevocation(t *testing.T) {
	ctx := context.Background()
	store := newStore(t)
	r := run(t, script(t, planned), engine.Options{Store: store, Agent: &team{}, Asker: says("true")})
	visit, err := store.Visit(ctx, r.Run)
	require.NoError(t, err)
	defer visit.Close()
	g := visit.State().Gates[visit.State().GateOrder[0]]
	_, err = visit.Update(ctx, func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{{Kind: journal.KindGateRevoked, Key: g.Key, Identity: g.Identity, Data: journal.GateRevoked{
			Gate: g.Asked.Gate, Nonce: g.Asked.Nonce, Checksum: g.Asked.Checksum, Who: journal.Who{User: "bob"},
		}}}, nil
	})
	require.NoError(t, err)
	_, err = engine.Replay(ctx, r.Run, engine.Options{Store: store})
	require.NoError(t, err)
	// For going on it is none, so nothing is assumed; and that is so with and without the edit.
	c := against(t, store, r.Run, script(t, " "+planned))
	require.False(t, c.Diverges(false))
	require.Equal(t, []string{"/planApprove#0"}, repeatedKeys(c.Anyway))
	require.Equal(t, "revoked", c.Anyway[0].Reason)
	require.Empty(t, c.Asked)
}
