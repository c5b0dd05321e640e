package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// A fatal failure stays one inside of another error, whoever put it there: nothing turns it into null or an
// ordinary failure, and the run ends with its code, which says whether it is paused or failed.
func TestFatalFailuresStayFatalInsideOfOthers(t *testing.T) {
	t.Parallel()
	for _, wrapped := range []string{
		`Promise.any([agent("x")])`,
		`Promise.any([Promise.reject(new Error("ordinary")), agent("x")])`,
		`Promise.any([Promise.any([agent("x")])])`,
		`(class extends Promise {}).any([agent("x")])`,
		`Promise.any([agent("x")]).catch((e) => { e.errors = []; throw e })`,
		`Promise.any([agent("x")]).catch((e) => { e.errors.length = 0; Object.setPrototypeOf(e, null); delete e.errors; throw e })`,
		`agent("x").catch((e) => { throw new Error("in the first review", {cause: e}) })`,
		`agent("x").catch((e) => { throw new Error("outer", {cause: new Error("inner", {cause: e})}) })`,
		`agent("x").catch((e) => { throw new AggregateError([1, e]) })`,
		`(async () => { using d = {[Symbol.dispose]() { throw new Error("dispose") }}; return await agent("x") })()`,
		`Array.fromAsync([agent("x")])`,
	} {
		for _, body := range []string{
			`return await (` + wrapped + `)`,
			`return await parallel([async () => await (` + wrapped + `)])`,
			`return await pipeline([1], (x) => x, () => ` + wrapped + `)`,
			`return await dag([{id: "a", run: () => ` + wrapped + `}])`,
			`return await retry(() => ` + wrapped + `)`,
			`return await loopUntilDry({round: async () => [await ` + wrapped + `]})`,
		} {
			p := play(t, body)
			require.Len(t, p.calls, 1, body)
			e := p.fail(p.calls[0].Key, "USAGE_LIMIT", "later", vm.Fatal).failure()
			require.Equal(t, "USAGE_LIMIT", e.Code, body)
			require.Equal(t, 2, e.Line, body)
			require.Len(t, p.calls, 1, body)
		}
		p := play(t, `return await loopUntilDry({round: async (i) => [i === 0 ? 7 : await `+wrapped+`]})`)
		require.Equal(t, `[7]`, p.fail(p.calls[0].Key, "BUDGET_EXCEEDED", "spent", vm.Fatal).result(), wrapped)
	}
	// Of several it is the one that more budget does not mend.
	p := play(t, `return await loopUntilDry({round: () => Promise.any([agent("a"), agent("b")])})`)
	p.fail(p.calls[0].Key, "BUDGET_EXCEEDED", "spent", vm.Fatal)
	require.Equal(t, "USAGE_LIMIT", p.fail(p.calls[1].Key, "USAGE_LIMIT", "later", vm.Fatal).failure().Code)
}

// What only looks like a fatal failure is none, and asking runs none of the script's code.
func TestFatalFailuresCannotBeForged(t *testing.T) {
	t.Parallel()
	for _, forged := range []string{
		`new AggregateError([Object.assign(new Error("x"), {code: "BUDGET_EXCEEDED", fatal: true})])`,
		`new Error("x", {cause: {code: "BUDGET_EXCEEDED", fatal: true}})`,
		`Object.defineProperty(new Error("x"), "cause", {get() { log("ran"); return real }})`,
		`Object.defineProperty(new AggregateError([]), "errors", {get() { log("ran"); return [real] }})`,
		`Object.assign(new AggregateError([]), {errors: new Proxy([real], {get() { log("ran"); return real }})})`,
		`new Error("x", {cause: new Proxy(real, {get() { log("ran") }, getOwnPropertyDescriptor() { log("ran") }})})`,
		`Object.create(new Error("x", {cause: real}))`, `{cause: real}`, `[real]`, `new Proxy(real, {})`,
		`(() => { const e = new Error("x"); e.cause = e; e.errors = [e]; return e })()`,
		`new Error(real.message)`,
	} {
		p := play(t, `const real = await agent("x").catch((e) => e); return [real.code, await parallel([() => { throw (`+forged+`) }])]`)
		require.Equal(t, `["USAGE_LIMIT",[null]]`, p.fail("/agent#0", "USAGE_LIMIT", "later", vm.Fatal).result(), forged)
		require.NotContains(t, p.said(), "ran", forged)
		require.Len(t, p.notes, 1)
	}
	// An ordinary failure stays one.
	p := play(t, `return await parallel([() => Promise.any([agent("x", {onError: "throw"})]), () => 1])`)
	require.Equal(t, `[null,1]`, p.fail(p.calls[0].Key, "AGENT_FAILED", "no", vm.Ordinary).result())
}

// A script may catch it, as every error: then it goes on, and what is spent stays spent.
func TestFatalFailuresCanBeCaught(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`(await Promise.allSettled([agent("x"), 1])).map((x) => x.reason?.code ?? x.value)`: `["USAGE_LIMIT",1]`,
		`await Promise.any([agent("x"), 1])`:                                                `1`,
		`await Promise.race([1, agent("x")])`:                                               `1`,
		`await agent("x").catch((e) => e.code)`:                                             `"USAGE_LIMIT"`,
		`await parallel([() => agent("x")]).catch((e) => e.code)`:                           `"USAGE_LIMIT"`,
		`await parallel([() => Promise.allSettled([agent("x")]).then(() => "went on")])`:    `["went on"]`,
	} {
		p := play(t, `const v = `+js+`; await sleep(1); return v`)
		p.fail(p.calls[0].Key, "USAGE_LIMIT", "later", vm.Fatal)
		require.Equal(t, want, p.answer("/sleep#0", `null`).result(), js)
	}
}

// Promise.any is still the built-in that ECMA-262 describes.
func TestPromiseAny(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`[Promise.any.name, Promise.any.length, "prototype" in Promise.any, Object.keys(Promise).length]`:                                                                      `["any",1,false,0]`,
		`[await Promise.any([Promise.reject(1), 2, 3])]`:                                                                                                                       `[2]`,
		`await Promise.any([]).catch((e) => [e instanceof AggregateError, e.name, e.errors])`:                                                                                  `[true,"AggregateError",[]]`,
		`await Promise.any([Promise.reject(1), Promise.reject(2)]).catch((e) => e.errors)`:                                                                                     `[1,2]`,
		`await Promise.any(5).catch((e) => e.name)`:                                                                                                                            `"TypeError"`,
		`await Promise.any({[Symbol.iterator]() { throw new RangeError("x") }}).catch((e) => e.name)`:                                                                          `"RangeError"`,
		`(() => { try { Promise.any.call(undefined, []) } catch (e) { return e.name } })()`:                                                                                    `"TypeError"`,
		`(() => { class P2 extends Promise {} const p = P2.any([1]); return [p instanceof P2, p instanceof Promise] })()`:                                                      `[true,true]`,
		`await (async () => { const log = []; class P2 extends Promise { static resolve(v) { log.push(v); return super.resolve(v) } } return [await P2.any([7, 8]), log] })()`: `[7,[7,8]]`,
		`await (async () => { class P2 extends Promise {} Object.defineProperty(P2, "resolve", {value: 5}); return P2.any([1]).catch((e) => e.name) })()`:                      `"TypeError"`,
		`(() => { try { new Promise.any([]) } catch (e) { return e.name } })()`:                                                                                                `"TypeError"`,
	} {
		require.Equal(t, want, eval(t, js), js)
	}
}
