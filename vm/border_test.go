package vm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// FuzzBorder sends a text in as an answer and out again as the result. It is taken exactly if another
// strict implementation takes it, and means the same after the journey.
func FuzzBorder(f *testing.F) {
	for _, text := range []string{
		`null`, ` [1, -0, 0.5e-7, 1E+3, 1e999] `, `{"a":{"b":[true,false]},"":"\\u00e9\\n\\/"}`, `{"a":1,"a":2}`, `"\\ud83d\\ude00"`, `"\\ud800"`, `"\\udc00x"`,
		`[1,]`, `{"a"}`, `01`, `-`, `"\x01"`, `"\xff"`, `{"__proto__":{"x":1}}`, `{"10":1,"9":2,"b":3}`, `9007199254740993`, `"\u2028\u007f"`, `[[[[]]]]`, `"\\u0000"`, `123456789012345678`,
	} {
		f.Add([]byte(strings.ReplaceAll(text, `\\`, `\`)))
	}
	program := compile(f, `return await agent("x")`)
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 10_000 || len(bytes.TrimSpace(text)) == 0 {
			return
		}
		m := vm.New(program, vm.Config{})
		_, err := m.Start(context.Background(), nil, vm.At{Now: noon})
		require.NoError(t, err)
		turn, err := m.Deliver(context.Background(), "/agent#0", vm.Outcome{Value: json.RawMessage(text)}, vm.At{Now: noon})
		oracle := jsontext.Value(bytes.Clone(text))
		if !oracle.IsValid() {
			require.Error(t, err, "%q", text)
			return
		}
		if err != nil {
			require.Regexp(t, "larger than a double|nests deeper", err.Error(), "%q", text)
			return
		}
		require.NoError(t, oracle.Canonicalize(), "%q", text)
		require.Equal(t, string(oracle), canonical(t, turn.Result), "%q", text)
	})
}

// A host function that goja calls by itself, as a reaction, must not run other reactions in between.
func TestHostFunctionsDoNotDrain(t *testing.T) {
	t.Parallel()
	for _, f := range []string{`agent`, `JSON.stringify`, `log`, `parallel`, `console.log`, `uuid`, `now`, `setSemanticStatus`, `agent.bind(null, 1)`} {
		got := play(t, `
			const order = [];
			const arg = {status: "failed", reason: "r"};
			const mark = (x) => () => { order.push(x) };
			Promise.resolve(`+"`x`"+`).then(mark(1)).then(mark(4));
			const p = Promise.resolve(arg).then(`+f+`);
			p.then(() => {}, () => {});
			Promise.resolve().then(mark(2)).then(mark(5));
			Promise.resolve().then(mark(3));
			for (let i = 0; i < 9; i++) await null;
			return order.join()`).result()
		require.Equal(t, `"1,2,3,4,5"`, got, f)
	}
}
