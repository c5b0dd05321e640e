package vm_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

func TestB06_UnhandledRejection(t *testing.T) {
	t.Parallel()
	t.Run("when the script ends", func(t *testing.T) {
		e := play(t, "async function f() {\n  throw new Error(\"boom\");\n}\nf();\nreturn \"ok\"").failure()
		require.Equal(t, "UNHANDLED_REJECTION", e.Code)
		require.Contains(t, e.Message, "boom")
		require.Equal(t, "main.js", e.File)
		require.Equal(t, 3, e.Line)
	})
	t.Run("when the script only waits", func(t *testing.T) {
		p := play(t, `Promise.reject(new Error("boom")); await agent("x")`)
		require.Equal(t, "UNHANDLED_REJECTION", p.failure().Code)
		require.Equal(t, []string{"/agent#0"}, p.turn.Outstanding)
	})
	t.Run("an agent that nobody waits for", func(t *testing.T) {
		p := play(t, "agent(\"x\", {onError: \"throw\"});\nawait agent(\"y\");")
		e := p.fail("/agent#0", "AGENT_FAILED", "the stub failed", vm.Ordinary).failure()
		require.Equal(t, "UNHANDLED_REJECTION", e.Code)
		require.Contains(t, e.Message, "the stub failed")
		require.Equal(t, 2, e.Line)
	})
	t.Run("handled before the end of the turn", func(t *testing.T) {
		require.Equal(t, `"boom"`, play(t, `
			const p = Promise.reject(new Error("boom"));
			for (let i = 0; i < 20; i++) await null;
			try { await p } catch (e) { return e.message }`).result())
	})
	t.Run("handled one turn too late", func(t *testing.T) {
		require.Equal(t, "UNHANDLED_REJECTION", play(t, `const p = Promise.reject(new Error("boom")); await agent("x"); await p.catch(() => {})`).failure().Code)
	})
	t.Run("a wrong call that nobody waits for", func(t *testing.T) {
		e := play(t, `agent(1); return "ok"`).failure()
		require.Equal(t, "UNHANDLED_REJECTION", e.Code)
		require.Contains(t, e.Message, "agent: the prompt is 1; it has to be a string (ARGUMENT_INVALID)")
	})
	t.Run("a fatal one keeps its code", func(t *testing.T) {
		p := play(t, `agent("x"); await agent("y")`)
		require.Equal(t, "USAGE_LIMIT", p.fail("/agent#0", "USAGE_LIMIT", "later", vm.Fatal).failure().Code)
		p = play(t, `const x = agent("x"); x.catch(() => { Promise.reject(new Error("first")); Promise.any([x]) }); await agent("y")`)
		require.Equal(t, "USAGE_LIMIT", p.fail("/agent#0", "USAGE_LIMIT", "later", vm.Fatal).failure().Code)
	})
}

func TestScriptErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body, code, message string
		line, column        int
	}{
		"thrown":          {"await null;\n  throw new RangeError(\"far\");", "SCRIPT_ERROR", "RangeError: far", 3, 9},
		"in a function":   {"const f = () => {\n  null.x;\n};\nf();", "SCRIPT_ERROR", "TypeError: Cannot read property 'x' of undefined", 3, 0},
		"not an error":    {"throw {a: 1}", "SCRIPT_ERROR", `the script threw {"a":1}`, 0, 0},
		"nothing":         {"throw undefined", "SCRIPT_ERROR", `the script threw undefined`, 0, 0},
		"of many":         {"await Promise.any([Promise.reject(new RangeError(\"a\")), Promise.reject(5)])", "SCRIPT_ERROR", "AggregateError: RangeError: a, 5", 0, 0},
		"of too many":     {"throw new AggregateError([1, 2, 3, 4, 5].map((x) => new Error(x)), \"all\", {cause: new Error(\"why\")})", "SCRIPT_ERROR", "AggregateError: all: Error: 1, Error: 2, Error: 3, and 2 more; caused by Error: why", 2, 0},
		"with a cause":    {"throw new Error(\"outer\", {cause: new TypeError(\"inner\")})", "SCRIPT_ERROR", "Error: outer; caused by TypeError: inner", 2, 0},
		"from the realm":  {"\n\nDate.now()", "NONDETERMINISTIC_API", "TypeError: Date.now() would give another value when the run is resumed; use now(), or new Date(now()).getTime()", 4, 0},
		"a wrong call":    {"\nawait planApprove({n: NaN})", "PLAN_NOT_JSON", "TypeError: planApprove: the plan is not plain JSON data at $.n: NaN is not JSON", 3, 0},
		"forged code":     {"throw Object.assign(new Error(\"x\"), {code: \"BUDGET_EXCEEDED\"})", "SCRIPT_ERROR", "Error: x", 2, 0},
		"message getter":  {"throw Object.defineProperty(new Error(), \"message\", {get() { return \"evil\" }})", "SCRIPT_ERROR", "Error", 2, 0},
		"name of a class": {"class Bad extends Error { get name() { return \"N\" } }\nthrow new Bad(\"x\")", "SCRIPT_ERROR", "Error: x", 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			e := play(t, test.body).failure()
			require.Equal(t, test.code, e.Code)
			require.Equal(t, test.message, e.Message)
			require.Equal(t, "main.js", e.File)
			require.Equal(t, test.line, e.Line)
			if test.column > 0 {
				require.Equal(t, test.column, e.Column)
			}
		})
	}
}

// Telling where an error came from must survive an error that fights back.
func TestErrorsThatFightBack(t *testing.T) {
	t.Parallel()
	const loop = `class E extends Error { get name() { for (;;) ; } }; `
	for _, body := range []string{loop + `throw new E("x")`, loop + `Promise.reject(new E("x")); await agent("x")`, loop + `await parallel([() => { throw new E("x") }])`} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		_, err := vm.New(compile(t, body), vm.Config{}).Start(ctx, nil, vm.At{Now: noon})
		cancel()
		require.ErrorContains(t, err, "STRETCH_LIMIT", body)
	}
	const deep = `class E extends Error { get name() { return String(this) } }; `
	for _, body := range []string{deep + `throw new E("x")`, deep + `Promise.reject(new E("x")); await agent("x")`, deep + `await parallel([() => { throw new E("x") }])`} {
		require.Equal(t, "CALL_DEPTH", playWith(t, body, vm.Config{Limits: vm.Limits{CallStack: 300}}).failure().Code, body)
	}
	for _, body := range []string{
		`class E extends Error { get name() { throw 1 } }; throw new E("x")`, `throw Object.setPrototypeOf(new Error("x"), new Proxy({}, {get() { throw 1 }}))`,
		`throw Object.defineProperty(new Error("x"), "stack", {get() { throw 1 }})`, `throw Object.assign(new Error("x"), {stack: "Error\n\tat agent (main.js:9999999999999999999:1(1))"})`,
	} {
		e := play(t, body).failure()
		require.Equal(t, "SCRIPT_ERROR", e.Code, body)
		require.Equal(t, "Error: x", e.Message)
	}
}

func TestErrorPlacesInTypeScriptAndImports(t *testing.T) {
	t.Parallel()
	p, err := vm.Compile(fstest.MapFS{
		"main.ts":      {Data: []byte("export const meta = {name: \"t\", description: \"d\"};\nimport { check } from \"./lib/check.ts\";\n\ninterface A { a: number }\nconst a: A = { a: 1 };\nawait agent(\"x\" as string);\ncheck(a);\n")},
		"lib/check.ts": {Data: []byte("type T = { a: number };\n\nexport function check(t: T): void {\n  throw new Error(\"bad \" + t.a);\n}\n")},
	}, "main.ts")
	require.NoError(t, err)
	run := start(t, vm.New(p, vm.Config{}), nil)
	require.Equal(t, vm.Position{File: "main.ts", Line: 6, Column: 7}, run.calls[0].Pos)
	e := run.answer("/agent#0", "1").failure()
	require.Equal(t, "Error: bad 1", e.Message)
	require.Equal(t, "lib/check.ts", e.File)
	require.Equal(t, 4, e.Line)
	require.Equal(t, 9, e.Column)
	require.Contains(t, e.Stack, "main.ts:7:")
}

func TestDeadlock(t *testing.T) {
	t.Parallel()
	e := play(t, "await new Promise(() => {});").failure()
	require.Equal(t, "SCRIPT_DEADLOCK", e.Code)
	require.Equal(t, "main.js", e.File)
	p := play(t, "const d = {};\nd.p = new Promise((ok) => { d.ok = ok });\nawait agent(\"x\");\nawait d.p;")
	require.False(t, p.turn.Done)
	e = p.answer("/agent#0", "1").failure()
	require.Equal(t, "SCRIPT_DEADLOCK", e.Code)
	require.Equal(t, 4, e.Line) // of the last call: the engine does not tell where code waits
}

func TestOutstandingCalls(t *testing.T) {
	t.Parallel()
	p := play(t, `const r = await Promise.race([agent("slow"), agent("fast")]); agent("late"); return r`)
	p.answer("/agent#1", `"won"`)
	require.Equal(t, `"won"`, p.result())
	require.Equal(t, []string{"/agent#0", "/agent#2"}, p.turn.Outstanding)
	require.Equal(t, []string{"/agent#0", "/agent#1", "/agent#2"}, p.keys())
	_, err := p.m.Deliver(context.Background(), "/agent#0", vm.Outcome{}, p.at)
	require.ErrorContains(t, err, "the script has ended")
}

func TestResults(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`return`: `null`, ``: `null`, `return null`: `null`, `return {a: undefined, b: [undefined, , 1]}`: `{"b":[null,null,1]}`,
		`return 2 ** 60`: `1152921504606847000`, `return [-0, 1e21, 1e-7]`: `[0,1e+21,1e-7]`, `return "\u2028\u0000é"`: "\"\u2028\\u0000é\"",
		`return Object.create(null, {a: {value: 1, enumerable: true}, b: {value: 2}})`: `{"a":1}`,
	} {
		require.Equal(t, want, play(t, body).result(), body)
	}
	for js, where := range map[string]string{
		`NaN`: "$", `{a: [1, Infinity]}`: "$.a[1]", `{f() {}}`: "$.f", `[new Date(0)]`: "$[0]", `new Map()`: "$", `{m: new Error("x")}`: "$.m", `[agent]`: "$[0]",
		`{"a b": {c: 1n}}`: `$["a b"].c`, `{p: Promise.resolve(1)}`: "$.p", `[Symbol("x")]`: "$[0]", `{get a() { return 1 }}`: "$.a", `new (class A {})()`: "$", `"\ud800"`: "$",
		`Object.assign([1], {x: 1})`: "$.x", `new Proxy({}, {})`: "$", `new Uint8Array(1)`: "$", `new Boolean(true)`: "$", `arguments_()`: "$",
	} {
		e := play(t, `const arguments_ = function () { return arguments }; return (`+js+`)`).failure()
		require.Equal(t, "RESULT_NOT_JSON", e.Code, js)
		require.Contains(t, e.Message, "the result at "+where+": ", js)
	}
	require.Equal(t, "JSON_DEPTH", play(t, `let a = []; for (let i = 0; i < 20000; i++) a = [a]; return a`).failure().Code)
}

// The result is what the script returned, and not what somebody made of it a moment later.
func TestResultIsTakenOnce(t *testing.T) {
	t.Parallel()
	require.Equal(t, `{"a":1}`, play(t, `const r = {a: 1}; Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => {}).then(() => {}).then(() => { r.a = 2 }); return r`).result())
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	m := vm.New(compile(t, `await agent("x")`), vm.Config{})
	_, err := m.Deliver(ctx, "/agent#0", vm.Outcome{}, vm.At{})
	require.ErrorContains(t, err, "was not started")
	_, err = m.Start(ctx, json.RawMessage(`{"a":1,"a":2}`), vm.At{})
	require.ErrorContains(t, err, `the key "a" stands twice`)
	_, err = m.Start(ctx, nil, vm.At{})
	require.NoError(t, err)
	_, err = m.Start(ctx, nil, vm.At{})
	require.ErrorContains(t, err, "started already")
	_, err = m.Deliver(ctx, "/agent#7", vm.Outcome{}, vm.At{})
	require.ErrorContains(t, err, `no call with the key "/agent#7"`)
	for bad, where := range map[string]string{
		`{"a":[1,{"b":1,"b":2}]}`: "$.a[1]", `"\ud800"`: "half of a surrogate pair", "\"\xff\"": "UTF-8", `{`: "ends too early", `[1] x`: "unexpected", `1e999`: "larger",
	} {
		_, err = m.Deliver(ctx, "/agent#0", vm.Outcome{Value: json.RawMessage(bad)}, vm.At{})
		require.ErrorContains(t, err, where, bad)
	}
	turn, err := m.Deliver(ctx, "/agent#0", vm.Outcome{Value: json.RawMessage(`1`)}, vm.At{})
	require.NoError(t, err)
	require.True(t, turn.Done)

	for _, name := range []string{"agent", "Object", "1x", "", "a b", "args"} {
		_, err = vm.New(compile(t, ``), vm.Config{Functions: []vm.Function{{Name: name}}}).Start(ctx, nil, vm.At{})
		require.ErrorContains(t, err, "cannot have the name", name)
	}
	m = vm.New(compile(t, `await planApprove(1)`), vm.Config{})
	_, err = m.Start(ctx, nil, vm.At{})
	require.NoError(t, err)
	for _, bad := range []string{`true`, `{}`, `{"checksum":"x"}`, `{"decision":true}`, `[]`} {
		_, err = m.Deliver(ctx, "/planApprove#0", vm.Outcome{Value: json.RawMessage(bad)}, vm.At{})
		require.Error(t, err, bad)
	}
}
