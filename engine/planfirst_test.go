package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// planFirst compiles a body under a header that says planFirst.
func planFirst(t *testing.T, body string) *vm.Program {
	t.Helper()
	p, err := compileText(`export const meta = { name: "test", description: "a test", planFirst: true };` + "\n" + body)
	require.NoError(t, err)
	return p
}

// readers say whether they only read.
func readers() *team {
	return &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.ReadOnly {
			return "reads: " + req.Prompt, nil
		}
		return "done: " + req.Prompt, nil
	}}
}

func TestPlanFirst(t *testing.T) {
	const approve = `await planApprove({a: 1});`
	for _, c := range []struct{ name, body, says, value string }{
		{"before", `return agent("x")`, "true", `"reads: x"`},
		{"false is not true", `try { await agent("x", {readOnly: false}) } catch (e) { return e.code }`, "true", `"PLAN_NOT_APPROVED"`},
		{"read-only", `return agent("x", {readOnly: true})`, "true", `"reads: x"`},
		{"after a yes", approve + `return agent("x")`, "true", `"done: x"`},
		{"after a no", approve + `return agent("x")`, "false", `"reads: x"`},
		{"after a no, said to write", approve + `try { await agent("x", {readOnly: false}) } catch (e) { return e.code }`, "false", `"PLAN_NOT_APPROVED"`},
		{"after a change request", approve + `return agent("x")`, `"less"`, `"reads: x"`},
		{"a checkpoint is no plan", `await checkpoint("?"); return agent("x")`, "true", `"reads: x"`},
		{"while it is asked", `const a = planApprove({a: 1}); const x = await agent("x"); await a; return [x, await agent("y")]`, "true", `["reads: x","done: y"]`},
		{"an embedder's function", `try { await add(1, 2) } catch (e) { return e.code }`, "true", `"PLAN_NOT_APPROVED"`},
		{"an embedder's function, after a yes", approve + `return add(1, 2)`, "true", `3`},
		{"gates, sleeps and notes are free", `log("x"); phase("y"); await sleep(1); return checkpoint("?")`, "true", `true`},
		{"a later no closes nothing", approve + `const b = await planApprove({a: 2}); return [b.decision, await agent("x")]`, "first", `[false,"done: x"]`},
		{"a validator may look", `await planApprove({a: 1}, {planModel: "m"}); return agent("x")`, "true", `"done: x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newStore(t)
			ann := &person{answer: func(q checkpoint.Asked) string {
				if c.says == "first" {
					return map[bool]string{true: "true", false: "false"}[q.Gate.Plan == `{"a":1}`]
				}
				return c.says
			}}
			o := engine.Options{Store: store, Agent: readers(), Asker: ann, Primitives: []engine.Primitive{&adder{}}}
			r := run(t, planFirst(t, c.body), o)
			require.JSONEq(t, c.value, string(r.Value), "%v", r.Err)
			again := resume(t, r.Run, nil, o)
			require.Equal(t, r.State, again.State)
			require.Zero(t, again.Live)
			_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store, Primitives: o.Primitives})
			require.NoError(t, err)
		})
	}
}

// The refusal says where and what to do, and no helper turns it into null.
func TestPlanFirstRefusal(t *testing.T) {
	for _, body := range []string{
		"\n\n" + `await agent("x", {readOnly: false})`,
		"\n\n" + `return parallel([() => agent("x", {readOnly: false, onError: "null"})])`,
		"\n\n" + `return pipeline([1], () => agent("x", {readOnly: false}))`,
	} {
		workers := &team{}
		r := run(t, planFirst(t, body), engine.Options{Store: newStore(t), Agent: workers, Asker: says("true")})
		require.Equal(t, "failed", r.State)
		require.Equal(t, "PLAN_NOT_APPROVED", r.Code)
		require.ErrorContains(t, r.Err, "test.js:4:")
		require.ErrorContains(t, r.Err, "await planApprove first")
		require.ErrorContains(t, r.Err, "leave out readOnly: false")
		require.Empty(t, workers.take())
	}
}

// A read-only run needs no plan: none of its agents may change anything.
func TestPlanFirstInAReadOnlyRun(t *testing.T) {
	workers, readOnly := &team{}, false
	workers.answer = func(_ context.Context, req agent.Request) (any, error) {
		readOnly = req.ReadOnly
		return "ok", nil
	}
	r := run(t, planFirst(t, `return agent("x")`), engine.Options{Store: newStore(t), Agent: workers, Settings: journal.Settings{ReadOnly: true}})
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.True(t, readOnly)
}

// An agent that was made before the approval is read-only for its whole life, also when it
// starts after it.
func TestPlanFirstStampIsForLife(t *testing.T) {
	readOnly := map[string]bool{}
	approved := make(chan struct{})
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Prompt == "first" {
			<-approved // so that the second starts after the approval
		}
		readOnly[req.Prompt] = req.ReadOnly // one at a time
		return "ok", nil
	}}
	o := engine.Options{Store: newStore(t), Agent: workers, Asker: says("true"), Settings: journal.Settings{Concurrency: 1}, Observe: func(e engine.Event) {
		if e.Type == engine.GateEnded {
			close(approved)
		}
	}}
	r := run(t, planFirst(t, `
const early = Promise.all([agent("first", {readOnly: true}), agent("second")]);
await planApprove({a: 1});
await Promise.all([early, agent("third")]);`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.Equal(t, map[string]bool{"first": true, "second": true, "third": false}, readOnly)
}

// Who edits a script loses its approval, and what follows is refused until there is a new one:
// what counts is what this attempt's script has seen, and not what the journal holds.
func TestPlanFirstGoesByWhatTheScriptHasSeen(t *testing.T) {
	store, workers := newStore(t), &team{}
	body := `const a = planApprove({a: 1}); await agent("look"); if (args.late) await agent("x"); await a; return agent("x", {readOnly: false})`
	r := run(t, planFirst(t, body), engine.Options{Store: store, Agent: workers, Asker: says("true")})
	require.Equal(t, "completed", r.State, "%v", r.Err)
	workers.take()
	edited := planFirst(t, `const a = planApprove({a: 1}); await agent("look"); await agent("x", {readOnly: false}); await a;`)
	again := resume(t, r.Run, edited, engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend})
	require.Equal(t, "failed", again.State)
	require.Equal(t, "PLAN_NOT_APPROVED", again.Code)
	require.Empty(t, workers.take())
}
