package vm_test

import (
	"strings"
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

// A dag may be one long chain: what a failure skips, and what every end sets free, takes no depth of calls, and
// time only for what is there.
func TestDagOfLongChains(t *testing.T) {
	t.Parallel()
	const chain = `const nodes = Array.from({length: 4096}, (_, i) => ({id: "n" + i, dependsOn: i === 0 ? [] : ["n" + (i - 1)], run: i === 0 ? FIRST : (deps) => deps["n" + (i - 1)] + 1}));`
	require.Equal(t, `[4095,4096,true]`, play(t, strings.ReplaceAll(chain, "FIRST", "() => 0")+
		`const r = await dag(nodes); return [r.results.n4095, Object.keys(r.results).length, r.ok]`).result())
	require.Equal(t, `[4095,"n1","n4095",{"n0":"Error: no"},false]`, play(t, strings.ReplaceAll(chain, "FIRST", `() => { throw new Error("no") }`)+
		`const r = await dag(nodes); return [r.skipped.length, r.skipped[0], r.skipped.at(-1), r.errors, r.ok]`).result())
	// Every node needs all of the first 16, in any order of the list.
	require.Equal(t, `[4096,16]`, play(t, `
		const first = Array.from({length: 16}, (_, i) => "n" + i);
		const nodes = Array.from({length: 4096}, (_, i) => ({id: "n" + i, dependsOn: i < 16 ? [] : first, run: (deps) => Object.keys(deps).length})).reverse();
		const r = await dag(nodes); return [Object.keys(r.results).length, r.results.n4000]`).result())
	e := caught(t, strings.ReplaceAll(chain, "FIRST", "() => 0")+`nodes[0].dependsOn = ["n4095"]; await dag(nodes)`)
	require.Contains(t, e, "TypeError ARGUMENT_INVALID: dag: a cycle: n0 → n4095 → n4094 → ")
	require.Contains(t, e, " → n1 → n0")
	require.Less(t, len(e), 1000)
}

// After what rejects the whole no node is started, however it got there.
func TestDagStartsNothingAfterAFatalFailure(t *testing.T) {
	t.Parallel()
	p := play(t, `
		try { await dag([
			{id: "a", run: () => agent("a")}, {id: "b", run: () => agent("b")},
			{id: "after b", dependsOn: ["b"], run: () => agent("never")}, {id: "c", run: async () => { await agent("c"); throw new Error("late") }},
			{id: "after c", dependsOn: ["c"], run: () => agent("never")},
		]) } catch (e) { log(e.code) }
		return await agent("last")`)
	p.fail("/dag#0[a]/agent#0", "USAGE_LIMIT", "later", vm.Fatal)
	p.answer("/dag#0[b]/agent#0", `1`).answer("/dag#0[c]/agent#0", `1`)
	require.Equal(t, []string{"/dag#0[a]/agent#0", "/dag#0[b]/agent#0", "/dag#0[c]/agent#0", "/agent#0"}, p.keys())
	require.Equal(t, []string{"USAGE_LIMIT"}, p.said(), "and nothing is said of failures that nobody asks about")
	require.Equal(t, `1`, p.answer("/agent#0", `1`).result())

	p = playWith(t, `
		let n = 0; const spent = await agent("first").then(() => agent("second")).catch((e) => e);
		const needy = (id) => ({id, dependsOn: ["a"], run() { n++; throw spent }});
		try { await dag([{id: "a", run: () => 1}, needy("b"), needy("c"), {id: "d", dependsOn: ["b"], run() { n += 10 }}]) } catch (e) { return [n, e.code] }`,
		vm.Config{Limits: vm.Limits{Calls: 1}})
	require.Equal(t, `[1,"CALL_LIMIT"]`, p.answer("/agent#0", `1`).result(), "nor another one that the same end sets free")

	for _, fan := range []string{
		`dag([0, 1, 2].map((i) => ({id: "n" + i, run: () => RUN})))`, `parallel([0, 1, 2].map(() => () => RUN))`, `pipeline([0, 1, 2], () => RUN)`,
	} {
		for _, run := range []string{`{ n++; throw spent }`, `{ n++; return Promise.reject(spent) }`, `{ n++; return agent("x") }`} {
			p := playWith(t, `let n = 0; const spent = await agent("first").then(() => agent("second")).catch((e) => e); try { await `+strings.ReplaceAll(fan, "RUN", run)+` } catch (e) { return [n, e.code] }`,
				vm.Config{Limits: vm.Limits{Calls: 1}})
			want := `[1,"CALL_LIMIT"]`
			if strings.HasPrefix(fan, "pipeline") && run != `{ n++; throw spent }` {
				want = `[3,"CALL_LIMIT"]` // a stage is awaited, so that a rejected promise is known only a moment later
			}
			require.Equal(t, want, p.answer("/agent#0", `1`).result(), "%s %s", fan, run)
		}
	}
}

// What a dag is given is read as own properties, and what it gives are plain objects of the script's own.
func TestDagKeepsItsWays(t *testing.T) {
	t.Parallel()
	require.Equal(t, `[{"b":2,"a":1},["b","a"],true,true,"changed"]`, play(t, `
		Object.prototype.dependsOn = ["x"]; Array.prototype[0] = "inherited"; Object.prototype.a = "inherited";
		const r = await dag([{id: "b", run: () => 2}, {id: "a", run: () => 1}]);
		const keys = Object.keys(r.status); r.results.b = r.results.b; r.skipped.push("x");
		const own = Object.getPrototypeOf(r.results) === Object.prototype && Object.hasOwn(r, "ok");
		const results = {...r.results}; r.results.a = "changed";
		return [results, keys, own, !Object.hasOwn(r.errors, "a"), r.results.a]`).result())
	require.Equal(t, `[1,["7","b"]]`, play(t, `const r = await dag([{id: "b", run: () => 1}, {id: "7", run: () => 1}]); return [r.results["7"], Object.keys(r.status)]`).result(),
		"as in every object, an id that is a whole number comes first")
	for js, want := range map[string]string{
		`dag([{id: "build", run() {}}, {id: "test", dependsOn: ["biuld"], run() {}}])`: `dag: node "test" depends on "biuld", and no node has that id; did you mean "build"?`,
		`dag([, {id: "a", run() {}}])`:               `dag: node 0: null has to be a plain object {id, dependsOn, run}`,
		`dag([{id: "a", run() {}, dependsOn: [,]}])`: `dag: node "a" depends on null, and no node has that id`,
	} {
		require.Contains(t, strings.ReplaceAll(caught(t, `Array.prototype[0] = "a"; await `+js), `\"`, `"`), want, js)
	}
}
