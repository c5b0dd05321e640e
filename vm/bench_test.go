package vm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// BenchmarkStart is what a script of a hundred lines waits for until its first call: without and with its own compilation.
func BenchmarkStart(b *testing.B) {
	lines := "const done = [];\n"
	for i := range 97 {
		lines += fmt.Sprintf("const step%d = (x) => ({name: \"step %d\", value: x + %d, text: `line ${x} of %d`});\n", i, i, i, i)
	}
	body := lines + `done.push(step96(1)); return await agent("hi " + done[0].text)`
	start := func(b *testing.B, p *vm.Program) {
		turn, err := vm.New(p, vm.Config{Seed: "s"}).Start(context.Background(), nil, vm.At{Now: noon})
		require.NoError(b, err)
		require.Len(b, turn.Calls, 1)
	}
	b.Run("compiled", func(b *testing.B) {
		p := compile(b, body)
		b.ReportAllocs()
		for b.Loop() {
			start(b, p)
		}
	})
	b.Run("from-text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			start(b, compile(b, body))
		}
	})
}

// BenchmarkDeliver answers calls one after another, as a resume does with those that have finished.
func BenchmarkDeliver(b *testing.B) {
	for _, calls := range []int{1000, 10000} {
		b.Run(fmt.Sprint(calls), func(b *testing.B) {
			p := compile(b, fmt.Sprintf(`let v; for (let i = 0; i < %d; i++) v = await agent("prompt " + i, {label: "call", model: "m"}); return v`, calls))
			b.ReportAllocs()
			for b.Loop() {
				m := vm.New(p, vm.Config{Seed: "s", Limits: vm.Limits{Calls: calls}})
				turn, err := m.Start(context.Background(), nil, vm.At{Now: noon})
				for !turn.Done {
					require.NoError(b, err)
					turn, err = m.Deliver(context.Background(), turn.Calls[0].Key, vm.Outcome{Value: json.RawMessage(`{"text":"an answer","n":[1,2]}`)}, vm.At{Now: noon})
				}
				require.NoError(b, err)
				require.Nil(b, turn.Err)
			}
		})
	}
}

// BenchmarkFanOut answers the branches of one parallel.
func BenchmarkFanOut(b *testing.B) {
	p := compile(b, `return (await parallel(Array.from({length: 1000}, (_, i) => async () => [await agent("a" + i), await agent("b" + i)]))).length`)
	b.ReportAllocs()
	for b.Loop() {
		m := vm.New(p, vm.Config{Seed: "s", Limits: vm.Limits{Calls: 2000}})
		turn, err := m.Start(context.Background(), nil, vm.At{Now: noon})
		require.NoError(b, err)
		for open := turn.Calls; len(open) > 0; open = open[1:] {
			turn, err = m.Deliver(context.Background(), open[0].Key, vm.Outcome{Value: json.RawMessage(`"x"`)}, vm.At{Now: noon})
			require.NoError(b, err)
			open = append(open, turn.Calls...)
		}
		require.Equal(b, "1000", string(turn.Result))
	}
}
