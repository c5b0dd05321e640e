package vm_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

func args(texts ...string) (raw []json.RawMessage) {
	for _, text := range texts {
		raw = append(raw, json.RawMessage(text))
	}
	return raw
}

func TestCallArguments(t *testing.T) {
	t.Parallel()
	functions := vm.Config{Functions: []vm.Function{{Name: "stageCheck", Counted: true}}}
	for js, want := range map[string][]json.RawMessage{
		`agent("x")`:            args(`"x"`),
		`agent("x", undefined)`: args(`"x"`),
		`agent("x", {b: 1, a: undefined, c: [1, undefined]})`:    args(`"x"`, `{"b":1,"c":[1,null]}`),
		`agent("x", {n: 2 ** 53 + 2, s: "é\u2028"})`:             args(`"x"`, "{\"n\":9007199254740994,\"s\":\"é\u2028\"}"),
		`agent("x", JSON.parse('{"__proto__":{"a":1}}'))`:        args(`"x"`, `{"__proto__":{"a":1}}`),
		`checkpoint("q", {choices: ["a", "b"], kind: "select"})`: args(`"q"`, `{"choices":["a","b"],"kind":"select"}`),
		`planApprove({b: 1, a: 2}, {prompt: "?"})`:               args(`{"b":1,"a":2}`, `{"prompt":"?"}`),
		`sleep(1.5)`:   args(`1.5`),
		`stageCheck()`: nil,
		`stageCheck(1, undefined, "a", undefined)`: args(`1`, `null`, `"a"`),
	} {
		p := playWith(t, "await "+js, functions)
		require.Len(t, p.calls, 1, js)
		require.Equal(t, want, p.calls[0].Args, js)
		require.Equal(t, p.calls[0].Name != "sleep", p.calls[0].Counted)
	}
	for js, want := range map[string]string{
		`agent()`:                               `TypeError ARGUMENT_INVALID: agent: the prompt is undefined; it has to be a string`,
		`agent({})`:                             `TypeError ARGUMENT_INVALID: agent: the prompt is a plain object; it has to be a string`,
		`agent(new String("x"))`:                `TypeError ARGUMENT_INVALID: agent: the prompt is an object of a special kind; it has to be a string`,
		`agent("\ud800")`:                       `TypeError VALUE_NOT_JSON: agent: the prompt at $: the string holds half of a surrogate pair`,
		`agent("x", null)`:                      `TypeError OPTION_INVALID: agent: the options are null; they have to be a plain object`,
		`agent("x", [])`:                        `TypeError OPTION_INVALID: agent: the options are an array; they have to be a plain object`,
		`agent("x", new Proxy({}, {}))`:         `TypeError OPTION_INVALID: agent: the options are a Proxy; they have to be a plain object`,
		`agent("x", {schema: {f() {}}})`:        `TypeError VALUE_NOT_JSON: agent: the options at $.schema.f: a function is not JSON`,
		`agent("x", {get label() { throw 1 }})`: `TypeError VALUE_NOT_JSON: agent: the options at $.label: an accessor is not plain data`,
		`agent("x", {a: {toJSON() {}}})`:        `TypeError VALUE_NOT_JSON: agent: the options at $.a: an object with a toJSON method is not plain data`,
		`checkpoint(1n)`:                        `TypeError ARGUMENT_INVALID: checkpoint: the prompt is 1n; it has to be a string`,
		`checkpoint("q", {d: new Date(0)})`:     `TypeError VALUE_NOT_JSON: checkpoint: the options at $.d: a Date is not JSON; write it as a text with toISOString()`,
		`planApprove()`:                         `TypeError PLAN_NOT_JSON: planApprove: the plan is not plain JSON data at $: undefined is not JSON`,
		`planApprove(1n)`:                       `TypeError PLAN_NOT_JSON: planApprove: the plan is not plain JSON data at $: a BigInt is not JSON; write it as a string`,
		`planApprove(1, "x")`:                   `TypeError OPTION_INVALID: planApprove: the options are \"x\"; they have to be a plain object`,
		`sleep()`:                               `TypeError ARGUMENT_INVALID: sleep: the time is undefined; it has to be a number of milliseconds, 0 or more`,
		`sleep(-1)`:                             `TypeError ARGUMENT_INVALID: sleep: the time is -1; it has to be a number of milliseconds, 0 or more`,
		`sleep("5")`:                            `TypeError ARGUMENT_INVALID: sleep: the time is \"5\"; it has to be a number of milliseconds, 0 or more`,
		`sleep(Infinity)`:                       `TypeError ARGUMENT_INVALID: sleep: the time is Infinity; it has to be a number of milliseconds, 0 or more`,
		`stageCheck(() => 1)`:                   `TypeError VALUE_NOT_JSON: stageCheck: the first argument at $: a function is not JSON`,
	} {
		p := playWith(t, `let p; try { p = `+js+` } catch { return "threw at once" } try { await p } catch (e) { return e.name + " " + e.code + ": " + e.message }`, functions)
		require.Empty(t, p.calls, js)
		require.Equal(t, `"`+want+`"`, p.result(), js)
	}
}

type codedError struct {
	code  string
	fatal bool
}

func (e codedError) Error() string     { return "refused by " + e.code }
func (e codedError) ErrorCode() string { return e.code }
func (e codedError) Fatal() bool       { return e.fatal }

func TestCheck(t *testing.T) {
	t.Parallel()
	var checked []string
	c := vm.Config{Check: func(c vm.Call) error {
		checked = append(checked, c.Key)
		switch string(c.Args[0]) {
		case `"coded"`:
			return codedError{code: "OPTION_UNKNOWN"}
		case `"fatal"`:
			return codedError{code: "BUDGET_EXCEEDED", fatal: true}
		case `"plain"`:
			return errors.New("plainly no")
		}
		return nil
	}}
	p := playWith(t, `
		const out = [];
		for (const prompt of ["coded", "plain", "fatal"]) { try { await agent(prompt) } catch (e) { out.push([e.name, e.code, e.message]) } }
		out.push(await parallel([() => agent("coded")]));
		await agent("fine");
		return out`, c)
	require.Equal(t, []string{"/agent#0", "/agent#1", "/agent#2", "/parallel#0[0]/agent#0", "/agent#3"}, checked)
	require.Equal(t, []string{"/agent#3"}, p.keys(), "a refused call uses up its ordinal, and nothing else")
	p.answer("/agent#3", "1")
	require.Equal(t, `[["TypeError","OPTION_UNKNOWN","refused by OPTION_UNKNOWN"],["TypeError","ARGUMENT_INVALID","plainly no"],["TypeError","BUDGET_EXCEEDED","refused by BUDGET_EXCEEDED"],[null]]`, p.result())
	require.Equal(t, "BUDGET_EXCEEDED", playWith(t, `await parallel([() => agent("fatal")])`, c).failure().Code)
	require.Equal(t, "OPTION_UNKNOWN", playWith(t, `await agent("coded")`, c).failure().Code)
}

func TestB11_AnswersAreMutableCopiesInTheirOwnOrder(t *testing.T) {
	t.Parallel()
	for range 50 {
		p := play(t, `const r = await agent("a"); await agent(Object.keys(r).join()); r.list.sort(); r.z = 0; delete r.a; r.list.push("x"); return r`)
		p.answer("/agent#0", `{"z":1,"a":2,"10":3,"9":4,"list":["c","b"]}`)
		require.Equal(t, `"9,10,z,a,list"`, string(p.calls[1].Args[0]))
		p.answer("/agent#1", "1")
		require.Equal(t, `{"9":4,"10":3,"z":0,"list":["b","c","x"]}`, p.result())
	}
	p := play(t, `const r = await agent("a"); return [Object.getPrototypeOf(r) === Object.prototype, Object.hasOwn(r, "__proto__"), r.x, r.s.length]`)
	p.answer("/agent#0", `{"__proto__":{"x":1},"s":"\ud83d\ude00\u0000"}`)
	require.Equal(t, `[true,true,null,3]`, p.result())
}

func TestArgsAndMetaAreFrozen(t *testing.T) {
	t.Parallel()
	m := vm.New(compile(t, `
		"use strict";
		let failures = 0;
		for (const f of [() => { args.a.push(1) }, () => { args.b = 1 }, () => { meta.name = "x" }, () => { args.o.x = 1 }]) { try { f() } catch { failures++ } }
		return [args, meta.name, failures]`), vm.Config{})
	require.Equal(t, `[{"a":[1],"o":{}},"t",4]`, start(t, m, json.RawMessage(`{"a":[1],"o":{}}`)).result())
	require.Equal(t, `"undefined"`, eval(t, `typeof args`))
}

func TestWorldAsOfTheAnswer(t *testing.T) {
	t.Parallel()
	total := 100.0
	m := vm.New(compile(t, `
		const look = () => [now(), budget.total, budget.spent(), budget.remaining()];
		const out = [look()];
		for (let i = 0; i < 3; i++) { await agent("x"); out.push(look()) }
		return [out, runId, workflowRunId, cwd, process.cwd()]`), vm.Config{RunID: "01RUN", Cwd: "/work/x"})
	at := func(second int, spent float64) vm.At {
		return vm.At{Now: noon.Add(time.Duration(second) * time.Second).In(time.FixedZone("x", 3600)), Spent: spent, Total: &total}
	}
	_, err := m.Start(context.Background(), nil, at(0, 0))
	require.NoError(t, err)
	var turn vm.Turn
	for i, a := range []vm.At{at(60, 30), at(10, 40), {Now: noon.Add(time.Hour), Spent: 150, Total: &total}} {
		turn, err = m.Deliver(context.Background(), "/agent#"+itoa(i), vm.Outcome{}, a)
		require.NoError(t, err)
	}
	require.Equal(t, `[[["2026-03-01T12:00:00.000Z",100,0,100],["2026-03-01T12:01:00.000Z",100,30,70],["2026-03-01T12:01:00.000Z",100,40,60],["2026-03-01T13:00:00.000Z",100,150,0]],`+
		`"01RUN","01RUN","/work/x","/work/x"]`, string(turn.Result))
	require.Equal(t, `[null,0,true]`, eval(t, `[budget.total, budget.spent(), budget.remaining() === Infinity]`))
	require.Equal(t, `"undefined"`, play(t, `return typeof await sleep(5)`).answer("/sleep#0", `"late"`).result())
}

func TestRandomHasOneStreamPerStrand(t *testing.T) {
	t.Parallel()
	const branch = `async () => [random(), await agent("x"), random(), uuid()]`
	run := func(seed, body string, order ...string) string {
		p := playWith(t, body, vm.Config{Seed: seed})
		for _, key := range order {
			p.answer(key, "0")
		}
		return p.result()
	}
	two := `return await parallel([` + branch + `,` + branch + `])`
	a, b := "/parallel#0[0]/agent#0", "/parallel#0[1]/agent#0"
	first := run("s", two, a, b)
	require.Equal(t, first, run("s", two, b, a))
	require.NotEqual(t, first, run("t", two, a, b))
	var branches [][]any
	require.NoError(t, json.Unmarshal([]byte(first), &branches))
	require.NotEqual(t, branches[0][0], branches[1][0])
	require.NotEqual(t, branches[0][0], branches[0][2])
	for _, list := range branches {
		require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, list[3])
	}
	// A draw in one branch moves no other branch.
	var drawn [][]any
	require.NoError(t, json.Unmarshal([]byte(run("s", `return await parallel([async () => { random(); random(); return (`+branch+`)() },`+branch+`])`, a, b)), &drawn))
	require.Equal(t, branches[1], drawn[1])
	// SHA-256("assent/random/1\n" "seed" "\n" "" "" "\n" 0) by sha256sum; the first 53 bits of it.
	require.Equal(t, `0.6376324019603525`, eval(t, `random()`))
	require.Equal(t, `"a33be089-4a25-40ab-a5c5-7796f6398ebd"`, eval(t, `uuid()`))
	require.Equal(t, `[true,true]`, eval(t, `((l) => [l.every((x) => x >= 0 && x < 1), new Set(l).size === 1000])(Array.from({length: 1000}, () => random()))`))
}
