package vm_test

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

//go:embed testdata/patched/harness.js
var patchedHarness string

var wordInUse = regexp.MustCompile(`\w+`)

// patchedUse is a use of built-ins, and what the standards say that it reads of what a script can change, apart from what the
// use names itself.
type patchedUse struct{ name, use, protocol string }

var patchedUses = []patchedUse{
	{"date of a text", `() => new Date("2021-04-18 23:59:59").getTime()`, ``},
	{"date of parts", `() => [new Date(2021, 3, 18, 23).getHours(), Date.UTC(2021, 1), Date.parse("1 Jan 2021")]`, ``},
	{"date of a date", `() => new Date(new Date(5)).valueOf()`, ``},
	{"date as a text", `() => { const d = new Date(1e12); return [d.toString(), d.toDateString(), d.toTimeString(), d.toISOString(), d.toUTCString()] }`, ``},
	{"date in the locale", `() => { const d = new Date(1e12); return [d.toLocaleString(), d.toLocaleDateString(), d.toLocaleTimeString()] }`, ``},
	{"date that changes", `() => { const d = new Date(0); d.setHours(5); d.setMonth(2); d.setDate(9); return [d.getTime(), d.getTimezoneOffset()] }`, ``},
	{"the clock", `() => { try { return Date.now() } catch { try { return new Date() } catch { try { return Date() } catch { return "refused" } } } }`, ``},

	{"test", `() => /(?<y>\d+)-\k<y>/u.test("a 12-12")`, readsExec},
	{"exec", `() => { const m = /(?<y>\d)(x)?/d.exec("a1"); return [m, m.index, m.groups.y, m.indices[1]] }`, ``},
	{"match", `() => "a1b2".match(/\d/)`, readsExec + readsFlags + `RegExp.prototype.Symbol(Symbol.match)`},
	{"match of all", `() => "a1b2".match(/\d/g)`, readsExec + readsFlags + `RegExp.prototype.Symbol(Symbol.match)`},
	{"match of a text", `() => "a1b2".match("\\d")`, readsExec + readsFlags + `RegExp.prototype.Symbol(Symbol.match)`},
	{"matchAll", `() => { const it = "a1b2".matchAll(/\d/g); return [it.next().value[0], it.next().value[0], it.next().done] }`, readsExec + readsFlags + readsSpecies + `RegExp.prototype.Symbol(Symbol.match) RegExp.prototype.Symbol(Symbol.matchAll)`},
	{"search", `() => ["a1".search(/\d/), "a1".search("1")]`, readsExec + `RegExp.prototype.Symbol(Symbol.search)`},
	{"replace", `() => ["a1b2".replace(/\d/, "<$&>"), "a1b2".replace(/(?<n>\d)/g, "$<n>$1"), "a1b2".replace(/\d/g, (x) => x + x), "ab".replaceAll(/b/g, "c")]`, readsExec + readsFlags + `RegExp.prototype.Symbol(Symbol.match) RegExp.prototype.Symbol(Symbol.replace)`},
	{"split", `() => ["a1b2".split(/(\d)/), "a1b".split(/\d/, 1)]`, readsExec + readsFlags + readsSpecies + `RegExp.prototype.Symbol(Symbol.split)`},
	{"constructor", `() => { const r = new RegExp("a+", "gi"); const c = new RegExp(/x/y); return [r.lastIndex, RegExp.escape("a.b"), r.source, c.source] }`, `RegExp.prototype.Symbol(Symbol.match)`},
	{"flags", `() => { const r = /x/gi; return [r.flags, r.global, r.sticky] }`, readsFlags},
	{"sticky", `() => { const r = /a/y; r.lastIndex = 1; return [r.test("ba"), r.lastIndex] }`, readsExec},
	{"expression as a text", `() => /a/g.toString()`, readsFlags + `RegExp.prototype.source`},
	{"compile", `() => { const r = /a/; r.compile("b", "i"); return r.test("B") }`, readsExec},

	{"buffer", `() => { const b = new ArrayBuffer(4); new Uint8Array(b)[1] = 7; const d = b.transfer(8); return [b.detached, d.maxByteLength, d.resizable, d.transferToFixedLength()] }`, ``},
	{"slice of a buffer", `() => new ArrayBuffer(4).slice(1)`, `ArrayBuffer.prototype.constructor ArrayBuffer.Symbol(Symbol.species)`},
	{"half precision", `() => { const v = new DataView(new ArrayBuffer(4)); v.setFloat16(0, 1.5); return [v.getFloat16(0), Math.f16round(1.1)] }`, ``},

	{"URL", `() => { const u = new URL("../p?q=1#h", "http://u:p@e.x:81/a/b"); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.hash] }`, ``},
	{"URL that changes", `() => { const u = new URL("http://e.x/"); const q = u.searchParams; u.hostname = "f.y"; u.port = "9"; u.pathname = "/p"; q.append("c", "3"); q.delete("a"); return [u.toString(), u.toJSON()] }`, ``},
	{"URL that changes its query", `() => { const u = new URL("http://e.x/?z"); const q = u.searchParams; u.href = "http://e.x/?a=1&b=2"; return q.get("b") }`, ``},
	{"URL or not", `() => [URL.canParse("x"), URL.parse("y"), URL.parse("/z", "http://e.x").href]`, ``},
	{"params", `() => { const p = new URLSearchParams("?b=2&a=1&b=3"); p.append("c", "4"); p.delete("c", "4"); p.set("b", "5"); p.sort(); return [p.toString(), p.get("a"), p.getAll("b"), p.has("b", "5"), p.size] }`, ``},
	{"params of an object", `() => new URLSearchParams({a: 1, b: "x y"}).toString()`, `Object.prototype.Symbol(Symbol.iterator)`},
	{"params of pairs", `() => new URLSearchParams([["a", "1"], ["b", "2"]]).toString()`, readsList},
	{"params one by one", `() => { const p = new URLSearchParams("a=1"); const seen = [0]; p.forEach((v, k) => { seen[0] = k + v }); return [seen, p.keys().next(), p.values().next(), p.entries().next().value] }`, ``},

	{"encode", `() => new TextEncoder().encode("né𝄞")`, ``},
	{"encodeInto", `((bytes, part) => () => [new TextEncoder().encodeInto("aé𝄞", part), bytes])(...((b) => [b, b.subarray(1)])(new Uint8Array(5)))`, ``},
	{"decode", `((b) => () => { const d = new TextDecoder("utf8", {__proto__: null, fatal: false}); return [d.decode(b), d.decode(b.buffer), d.decode(new DataView(b.buffer, 1, 2)), d.decode(), d.encoding, d.fatal, d.ignoreBOM] })(new Uint8Array([65, 195, 169, 255]))`, ``},
	{"base64", `() => [btoa("hé"), atob("aOk=")]`, ``},

	{"clone of data", `() => structuredClone({a: [1, , {b: "x"}], n: null, u: undefined, t: true})`, ``},
	{"clone of a cycle", `() => { const a = {}; a.a = a; const c = structuredClone(a); return c.a === c }`, ``},
	{"clone of a map and a set", `((m) => () => structuredClone(m))([new Map([[{k: 1}, new Set([1, {a: 2}])]])])`, ``},
	{"clone of a date", `() => structuredClone(new Date(7)).getTime()`, ``},
	{"clone of an expression", `() => structuredClone(/a/gi)`, ``},
	{"clone of bytes", `((b) => () => structuredClone(b))([new Uint8Array([1, 2, 3]).subarray(1), new Uint8Array([4]).buffer, new Float64Array([1])])`, ``},
	{"clone of an error", `() => structuredClone(new RangeError("r", {cause: {c: 1}}))`, `RangeError.prototype.name`},
	{"clone of wrappers", `() => [typeof structuredClone(new Number(1)), typeof structuredClone(new Boolean(true)), structuredClone(new String("s")).length]`, ``},

	{"iterator helpers", `() => { const it = () => [1, 2, 3, 4].values(); return [it().map((x) => x + 1).filter((x) => x > 2).take(2).toArray(), it().drop(2).reduce((a, b) => a + b), it().some((x) => x > 3), it().every((x) => x), it().find((x) => x > 1)] }`, `ArrayIterator.next IteratorHelper.next`},
	{"flatMap", `() => [1, 2].values().flatMap((x) => [x, x]).toArray()`, readsList + `IteratorHelper.next`},
	{"Iterator.from", `() => { let n = 0; const it = Iterator.from({next: () => ({done: n > 1, value: n++})}); it.forEach((x) => x); return [it.next(), it.return()] }`, `Object.prototype.Symbol(Symbol.iterator)`},
	{"Iterator itself", `() => { class I extends Iterator { next() { return {done: true, value: 1} } } return new I().toArray() }`, ``},

	{"groupBy", `() => [Object.groupBy([1, 2, 3], (x) => x % 2 ? "odd" : "even"), Map.groupBy([1, 2], (x) => x)]`, readsList},
	{"promises", `async () => { const p = Promise.withResolvers(); p.resolve(1); return [await p.promise, await Promise.try((x) => x, 2), await Promise.any([Promise.reject(1), 3])] }`, readsList},
	{"fromAsync of a list", `async () => await Array.fromAsync({length: 2, 0: "a", 1: "b"}, (x) => x + x)`, `Object.prototype.Symbol(Symbol.asyncIterator) Object.prototype.Symbol(Symbol.iterator)` + readsAwaited},
	{"fromAsync", `async () => await Array.fromAsync([1, 2])`, readsList + `Object.prototype.Symbol(Symbol.asyncIterator)` + readsAwaited},
	{"well-formed texts", `() => ["a\ud800".isWellFormed(), "a\ud800".toWellFormed()]`, ``},
	{"the locale", `() => [(1234.5).toLocaleString(), (10n ** 6n).toLocaleString(), "a".localeCompare("b"), "A".toLocaleLowerCase(), "a".toLocaleUpperCase(), [1234, 5].toLocaleString()]`, ``},
	{"JSON", `() => [JSON.parse('{"a": [1, {"b": 2}]}'), JSON.parse("[1, 2]", (k, v) => v), JSON.stringify({a: [1, "x"]}, null, 1), JSON.stringify({a: 1, b: 2}, ["b"])]`, readsJSON},
	{"code of a text", `() => [Function("a", "return a + 1")(1), eval("1 + 1")]`, ``},
	{"lists", `() => [[1, 2].join("-"), "ab".repeat(2), "a".padStart(3, "x"), "a".padEnd(2)]`, ``},
	{"flat", `() => [1, [2, [3]]].flat(Infinity)`, `Array.prototype.constructor Array.Symbol(Symbol.species)`},
	{"proxies", `() => { const p = new Proxy(function () {}, {__proto__: null, apply: (f, self, list) => list.length, get: (f, k) => k === "k" ? 5 : f[k]}); const r = Proxy.revocable(() => 1, {__proto__: null}); return [p(1, 2), p.k, r.proxy(), ({}) instanceof p] }`, ``},
	{"fan-out", `async () => [await parallel([() => 1, async () => 2]), await pipeline([1, 2], (x) => x + 1, async (x, item, i) => x + i), await dag([{id: "a", run: () => 1}, {id: "b", dependsOn: ["a"], run: (d) => d.a + 1}])]`, readsAwaited},
	{"retries", `async () => [await retry((i) => i), await gate((f, i) => i, (v) => ({ok: v > 0, feedback: "x"})), await loopUntilDry({round: (i) => i < 2 ? [i, {a: i}] : []})]`, readsAwaited + readsJSON},
	{"what is said", `((v) => () => { log(v); console.warn("%s", 1); phase("p"); setSemanticStatus({status: "completed", reason: "r"}); return [now(), typeof random(), typeof uuid(), budget.total, budget.remaining() > 1] })({a: [1, new Date(0), /x/, new Map([[1, 2]]), new Error("e")]})`, ``},
}

const (
	readsJSON    = ` Object.prototype.toJSON `
	readsExec    = ` RegExp.prototype.exec `
	readsFlags   = ` RegExp.prototype.flags RegExp.prototype.hasIndices RegExp.prototype.global RegExp.prototype.ignoreCase RegExp.prototype.multiline RegExp.prototype.dotAll RegExp.prototype.unicode RegExp.prototype.unicodeSets RegExp.prototype.sticky `
	readsSpecies = ` RegExp.prototype.constructor RegExp.Symbol(Symbol.species) `
	readsList    = ` Array.prototype.Symbol(Symbol.iterator) ArrayIterator.next `
	readsAwaited = ` Array.prototype.constructor Object.prototype.constructor ` // the engine asks every object that is awaited
)

// patchedCalls are uses of what asks the world, answered by worldSays.
var patchedCalls = []patchedUse{
	{"agent", `async () => await agent("p", {label: "l", schema: {type: "object"}, tools: ["a", "b"]})`, readsAwaited},
	{"agent that fails", `async () => { try { return await agent("fails", {onError: "throw"}) } catch (e) { return [e.code, e.message] } }`, readsAwaited},
	{"wrong call", `async () => { try { return await agent("p", {lable: "x"}) } catch (e) { return [e.code, e.message] } }`, readsAwaited},
	{"checkpoint", `async () => await checkpoint("q", {kind: "select", choices: ["a", "b"], default: "a"})`, ``},
	{"planApprove", `async () => { const a = await planApprove({s: ["x", 1e21], t: {u: null}}, {prompt: "ok?"}); return [a.plan, a.decision, a.checksum, await agent("p", {under: a})] }`, readsAwaited},
	{"sleep", `async () => await sleep(5)`, ``},
	{"verify", `async () => await verify({claim: 1}, {reviewers: 2, lens: ["a", "b"]})`, readsAwaited + readsJSON},
	{"judgePanel", `async () => await judgePanel(["x", {y: 1}], {judges: 2})`, readsAwaited + readsJSON},
	{"completenessCheck", `async () => await completenessCheck("t", [{r: 1}])`, readsAwaited + readsJSON},
	{"branches with calls", `async () => [await parallel([() => agent("p"), () => agent("fails")]), await pipeline([1], (x) => agent("p" + x)), (await dag([{id: "a", run: () => agent("p")}])).results]`, readsAwaited},
}

// worldSays answers calls by name.
var worldSays = map[string]string{
	"agent": `{"real":true,"score":0.5,"complete":true,"list":[1,{"a":2}]}`, "checkpoint": `"b"`, "planApprove": `{"plan":{"s":["x",1e21],"t":{"u":null}},"checksum":"c","decision":true}`, "sleep": `null`,
}

// TestB16_PatchedBuiltIns holds that what a script does to built-ins reaches nothing but what the standards say it reaches.
func TestB16_PatchedBuiltIns(t *testing.T) {
	t.Parallel()
	for name, uses := range map[string][]patchedUse{"built-ins": patchedUses, "calls": patchedCalls} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testPatched(t, uses)
		})
	}
}

func testPatched(t *testing.T, uses []patchedUse) {
	var texts strings.Builder
	for _, u := range uses {
		texts.WriteString(u.use + ",\n")
	}
	p := play(t, strings.Replace(patchedHarness, "USES", "[\n"+texts.String()+"]", 1))
	for next := 0; !p.turn.Done; next++ {
		require.Less(t, next, len(p.calls), "the script waits for nothing")
		if c := p.calls[next]; c.Name == "agent" && string(c.Args[0]) == `"fails"` {
			p.fail(c.Key, "AGENT_FAILED", "no", vm.Ordinary)
		} else {
			p.answer(c.Key, worldSays[c.Name])
		}
	}
	var results []struct {
		First, Second, Third string
		Reads                []string
	}
	unquote(t, p.result(), &results)
	require.Len(t, results, len(uses))
	for i, u := range uses {
		words := wordInUse.FindAllString(u.use, -1)
		hidden := slices.DeleteFunc(results[i].Reads, func(property string) bool {
			return slices.Contains(words, property[strings.LastIndexByte(property, '.')+1:])
		})
		require.Subset(t, strings.Fields(u.protocol), hidden, u.name)
		require.NotContains(t, results[i].First, "TypeError", "%s: the use itself fails", u.name)
		require.Equal(t, results[i].First, results[i].Second, "%s with accessors", u.name)
		require.Equal(t, results[i].First, results[i].Third, "%s without what it does not read", u.name)
	}
	for _, c := range p.calls { // each call was made three times, with the same bytes
		same := 0
		for _, other := range p.calls {
			if c.Name == other.Name && slices.EqualFunc(c.Args, other.Args, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
				same++
			}
		}
		require.Zero(t, same%3, "%s %s", c.Key, c.Args)
	}
}
