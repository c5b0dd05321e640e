package vm_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// reaching are scripts that come to built-ins by ways that no word of their text tells, after they have changed what they could.
var reaching = map[string]string{
	`const C = /x/["con" + "structor"]; const maker = [].at["con" + "structor"]; return [maker("return RegExp")() === C, C === (await "x".matchAll(/x/g)).next().value.input, new C("(?<!a)b", "v").test("b")]`: `[true,false,true]`,
	`const proto = {}.__proto__; const spoil = (o) => { for (const k of ["exec", "test", "source", "flags"]) o[k] = () => null };
	 const maker = [].at["con" + "structor"]; const before = "a1"["mat" + "ch"](/\d/)[0]; return [before, maker("return Object.getPrototypeOf(/x/).constructor === RegExp && typeof Date.now")()]`: `["1","function"]`,
	`const it = new Map([[1, 2]])[["val", "ues"].join("")](); const up = Object.getPrototypeOf; const p = up(up(it)); p.map = () => "mine"; return [it.map(), typeof p.take]`:           `["mine","function"]`,
	`const it = new Map([[1, 2]])[["val", "ues"].join("")](); it.map = 5; return [it.map, "map" in new Map()[["ke", "ys"].join("")]()]`:                                                 `[5,true]`,
	`const log = []; Promise.resolve().then(() => log.push("later")); const it = new Set([1])[["val", "ues"].join("")](); it.filter((x) => x); log.push("now"); await null; return log`: `["now","later"]`,
	`Array.prototype[Symbol["itera" + "tor"]] = () => { throw "mine" }; Array.prototype.map = Array.prototype.join = String = 5; const maker = [].at["con" + "structor"];
	 return maker("const bytes = new Uint8Array(3); const p = new URLSearchParams('a=1&b=2'); p.delete('a'); const n = new TextEncoder().encodeInto('abcd', bytes); return n.read + p.toString() + new Date(0).toISOString()")()`: `"3b=21970-01-01T00:00:00.000Z"`,
	`try { return String(new (/x/["con" + "structor"])("(")) } catch (e) { return e.name }`:                                                 `"SyntaxError"`,
	`const D = [].at["con" + "structor"]("return Da" + "te")(); try { return new D() } catch (e) { return e["co" + "de"] }`:                 `"NONDETERMINISTIC_API"`,
	`const D = [].at["con" + "structor"]("return new Da" + "te(0)")()["con" + "structor"]; return [new D("2021-04-18 23:59:59").getTime()]`: `[1618790399000]`,
	`return "a-b".split("-").map((s) => s.toUpperCase())`:                                                                                   `["A","B"]`,
}

// A word in the text, used or not, changes nothing of what a script does.
func TestUnusedWordsChangeNothing(t *testing.T) {
	t.Parallel()
	const words = `URL Date RegExp Proxy Iterator ArrayBuffer DataView structuredClone TextEncoder atob globalThis eval Function toLocaleString match take`
	for body, want := range reaching {
		plain := play(t, body)
		require.Equal(t, want, plain.result(), body)
		for _, unused := range []string{"// " + words, "/* " + words + " */", `"` + words + `";`, "function unused() { return [URL, Date, RegExp, Proxy, Iterator, structuredClone, /x/.constructor] }"} {
			other := play(t, body+"\n"+unused)
			require.Equal(t, want, other.result(), "%s\n%s", body, unused)
			require.Equal(t, plain.said(), other.said(), "%s\n%s", body, unused)
		}
	}
}

// However a search comes to be, it ends with the script's stretch.
func TestB02_SearchesEndWithTheStretch(t *testing.T) {
	t.Parallel()
	for _, search := range []string{
		`text.match("^(x+x+)+y$")`, `text["mat" + "ch"](/^(x+x+)+y$/)`, `[...text["match" + "All"]("^(x+x+)+y$")]`, `text["sea" + "rch"]("^(x+x+)+y$")`,
		`text.replace(/^(x+x+)+y$/, "")`, `text.replaceAll(/^(x+x+)+y$/g, () => "")`, `text.split(/^(x+x+)+y$/)`, `new (/a/["con" + "structor"])("^(x+x+)+y$").test(text)`,
		`new (class extends (/a/["con" + "structor"]) {})("^(x+x+)+y$")["ex" + "ec"](text)`, `[].at["con" + "structor"]("t", "return /^(x+x+)+y$/.test(t)")(text)`,
		`/^(?=x)(x+x+)+y$/.test(text)`, `/^(x+x+)+\1y$/.test(text)`,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		m := vm.New(compile(t, `const text = "x".repeat(64); try { `+search+` } catch (e) { log(e) } finally { log("after") } return 1`), vm.Config{})
		turn, err := m.Start(ctx, nil, vm.At{Now: noon})
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, search)
		require.Empty(t, turn.Notes, search)
	}
}

// A host function cannot have the name of a built-in, whichever file makes that.
func TestHostFunctionsCannotTakeBuiltIns(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"URL", "Iterator", "structuredClone", "Date", "parallel", "args"} {
		_, err := vm.New(compile(t, `return 1`), vm.Config{Functions: []vm.Function{{Name: name}}}).Start(t.Context(), nil, vm.At{Now: noon})
		require.ErrorContains(t, err, `a host function cannot have the name "`+name+`"`)
	}
}
