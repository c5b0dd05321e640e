package vm_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// allowedGlobals is everything a script can reach by name: ECMAScript's, and the language's own.
var allowedGlobals = strings.Fields(`
	globalThis undefined NaN Infinity eval isNaN isFinite parseInt parseFloat decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
	Object Function Array String Number BigInt Boolean Symbol RegExp Date Math JSON Reflect Proxy Promise Map Set WeakMap WeakSet
	Error AggregateError TypeError ReferenceError SyntaxError RangeError EvalError URIError
	ArrayBuffer DataView Uint8Array Uint8ClampedArray Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array
	Iterator structuredClone URL URLSearchParams TextEncoder TextDecoder atob btoa
	agent checkpoint planApprove workflow parallel pipeline dag retry gate verify judgePanel loopUntilDry completenessCheck phase log console setSemanticStatus now random uuid sleep
	args runId workflowRunId cwd process budget meta`)

// ownGlobals are those of the language.
var ownGlobals = allowedGlobals[slices.Index(allowedGlobals, "agent"):]

func TestGlobalsAreOnTheAllowList(t *testing.T) {
	t.Parallel()
	var names []string
	require.NoError(t, json.Unmarshal([]byte(eval(t, `Object.getOwnPropertyNames(globalThis)`)), &names))
	require.ElementsMatch(t, allowedGlobals, names)
	require.Equal(t, "[]", eval(t, `Object.getOwnPropertySymbols(globalThis).map(String).filter((s) => s !== "Symbol(Symbol.toStringTag)")`))
	require.Equal(t, `["undefined","undefined","undefined","undefined","undefined","undefined"]`,
		eval(t, `[typeof globalThis.require, typeof setTimeout, typeof fetch, typeof queueMicrotask, typeof GoError, typeof Intl]`))
	require.Equal(t, `["cwd"]`, eval(t, `Object.getOwnPropertyNames(process)`))
}

func TestGlobalsCannotBeReplaced(t *testing.T) {
	t.Parallel()
	for _, name := range ownGlobals {
		p := play(t, `
			const before = globalThis["`+name+`"];
			const tries = [
				() => { globalThis["`+name+`"] = 1 },
				() => { "use strict"; delete globalThis["`+name+`"]; if (!Object.hasOwn(globalThis, "`+name+`")) throw 0 },
				() => Object.defineProperty(globalThis, "`+name+`", {value: 1}),
				() => { `+name+` = 1 },
			];
			for (const attempt of tries) { try { attempt() } catch {} }
			return [globalThis["`+name+`"] === before, typeof before === "object" || typeof before === "function" ? Object.isFrozen(before) : true];`)
		require.Equal(t, "[true,true]", p.result(), name)
	}
	require.Equal(t, `"mine"`, play(t, `const args = "mine"; const agent = () => args; return agent()`).result())
}

// What a script gets must not show Go, and must lead nowhere but to the realm.
func TestB15_OnlyTheRealmIsReachable(t *testing.T) {
	t.Parallel()
	require.Equal(t, "true", eval(t, `agent.constructor("return this")() === globalThis`))
	require.Equal(t, `"object"`, eval(t, `globalThis.constructor.constructor("return typeof process")()`))
	require.Equal(t, "true", eval(t, `await (async () => { try { await planApprove(1n) } catch (e) { return e.constructor.constructor("return this")() === globalThis } })()`))
	p := play(t, `
		const seen = new Set();
		const names = [];
		const walk = (v, depth) => {
			if ((typeof v !== "object" && typeof v !== "function") || v === null || seen.has(v) || v === globalThis) return;
			seen.add(v);
			for (const k of Reflect.ownKeys(v)) {
				names.push(String(k));
				const d = Object.getOwnPropertyDescriptor(v, k);
				if (depth > 0) for (const x of [d.value, d.get, d.set]) walk(x, depth - 1);
				if (k === "name" || k === "stack") names.push(String(v[k]));
			}
			if (typeof v === "function") names.push(Function.prototype.toString.call(v).slice(0, 200));
			walk(Object.getPrototypeOf(v), depth);
		};
		const result = await agent("a");
		const approval = await planApprove(1);
		let error; try { await agent(1) } catch (e) { error = e }
		let failure; try { await checkpoint("c") } catch (e) { failure = e }
		for (const x of [agent, checkpoint, planApprove, parallel, pipeline, sleep, phase, log, console, now, random, uuid, budget, process, result, approval, error, failure, sleep(1)]) walk(x, 3);
		return [...new Set(names)];`)
	p.answer("/agent#0", `{"a":[1]}`).answer("/planApprove#0", `{"plan":1,"checksum":"c","decision":true}`)
	p.fail("/checkpoint#0", "X", "no", vm.Thrown)
	for _, name := range func() (names []string) { require.NoError(t, json.Unmarshal([]byte(p.result()), &names)); return names }() {
		for _, leak := range []string{"Machine", "github.com", "goja", "func(", "realm.", "_test.go", "runtime.", "Export", ".go:"} {
			require.NotContains(t, name, leak)
		}
	}
}

func TestB16_PollutedPrototype(t *testing.T) {
	t.Parallel()
	p := play(t, `
		Object.prototype.default = true; Object.prototype.decision = true; Object.prototype.headless = "default"; Object.prototype.under = {};
		Object.prototype.label = "x"; Object.prototype.onError = "throw"; Object.prototype.get = () => 1; Object.prototype.value = 5; Object.prototype.enumerable = false;
		Object.prototype.toJSON = () => "other"; Array.prototype.toJSON = () => "other"; String.prototype.toJSON = () => "other";
		const a = await planApprove({x: 1}, {});
		const b = await agent("w", {model: "m"});
		return [Object.hasOwn(a, "decision"), a.decision, b, parallel.length];`)
	require.Equal(t, []json.RawMessage{json.RawMessage(`{"x":1}`), json.RawMessage(`{}`)}, p.calls[0].Args)
	p.answer("/planApprove#0", `{"plan":{"x":1},"checksum":"c","decision":false}`)
	require.Equal(t, `{"model":"m"}`, string(p.calls[1].Args[1]))
	require.Empty(t, p.calls[1].Label)
	p.fail("/agent#0", "AGENT_FAILED", "no", vm.Ordinary)
	require.Equal(t, `[true,false,null,1]`, p.result())
}

// sabotage is what a script might do to the built-ins that gates, helpers and the border could rely on.
const sabotage = `
	const evil = () => { throw new Error("sabotage") };
	for (const target of [Array.prototype, Object, Reflect, JSON, Function.prototype, Array, Map.prototype, WeakMap.prototype, Set.prototype, String.prototype, Number.prototype, Symbol.prototype, Error.prototype, Date.prototype, Math, RegExp.prototype]) {
		for (const k of Reflect.ownKeys(target)) {
			if (k === "constructor" || k === "prototype") continue;
			try { const d = Object.getOwnPropertyDescriptor(target, k); if (typeof d.value === "function") keep.push([target, k, d]) } catch {}
		}
	}
	const define = Object.defineProperty;
	for (let i = 0; i < keep.length; i++) { try { define(keep[i][0], keep[i][1], {value: evil, configurable: true, writable: true}) } catch {} }
	define(Array.prototype, "0", {set: evil, get: evil, configurable: true});
	define(Object.prototype, "then", {value: (r) => r("sabotage"), configurable: true});`

func TestB16_NothingDoneToBuiltInsChangesGatesOrHelpers(t *testing.T) {
	t.Parallel()
	p := play(t, `
		const keep = [];
		try {`+sabotage+`} catch {}
		globalThis.Promise = evilPromise;
		function evilPromise() { throw new Error("sabotage") }
		const a = await planApprove({steps: ["x"]}, {prompt: "ok?"});
		if (a.decision !== true) throw "decision";
		const rs = await parallel([() => agent("p0", {under: a}), async () => { throw "ordinary" }]);
		const ps = await pipeline(["i"], (v, item, i) => agent(v + item + i), (v) => v);
		log("line", {a: 1});
		await sleep(5);
		return {rs, ps};`)
	require.Equal(t, []json.RawMessage{json.RawMessage(`{"steps":["x"]}`), json.RawMessage(`{"prompt":"ok?"}`)}, p.calls[0].Args)
	p.answer("/planApprove#0", `{"plan":{"steps":["x"]},"checksum":"c","decision":true}`)
	require.Equal(t, `{"under":{"checksum":"c"}}`, string(p.calls[1].Args[1]))
	p.answer("/parallel#0[0]/agent#0", `{"r":[1]}`)
	require.Equal(t, `"ii0"`, string(p.calls[2].Args[0]))
	p.answer("/pipeline#0[0]/agent#0", `[{"s":2}]`).answer("/sleep#0", "null")
	require.Equal(t, `{"rs":[{"r":[1]},null],"ps":[[{"s":2}]]}`, p.result())
	require.Contains(t, p.said(), `line {"a":1}`)
}

func TestCodeFromText(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`eval("1 + 1")`: `2`, `eval(7)`: `7`, `(0, eval)("typeof agent")`: `"function"`, `Function("a", "b", "return a + b")(1, 2)`: `3`, `new Function("return this")() === globalThis`: `true`,
		`await (async () => {}).constructor("return 4")()`: `4`, `(function* () {}).constructor("yield 5")().next().value`: `5`,
		`[Function.name, Function.length, (() => 1) instanceof Function, (async () => 1).constructor.name, (() => 1).constructor === Function, Object.getPrototypeOf((async () => 1).constructor) === Function]`: `["Function",1,true,"AsyncFunction",true,true]`,
		`(class F extends Function {}, new (class F extends Function { twice() { return this() * 2 } })("return 3").twice())`:                                                                                    `6`,
	} {
		require.Equal(t, want, eval(t, js), js)
	}
	for _, js := range []string{
		`eval("[".repeat(1000000))`, `(0, eval)("(".repeat(1000000))`, `Function("[".repeat(1000000))`, `Function("a = " + "[".repeat(1000000), "")`,
		`(async () => {}).constructor("{".repeat(1000000))`, `(function* () {}).constructor("!".repeat(1000000) + "1")`, `new (class extends Function {})("[".repeat(1000000))`,
	} {
		require.Contains(t, caught(t, js), "SyntaxError SOURCE_TOO_DEEP", js)
	}
}

func TestPromiseIsFixed(t *testing.T) {
	t.Parallel()
	require.Equal(t, "[true,true]", eval(t, `[Object.isFrozen(Promise), Object.isFrozen(Promise.prototype)]`))
	require.Equal(t, `"TypeError"`, play(t, `try { Promise.prototype.then = () => {} ; return "no" } catch (e) { return e.name }`).result())
	for _, proto := range []string{"Object", "Array"} {
		require.Equal(t, `"TypeError"`, play(t, `try { `+proto+`.prototype.then = () => {} ; return "no" } catch (e) { return e.name }`).result())
		require.Equal(t, `"TypeError"`, play(t, `try { Object.defineProperty(`+proto+`.prototype, "then", {value: 1}); return "no" } catch (e) { return e.name }`).result())
	}
}

// Guarded built-ins must not get in the way of ordinary code.
func TestOrdinaryCodeStillWorks(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`class MyError extends Error { constructor(m) { super(m); this.name = "MyError" } }; try { throw new MyError("x") } catch (e) { return String(e) }`: `"MyError: x"`,
		`const o = {}; o.toString = () => "mine"; o.then = undefined; return [String(o), Object.keys(o)]`:                                                   `["mine",["toString","then"]]`,
		`const o = {}; o.then = (ok) => ok(7); return await o`:                                                                                              `7`,
		`const l = []; l.then = (ok) => ok(8); return await l`:                                                                                              `8`,
		`class T { then(ok) { ok(9) } }; return await new T()`:                                                                                              `9`,
		`Object.prototype.mine = 3; Array.prototype.last = function () { return this[this.length - 1] }; return [({}).mine, [1, 2].last()]`:                 `[3,2]`,
		`class P extends Promise {}; return [(await P.resolve(4)), P.resolve(1) instanceof P]`:                                                              `[4,true]`,
		`return JSON.parse('{"b":1,"a":{"c":[1,2]}}', (k, v) => typeof v === "number" ? v + 1 : v)`:                                                         `{"b":2,"a":{"c":[2,3]}}`,
		`return JSON.parse('{"a":1,"b":2}', (k, v) => k === "a" ? undefined : v)`:                                                                           `{"b":2}`,
		`return [[1, [2, [3, [4]]]].flat(Infinity), [1, [2, [3]]].flat(), [[1, 2], [3]].join("-"), String([1, [2, 3]])]`:                                    `[[1,2,3,4],[1,2,[3]],"1,2-3","1,2,3"]`,
		`return ["ab".repeat(2), "x".padStart(3), "x".padEnd(3, "-"), "é".padStart(2, "xy")]`:                                                               `["abab","  x","x--","xé"]`,
		`async function* g() { yield 1; yield 2 }; const out = []; for await (const v of g()) out.push(v); return out`:                                      `[1,2]`,
		`return (await Promise.allSettled([Promise.reject(new Error("x")), 1])).map((r) => r.status)`:                                                       `["rejected","fulfilled"]`,
	} {
		require.Equal(t, want, play(t, body).result(), body)
	}
}

func TestJSONStringifyIsAsECMAScriptHasIt(t *testing.T) {
	t.Parallel()
	// Expectations are those of ECMA-262 25.5.2, taken from Node.js.
	for js, want := range map[string]string{
		`JSON.stringify({a:[1,{b:undefined,c:null}],f(){},s:Symbol("x")})`:               `{"a":[1,{"c":null}]}`,
		`JSON.stringify([undefined,()=>1,Symbol("x"),NaN,-0,1e21,-Infinity])`:            `[null,null,null,null,0,1e+21,null]`,
		`JSON.stringify({a:1,b:[],c:{},d:[1]},null,2)`:                                   "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": {},\n  \"d\": [\n    1\n  ]\n}",
		`JSON.stringify({a:1,b:2,c:{a:3,d:4}},["c","a"])`:                                `{"c":{"a":3},"a":1}`,
		`JSON.stringify({a:1,b:"x"},(k,v)=>typeof v==="number"?v+1:v)`:                   `{"a":2,"b":"x"}`,
		`JSON.stringify(new Date(0))`:                                                    `"1970-01-01T00:00:00.000Z"`,
		`JSON.stringify({toJSON(k){return "key:"+k}})`:                                   `"key:"`,
		`JSON.stringify({x:{toJSON(k){return "key:"+k}}})`:                               `{"x":"key:x"}`,
		`JSON.stringify("\ud800 \u2028 \u007f \u0007 \ud83d\ude00")`:                     "\"\\ud800 \u2028 \u007f \\u0007 😀\"",
		`JSON.stringify({"\udc00":1})`:                                                   `{"\udc00":1}`,
		`JSON.stringify([new Number(1),new String("s"),new Boolean(true)])`:              `[1,"s",true]`,
		`JSON.stringify(Object.create({a:1},{b:{value:2,enumerable:true},c:{value:3}}))`: `{"b":2}`,
		`JSON.stringify({a:[1]},null,"------------")`:                                    "{\n----------\"a\": [\n--------------------1\n----------]\n}",
		`JSON.stringify(new Proxy({a:1,b:2},{ownKeys(){return ["a"]}}))`:                 `{"a":1}`,
		`String(JSON.stringify(undefined))+String(JSON.stringify(()=>1))`:                `undefinedundefined`,
		`JSON.stringify({10:1,9:2,b:3,a:4})`:                                             `{"9":2,"10":1,"b":3,"a":4}`,
	} {
		var got string
		require.NoError(t, json.Unmarshal([]byte(eval(t, `encodeURIComponent(Array.from({length: (`+js+`).length}, (_, i) => (`+js+`).charCodeAt(i)).join())`)), &got), js)
		require.Equal(t, strings.Join(utf16Of(want), "%2C"), got, js)
	}
	require.Equal(t, "TypeError undefined: Converting circular structure to JSON", caught(t, `const a = {}; a.a = [a]; JSON.stringify(a)`))
	require.Contains(t, caught(t, `JSON.stringify({a: 1n})`), "TypeError")
}

func TestJSONParseIsAsECMAScriptHasIt(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`JSON.parse('{"a":1,"a":2}')`:                               `{"a":2}`,
		`JSON.parse(' [1, -0.5e1, true, null, "\\u00e9\\n"] ')`:     `[1,-5,true,null,"é\n"]`,
		`Object.keys(JSON.parse('{"z":1,"10":2,"9":3}')).join()`:    `"9,10,z"`,
		`Object.is(JSON.parse('-0'), -0)`:                           `true`,
		`JSON.parse('1e999') === Infinity`:                          `true`,
		`JSON.parse('"\\ud800"').charCodeAt(0)`:                     `55296`,
		`JSON.parse('"\\ud83d\\ude00"').length`:                     `2`,
		`Object.hasOwn(JSON.parse('{"__proto__":1}'), "__proto__")`: `true`,
		`Object.keys(JSON.parse('{"\\ud800":1}'))[0].charCodeAt(0)`: `55296`,
	} {
		require.Equal(t, want, eval(t, js), js)
	}
	for _, text := range []string{``, `{`, `[1,]`, `{"a":1,}`, `01`, `1.`, `.5`, `+1`, `'a'`, `"\x"`, `"a`, `nul`, `[1] 2`, `{"a" 1}`, `{a:1}`, `"\u12g4"`, "\"\n\"", `-`, `1e`, `NaN`, `"\u+123"`} {
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		require.Contains(t, caught(t, `JSON.parse(`+string(quoted)+`)`), "SyntaxError", text)
	}
}

func TestB14_Sort(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`[3, undefined, , 1].sort()`: `[1,3,null,null]`,
		`(() => { const a = [3, undefined, , 1].sort(); return [a.length, 2 in a, 3 in a] })()`: `[4,true,false]`,
		// Equal keys keep their order.
		`Array.from({length: 600}, (_, i) => [i % 3, i]).sort((a, b) => a[0] - b[0]).every((x, i, l) => i === 0 || l[i - 1][0] < x[0] || l[i - 1][1] < x[1])`: `true`,
		// After a comparator threw, nothing is lost.
		`(() => { const l = Array.from({length: 40}, (_, i) => (i * 17) % 40); let n = 0; try { l.sort((a, b) => { if (++n > 25) throw 1; return a - b }) } catch {} return [n, new Set(l).size, l.length] })()`: `[26,40,40]`,
		`[3, 1, 2].sort(() => 1).length`: `3`,
	} {
		first := eval(t, js)
		require.Equal(t, want, first, js)
		require.Equal(t, first, eval(t, js))
	}
}

// utf16Of gives the decimal UTF-16 units of s, which may hold \udXXX escapes that JSON.stringify writes as text.
func utf16Of(s string) (units []string) {
	for _, c := range s {
		if c >= 0x10000 {
			c -= 0x10000
			units = append(units, itoa(0xD800+int(c>>10)), itoa(0xDC00+int(c&0x3FF)))
			continue
		}
		units = append(units, itoa(int(c)))
	}
	return units
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}
