package vm_test

import (
	"context"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// letters are what the engine does not know by their property.
const letters = "letters by their property"

// regExpWork are bodies of scripts that mostly match. Each makes its own text, and returns a number that both engines must give.
var regExpWork = []struct{ name, body, want string }{
	{"test of a literal", `const s = "the quick brown fox jumps over the lazy dog ".repeat(20) + "needle"; const r = /needle/;
		let n = 0; for (let i = 0; i < 20000; i++) if (r.test(s)) n++; return n`, "20000"},
	{"test of a short text", `const r = /^[a-z]+-(\d+)$/; let n = 0; for (let i = 0; i < 50000; i++) if (r.test("item-" + i)) n++; return n`, "50000"},
	{"exec in a loop", `const s = "key=value; ".repeat(2000); let n = 0; for (let i = 0; i < 10; i++) { const r = /(\w+)=(\w+)/g; let m; while ((m = r.exec(s)) !== null) n += m[1].length } return n`, "60000"},
	{"replace by a text", `const s = "a-b-c ".repeat(3000); let n = 0; for (let i = 0; i < 10; i++) n += s.replace(/-/g, "__").length; return n`, "240000"},
	{"replace by a template", `const s = "key=value; ".repeat(1000); let n = 0; for (let i = 0; i < 10; i++) n += s.replace(/(\w+)=(\w+)/g, "$2=$1").length; return n`, "110000"},
	{"replace by a function", `const s = "a-b-c ".repeat(3000); let n = 0; for (let i = 0; i < 10; i++) n += s.replace(/[a-c]/g, (c) => c + c).length; return n`, "270000"},
	{"split", `const s = "one, two,three ,  four, ".repeat(1000); let n = 0; for (let i = 0; i < 10; i++) n += s.split(/\s*,\s*/).length; return n`, "40010"},
	{"letters of a long text", `const s = "naïve été Ελλάδα слово ".repeat(3000); let n = 0; for (let i = 0; i < 5; i++) n += s.replace(/[a-zà-ÿΑ-ώа-я]+/gu, "x").length; return n`, "120000"},
	{letters, `const s = "naïve été Ελλάδα слово ".repeat(3000); let n = 0; for (let i = 0; i < 5; i++) n += s.replace(/\p{L}+/gu, "x").length; return n`, "120000"},
}

// BenchmarkRegExp compares the machine's expressions with those of the engine that it runs in.
func BenchmarkRegExp(b *testing.B) {
	for _, work := range regExpWork {
		b.Run(work.name+"/ours", func(b *testing.B) {
			p := compile(b, work.body)
			for b.Loop() {
				turn, err := vm.New(p, vm.Config{}).Start(context.Background(), nil, vm.At{Now: noon})
				require.NoError(b, err)
				require.Nil(b, turn.Err)
				require.Equal(b, work.want, string(turn.Result))
			}
		})
		if work.name == letters {
			continue
		}
		b.Run(work.name+"/engine", func(b *testing.B) {
			p := goja.MustCompile("work", "(() => {"+work.body+"})()", true)
			for b.Loop() {
				v, err := goja.New().RunProgram(p)
				require.NoError(b, err)
				require.Equal(b, work.want, v.String())
			}
		})
	}
}
