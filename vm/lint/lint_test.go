package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/vm/lint"
)

const header = `export const meta = { name: "n", description: "d" };` + "\n"

// options are what tests hold scripts against.
var options = lint.Options{
	Calls: map[string]lint.Names{
		"agent": {
			Known: []string{"label", "model", "onError", "readOnly", "retries", "schema", "under"}, Ignored: []string{"thread"},
		},
		"checkpoint":  {Known: []string{"kind", "choices", "default", "headless", "timeoutMs"}},
		"planApprove": {Known: []string{"prompt", "default", "headless", "timeoutMs"}},
	},
	Functions:    []string{"stageCheck", "delivery.begin", "delivery.stop"},
	Calculations: []string{"compactFeedback"},
}

// problems gives "line:column rule", with a ! before it for an error, of a body that begins in line 2.
func problems(t testing.TB, body string) []string {
	t.Helper()
	_, _, found := lint.File(fstest.MapFS{"script.js": {Data: []byte(header + body)}}, "script.js", options)
	return short(found)
}

func short(found []lint.Problem) []string {
	list := []string{}
	for _, p := range found {
		sign := ""
		if p.Severity == lint.Error {
			sign = "!"
		}
		list = append(list, fmt.Sprintf("%s%d:%d %s", sign, p.Line, p.Column, p.Rule))
	}
	return list
}

func TestRules(t *testing.T) {
	t.Parallel()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for body, want := range c {
				got := problems(t, body)
				require.Equal(t, strings.Fields(strings.Join(want, " ")), strings.Fields(strings.Join(got, " ")), body)
			}
		})
	}
}

// Places are the author's: in TypeScript, behind a byte order mark, in imported files, and where the bundler renames.
func TestPlacesAreTheAuthors(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"flow.ts": {Data: []byte("\uFEFFimport { ask, type Plan } from \"./lib/ask\";\n" +
			"export const meta = { name: \"n\", description: \"d\" };\n" +
			"import * as more from \"./lib/more.js\";\n" +
			"enum Level { Low = 1, High }\n" +
			"const approval: unknown = 1; log(approval, Level.High, \"😀\", more.level<number>(2));\n" +
			"async function work(plan: Plan): Promise<string | null> {\n" +
			"\tconst approval = await ask(plan);\r\n" +
			"\tif (approval.decision as boolean) return \"😀\" + (await agent(\"x\", { lable: \"y\" } as const));\n" +
			"\treturn null;\n}\n" +
			"for await (const p of [1]) { agent(`${p}`) }\n" +
			"async function* all() { agent(\"a\"); yield await agent(\"b\"); }\n" +
			"for await (const x of all()) log(x);\n" +
			"return work({});")},
		"lib/ask.ts":  {Data: []byte("export type Plan = object;\nexport const ask = (plan: Plan) => {\n  if (plan === null) log(Date.now());\n  return planApprove(plan);\n};")},
		"lib/more.js": {Data: []byte("export const level = (n) => { agent('y'); // assent-ignore unawaited-call\n  return n + undefinedName };")},
	}
	_, refusals, found := lint.File(files, "flow.ts", options)
	require.Empty(t, refusals)
	var places []string
	for i, s := range short(found) {
		places = append(places, found[i].File+" "+s)
	}
	require.Equal(t, []string{
		"flow.ts !8:6 truthy-decision",
		"flow.ts !8:70 unknown-option",
		"flow.ts 11:30 unawaited-call",
		"flow.ts 12:25 unawaited-call",
		"lib/ask.ts 3:26 nondeterministic",
		"lib/more.js 2:14 missing-global",
	}, places)
	require.Equal(t, "write approval.decision === true", found[0].Fix, "and not approval2, as the bundler calls it")
	require.Equal(t, `did you mean "label"?`, found[1].Fix)
}

// A fix can be typed as it stands.
func TestFixesOfDecisionsAreCode(t *testing.T) {
	t.Parallel()
	for read, want := range map[string]string{
		`if (a["decision"]) return`: `write a["decision"] === true`, `if (a?.["decision"]) return`: `write a?.["decision"] === true`, `if (!a?.decision) return`: "write a?.decision !== true in the place of !a?.decision",
		`if (a.decision !== "no") return`: "write a.decision === true", `if (a.decision === "no") return`: "write a.decision !== true", `if (a.cheksum) return a.decision === true`: "did you mean checksum?",
		`if (a.approved) return`: "did you mean decision? A yes is a.decision === true", `if (a.decison === true) return`: "did you mean decision? A yes is a.decision === true",
		"if (a.decision === false) return; await agent('x')": "write a.decision !== true, and pass under: approval to agent()",
		"if (a.decision !== false) await agent('x')":         "write a.decision === true, and pass under: approval to agent()",
	} {
		script := header + "const a = await planApprove(1); " + read
		_, _, found := lint.File(fstest.MapFS{"s.js": {Data: []byte(script)}}, "s.js", options)
		require.Len(t, found, 1, read)
		require.Equal(t, want, found[0].Fix, read)
	}
}

// What the machine refuses is found with everything else that can be told; the first is what vm.Compile says.
func TestRefusalsAllAtOnce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`export const meta = { name: "", description: "d", planfirst: true, limits: { maxCals: 1, stretch: 2 } }; agent("x"); return [/(?<a>x)(?<a>y)/u, /(/, /[b-a]/]`: {
			"!1:29 meta-invalid", "!1:51 meta-invalid", "!1:78 meta-invalid", "!1:90 meta-invalid", "1:106 unawaited-call",
			"!1:126 script-syntax", "!1:145 script-syntax", "!1:150 script-syntax",
		},
		header + "const a = await import('./a.js');\nconst b = await import('./b.js');\nimport.meta.url": {
			"!2:24 script-unsupported", "!3:24 script-unsupported", "!4:1 script-unsupported",
		},
		header + "import { a } from 'lodash';\nimport { b } from '../up.js';\nimport { c } from './gone.js';\na(b, c)": {
			"!2:19 import-refused", "!3:19 import-refused", "!4:19 import-not-found",
		},
		header + "const r = require;\nconst s = { require };\nplanApprove(1)": {
			"!2:11 script-unsupported", "!3:13 script-unsupported", "!4:1 unawaited-gate",
		},
		"return 1": {"!1:1 meta-invalid"},
		"// none\n  await agent('x', { lable: 1 }); /* two */ planApprove(1)\nagent('y')": {
			"!2:3 meta-invalid", "!2:22 unknown-option", "!2:45 unawaited-gate", "3:1 unawaited-call",
		},
		"import { x } from './x.js'; agent(x)":                                                         {"!1:19 import-not-found", "!1:29 meta-invalid"},
		`export const meta = { name: "n", description: text("d") }; agent("x")`:                        {"!1:47 meta-invalid", "1:60 unawaited-call"},
		"export const meta = { ...rest, a: { b: [1] } };\nimport { y } from './y.js';\nplanApprove(y)": {"!1:23 meta-invalid", "!2:19 import-not-found"},
		"export const meta = {": {"!1:22 meta-invalid"},
		"# A page\n\nof text":   {"!1:1 meta-invalid", "!1:2 script-syntax"},
		"":                      {"!1:1 meta-invalid"},
		header + "return (;":    {"!2:9 script-syntax"},
	} {
		files := fstest.MapFS{"s.js": {Data: []byte(text)}}
		program, refusals, found := lint.File(files, "s.js", options)
		require.Nil(t, program)
		require.Equal(t, want, short(found), text)
		_, err := vm.Compile(files, "s.js")
		require.Equal(t, err, error(refusals[0]))
	}
}
