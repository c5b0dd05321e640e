package vm_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each of these, as half a megabyte, overflows the stack of a parser and ends the process, or keeps it busy for minutes.
func TestB04_DeepSourceIsRefused(t *testing.T) {
	t.Parallel()
	for name, p := range map[string][3]string{
		"!": {"!", "1", ""}, "-": {"- ", "1", ""}, "()": {"(", "1", ")"}, "[]": {"[", "1", "]"}, "{}": {"{", "", "}"},
		"arrows": {"a=>", "1", ""}, "arrow bodies": {"()=>{", "", "}"}, "if": {"if(1)", "1", ""}, "if, lines": {"if(1)\n", "1", ""},
		"else": {"if(1);else ", "1", ""}, "else, lines": {"if(1)a\nelse ", "1", ""}, "do": {"do ", "a;", " while(1)"},
		"?:": {"x?x:", "1", ""}, "+": {"1+", "1", ""}, "**": {"1**", "1", ""}, "??": {"a??", "1", ""}, ",": {"1,", "1", ""},
		"templates": {"`${", "1", "}`"}, "calls": {"f(", "1", ")"}, "objects": {"a={a:", "1", "}"}, ".": {"", "a", ".a"},
		"a[1]": {"", "a", "[1]"}, "a()": {"", "a", "()"}, "new": {"new ", "a", ""}, "await": {"await ", "a", ""},
		"=": {"a=", "1", ""}, "labels": {"a:", "1", ""}, "classes": {"class A{m(){", "1", "}}"}, "patterns": {"[a=", "1", "]"},
		"spread": {"[...", "a", "]"}, "for": {"for(;;)", "a", ""}, "try": {"try{", "", "}catch{}"}, "as": {"", "a", " as any"},
		"types": {"type X={a:", "b", "}"}, "type arguments": {"A<", "B", ">"}, "<": {"a<", "1", ""}, "conditional types": {"type X=", "A", " extends B?C:D"},
		"decorators": {"@a ", "class A{}", ""}, "tags": {"", "a", "``"}, "after a doubtful slash": {"", "{}/", strings.Repeat("(", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			count := (500<<10 - len(plainMeta)) / (len(p[0]) + len(p[2]))
			_, err := compileText("a.ts", plainMeta+strings.Repeat(p[0], count)+p[1]+strings.Repeat(p[2], count))
			require.Error(t, err)
			require.Regexp(t, `a\.ts:\d+:\d+: SOURCE_TOO_DEEP: this is nested too deep|SCRIPT_SYNTAX: cannot tell whether this /`, err.Error())
		})
	}
}

// What people write is far from the limit, also without semicolons.
func TestOrdinarySourceIsNotTooDeep(t *testing.T) {
	t.Parallel()
	size := 100 << 10
	if os.Getenv("ASSENT_LONG") != "" {
		size = 500 << 10
	}
	for name, text := range map[string]string{
		"functions":      "async function step(item, index) {\n  const a = await agent(`do ${item}`, { label: 's' + index })\n  if (a === null) throw new Error('none')\n  return { ok: true, list: [1, 2].map((x) => x * 2) }\n}\n",
		"no semicolons":  "x = await agent('a')\nlog(x)\nif (x) log(x)\nelse log('no')\nfor (const y of [1, 2]) log(y)\nwork.push(() => x)\n",
		"one-liners":     "x = [...x, (y) => y / 2]; z = /[/]'/.test(`${x}/${x}`) ? x / 2 : x++ / 2;\n",
		"data":           "list.push([{ a: 1, b: [1, 2, 3] }, { a: 2, b: [] }]);\n",
		"arrow handlers": "work[0] = { a: (x) => x, b: async (y) => { await y }, c: (z) => ({ z }) };\n",
		"TypeScript":     "function f<T extends object>(a: T, b?: Map<string, T[]>): a is T { return a! as unknown as boolean }\n",
	} {
		t.Run(name, func(t *testing.T) {
			head := "let x, y, z, list = [], work = []\n"
			body := strings.Repeat(text, size/len(text))
			if name == "functions" || name == "TypeScript" {
				// A name can be declared once: each one in a block of its own.
				body = strings.Repeat("{\n"+text+"}\n", size/(len(text)+4))
			}
			_, err := compileText("a.ts", plainMeta+head+body)
			require.NoError(t, err)
		})
	}
	array := "const data = [" + strings.Repeat(`{ id: 1, name: "x", tags: ["a", "b"] }, `, size/42) + "]\nreturn data.length"
	_, err := compileText("a.js", plainMeta+array)
	require.NoError(t, err)
}
