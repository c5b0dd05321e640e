package engine_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/vm"
)

// What is missing comes behind what was given, in the order of the schema; what was given, null
// included, stays to the byte, and so does what is no object.
func TestDefaultsOfArguments(t *testing.T) {
	const properties = `{ z: { default: { k: [null] } }, n: { type: "integer", default: 2 }, gone: { default: null }, none: {}, yes: true, "a<b": { default: "<" } }`
	for _, c := range []struct{ schema, args, want string }{
		{properties, `{}`, `{"z":{"k":[null]},"n":2,"gone":null,"a<b":"<"}`},
		{properties, ` { "q" : {} } `, `{ "q" : {} ,"z":{"k":[null]},"n":2,"gone":null,"a<b":"<"}`},
		{properties, `{"n":null,"z":1,"gone":1,"a<b":{"x":{}}}`, `{"n":null,"z":1,"gone":1,"a<b":{"x":{}}}`},
		{properties, `[1]`, `[1]`},
		{properties, `null`, `null`},
		{properties, `"x"`, `"x"`},
		{properties, ``, ``},
		{properties, `{`, `{`},
		{`{}`, `{}`, `{}`},
		{`7`, `{}`, `{}`},
		{`[]`, `{}`, `{}`},
	} {
		text := `export const meta = { name: "d", description: "x", args: { properties: ` + c.schema + ` } };`
		p, err := vm.Compile(fstest.MapFS{"d.js": {Data: []byte(text)}}, "d.js")
		require.NoError(t, err)
		require.Equal(t, c.want, string(engine.WithDefaults(p, json.RawMessage(c.args))), "%s %s", c.schema, c.args)
	}
	p, err := vm.Compile(fstest.MapFS{"d.js": {Data: []byte(`export const meta = { name: "d", description: "x" };`)}}, "d.js")
	require.NoError(t, err)
	require.Equal(t, `{}`, string(engine.WithDefaults(p, json.RawMessage(`{}`))))
}
