package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What has state beside it is no data, whoever made it; the HTML standard clones platform objects only where a
// specification says how, and none does for these.
func TestStructuredCloneRefuses(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`new URL("http://a")`: "a class instance", `new URLSearchParams("a=1")`: "a class instance", `new URLSearchParams("a=1").entries()`: "a class instance",
		`new TextEncoder()`: "a class instance", `new TextDecoder()`: "a class instance", `[1].values().map((x) => x)`: "a class instance",
		`Iterator.from({next() { return {done: true} }})`: "a class instance", `"a".matchAll(/a/g)`: "a class instance", `agent`: "a function",
		`{a: [agent]}`: "a function", `agent("x")`: "a promise", `new Proxy({}, {})`: "a Proxy", `Symbol("s")`: "Symbol(s)", `globalThis`: "a plain object",
		`(() => { const b = new ArrayBuffer(4); b.transfer(); return b })()`:                                 "an object of a special kind",
		`(() => { const b = new ArrayBuffer(4); const u = new Uint8Array(b); b.transfer(); return [u] })()`:  "an object of a special kind",
		`(() => { const b = new ArrayBuffer(4); const d = new DataView(b, 1); b.transfer(); return {d} })()`: "an object of a special kind",
		`Object.setPrototypeOf(new WeakMap(), Object.prototype)`:                                             "a plain object",
		`Object.setPrototypeOf((function* () {})(), null)`:                                                   "a plain object",
		`Object.defineProperty(new WeakMap(), Symbol.toStringTag, {value: "Object"})`:                        "a class instance",
	} {
		require.Equal(t, "DataCloneError undefined: structuredClone: "+want+" cannot be cloned", caught(t, `structuredClone(`+js+`)`), js)
	}
	require.Equal(t, "TypeError ARGUMENT_INVALID: structuredClone: transfer is not available; everything is copied",
		caught(t, `const b = new ArrayBuffer(4); structuredClone(b, {transfer: [b]})`))
}

// Nothing that a script does to a built-in changes what a clone is, and no trap or accessor of a built-in is run.
func TestStructuredCloneKeepsItsWays(t *testing.T) {
	t.Parallel()
	require.Equal(t, `[2,[1,"k",[7],"b",5,"x"],true,[1,2],3]`, play(t, `
		const given = {m: new Map([["k", 1]]), s: new Set(["k"]), u: Uint8Array.of(7), r: /b/g, d: new Date(5), e: new Error("x"), v: new DataView(new ArrayBuffer(3))};
		const {get} = Map.prototype; const {has, values} = Set.prototype;
		for (const C of [Map, Set, RegExp, Date, DataView, Object.getPrototypeOf(Uint8Array)]) {
			for (const key of Reflect.ownKeys(C.prototype)) {
				try { Object.defineProperty(C.prototype, key, {get() { throw new Error("spoiled") }, configurable: true}) } catch {}
			}
		}
		Object.defineProperty(Array.prototype, "0", {set() { throw new Error("spoiled") }, configurable: true});
		const c = structuredClone([1, given]);
		delete Array.prototype[0];
		const seen = [];
		Reflect.apply(get, c[1].m, ["k"]) === 1 && seen.push(1);
		return [c.length, [1, "k", [c[1].u[0]], "b", 5, c[1].e.message], Reflect.apply(has, c[1].s, ["k"]), structuredClone([1, 2]), 3]`).result())
	// An approval's clone is data: it is no approval.
	p := play(t, `const a = await planApprove({x: 1}); const c = structuredClone(a); c.decision = true; return await agent("x", {under: c})`)
	e := p.answer("/planApprove#0", `{"plan":{"x":1},"checksum":"c","decision":false}`).failure()
	require.Equal(t, "APPROVAL_NOT_GENUINE", e.Code)
}
