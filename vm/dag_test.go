package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// A node starts as soon as what it needs is there, whatever else is at work.
func TestDag(t *testing.T) {
	t.Parallel()
	p := play(t, `
		phase("build");
		return await dag([
			{id: "ship", dependsOn: ["test", "docs"], run: async ({test, docs}) => agent("ship " + test + docs)},
			{id: "code", run: () => agent("code")},
			{id: "test", dependsOn: ["code"], run: ({code}) => agent("test " + code)},
			{id: "docs", run: () => agent("docs")},
		])`)
	require.Equal(t, []string{"/dag#0[code]/agent#0", "/dag#0[docs]/agent#0"}, p.keys())
	require.Equal(t, "build", p.calls[0].Phase)
	p.answer("/dag#0[code]/agent#0", `"C"`)
	require.Equal(t, "/dag#0[test]/agent#0", p.calls[2].Key)
	require.Equal(t, "build", p.calls[2].Phase, "also of a node that starts later")
	require.Equal(t, `"test C"`, string(p.calls[2].Args[0]))
	p.answer("/dag#0[test]/agent#0", `"T"`)
	require.Len(t, p.calls, 3)
	p.answer("/dag#0[docs]/agent#0", `"D"`)
	require.Equal(t, `"ship TD"`, string(p.calls[3].Args[0]))
	p.answer("/dag#0[ship]/agent#0", `"S"`)
	require.Equal(t, `{"results":{"ship":"S","code":"C","test":"T","docs":"D"},`+
		`"status":{"ship":"completed","code":"completed","test":"completed","docs":"completed"},"errors":{},"skipped":[],"ok":true}`, p.result())
	require.Equal(t, `{"results":{},"status":{},"errors":{},"skipped":[],"ok":true}`, play(t, `return await dag([])`).result())
}

// A failed agent fails its node, and what depends on it is skipped; the rest goes on.
func TestDagFailure(t *testing.T) {
	t.Parallel()
	p := play(t, `
		return await dag([
			{id: "a", run: () => agent("a")},
			{id: "b", dependsOn: ["a"], run: () => "never"},
			{id: "c", dependsOn: ["b", "d"], run: () => "never"},
			{id: "d", run: () => "fine"},
			{id: "e f", run: async () => { await null; throw new Error("later") }},
			{id: "g", run: () => agent("quiet", {onError: "null"})},
			{id: "h", run: () => parallel([() => agent("inner")])},
		])`)
	p.fail("/dag#0[a]/agent#0", "AGENT_FAILED", "no", vm.Ordinary)
	p.fail("/dag#0[g]/agent#0", "AGENT_FAILED", "no", vm.Ordinary)
	p.fail("/dag#0[h]/parallel#0[0]/agent#0", "AGENT_FAILED", "no", vm.Ordinary)
	require.JSONEq(t, `{"results":{"d":"fine","g":null,"h":[null]},
		"status":{"a":"failed","b":"skipped","c":"skipped","d":"completed","e f":"failed","g":"completed","h":"completed"},
		"errors":{"a":"Error: no","e f":"Error: later"},"skipped":["b","c"],"ok":false}`, p.result())
	require.Contains(t, p.said(), `/dag#0["e f"] failed, and what depends on it is skipped: Error: later (main.js:8:53)`)
}

// What ends the run ends it from inside a node too.
func TestB53_DagHandsOnFatalFailures(t *testing.T) {
	t.Parallel()
	p := play(t, `return await dag([{id: "a", run: () => planApprove(1)}, {id: "b", dependsOn: ["a"], run: () => agent("w")}])`)
	e := p.fail("/dag#0[a]/planApprove#0", "HUMAN_INPUT_REQUIRED", "nobody is here", vm.Fatal).failure()
	require.Equal(t, "HUMAN_INPUT_REQUIRED", e.Code)
	require.Len(t, p.calls, 1)
}

// Whatever is wrong with the nodes is said before any of them starts.
func TestDagRefuses(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`dag({})`:                    `TypeError ARGUMENT_INVALID: dag: the argument is a plain object; it has to be an array of nodes {id, dependsOn, run}`,
		`dag([n("a"), n("a")])`:      `TypeError ARGUMENT_INVALID: dag: two nodes have the id \"a\"`,
		`dag([n("__proto__")])`:      `TypeError ARGUMENT_INVALID: dag: the id \"__proto__\" is reserved`,
		`dag([n("constructor")])`:    `TypeError ARGUMENT_INVALID: dag: the id \"constructor\" is reserved`,
		`dag([n("")])`:               `TypeError ARGUMENT_INVALID: dag: the id of node 0 is \"\"; it has to be a text that is not empty`,
		`dag([n("a"), n("b", "c")])`: `TypeError ARGUMENT_INVALID: dag: node \"b\" depends on \"c\", and no node has that id`,
		`dag([n("a", "a")])`:         `TypeError ARGUMENT_INVALID: dag: a cycle: a → a`,
		`dag([n("a", "b"), n("b", "c"), n("c", "a"), n("d")])`: `TypeError ARGUMENT_INVALID: dag: a cycle: a → b → c → a`,
		`dag([n("x", "a"), n("a", "b"), n("b", "a")])`:         `TypeError ARGUMENT_INVALID: dag: a cycle: a → b → a`,
		`dag([{id: "a"}])`:                           `TypeError ARGUMENT_INVALID: dag: run of node \"a\" is undefined; it has to be a function`,
		`dag([{id: "a", run() {}, dependsOn: "b"}])`: `TypeError ARGUMENT_INVALID: dag: dependsOn of node \"a\" is \"b\"; it has to be an array of ids`,
		`dag([{id: "a", run() {}, depends: []}])`:    `TypeError OPTION_UNKNOWN: dag: node 0: unknown option \"depends\"; did you mean \"dependsOn\"?; the options are id, dependsOn, run`,
		`dag([{get id() { return "a" }, run() {}}])`: `TypeError OPTION_INVALID: dag: node 0: id is an accessor; it has to be a value`,
		`dag([5])`: `TypeError OPTION_INVALID: dag: node 0: 5 has to be a plain object {id, dependsOn, run}`,
		`dag(Array.from({length: 4097}, (_, i) => n("n" + i)))`: `RangeError FAN_OUT_LIMIT: a fan-out of 4097 items; at most 4096 may start at once`,
	} {
		p := play(t, `const n = (id, ...dependsOn) => ({id, dependsOn, run() { log("started") }});
			try { await `+js+` } catch (e) { return e.name + " " + e.code + ": " + e.message }`)
		require.Equal(t, `"`+want+`"`, p.result(), js)
		require.Empty(t, p.notes)
	}
}
