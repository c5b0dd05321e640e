package lint_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm/lint"
)

// Whatever the text is, lint says something or nothing, twice the same, and at places that are there.
func FuzzLint(f *testing.F) {
	for _, group := range cases {
		for body := range group {
			f.Add(header, body, false)
			f.Add("", body, true)
		}
	}
	f.Add(header, "for await (const x of y) { await using z = agent(x) } class A extends B { static { agent(1) } #p = planApprove(2) }", true)
	f.Add(header, "const { a: { b: [c = agent(1)] }, ...d } = await planApprove(1); [a.b, c] = [1]; for (d.x of []) ; for ([c] of []) ;", false)
	f.Add(header, "label: for (var i in agent(1)) { continue label } do ; while (agent(2)); with", false)
	f.Add("export const meta = { name: `n${1}`, limits: { maxCalls: f({}) } };\nimport a from './a.js';\n", "agent(a)", true)
	f.Fuzz(func(t *testing.T, head, body string, typescript bool) {
		name := "script.js"
		if typescript {
			name = "script.ts"
		}
		text := head + body
		files := fstest.MapFS{name: {Data: []byte(text)}}
		_, refusals, found := lint.File(files, name, options)
		require.GreaterOrEqual(t, len(found), min(1, len(refusals)))
		lines := strings.Count(text, "\n") + strings.Count(text, "\r") + strings.Count(text, "\u2028") + strings.Count(text, "\u2029") + 1
		for _, p := range found {
			require.LessOrEqual(t, p.Line, lines, p)
			require.NotEmpty(t, p.What, p)
			require.NotEmpty(t, p.Fix, p)
			require.NotContains(t, p.Rule, "_")
		}
		_, _, again := lint.File(files, name, options)
		require.Equal(t, found, again)
	})
}
