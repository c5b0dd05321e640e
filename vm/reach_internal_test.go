package vm

import (
	"context"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// specimens are values of all kinds that scripts get without naming what makes them.
const specimens = `[
	/x/, /x/g, [], {}, () => {}, async () => {}, function* () {}, class {}, (function* () {})(), (function () { return arguments })(1), Symbol("s"), Object(1n),
	[].values(), [].entries(), new Map().entries(), new Set().values(), ""[Symbol.iterator](), new WeakMap(), new WeakSet(), Promise.resolve(1),
	"ab".match(/b/), "ab".match(/b/g), "ab".match("b"), "ab".search("b"), "ab".split("b"), "ab".replace("b", "c"), "ab".matchAll(/b/g), "ab".matchAll("b"), /b/.exec("ab"),
	new Date(0), new Date(0).toJSON(), new ArrayBuffer(1), new Uint8Array(1), new Uint8Array(1).buffer, new DataView(new ArrayBuffer(1)), new ArrayBuffer(2).slice(1),
	((strings) => strings)` + "`a${1}`" + `, new Proxy({}, {}), new Proxy(function () {}, {}), Proxy.revocable({}, {}), new Error("e"), new AggregateError([]),
	(() => { try { null.x } catch (e) { return e } })(), (() => { try { undefined() } catch (e) { return e } })(),
	(() => { try { JSON.parse("{") } catch (e) { return e } })(), (() => { try { new Array(-1) } catch (e) { return e } })(), (() => { try { decodeURI("%") } catch (e) { return e } })(),
	new (class extends Array {})(), new (class extends Map {})(), new (class extends RegExp {})("x"), new (class extends Date {})(0), new (class extends ArrayBuffer {})(1), new (class extends Error {})(),
	(function () {}).bind(), Reflect.construct(function () {}, [], Array), JSON.parse("[{}]"), Object.getOwnPropertyDescriptor(Map.prototype, "size"), Object.entries({a: 1})]`

// ownSpecimens are those that only a machine has.
const ownSpecimens = `[
	"ab".replace(/b/g, (...given) => { keep.push(given); return "" }), structuredClone([/x/, new Date(0), new Uint8Array(1), new Map(), new Error("e")]), new URL("http://a.b/?c"), new URL("http://a.b/?c").searchParams,
	new URLSearchParams("a").entries(), new TextEncoder().encode("a"), new TextDecoder(), [].values().map((x) => x), Iterator.from({next() {}}), Object.groupBy([1], (x) => x), Map.groupBy([1], (x) => x),
	Promise.withResolvers(), Promise.try(() => 1), Array.fromAsync([1]), Function("return /x/")(), Function("return new Date(0)")(), (0, eval)("/x/"), new ArrayBuffer(1).transfer(), (async function* () {})(),
	(() => { try { Date.now() } catch (e) { return e } })(), (() => { try { Math.random() } catch (e) { return e } })(), (() => { try { new RegExp("(") } catch (e) { return e } })(), sleep(1), parallel([() => /y/]), budget, meta]`

// walkRealm calls visit for everything that can be reached from roots: by properties, prototypes, and what getters give.
func walkRealm(r *realm, visit func(o *goja.Object), roots ...goja.Value) {
	seen := map[*goja.Object]bool{}
	for left := roots; len(left) > 0; {
		o, ok := left[len(left)-1].(*goja.Object)
		left = left[:len(left)-1]
		if !ok || seen[o] {
			continue
		}
		seen[o] = true
		visit(o)
		eachSlot(r, o, func(_ string, parts ...goja.Value) { left = append(left, parts...) })
		if proto := o.Prototype(); proto != nil {
			left = append(left, proto)
		}
	}
}

// eachSlot gives all own properties: value, getter, setter and what the getter says of this object.
func eachSlot(r *realm, o *goja.Object, f func(key string, parts ...goja.Value)) {
	slot := func(key goja.Value) {
		descriptor, ok := r.descriptorOf(goja.FunctionCall{Arguments: []goja.Value{o, key}}).(*goja.Object)
		if !ok {
			return
		}
		var got goja.Value
		if read, ok := goja.AssertFunction(descriptor.Get("get")); ok {
			if v, err := read(o); err == nil {
				got = v
			}
		}
		f(key.String(), descriptor.Get("value"), descriptor.Get("get"), descriptor.Get("set"), got)
	}
	keys := capture(r.vm.GlobalObject().Get("Reflect").(*goja.Object), "ownKeys")(goja.FunctionCall{Arguments: []goja.Value{o}}).(*goja.Object)
	for i := range r.length(keys) {
		slot(keys.Get(itoa(i)))
	}
}

// slotsOf gives the objects that stand in the properties of an object.
func slotsOf(r *realm, o *goja.Object) map[string][3]*goja.Object {
	slots := map[string][3]*goja.Object{}
	eachSlot(r, o, func(key string, parts ...goja.Value) {
		var held [3]*goja.Object
		for i := range held {
			held[i], _ = parts[i].(*goja.Object)
		}
		slots[key] = held
	})
	return slots
}

// replaced notes the objects of was that now does not have in the same place, and what of theirs their successors do not have.
func replaced(r *realm, was, now map[string][3]*goja.Object, gone map[*goja.Object]bool, names map[string]bool) {
	for key, held := range was {
		for i, o := range held {
			if o == nil || o == now[key][i] {
				continue
			}
			names[key] = true
			if gone[o] {
				continue
			}
			gone[o] = true
			if successor := now[key][i]; successor != nil {
				replaced(r, slotsOf(r, o), slotsOf(r, successor), gone, names)
			}
		}
	}
}

// TestB08_B15_ReplacedBuiltInsAreOutOfReach: what the prelude has put something else in the place of can be reached by no way.
func TestB08_B15_ReplacedBuiltInsAreOutOfReach(t *testing.T) {
	t.Parallel()
	files, entry := tree("--- s.js\nexport const meta = {name: \"n\", description: \"d\"};\nconst keep = []; globalThis.stash = [keep, " + specimens + ", " + ownSpecimens + "]; await agent(\"x\")")
	p, err := Compile(files, entry)
	require.NoError(t, err)
	m := unbuilt(p, Config{})
	r := m.realm
	before, err := r.vm.RunString(specimens)
	require.NoError(t, err)

	natives := map[*goja.Object]map[string][3]*goja.Object{}
	walkRealm(r, func(o *goja.Object) { natives[o] = slotsOf(r, o) }, r.vm.GlobalObject(), before)
	require.Greater(t, len(natives), 500)
	require.NoError(t, m.install())
	gone, names := map[*goja.Object]bool{}, map[string]bool{}
	for holder, was := range natives {
		replaced(r, was, slotsOf(r, holder), gone, names)
	}
	for _, name := range []string{
		"RegExp", "Date", "ArrayBuffer", "Proxy", "Function", "revocable", "now", "exec", "compile", "flags", "Symbol.split", "match", "matchAll", "search", "slice", "eval", "parse", "setHours",
	} {
		require.True(t, names[name], name)
	}

	_, err = m.Start(context.Background(), nil, At{Now: time.Unix(0, 0)})
	require.NoError(t, err)
	require.NotNil(t, m.realm, "the script waits")
	reached := 0
	walkRealm(r, func(o *goja.Object) {
		reached++
		if gone[o] {
			require.Fail(t, "one of the engine's own is still there", "%v", o)
		}
	}, r.vm.GlobalObject())
	require.Greater(t, reached, 700)
}
