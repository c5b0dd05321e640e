package vm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

func TestParallel(t *testing.T) {
	t.Parallel()
	p := play(t, `return await parallel([() => agent("a"), async () => "b", () => ({c: 1}), () => undefined, () => { throw new Error("now") }, async () => { await null; throw new Error("later") }])`)
	p.answer("/parallel#0[0]/agent#0", `"A"`)
	require.Equal(t, `["A","b",{"c":1},null,null,null]`, p.result())
	require.Equal(t, []string{
		"/parallel#0[4] failed, and is null in the results: Error: now (main.js:2:106)",
		"/parallel#0[5] failed, and is null in the results: Error: later (main.js:2:158)",
	}, p.said())
	require.Equal(t, "/parallel#0[5]", p.notes[1].Frame)
	require.Equal(t, "warn", p.notes[1].Level)
	require.Equal(t, `[[],[]]`, play(t, `return [await parallel([]), await pipeline([], (x) => x)]`).result())
}

func TestParallelRefuses(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`await parallel([agent("a")])`:        `TypeError ARGUMENT_INVALID: parallel: item 0 is a promise, so it has started already; pass functions: parallel([() => agent(…)])`,
		`await parallel([() => 1, 5])`:        `TypeError ARGUMENT_INVALID: parallel: item 1 is 5; it has to be a function`,
		`await parallel([() => 1, , 5])`:      `TypeError ARGUMENT_INVALID: parallel: item 1 is undefined; it has to be a function`,
		`await parallel()`:                    `TypeError ARGUMENT_INVALID: parallel: the argument is undefined; it has to be an array of functions`,
		`await parallel({length: 1, 0() {}})`: `TypeError ARGUMENT_INVALID: parallel: the argument is a plain object; it has to be an array of functions`,
		`await parallel(new Set())`:           `TypeError ARGUMENT_INVALID: parallel: the argument is a Set; it has to be an array of functions`,
		`await pipeline("ab", (x) => x)`:      `TypeError ARGUMENT_INVALID: pipeline: the first argument is \"ab\"; it has to be an array of items`,
		`await pipeline([1], agent("a"))`:     `TypeError ARGUMENT_INVALID: pipeline: stage 0 is a promise, so it has started already; pass functions: pipeline([() => agent(…)])`,
		`await pipeline([1], (x) => x, null)`: `TypeError ARGUMENT_INVALID: pipeline: stage 1 is null; it has to be a function`,
		`let n = 0; await parallel(Array.from({length: 4097}, () => () => { n++; log("started") }))`: `RangeError FAN_OUT_LIMIT: a fan-out of 4097 items; at most 4096 may start at once`,
		`await parallel(Object.defineProperty([], "length", {value: 4294967295}))`:                   `RangeError FAN_OUT_LIMIT: a fan-out of 4294967295 items; at most 4096 may start at once`,
	} {
		p := play(t, `try { `+js+` } catch (e) { return e.name + " " + e.code + ": " + e.message }`)
		require.Equal(t, `"`+want+`"`, p.result(), js)
		require.Empty(t, p.notes)
	}
	require.Empty(t, play(t, `await parallel(Array.from({length: 4096}, () => () => new Promise(() => {})))`).notes)
	// The promise rejects; nothing throws while it is made.
	require.Equal(t, `true`, play(t, `const p = parallel(1); p.catch(() => {}); return p instanceof Promise`).result())
}

func TestPipeline(t *testing.T) {
	t.Parallel()
	p := play(t, `
		return await pipeline(["a", "b", "c", , "e"],
			(value, item, index) => agent([value, item, index].join()),
			(value, item, index) => { if (index === 1) throw new Error("no b"); return value + 1 },
			async (value, item, index) => [value, item, index])`)
	require.Equal(t, []string{`"a,a,0"`, `"b,b,1"`, `"c,c,2"`, `",,3"`, `"e,e,4"`}, func() (prompts []string) {
		for _, c := range p.calls {
			prompts = append(prompts, string(c.Args[0]))
		}
		return prompts
	}())
	p.answer("/pipeline#0[2]/agent#0", `"C"`).answer("/pipeline#0[0]/agent#0", `"A"`).answer("/pipeline#0[1]/agent#0", `"B"`).answer("/pipeline#0[3]/agent#0", `"D"`)
	p.fail("/pipeline#0[4]/agent#0", "AGENT_FAILED", "stub", vm.Ordinary)
	require.Equal(t, `[["A1","a",0],null,["C1","c",2],["D1",null,3],null]`, p.result())
	require.Equal(t, `[1,2]`, play(t, `return await pipeline([1, 2])`).result())
}

// B53: what ends the run must pass through every helper.
func TestB53_FatalFailuresAreNeverNull(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`return await parallel([() => planApprove(1), () => agent("w")])`,
		`return await parallel([() => parallel([() => planApprove(1)])])`,
		`return await pipeline([1], () => planApprove(1), () => agent("w"))`,
		`return await parallel([async () => { try { return await planApprove(1) } catch (e) { throw e } }])`,
	} {
		p := play(t, body)
		key := p.keys()[0]
		e := p.fail(key, "HUMAN_INPUT_REQUIRED", "no human input: headless", vm.Fatal).failure()
		require.Equal(t, "HUMAN_INPUT_REQUIRED", e.Code, body)
		require.Equal(t, 2, e.Line)
		require.NotContains(t, strings.Join(p.said(), "\n"), "is null")
	}
	// A script's own error cannot pretend to be one, and a limit inside a branch is one.
	require.Equal(t, `[null]`, play(t, `return await parallel([() => { throw Object.assign(new Error("x"), {fatal: true, code: "HUMAN_INPUT_REQUIRED"}) }])`).result())
	require.Equal(t, "FAN_OUT_LIMIT", play(t, `await parallel([() => parallel(Array(5000).fill(() => 1))])`).failure().Code)
}

// After what rejects a pipeline no item goes on to its next stage.
func TestPipelineStartsNothingAfterAFatalFailure(t *testing.T) {
	t.Parallel()
	p := play(t, `
		try { await pipeline(["a", "b", "c"], (x) => agent(x), (x) => agent("never " + x)) } catch (e) { log(e.code) }
		return await agent("last")`)
	p.fail("/pipeline#0[1]/agent#0", "USAGE_LIMIT", "later", vm.Fatal)
	p.answer("/pipeline#0[0]/agent#0", `"A"`).fail("/pipeline#0[2]/agent#0", "AGENT_FAILED", "no", vm.Ordinary)
	require.Equal(t, []string{"/pipeline#0[0]/agent#0", "/pipeline#0[1]/agent#0", "/pipeline#0[2]/agent#0", "/agent#0"}, p.keys())
	require.Equal(t, []string{"USAGE_LIMIT", "/pipeline#0[2]/agent#0 failed, and gives null: AGENT_FAILED: no"}, p.said())
	require.Equal(t, `1`, p.answer("/agent#0", `1`).result())
}

func TestFailureClasses(t *testing.T) {
	t.Parallel()
	const look = `try { return ["value", await X] } catch (e) { return [e instanceof Error, e.name, e.code, e.message, Object.hasOwn(e, "code")] }`
	for _, test := range []struct {
		call, key string
		class     vm.Class
		want      string
	}{
		{`agent("x")`, "/agent#0", vm.Ordinary, `["value",null]`},
		{`agent("x", {onError: "throw"})`, "/agent#0", vm.Ordinary, `[true,"Error","C","why",true]`},
		{`agent("x", Object.create({onError: "throw"}, {a: {value: 1}}))`, "", 0, `[true,"TypeError","OPTION_INVALID","agent: the options are a class instance; they have to be a plain object",true]`},
		{`agent("x")`, "/agent#0", vm.Thrown, `[true,"Error","C","why",true]`},
		{`agent("x")`, "/agent#0", vm.Fatal, `[true,"Error","C","why",true]`},
		{`checkpoint("x")`, "/checkpoint#0", vm.Ordinary, `[true,"Error","C","why",true]`},
		{`planApprove(1)`, "/planApprove#0", vm.Ordinary, `[true,"Error","C","why",true]`},
		{`sleep(1)`, "/sleep#0", vm.Ordinary, `[true,"Error","C","why",true]`},
	} {
		p := play(t, strings.ReplaceAll(look, "X", test.call))
		if test.key != "" {
			p.fail(test.key, "C", "why", test.class)
		}
		require.Equal(t, test.want, p.result(), test.call)
	}
	p := play(t, `await agent("x")`)
	p.fail("/agent#0", "AGENT_FAILED", "exit 1", vm.Ordinary)
	require.Equal(t, []string{"/agent#0 failed, and gives null: AGENT_FAILED: exit 1"}, p.said())
	// What the script makes of a failure keeps its code only as long as it is that very error.
	e := play(t, `await agent("x", {onError: "throw"})`).fail("/agent#0", "BUDGET_EXCEEDED", "spent", vm.Thrown).failure()
	require.Equal(t, "BUDGET_EXCEEDED", e.Code)
	e = play(t, `try { await agent("x", {onError: "throw"}) } catch (e) { throw new Error(e.message) }`).fail("/agent#0", "BUDGET_EXCEEDED", "spent", vm.Thrown).failure()
	require.Equal(t, "SCRIPT_ERROR", e.Code)
}
