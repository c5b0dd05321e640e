package agent_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func TestParseReadsEveryOption(t *testing.T) {
	sum := "43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777"
	call := parse(t, `{"label":"a","phase":"b","onError":"throw","model":"m","effort":"high","schema":{"type":"object"},
		"readOnly":false,"tools":[],"disallowedTools":["Bash"],"skills":["x"],"under":{"checksum":"`+sum+`"},
		"timeoutMs":1500,"retries":3,"maxContextTokens":1e3,"cwd":"sub/dir",
		"tier":"medium","agentType":"code-scout","isolation":"worktree"}`)
	no := false
	require.Equal(t, agent.Call{Prompt: "do it", Options: agent.Options{
		Label: "a", Phase: "b", OnError: "throw", Model: "m", Effort: "high", Schema: json.RawMessage(`{"type":"object"}`),
		ReadOnly: &no, Tools: []string{}, DisallowedTools: []string{"Bash"}, Skills: []string{"x"}, Under: sum,
		Timeout: 1500 * time.Millisecond, Retries: 3, MaxContextTokens: 1000, Cwd: "sub/dir",
		Tier: "medium", AgentType: "code-scout", Isolation: "worktree",
	}}, call)
}

func TestParseCollectsDialectOptions(t *testing.T) {
	call := parse(t, `{"thread":1,"adapter":null,"label":"x"}`)
	require.Equal(t, []string{
		`agent() option "adapter" belongs to other runners and has no effect here`,
		`agent() option "thread" belongs to other runners and has no effect here`,
	}, call.Warnings)
}

func TestB16_B55_ParseRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		code fault.Code
		want string // in the message or the hint
	}{
		{nil, fault.OptionInvalid, "needs a prompt"},
		{[]string{`{"prompt":"x"}`}, fault.OptionInvalid, "an object, not a string"},
		{[]string{`null`}, fault.OptionInvalid, "null, not a string"},
		{[]string{`" \n"`}, fault.OptionInvalid, "empty"},
		{[]string{`"x"`, `0`}, fault.OptionInvalid, "a number, not an object"},
		{[]string{`"x"`, `null`}, fault.OptionInvalid, "null, not an object"},
		{[]string{`"x"`, `{}`, `[]`}, fault.OptionInvalid, "not 3 arguments"},
		{[]string{`"\ud800"`}, fault.OptionInvalid, "not JSON"},
		{[]string{`"x"`, `{"label":"a","label":"b"}`}, fault.OptionInvalid, "$.label"},
		{[]string{`"x"`, `{"tier":"large"}`}, fault.OptionInvalid, `"small", "medium", "big"`},
		{[]string{`"x"`, `{"agentType":" "}`}, fault.OptionInvalid, `"agentType"`},
		{[]string{`"x"`, `{"isolation":true}`}, fault.OptionInvalid, `"isolation"`},
		{[]string{`"x"`, `{"read_only":true}`}, fault.OptionUnknown, `did you mean "readOnly"?`},
		{[]string{`"x"`, `{"timeout":5}`}, fault.OptionUnknown, `did you mean "timeoutMs"?`},
		{[]string{`"x"`, `{"shema":{}}`}, fault.OptionUnknown, `did you mean "schema"?`},
		{[]string{`"x"`, `{"__proto__":{"readOnly":true}}`}, fault.OptionUnknown, `"__proto__"`},
		{[]string{`"x"`, `{"label":5}`}, fault.OptionInvalid, `"label" is 5, not a string`},
		{[]string{`"x"`, `{"model":""}`}, fault.OptionInvalid, `"model" is "", not a name`},
		{[]string{`"x"`, `{"onError":"ignore"}`}, fault.OptionInvalid, `"onError" is "ignore"`},
		{[]string{`"x"`, `{"readOnly":"yes"}`}, fault.OptionInvalid, `"readOnly" is "yes", not true or false`},
		{[]string{`"x"`, `{"readOnly":null}`}, fault.OptionInvalid, `"readOnly" is null`},
		{[]string{`"x"`, `{"tools":"Bash"}`}, fault.OptionInvalid, `"tools" is "Bash"`},
		{[]string{`"x"`, `{"skills":["a",null]}`}, fault.OptionInvalid, `"skills"`},
		{[]string{`"x"`, `{"retries":4}`}, fault.OptionInvalid, `"retries" is 4, not a whole number from 0 to 3`},
		{[]string{`"x"`, `{"retries":1.5}`}, fault.OptionInvalid, `"retries" is 1.5`},
		{[]string{`"x"`, `{"timeoutMs":0}`}, fault.OptionInvalid, `"timeoutMs" is 0, not a whole number from 1 to 604800000`},
		{[]string{`"x"`, `{"maxContextTokens":-1}`}, fault.OptionInvalid, `"maxContextTokens" is -1`},
		{[]string{`"x"`, `{"under":null}`}, fault.OptionInvalid, `"under" is null, not an approval`},
		{[]string{`"x"`, `{"under":{"checksum":"43258CFF"}}`}, fault.OptionInvalid, `not an approval`},
		{[]string{`"x"`, `{"cwd":"../up"}`}, fault.OptionInvalid, `"cwd" is "../up", not a folder inside the workspace`},
		{[]string{`"x"`, `{"cwd":"a\u0000b"}`}, fault.OptionInvalid, `"cwd"`},
		{[]string{`"x"`, `{"schema":[]}`}, fault.OptionInvalid, `"schema" is []`},
		{[]string{`"x"`, `{"schema":{"type":"objekt"}}`}, fault.SchemaInvalid, "$.type"},
		{[]string{`"x"`, `{"schema":{"$ref":"https://example.com/s.json"}}`}, fault.SchemaInvalid, "https://example.com/s.json"},
		{[]string{`"x"`, `{"schema":{"$ref":"file:///etc/passwd"}}`}, fault.SchemaInvalid, "file:///etc/passwd"},
		{[]string{`"x"`, `{"schema":{"$ref":"other.json"}}`}, fault.SchemaInvalid, "other.json"},
		{[]string{`"x"`, `{"schema":{"$ref":"#/$defs/none"}}`}, fault.SchemaInvalid, "$defs/none"},
		{[]string{`"x"`, `{"schema":{"$schema":"https://example.com/meta"}}`}, fault.SchemaInvalid, "example.com/meta"},
		{[]string{`"x"`, `{"schema":{"minimum":1e400}}`}, fault.OptionInvalid, "$.schema.minimum"},
	} {
		var args []json.RawMessage
		for _, arg := range c.args {
			args = append(args, json.RawMessage(arg))
		}
		_, err := agent.Parse(args)
		require.Equal(t, c.code, fault.CodeOf(err), "%v: %v", c.args, err)
		e, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok)
		require.Contains(t, e.Error()+" "+e.Next, c.want, "%v", c.args)
	}
}

func TestB36_IdentityIsWhatTheScriptAsked(t *testing.T) {
	of := func(options string) string {
		id, err := parse(t, options).Identity()
		require.NoError(t, err)
		return string(id)
	}
	// Written by hand from RFC 8785: names sorted, no white space.
	require.Equal(t, `{"prompt":"do it","v":1}`, of(""))
	require.Equal(t, `{"cwd":"a","disallowedTools":["d"],"effort":"low","model":"m","prompt":"do it","readOnly":true,`+
		`"schema":{"a":1,"type":"object"},"skills":[],"tools":["b","a"],`+
		`"under":"43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777","v":1}`,
		of(`{"cwd":"./a/","disallowedTools":["d"],"effort":"low","model":"m","readOnly":true,"schema":{"type":"object","a":1.0},
		"skills":[],"tools":["b","a"],"under":{"checksum":"43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777"}}`))

	for _, same := range []string{
		`{}`, `{"label":"x","phase":"y"}`, `{"timeoutMs":5,"retries":1,"maxContextTokens":9}`,
		`{"readOnly":false}`, `{"disallowedTools":[]}`, `{"cwd":"."}`, `{"onError":"throw"}`, `{"onError":"null"}`, `{"thread":"t"}`,
	} {
		require.Equal(t, of(""), of(same), same)
	}
	for _, other := range []string{
		`{"model":"x"}`, `{"effort":"x"}`, `{"schema":{}}`, `{"tools":[]}`, `{"disallowedTools":["x"]}`,
		`{"skills":[]}`, `{"readOnly":true}`, `{"cwd":"x"}`,
	} {
		require.NotEqual(t, of(""), of(other), other)
	}
}

func TestResolveCwdStaysInTheWorkspace(t *testing.T) {
	workspace, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(workspace, "a", "b"), 0o755))
	require.NoError(t, os.Symlink(outside, filepath.Join(workspace, "out")))
	require.NoError(t, os.Symlink(filepath.Join(workspace, "a"), filepath.Join(workspace, "in")))
	require.NoError(t, os.WriteFile(filepath.Join(workspace, "file"), nil, 0o644))
	real, err := filepath.EvalSymlinks(workspace)
	require.NoError(t, err)

	for cwd, want := range map[string]string{
		"": workspace, "a/b": filepath.Join(real, "a/b"), "in/b": filepath.Join(real, "a/b"),
		filepath.Join(workspace, "a"): filepath.Join(real, "a"),
	} {
		got, err := agent.ResolveCwd(workspace, cwd)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, cwd := range []string{"out", "..", "a/../..", outside, "none", "file"} {
		_, err := agent.ResolveCwd(workspace, cwd)
		require.True(t, fault.Is(err, fault.OptionInvalid), "%s: %v", cwd, err)
	}
}
