package vm_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// Whatever way leads to a built-in whose file does not run for every script, it is there, and no microtask runs before its time.
func TestLazyBuiltInsAreThereHoweverTheyAreReached(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`const maker = [].at["construct" + "or"]; return maker("return [typeof URL, typeof Iterator, new Date(0).getHours(), /\\p{L}/u.test('é'), typeof Proxy.revocable]")()`:              `["function","function",0,true,"function"]`,
		`const it = new Map([[1, 2]])[["val", "ues"].join("")](); return [...it.map((x) => x * 2)]`:                                                                                         `[4]`,
		`const it = new Map([[1, 2]])[["val", "ues"].join("")](); it.map = 5; return [it.map, "map" in new Map()[["ke", "ys"].join("")]()]`:                                                 `[5,true]`,
		`const log = []; Promise.resolve().then(() => log.push("later")); const it = new Set([1])[["val", "ues"].join("")](); it.filter((x) => x); log.push("now"); await null; return log`: `["now","later"]`,
		`const log = []; Promise.resolve().then(() => log.push("later")); const maker = [].at["construct" + "or"]; maker("return new Date(0)")(); log.push("now"); await null; return log`:  `["now","later"]`,
		`return "a-b".split("-").map((s) => s.toUpperCase())`:                         `["A","B"]`,
		`const m = "mat" + "ch"; return ["x1".replace("x", "y"), [1, 2].map(String)]`: `["y1",["1","2"]]`,
	} {
		require.Equal(t, want, play(t, body).result(), body)
	}
}

func TestRegExpLimits(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"RangeError REGEXP_LIMIT"`, play(t, `try { /^(?:a|(a))*$/.test("a".repeat(9e6) + "b"); return "no" } catch (e) { return e.name + " " + e.code }`).result())
	require.Contains(t, caught(t, `new RegExp("(".repeat(501) + ")".repeat(501))`), "SyntaxError SCRIPT_UNSUPPORTED: a regular expression with groups nested more than 500 deep")
}

// Expressions that a script makes are not kept for ever, and work all the same.
func TestManyRegExps(t *testing.T) {
	t.Parallel()
	require.Equal(t, `[true,"ig_/é1","gi",25000]`, play(t, `const first = new RegExp("ig_/é1", "ig"); let n = 0; for (let i = 0; i < 25000; i++) if (new RegExp("a" + i).test("xa" + i)) n++; return [first.test("IG_/É1"), first.source.replace("\\", ""), first.flags, n]`).result())
}

// A match that would take for ever ends with the stretch.
func TestRegExpsCanBeStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	m := vm.New(compile(t, `let done = 0; try { done = /^(x+x+)+y$/.test("x".repeat(64)) } catch (e) { done = 1 } finally { log("after " + done) } return done`), vm.Config{})
	turn, err := m.Start(ctx, nil, vm.At{Now: noon})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Empty(t, turn.Notes)
}
