package cli_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a run would refuse of meta.args, lint finds without one, in its place.
func TestLintChecksTheSchemaOfTheArguments(t *testing.T) {
	t.Parallel()
	const head = "// \U0001F600\nexport const meta = { name: 'n', description: 'd',\n  args: "
	u := newUser(t, "type.js", head+"{ type: 'objec' } };\nreturn 1;\n")
	r := u.wants(1, "lint", "type.js")
	require.Contains(t, r.out, "type.js:3:3: error: meta.args of type.js is no JSON Schema: ")
	require.Contains(t, r.out, "(schema-invalid)\n    fix: give it as {type: ")
	require.Contains(t, u.wants(1, "run", "type.js").errors, "SCHEMA_INVALID: meta.args of type.js is no JSON Schema: ", "as a run says it")

	u.write("default.js", head+"{ type: 'object', required: ['m'], properties: { m: { type: 'string' }, n: { type: 'integer', default: 'three' }, o: { default: 1 } } } };\nreturn 1;\n")
	r = u.wants(0, "lint", "default.js")
	require.Contains(t, r.out, `default.js:3:3: warning: the default of the argument "n" does not fit meta.args: $.n: got string, want integer (args-invalid)`)
	require.NotContains(t, r.out, `"o"`)
	require.Contains(t, r.errors, "1 warning in 1 script")
	u.wants(0, "run", "default.js", "--arg", "m=x", "--arg", "n=3", "--quiet")

	u.write("fine.js", head+"{ type: 'object', required: ['m'], properties: { m: { type: 'string' }, n: { type: 'integer', default: 3 } } } };\nreturn 1;\n")
	require.Empty(t, u.wants(0, "lint", "fine.js").out)
}

// Values that an option surely refuses are found with the words of whoever reads the option; values that it takes are not.
func TestLintChecksValuesOfOptions(t *testing.T) {
	t.Parallel()
	u := newUser(t, "values.js", "export const meta = { name: 'n', description: 'd' };\n"+
		"await agent('a', { retries: 9 });\n"+
		"await agent('b', { onError: 'x', readOnly: 'yes' });\n"+
		"await agent('c', { schema: { type: 'objec' } });\n"+
		"await checkpoint('d', { kind: 'selct' });\n"+
		"await checkpoint('e', { headless: 'maybe', timeoutMs: -1 });\n"+
		"(await planApprove(1, { headless: 'no' })).decision === true;\n"+
		"phase('f', { budget: 'lots' });\n")
	out := u.wants(1, "lint", "values.js").out
	for _, place := range []string{"2:29", "3:29", "3:44", "4:28", "5:31", "6:35", "6:55", "7:35", "8:22"} {
		require.Contains(t, out, "values.js:"+place+": error: ")
	}
	require.Equal(t, 9, strings.Count(out, "(invalid-option)"), out)
	require.Contains(t, out, `agent() option "retries" is 9, not `)
	require.Contains(t, out, `"confirm", "input", "select"`)

	u.write("fine.js", "export const meta = { name: 'n', description: 'd' };\n"+
		"await agent('a', { label: 'l', retries: 3, onError: 'null', readOnly: true, tools: ['read'], timeoutMs: 1000, schema: { type: 'object' } });\n"+
		"await checkpoint('b', { kind: 'select', choices: ['x'], default: 'x', headless: 'default' });\n"+
		"await checkpoint('c', { kind: 'input', default: 'x', timeoutMs: 5 });\n"+
		"const p = await planApprove({ a: 1 }, { prompt: 'd?', default: false, headless: 'suspend', planModel: 'm' });\n"+
		"phase('e', { budget: '200k' });\nphase('f', { budget: 5 });\nreturn p.decision === true;\n")
	require.Empty(t, u.wants(0, "lint", "fine.js").out)
}
