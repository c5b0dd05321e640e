package vm_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/vm"
)

func TestB04_DeepValues(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`JSON.parse("[".repeat(50000) + "]".repeat(50000))`:                          "RangeError JSON_DEPTH: JSON.parse: the JSON text nests deeper than 1000",
		`let a = []; for (let i = 0; i < 50000; i++) a = [a]; JSON.stringify(a)`:     "RangeError JSON_DEPTH: JSON.stringify: the value nests deeper than 1000",
		`let a = {}; for (let i = 0; i < 50000; i++) a = {a}; JSON.stringify(a)`:     "RangeError JSON_DEPTH: JSON.stringify: the value nests deeper than 1000",
		`let a = []; for (let i = 0; i < 50000; i++) a = [a]; a.flat(Infinity)`:      "RangeError JSON_DEPTH: the array nests deeper than 1000",
		`let a = {}; for (let i = 0; i < 20000; i++) a = {a}; await planApprove(a)`:  "TypeError PLAN_NOT_JSON: planApprove: the plan is not plain JSON data at $.a: the value nests deeper than 1000",
		`let a = {}; for (let i = 0; i < 20000; i++) a = {a}; await agent("x", {a})`: "TypeError JSON_DEPTH: agent: the options at $.a: the value nests deeper than 1000",
		`"x".repeat(1024 ** 4)`:                       "RangeError STRING_LIMIT: repeat: the string would be longer than 67108864",
		`"x".padEnd(1e9)`:                             "RangeError STRING_LIMIT: padEnd: the string would be longer than 67108864",
		`"x".padStart(Infinity)`:                      "RangeError STRING_LIMIT: padStart: the string would be longer than 67108864",
		`await agent("x", {s: "y".repeat(64 << 20)})`: "TypeError JSON_SIZE: agent: the options at $.s: the JSON text is longer than 67108864 bytes",
	} {
		require.Equal(t, want, caught(t, body), body)
	}
	require.Equal(t, `"[object Object],"`, play(t, `const a = [{}]; a.push(a); return String(a)`).result())
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	require.Equal(t, deep, play(t, `return await agent("x")`).answer("/agent#0", deep).result())
	m := vm.New(compile(t, `await agent("x")`), vm.Config{})
	_, err := m.Start(context.Background(), nil, vm.At{})
	require.NoError(t, err)
	_, err = m.Deliver(context.Background(), "/agent#0", vm.Outcome{Value: []byte("[" + deep + "]")}, vm.At{})
	require.ErrorContains(t, err, "JSON_DEPTH")
	m = vm.New(compile(t, `await agent("x")`), vm.Config{Limits: vm.Limits{JSONBytes: 10}})
	_, err = m.Start(context.Background(), nil, vm.At{})
	require.NoError(t, err)
	_, err = m.Deliver(context.Background(), "/agent#0", vm.Outcome{Value: []byte(`"123456789"`)}, vm.At{})
	require.ErrorContains(t, err, "JSON_SIZE")
}

func TestCallDepth(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"direct":         `const f = () => f(); f()`,
		"through map":    `const f = () => [1].map(f); f()`,
		"through a sort": `const f = () => [2, 1].sort(f); f()`,
		"toString":       `const o = {toString() { return "" + o }}; String(o)`,
		"getter":         `const o = {get x() { return o.x }}; o.x`,
		"proxy":          `const p = new Proxy({}, {get(t, k, r) { return r[k] }}); p.x`,
		"toJSON":         `const o = {toJSON() { return JSON.stringify(o) }}; JSON.stringify(o)`,
		"constructor":    `class A { constructor() { new A() } }; new A()`,
		"deep join":      `let a = []; for (let i = 0; i < 50000; i++) a = [a]; String(a)`,
		"replace":        `const f = () => "a".replace("a", f); f()`,
		"reviver":        `const f = () => JSON.parse("1", f); f()`,
		"async":          `const f = async () => f(); await f()`,
		"generator":      `function* g() { yield* g() }; [...g()]`,
		"after a call":   `await agent("x"); const f = () => f(); f()`,
	} {
		t.Run(name, func(t *testing.T) {
			limits := vm.Limits{CallStack: 500}
			if os.Getenv("ASSENT_LONG") != "" {
				limits.CallStack = 0 // the default takes seconds for some of these
			}
			p := playWith(t, body, vm.Config{Limits: limits})
			if len(p.calls) > 0 {
				p.answer(p.calls[0].Key, "1")
			}
			e := p.failure()
			require.Equal(t, "CALL_DEPTH", e.Code)
			require.Equal(t, "main.js", e.File)
			require.Equal(t, 2, e.Line)
		})
	}
	require.Equal(t, "2900", play(t, `const f = (n) => n ? 1 + f(n - 1) : 0; return f(2900)`).result())
}

func TestCallLimit(t *testing.T) {
	t.Parallel()
	p := playWith(t, `
		for (let i = 0; i < 5; i++) sleep(i);
		const all = [agent("a"), checkpoint("b"), planApprove(1)];
		try { await agent("one too many") } catch (e) { return [e.name, e.code, e.message] }`, vm.Config{Limits: vm.Limits{Calls: 3}})
	require.Len(t, p.calls, 8)
	require.Equal(t, `["RangeError","CALL_LIMIT","the script makes more than 3 calls"]`, p.result())
	one := playWith(t, `await parallel([() => agent("a"), () => agent("b")])`, vm.Config{Limits: vm.Limits{Calls: 1}}).failure()
	require.Equal(t, "CALL_LIMIT", one.Code)
	require.Contains(t, one.Message, "the script makes more than 1 call")
	require.NotContains(t, one.Message, "calls")
}

func TestStretchIsInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, body := range map[string]string{
		"at the start": `for (;;) ;`, "in a reaction": `await null; for (;;) ;`, "in a branch": `await parallel([async () => { await null; for (;;) ; }])`,
		"with a finally that goes on": `try { for (;;) ; } finally { for (;;) ; }`, "microtasks for ever": `for (;;) await null`,
	} {
		t.Run(name, func(t *testing.T) {
			m := vm.New(compile(t, body), vm.Config{})
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
			defer cancel()
			turn, err := m.Start(ctx, nil, vm.At{Now: noon})
			require.Zero(t, turn)
			e, ok := errors.AsType[*vm.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, "STRETCH_LIMIT", e.Code)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			_, again := m.Start(context.Background(), nil, vm.At{})
			require.Equal(t, err, again, "the machine is dead")
			_, again = m.Deliver(context.Background(), "/agent#0", vm.Outcome{}, vm.At{})
			require.Equal(t, err, again)
		})
	}
	t.Run("by its cause", func(t *testing.T) {
		m := vm.New(compile(t, `await agent("x"); for (;;) ;`), vm.Config{})
		_, err := m.Start(context.Background(), nil, vm.At{})
		require.NoError(t, err)
		cause := errors.New("Ctrl-C")
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
		_, err = m.Deliver(ctx, "/agent#0", vm.Outcome{}, vm.At{})
		require.ErrorIs(t, err, cause)
		require.ErrorContains(t, err, "STRETCH_INTERRUPTED")
	})
	t.Run("a context that ends between two turns does nothing", func(t *testing.T) {
		m := vm.New(compile(t, `await agent("x"); let n = 0; for (let i = 0; i < 1e5; i++) n++; return n`), vm.Config{})
		ctx, cancel := context.WithCancel(context.Background())
		_, err := m.Start(ctx, nil, vm.At{})
		require.NoError(t, err)
		cancel()
		turn, err := m.Deliver(context.Background(), "/agent#0", vm.Outcome{}, vm.At{})
		require.NoError(t, err)
		require.Equal(t, "100000", string(turn.Result))
	})
	t.Run("one that has ended lets nothing start", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := vm.New(compile(t, `return 1`), vm.Config{}).Start(ctx, nil, vm.At{})
		require.ErrorIs(t, err, context.Canceled)
	})
}
