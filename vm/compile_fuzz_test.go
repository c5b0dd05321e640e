package vm_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// Whatever the text: a program or an *Error, never a panic; and the same program from its own sources.
func FuzzCompile(f *testing.F) {
	f.Add(plainMeta+"import { x } from './x'\nreturn `${x}` / 2", "export const x = /a/g")
	f.Add("import './x'\n"+plainMeta+"for await (const a of g()) {}", "enum E { A }; export default E")
	f.Add(plainMeta+"//# sourceMappingURL=data:application/json,{}", "\uFEFF#!x\n\"use strict\"")
	f.Fuzz(func(t *testing.T, main, lib string) {
		p, err := vm.Compile(fstest.MapFS{"main.ts": {Data: []byte(main)}, "x.ts": {Data: []byte(lib)}}, "main.ts")
		if err != nil {
			var coded *vm.Error
			require.ErrorAs(t, err, &coded)
			require.NotEmpty(t, coded.Code)
			require.NotEqual(t, "VM_FAULT", coded.Code)
			return
		}
		again, err := vm.FromSources(p.Name(), p.Sources())
		require.NoError(t, err)
		require.Equal(t, p.Hash(), again.Hash())
	})
}

func BenchmarkCompile(b *testing.B) {
	step := func(i int) string {
		return fmt.Sprintf("async function step%d(item, index) {\n  const answer = await agent(`do ${item}`, { label: 'step' + index })\n"+
			"  if (answer === null) throw new Error('none')\n  return { ok: true, answer, list: [1, 2, 3].map((x) => x * %d) }\n}\n", i, i)
	}
	var large strings.Builder
	large.WriteString(plainMeta)
	for i := 0; large.Len() < 500<<10; i++ {
		large.WriteString(step(i))
	}
	for name, text := range map[string]string{"small": plainMeta + step(1) + "return await step1('x', 0)\n", "500KiB": large.String()} {
		b.Run(name, func(b *testing.B) {
			files := fstest.MapFS{"main.ts": {Data: []byte(text)}}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := vm.Compile(files, "main.ts"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
