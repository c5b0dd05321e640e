package lint_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm/lint"
)

// Values that are written down are shown to whoever reads the option; what has to be computed is nobody's to judge before.
func TestValuesOfOptions(t *testing.T) {
	t.Parallel()
	o := lint.Options{Calls: map[string]lint.Names{"agent": {
		Known: []string{"label", "retries", "schema"},
		Value: func(option string, value json.RawMessage) *lint.Refusal {
			return &lint.Refusal{Code: "OPTION_INVALID", What: option + " is " + string(value), Fix: "mend it"}
		},
	}}}
	for value, want := range map[string]string{
		"9": "9", "-1.5": "-1.5", `"x<y"`: `"x\u003cy"`, "null": "null", "true": "true", `{ a: [1, { "b": "c" }] }`: `{"a":[1,{"b":"c"}]}`,
		"args.n": "", "`a${args.n}`": "", "{ ...args }": "", "[args.n]": "", "undefined": "", "() => 1": "", "{ [args.n]: 1 }": "", "{ get a() { return 1 } }": "",
		"-args.n": "", "[...args.list]": "", "1e999": "",
	} {
		script := header + "await agent('x', { retries: " + value + " })"
		_, refusals, found := lint.File(fstest.MapFS{"s.js": {Data: []byte(script)}}, "s.js", o)
		require.Empty(t, refusals, value)
		if want == "" {
			require.Empty(t, found, value)
			continue
		}
		for _, catches := range []string{"try { %s } catch (e) { log(e) }", "(async () => %s)().catch(log)", "%s.catch((e) => log(e))"} {
			script := header + strings.Replace(catches, "%s", "agent('x', { retries: "+value+" })", 1)
			_, _, found := lint.File(fstest.MapFS{"s.js": {Data: []byte(script)}}, "s.js", o)
			require.NotContains(t, fmt.Sprint(found), lint.InvalidOption, script)
		}
		require.Equal(t, []lint.Problem{{
			File: "s.js", Line: 2, Column: 29, Severity: lint.Error, Rule: lint.InvalidOption, Code: "OPTION_INVALID", What: "retries is " + want, Fix: "mend it",
		}}, found, value)
	}
}
