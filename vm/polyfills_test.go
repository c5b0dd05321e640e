package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestB12_WellKnownSymbols(t *testing.T) {
	t.Parallel()
	require.Equal(t, `["asyncDispose","asyncIterator","dispose","for","hasInstance","isConcatSpreadable","iterator","keyFor","length","match","matchAll","name","prototype","replace","search","species","split","toPrimitive","toStringTag","unscopables"]`,
		eval(t, `Object.getOwnPropertyNames(Symbol).sort()`))
	for _, name := range []string{"asyncIterator", "dispose", "asyncDispose"} {
		require.Equal(t, `["Symbol(Symbol.`+name+`)",false,false,false]`,
			eval(t, `((d) => [String(d.value), d.writable, d.enumerable, d.configurable])(Object.getOwnPropertyDescriptor(Symbol, "`+name+`"))`))
	}
	p := play(t, `
		const pages = { [Symbol.asyncIterator]() { let n = 0; return { next: async () => ({ done: n === 2, value: await agent("page " + n++) }) } } };
		const got = [];
		for await (const page of pages) got.push(page);
		const log = [];
		{ using a = { [Symbol.dispose]() { log.push("a") } }; await using b = { async [Symbol.asyncDispose]() { log.push("b") } }; log.push("body") }
		async function* own() { yield 1 }
		return [got, log, Symbol.asyncIterator in own(), own()[Symbol.asyncIterator]() instanceof Object];`)
	p.answer("/agent#0", `"p0"`).answer("/agent#1", `"p1"`).answer("/agent#2", `"p2"`)
	require.Equal(t, `[["p0","p1"],["body","b","a"],true,true]`, p.result())
}

func TestB15_TypeofRequire(t *testing.T) {
	t.Parallel()
	require.Equal(t, `["undefined",false,"undefined","undefined"]`,
		play(t, `let __require = 1; return [typeof require, typeof require === "function", typeof (require), typeof module]`).result())
	require.Equal(t, `"__require"`, play(t, `const s = "__require"; return typeof require === "undefined" ? s : 0`).result())
}

// The expectations are those of ECMA-262 (2025) and of its proposals' own examples.
func TestPolyfills(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`return Object.groupBy([1, 2, 3, 4], (n) => n % 2 ? "odd" : "even")`:                                                                                                                                                                                                   `{"odd":[1,3],"even":[2,4]}`,
		`const g = Object.groupBy("aéa", (c, i) => c + i); return [Object.getPrototypeOf(g), Object.keys(g)]`:                                                                                                                                                                  `[null,["a0","é1","a2"]]`,
		`const g = Object.groupBy([1, 2], () => "__proto__"); return [Object.keys(g), g["__proto__"]]`:                                                                                                                                                                         `[["__proto__"],[1,2]]`,
		`const s = Symbol("s"); const g = Object.groupBy([7], () => ({ [Symbol.toPrimitive]: () => s })); return [g[s], Object.keys(g)]`:                                                                                                                                       `[[7],[]]`,
		`let closed = 0; const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return() { closed++; return {} } }) }; try { Object.groupBy(it, () => { throw 1 }) } catch {} return closed`:                                                                     `1`,
		`return [null, 5, {}].map((x) => { try { Object.groupBy(x, () => 1) } catch (e) { return e.name } })`:                                                                                                                                                                  `["TypeError","TypeError","TypeError"]`,
		`try { Object.groupBy([], 1) } catch (e) { return e.name }`:                                                                                                                                                                                                            `"TypeError"`,
		`const k = {}; const m = Map.groupBy([1, 2, 3], (n) => n === 2 ? k : -0); return [m instanceof Map, m.get(k), m.get(0), Object.is([...m.keys()][0], 0), m.size]`:                                                                                                       `[true,[2],[1,3],true,2]`,
		`const { promise, resolve, reject } = Promise.withResolvers(); resolve(3); reject(4); return [await promise, promise instanceof Promise, Object.keys(Promise.withResolvers())]`:                                                                                        `[3,true,["promise","resolve","reject"]]`,
		`class P extends Promise {} return P.withResolvers().promise instanceof P`:                                                                                                                                                                                             `true`,
		`try { Promise.withResolvers.call(1) } catch (e) { return e.name }`:                                                                                                                                                                                                    `"TypeError"`,
		`return [await Promise.try((a, b) => a + b, 1, 2), await Promise.try(() => { throw 5 }).catch((e) => e), await Promise.try(async () => 6), await Promise.try(7).catch((e) => e.name)]`:                                                                                 `[3,5,6,"TypeError"]`,
		`let order = ""; const p = Promise.try(() => { order += "a" }); order += "b"; await p; return order`:                                                                                                                                                                   `"ab"`,
		`return ["ab\u{1F600}", "a\ud800b", "\udc00", "\ud83d\ude00\ud83d", ""].map((s) => s.isWellFormed())`:                                                                                                                                                                  `[true,false,false,false,true]`,
		`return ["a\ud800b", "\ude00\ud83d", "\ud83d\ude00\ud83d", "é"].map((s) => s.toWellFormed())`:                                                                                                                                                                          `["a�b","��","😀�","é"]`,
		`try { String.prototype.isWellFormed.call(null) } catch (e) { return e.name }`:                                                                                                                                                                                         `"TypeError"`,
		`return [await Array.fromAsync([1, Promise.resolve(2)]), await Array.fromAsync({ length: 2, 0: "a", 1: Promise.resolve("b") }), await Array.fromAsync("é😀")]`:                                                                                                          `[[1,2],["a","b"],["é","😀"]]`,
		`async function* g() { yield 1; yield 2 } return await Array.fromAsync(g(), async (x, i) => [x, i])`:                                                                                                                                                                   `[[1,0],[2,1]]`,
		`return await Array.fromAsync(new Set([1, 2]), function (x) { return x + this.n }, { n: 10 })`:                                                                                                                                                                         `[11,12]`,
		`let closed = 0; const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return() { closed++; return {} } }) }; const e = await Array.fromAsync(it, () => { throw 9 }).catch((e) => e); return [e, closed]`:                                               `[9,1]`,
		`return [await Array.fromAsync(null).catch((e) => e.name), await Array.fromAsync([], 1).catch((e) => e.name)]`:                                                                                                                                                         `["TypeError","TypeError"]`,
		`class A extends Array {} const a = await A.fromAsync([1]); return [a instanceof A, a.length, (await Array.fromAsync.call(Math.max, [1])) instanceof Array]`:                                                                                                           `[true,1,true]`,
		`return [Object.groupBy, Map.groupBy, Promise.withResolvers, Promise.try, Array.fromAsync, "".isWellFormed, "".toWellFormed].map((f) => f.name + f.length)`:                                                                                                            `["groupBy2","groupBy2","withResolvers0","try1","fromAsync1","isWellFormed0","toWellFormed0"]`,
		`const all = []; for (const [o, k] of [[Object, "groupBy"], [Map, "groupBy"], [Array, "fromAsync"], [String.prototype, "toWellFormed"]]) { all.push(Object.getOwnPropertyDescriptor(o, k).enumerable); try { new o[k]() } catch (e) { all.push(e.name) } } return all`: `[false,"TypeError",false,"TypeError",false,"TypeError",false,"TypeError"]`,
	} {
		require.Equal(t, want, play(t, body).result(), body)
	}
}

// What a script does to other built-ins does not reach into these.
func TestPolyfillsUseCapturedBuiltIns(t *testing.T) {
	t.Parallel()
	require.Equal(t, `[{"a":[1,2]},[[1,2]],["x","y"],false]`, play(t, `
		const evil = () => { throw new Error("sabotage") };
		const values = (m) => { const it = mapValues.call(m); return [it.next().value] };
		const mapValues = Map.prototype.values;
		Array.prototype.push = Map.prototype.get = Map.prototype.set = Map.prototype.has = Reflect.apply = Reflect.defineProperty = Reflect.ownKeys = Math.min = String.prototype.charCodeAt = evil;
		Object.defineProperty(Array.prototype, "0", { set: evil, configurable: true });
		const out = [Object.groupBy([1, 2], () => "a"), values(Map.groupBy([1, 2], () => "a")), await Array.fromAsync({ length: 2, 0: "x", 1: "y" }), "\ud800".isWellFormed()];
		delete Array.prototype[0];
		return out;`).result())
}

// A mapper's calls stand on one strand, in the order of the items, whatever comes after.
func TestKeysInFromAsync(t *testing.T) {
	t.Parallel()
	p := play(t, `const all = await Promise.all([Array.fromAsync([1, 2], (n) => agent("a" + n)), agent("b")]); return [all, await agent("c")]`)
	require.Equal(t, []string{"/agent#0", "~1/agent#0"}, p.keys())
	p.answer("~1/agent#0", `"x"`).answer("~1/agent#1", `"y"`).answer("/agent#0", `"z"`)
	require.Equal(t, []string{"/agent#0", "~1/agent#0", "~1/agent#1", "/agent#1"}, p.keys())
	p.answer("/agent#1", `"w"`)
	require.Equal(t, `[[["x","y"],"z"],"w"]`, p.result())
}
