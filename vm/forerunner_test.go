package vm_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// scouted makes an agent go before each planApprove whose options have planModel.
func scouted(check func(vm.Call) error, limits vm.Limits) vm.Config {
	return vm.Config{Seed: "seed", Check: check, Limits: limits, Before: func(c vm.Call) *vm.Forerunner {
		var o struct{ PlanModel string }
		if c.Name != "planApprove" || len(c.Args) < 2 || json.Unmarshal(c.Args[1], &o) != nil || o.PlanModel == "" {
			return nil
		}
		return &vm.Forerunner{Args: []json.RawMessage{json.RawMessage(`"look at "`), json.RawMessage(`{"model":"` + o.PlanModel + `"}`)}, Label: "scout"}
	}}
}

const (
	gateKey  = "/planApprove#0"
	scoutKey = "/planApprove#0/agent#0"
	yes      = `{"plan":{"a":1},"checksum":"c","decision":true}`
)

// The forerunner comes first, below the key of the call behind it; that one comes in the turn of
// its answer, with the answer beside it, and the script's own calls keep their keys.
func TestForerunner(t *testing.T) {
	p := playWith(t, `
		const plan = { a: 1 };
		const asked = planApprove(plan, { planModel: "m" });
		plan.a = 2;
		const own = await agent("own");
		const g = await asked;
		return [own, g.decision, await agent("after", { under: g })];`, scouted(nil, vm.Limits{}))
	require.Len(t, p.calls, 2)
	first := p.calls[0]
	require.Equal(t, vm.Call{
		Key: scoutKey, Name: "agent", Args: []json.RawMessage{json.RawMessage(`"look at "`), json.RawMessage(`{"model":"m"}`)},
		Label: "scout", Pos: first.Pos, Counted: true, For: gateKey,
	}, first)
	require.Equal(t, 4, first.Pos.Line)
	require.Equal(t, "/agent#0", p.calls[1].Key)

	p.answer(scoutKey, `{"verdict":"sound"}`)
	require.Len(t, p.turn.Calls, 1)
	gate := p.turn.Calls[0]
	require.Equal(t, gateKey, gate.Key)
	require.JSONEq(t, `{"a":1}`, string(gate.Args[0]), "the plan as it was when the script called")
	require.Equal(t, first.Pos, gate.Pos)
	require.Empty(t, gate.For)
	require.JSONEq(t, `{"verdict":"sound"}`, string(gate.Before.Value))

	p.answer("/agent#0", `"mine"`)
	p.answer(gateKey, yes)
	require.Equal(t, "/agent#1", p.turn.Calls[0].Key)
	require.Equal(t, gateKey, p.turn.Calls[0].Under.Key)
	p.answer("/agent#1", `"done"`)
	require.True(t, p.turn.Done)
	require.Nil(t, p.turn.Err)
	require.JSONEq(t, `["mine",true,"done"]`, string(p.turn.Result))
}

// Random values and keys are the same with and without a forerunner.
func TestForerunnerDisturbsNothing(t *testing.T) {
	body := func(o string) string {
		return `const [a] = await parallel([async () => { const p = planApprove({a: 1}, ` + o + `); return [random(), (await p).decision, random(), uuid()] }]); return a;`
	}
	results := map[string]string{}
	for _, o := range []string{`{}`, `{planModel: "m"}`} {
		p := playWith(t, body(o), scouted(nil, vm.Limits{}))
		if p.calls[0].For != "" {
			require.Equal(t, "/parallel#0[0]", p.calls[0].Frame)
			p.answer("/parallel#0[0]/planApprove#0/agent#0", `null`)
		}
		require.Equal(t, "/parallel#0[0]", p.turn.Calls[0].Frame)
		p.answer("/parallel#0[0]/planApprove#0", yes)
		require.True(t, p.turn.Done)
		results[o] = string(p.turn.Result)
	}
	require.Equal(t, results[`{}`], results[`{planModel: "m"}`])
}

// A failure goes to the call behind it; a fatal one rejects that call.
func TestForerunnerFails(t *testing.T) {
	const body = `try { return (await planApprove({a: 1}, {planModel: "m"})).decision } catch (e) { return [e.code, e.message] }`
	for _, class := range []vm.Class{vm.Ordinary, vm.Thrown} {
		p := playWith(t, body, scouted(nil, vm.Limits{}))
		p.fail(scoutKey, "BROKE", "it broke", class)
		require.Equal(t, &vm.Failure{Code: "BROKE", Message: "it broke", Class: class}, p.turn.Calls[0].Before.Failure)
		require.Equal(t, scoutKey+" failed, and planApprove goes on without it: BROKE: it broke", p.turn.Notes[0].Text)
		p.answer(gateKey, yes)
		require.JSONEq(t, `true`, string(p.turn.Result))
	}
	p := playWith(t, body, scouted(nil, vm.Limits{}))
	p.fail(scoutKey, "BUDGET_EXCEEDED", "spent", vm.Fatal)
	require.Empty(t, p.turn.Calls)
	require.JSONEq(t, `["BUDGET_EXCEEDED","spent"]`, string(p.turn.Result))

	// It passes through parallel, like that of an agent of the script's.
	p = playWith(t, `return parallel([() => planApprove({a: 1}, {planModel: "m"})])`, scouted(nil, vm.Limits{}))
	p.fail("/parallel#0[0]"+scoutKey, "BUDGET_EXCEEDED", "spent", vm.Fatal)
	require.True(t, p.turn.Done)
	require.Equal(t, "BUDGET_EXCEEDED", p.turn.Err.Code)
	require.Equal(t, 2, p.turn.Err.Line)
}

// Both calls count, before anything is asked; what is refused is refused at once.
func TestForerunnerIsAdmitted(t *testing.T) {
	const body = `try { await planApprove({a: 1}, {planModel: "m"}) } catch (e) { return e.code }`
	p := playWith(t, body, scouted(nil, vm.Limits{Calls: 1}))
	require.Empty(t, p.calls)
	require.JSONEq(t, `"CALL_LIMIT"`, string(p.turn.Result))
	p = playWith(t, body, scouted(nil, vm.Limits{Calls: 2}))
	require.Len(t, p.calls, 1)

	var checked []string
	p = playWith(t, body, scouted(func(c vm.Call) error {
		checked = append(checked, c.Key)
		if c.For != "" {
			return errors.New("no")
		}
		return nil
	}, vm.Limits{}))
	require.Equal(t, []string{gateKey, scoutKey}, checked)
	require.Empty(t, p.calls)
	require.JSONEq(t, `"ARGUMENT_INVALID"`, string(p.turn.Result))
}

// A forerunner that is not answered when the script ends is named; one that is waited for is no
// deadlock.
func TestForerunnerOutstanding(t *testing.T) {
	p := playWith(t, `planApprove({a: 1}, {planModel: "m"}); await agent("own"); return 1`, scouted(nil, vm.Limits{}))
	p.answer("/agent#0", `1`)
	require.True(t, p.turn.Done)
	require.Equal(t, []string{scoutKey}, p.turn.Outstanding)

	p = playWith(t, `await planApprove({a: 1}, {planModel: "m"}); return 1`, scouted(nil, vm.Limits{}))
	require.False(t, p.turn.Done)
	_, err := p.m.Deliver(t.Context(), gateKey, vm.Outcome{}, p.at)
	require.ErrorContains(t, err, "no call with the key", "the call behind it was not made yet")
	_, err = p.m.Deliver(t.Context(), scoutKey, vm.Outcome{Value: json.RawMessage(`{`)}, p.at)
	require.Error(t, err, "what is not JSON leaves the machine as it was")
	require.Len(t, p.answer(scoutKey, `{}`).turn.Calls, 1)
}
