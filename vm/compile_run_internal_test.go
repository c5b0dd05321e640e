package vm

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// tree makes files out of "--- name" lines and what follows them; the first one is the entry.
func tree(text string) (fstest.MapFS, string) {
	files := fstest.MapFS{}
	entry := ""
	for _, part := range strings.Split("\n"+text, "\n--- ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		if entry == "" {
			entry = name
		}
		files[name] = &fstest.MapFile{Data: []byte(body)}
	}
	return files, entry
}

// evaluate runs a program on a bare engine, as far as it comes without a machine.
func evaluate(t *testing.T, text string) (*Program, *goja.Promise) {
	t.Helper()
	files, entry := tree(text)
	p, err := Compile(files, entry)
	require.NoError(t, err)
	realm := goja.New()
	_, err = realm.RunString(`for (const name of ["asyncIterator", "dispose", "asyncDispose"])
		Object.defineProperty(Symbol, name, { value: Symbol("Symbol." + name) })
		var said = []; var say = (x) => { said.push(x) }`)
	require.NoError(t, err)
	body, err := realm.RunProgram(p.compiled)
	require.NoError(t, err)
	require.Empty(t, realm.Get("said").String(), "nothing runs before the body is called")
	call, ok := goja.AssertFunction(body)
	require.True(t, ok)
	result, err := call(goja.Undefined())
	require.NoError(t, err)
	promise, ok := result.Export().(*goja.Promise)
	require.True(t, ok)
	return p, promise
}

func returns(t *testing.T, text string) string {
	t.Helper()
	_, promise := evaluate(t, text)
	require.Equal(t, goja.PromiseStateFulfilled, promise.State(), "%v", promise.Result())
	return promise.Result().String()
}

const plainMeta = "export const meta = { name: 'n', description: 'd' }\n"

func TestB12_LanguageOfTheBody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"B12 as it stands": {`--- main.ts
` + plainMeta + `import { double } from "./lib"
enum Size { S = 1, L = S + 4 }
interface Item { size: Size }
async function* items(): AsyncGenerator<Item> { yield { size: Size.S }; yield { size: Size.L } }
let sum: number = await Promise.resolve(0)
for await (const item of items()) sum += double(item.size)
return sum
--- lib.ts
export const double = (n: number): number => n * 2
`, "12"},
		"async iteration of all kinds": {`--- main.js
` + plainMeta + `async function* g() { const got = yield 1; yield got; yield* h() }
async function* h() { try { yield 3 } finally { await null } }
const own = { [Symbol.asyncIterator]() { let n = 0; return { next: async () => ({ done: n > 1, value: n++ }) } } }
const out = [], it = g()
await it.next(); out.push((await it.next("sent")).value)
for await (const x of g()) out.push(x)
for await (const x of own) out.push(x)
for await (const x of [Promise.resolve("p"), "q"]) out.push(x)
return out.join()
`, "sent,1,,3,0,1,p,q"},
		"TypeScript": {`--- main.ts
export const meta: Meta<{ a: 1 }> = { name: "n", description: "d" } satisfies Other
class P { constructor(public a: number, private readonly b = 2) {} get sum() { return this.a + this.b } }
abstract class Q<T> { abstract m(): T; declare never: string; f?: number = 3 }
class R extends Q<number> { m() { return this.f! } }
const enum Direct { A = 7 }
declare const nowhere: string
function over(a: string): string; function over(a: unknown) { return String(a) }
const list = [new P(1).sum, new R().m(), Direct.A, over("o"), <number>4, ({ k: 5 } as const).k] satisfies unknown[]
return list.join()
`, "3,3,7,o,4,5"},
		"decorators, private names, static blocks, using": {`--- main.js
` + plainMeta + `const up = (f) => function (...a) { return f.apply(this, a) + 1 }
const seen = []
class A { @up m() { return this.#p } #p = 1; static has(o) { return #p in o } static { seen.push("static") } }
{ using x = { [Symbol.dispose]() { seen.push("gone") } } }
return [new A().m(), A.has(new A()), A.has({}), ...seen].join()
`, "2,true,false,static,gone"},
		"names stay what they were": {`--- main.js
` + plainMeta + `import { Thing as Other } from "./lib.js"
class Thing extends Error {}
function inner() { class Thing {} ; return Thing.name }
const arrow = () => {}
return [Thing.name, Other.name, inner(), arrow.name, new Thing().constructor.name].join()
--- lib.js
export class Thing {}
`, "Thing,Thing,Thing,arrow,Thing"},
		"strict, and no module's leftovers": {`--- main.js
` + plainMeta + `let strict = "no"
try { undeclared = 1 } catch (e) { strict = e.name }
return [strict, this, typeof arguments, typeof module, typeof exports, typeof process, (function () { return this })()].join()
`, "ReferenceError,,undefined,undefined,undefined,undefined,"},
		"JSON, cycles, index files, a .js that is a .ts, folders": {`--- flows/main.js
import one from "./data.json"
` + plainMeta + `import * as cycle from "./a.js"
import { up } from "../shared"
import { deep } from "./x/"
return [one.x, cycle.a(), up, deep].join()
--- flows/data.json
{ "x": 5, "__proto__": 1 }
--- flows/a.js
import { b } from "./b.js"
export const a = () => b() + 1
--- flows/b.ts
import { a } from "./a"
export const b = () => typeof a === "function" ? 10 : 20
--- flows/x/index.mts
export const deep = "deep"
--- shared/index.mjs
export const up = "up"
`, "5,11,up,deep"},
		"imported files run when the body is called, once": {`--- main.js
` + plainMeta + `import "./effect.js"
import "./effect"
say("body"); return said.join()
--- effect.js
say("effect")
`, "effect,body"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, returns(t, c.text)) })
	}
}

// The column of a thrown error is that of its `new`, that of a failed access is its property's.
func TestPositionsAreTheAuthors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string // the author's frames, innermost first
	}{
		"one line": {`--- main.js
export const meta = { name: "n", description: "é😀" }; throw new Error("x")
`, []string{"main.js:1:62"}},
		"sync, in a function": {`--- main.js
` + plainMeta + `function f() {
    throw new Error("x")
}
f()
`, []string{"main.js:3:11", "main.js:5:1"}},
		"after an await, TypeScript": {`--- main.ts
` + plainMeta + `interface Removed {
  a: string
}
const a: number = await Promise.resolve<number>(1);
const é = "é😀"; await null;                   throw new TypeError(é);
`, []string{"main.ts:6:54"}},
		"in a then callback": {`--- main.ts
` + plainMeta + `type T = number
await Promise.resolve(1).then((v: T) => {
  const o: any = undefined;
  return o.foo
})
`, []string{"main.ts:5:12"}},
		"in a class method of an imported TypeScript file": {`--- main.ts
` + plainMeta + `import { Thing } from "./lib/thing.js"
await null
class Mine { private n: number = 1; call(): void { new Thing(this.n).boom() } }
new Mine().call()
--- lib/thing.ts
export type N = number;

interface Removed { a: string }
export class Thing<T> {
  constructor(private n: N) {}
	boom(): never { throw new RangeError("é" + this.n) }
}
`, []string{"lib/thing.ts:6:24", "main.ts:4:70", "main.ts:5:12"}},
		"in an async generator": {`--- main.js
` + plainMeta + `async function* g() {
  yield 1
    throw new Error("x")
}
for await (const x of g()) { }
`, []string{"main.js:4:11", "main.js:6:1"}},
		"names that are no URLs": {`--- my flow é#1 (2).ts
` + plainMeta + `import { x } from "./sub dir/b%c?"
x()
--- sub dir/b%c?.ts
export function x() { throw new Error("x") }
`, []string{"sub dir/b%c?.ts:1:29", "my flow é#1 (2).ts:3:1"}},
		"with a byte order mark, a hashbang, CR LF and a false source map": {
			"--- main.js\n\uFEFF#!/usr/bin/env assent\r\n" + strings.ReplaceAll(plainMeta, "\n", "\r\n") +
				"/* é */ throw new Error('x')\r\n//# sourceMappingURL=data:application/json,{\"version\":3,\"sources\":[\"evil.js\"],\"mappings\":\"AAAA\"}\n",
			[]string{"main.js:3:15"},
		},
		"import before meta, meta in many lines": {`--- main.js
import { f } from "./f.js"; export const
meta = {
  name: "n",
  description: "d",
};  import { g } from "./f.js"
import {
  h,
} from "./f.js"

f(); g();  h()
--- f.js
export const f = () => {}, g = f
export function h() { null.x }
`, []string{"f.js:2:28", "main.js:10:12"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, promise := evaluate(t, c.text)
			require.Equal(t, goja.PromiseStateRejected, promise.State())
			stack := promise.Result().(*goja.Object).Get("stack").String()
			require.Equal(t, c.want, authorsFrames(p, stack), stack)
		})
	}
}

func authorsFrames(p *Program, stack string) []string {
	var places []string
	for line := range strings.Lines(stack) {
		text := strings.TrimSpace(line)
		text, isFrame := strings.CutPrefix(text, "at ")
		if !isFrame {
			continue
		}
		if _, inner, found := strings.Cut(strings.TrimSuffix(text, ")"), " ("); found {
			text = inner
		}
		text, _, _ = strings.Cut(text, "(")
		parts := strings.Split(text, ":")
		if file := p.file(parts[0]); file != "" {
			places = append(places, strings.Join(append([]string{file}, parts[1:]...), ":"))
		}
	}
	return places
}
