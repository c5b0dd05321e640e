package runners_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// claudeDone is the shortest stream that is an answer.
const claudeDone = `{"type":"result","subtype":"success","is_error":false,"result":"done"}`

// claudeFailed is a stream that ends as claude 2.1.197 does if its provider refuses.
func claudeFailed(kind, status, word string) []string {
	return []string{
		`{"type":"assistant","error":` + quoted(kind) + `,"message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":` + quoted(word) + `}]}}`,
		`{"type":"result","subtype":"success","is_error":true,"api_error_status":` + status + `,"result":` + quoted(word) + `,"total_cost_usd":0}`,
	}
}

func TestClaudeTellsWhatItDoes(t *testing.T) {
	resp, told, err := attempt(t, "claude", prints(t,
		`{"type":"system","subtype":"init","session_id":"s-1","tools":["Read"]}`,
		`{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":429,"error":"rate_limit"}`,
		`{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"hm"}]}}`,
		`{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"u1","name":"Read","input":{"file_path":"a"}}]}}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"u1","content":[{"type":"text","text":"no such file"}],"is_error":true}]}}`,
		`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","utilization":0.9,"rateLimitType":"seven_day"}}`,
		`{"type":"something_new","message":7}`,
		`{"type":"assistant","message":{"id":"m2","content":[{"type":"text","text":"It is not there."}]}}`,
		`{"type":"result","subtype":"success","is_error":false,"result":"It is not there.","total_cost_usd":0.0123456,"usage":{"input_tokens":1},`+
			`"modelUsage":{"a":{"inputTokens":8,"outputTokens":2,"cacheReadInputTokens":100,"cacheCreationInputTokens":20},"b":{"inputTokens":1,"outputTokens":1}},`+
			`"permission_denials":[{"tool_name":"Bash","tool_input":{"command":"git  commit\n-m x"}},{"tool_name":"Odd","tool_input":7}]}`,
	))
	require.NoError(t, err)
	require.Equal(t, `"It is not there."`, string(resp.Value))
	require.Equal(t, journal.Usage{Input: 8 + 100 + 20 + 1, Output: 3, CostMicroUSD: 12_346}, resp.Usage)
	require.Equal(t, "claude was not let: Bash (git commit -m x), Odd", resp.Note)
	require.Equal(t, []agent.Event{
		{Type: agent.EventSession, Text: "s-1"},
		{Type: agent.EventNote, Text: "claude asks its model again (1 of 10): rate_limit"},
		{Type: agent.EventThinking, Text: "hm"},
		{Type: agent.EventTool, ID: "u1", Tool: "Read", Input: `{"file_path":"a"}`},
		{Type: agent.EventToolResult, ID: "u1", Tool: "Read", Text: "no such file", Failed: true},
		{Type: agent.EventNote, Text: "90 % of the limit seven_day is used"},
		{Type: agent.EventText, Text: "It is not there."},
	}, told)
}

// The program ends with exit code 0 in each case.
func TestB65ClaudeFails(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		code  fault.Code
		says  string
	}{
		"quota":         {[]string{`{"type":"result","subtype":"success","is_error":true,"result":"Provider error: quota used up"}`}, fault.AgentFailed, "quota used up"},
		"billing":       {claudeFailed("billing_error", "400", "Credit balance is too low"), fault.UsageLimit, "Credit balance is too low"},
		"model":         {claudeFailed("model_not_found", "404", "There's an issue with the selected model (x)."), fault.AgentUnable, "(x)"},
		"older model":   {[]string{`{"type":"result","subtype":"success","is_error":true,"result":"There's an issue with the selected model (x)."}`}, fault.AgentUnable, "(x)"},
		"not signed in": {claudeFailed("authentication_failed", "null", "Not logged in · Please run /login"), fault.AgentFailed, "Not logged in"},
		"service":       {claudeFailed("server_error", "500", "API Error: 500 the usage limit service is down"), fault.AgentFailed, "exit code 0: API Error"},
		"turns":         {[]string{`{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (1)"]}`}, fault.AgentFailed, "maximum number of turns (1)"},
		"not by word":   {[]string{`{"type":"result","subtype":"error_during_execution","is_error":false}`}, fault.AgentFailed, "error during execution"},
		"unreadable":    {[]string{`{"type":"result","subtype":"success","result":7}`}, fault.AgentAnswerInvalid, "/result is of another type"},
		"cut":           {[]string{claudeDone[:40]}, fault.AgentAnswerInvalid, "damaged"},
		"no result":     {[]string{`{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"half"}]}}`}, fault.AgentAnswerInvalid, "without an answer"},
		"not UTF-8":     {[]string{"{\"type\":\"assistant\xff\"}", claudeDone}, fault.AgentAnswerInvalid, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			resp, _, err := attempt(t, "claude", prints(t, c.lines...))
			require.Equal(t, c.code, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.Empty(t, resp.Value)
		})
	}
	t.Run("what to do", func(t *testing.T) {
		_, _, err := attempt(t, "claude", prints(t, claudeFailed("authentication_failed", "401", "Invalid API key")...))
		e, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok)
		require.Contains(t, e.Next, "/login")
	})
	t.Run("only on standard error", func(t *testing.T) {
		_, _, err := attempt(t, "claude", shell(t, "cat >/dev/null; echo \"error: unknown option '--effort'\" >&2; exit 1\n"))
		require.Equal(t, fault.AgentFailed, fault.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "exit code 1")
		require.ErrorContains(t, err, "unknown option")
	})
	t.Run("an answer, and then a failure", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "line")
		require.NoError(t, os.WriteFile(path, []byte(claudeDone+"\n"), 0o600))
		_, _, err := attempt(t, "claude", shell(t, "cat >/dev/null; cat '"+path+"'; exit 3\n"))
		require.Equal(t, fault.AgentFailed, fault.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "exit code 3")
	})
}

func TestClaudeAnswersWithAValue(t *testing.T) {
	asking := func(schema string) func(*agent.Request, *runners.Options) {
		return func(req *agent.Request, _ *runners.Options) { req.Schema = json.RawMessage(schema) }
	}
	// Its last try is given back if it came to none that satisfies the schema.
	resp, _, err := attempt(t, "claude", prints(t,
		`{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"u1","name":"StructuredOutput","input":{"n":"a"}}]}}`,
		`{"type":"result","subtype":"error_max_structured_output_retries","is_error":true,"errors":["Failed to provide valid structured output after 5 attempts"]}`,
	), asking(`{"type":"object","properties":{"n":{"type":"integer"}}}`))
	require.NoError(t, err)
	require.True(t, resp.Structured)
	require.JSONEq(t, `{"n":"a"}`, string(resp.Value))

	// Which schemas it is given itself.
	for schema, given := range map[string]string{
		`{"type":"object","properties":{"n":{"type":"integer"}}}`:                                        "as it is",
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`:                     `{"type":"object"}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":["string"]}}}`:    "as it is",
		`{"type":"array","items":{"type":"string"}}`:                                                     "",
		`{"type":"object","oneOf":[{"required":["a"]}]}`:                                                 "",
		`{"type":"object","properties":{"when":{"type":"string","format":"date"}}}`:                      "",
		`{"type":"object","properties":{"a b":{"type":"string"}}}`:                                       "",
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"string","x-own":1}]}}}`: "",
		`{"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}`:                             "",
	} {
		program, read := arguments(t, claudeDone)
		_, _, err := attempt(t, "claude", program, asking(schema))
		require.NoError(t, err)
		got := valued(read(), "--json-schema")
		switch given {
		case "":
			require.Empty(t, got, schema)
		case "as it is":
			require.JSONEq(t, schema, got)
		default:
			require.JSONEq(t, given, got)
		}
	}
}

func TestClaudeKeepsToItsFence(t *testing.T) {
	args := func(t *testing.T, change func(*agent.Request)) []string {
		t.Helper()
		program, read := arguments(t, claudeDone)
		_, _, err := attempt(t, "claude", program, func(req *agent.Request, _ *runners.Options) { change(req) })
		require.NoError(t, err)
		return read()
	}
	list := func(args []string, name string) []string { return strings.Split(valued(args, name), ",") }

	t.Run("reads", func(t *testing.T) {
		got := args(t, func(req *agent.Request) {
			req.ReadOnly, req.PermissionMode, req.Scratch = true, "auto", "/scratch" // the stamp is above the mode
		})
		require.Equal(t, []string{"Read", "Grep", "Glob"}, list(got, "--tools"))
		require.Equal(t, "dontAsk", valued(got, "--permission-mode"))
		require.Subset(t, list(got, "--disallowedTools"), []string{"Bash", "Edit", "Write", "Agent", "mcp__*"})
		require.Equal(t, `{"disableAllHooks":true}`, valued(got, "--settings"))
		require.Equal(t, "user", valued(got, "--setting-sources"))
		require.Subset(t, got, []string{"--strict-mcp-config", "--disable-slash-commands", "--add-dir=/scratch"})
		require.Empty(t, valued(got, "--allowedTools"))

		got = args(t, func(req *agent.Request) {
			req.ReadOnly, req.Tools = true, []string{"read", "Bash(git log:*)", "mcp__db__drop", "WebFetch", "Edit"}
		})
		require.Equal(t, []string{"Read", "WebFetch"}, list(got, "--tools"))
		require.Equal(t, []string{"WebFetch"}, list(got, "--allowedTools"))
		got = args(t, func(req *agent.Request) { req.ReadOnly, req.Tools = true, []string{} })
		require.Contains(t, got, "--tools=")
	})
	t.Run("writes", func(t *testing.T) {
		for _, mode := range []string{"", "ask", "accept-edits"} {
			got := args(t, func(req *agent.Request) { req.PermissionMode = mode })
			require.Equal(t, "acceptEdits", valued(got, "--permission-mode"))
			require.Empty(t, valued(got, "--allowedTools"))
			require.False(t, slices.ContainsFunc(got, func(a string) bool { return strings.HasPrefix(a, "--tools") }))
		}
		got := args(t, func(req *agent.Request) {
			req.PermissionMode, req.DisallowedTools = "auto", []string{"WebFetch", "Bash(git push:*)"}
		})
		require.Subset(t, list(got, "--allowedTools"), []string{"Bash", "Edit", "Write"})
		require.Subset(t, list(got, "--disallowedTools"), []string{"WebFetch", "Bash(git push:*)", "EnterWorktree"})
	})
	t.Run("with skills", func(t *testing.T) {
		got := args(t, func(req *agent.Request) { req.Skills = []string{"deploy", "own:lint", "a),Bash(*"} })
		require.Equal(t, []string{"Skill(deploy)", "Skill(own:lint)"}, list(got, "--allowedTools"))
		require.Contains(t, valued(got, "--append-system-prompt"), "deploy, own:lint")
		got = args(t, func(req *agent.Request) { req.Skills = []string{} })
		require.Contains(t, got, "--disable-slash-commands")
		require.Contains(t, list(got, "--disallowedTools"), "Skill")
	})
	t.Run("with a list of tools", func(t *testing.T) {
		got := args(t, func(req *agent.Request) { req.PermissionMode, req.Tools = "auto", []string{"Read", "Edit"} })
		require.Equal(t, []string{"Read", "Edit"}, list(got, "--tools"))
		require.Equal(t, []string{"Edit"}, list(got, "--allowedTools"))

		cwd := ""
		got = args(t, func(req *agent.Request) { req.Tools, cwd = []string{"Read", "Edit", "Bash(go test:*)"}, req.Cwd })
		require.Equal(t, "dontAsk", valued(got, "--permission-mode"))
		require.Equal(t, []string{"Bash(go test:*)", "Edit(/" + cwd + "/**)"}, list(got, "--allowedTools"))
	})
	t.Run("refused", func(t *testing.T) {
		for name, change := range map[string]func(*agent.Request, *runners.Options){
			"an argument as a tool":     func(req *agent.Request, _ *runners.Options) { req.Tools = []string{"--dangerously-skip-permissions"} },
			"a denied one":              func(req *agent.Request, _ *runners.Options) { req.DisallowedTools = []string{"Read,Bash"} },
			"some uses of what reads":   func(req *agent.Request, _ *runners.Options) { req.ReadOnly, req.Tools = true, []string{"Read(src/**)"} },
			"an effort that it has not": func(req *agent.Request, _ *runners.Options) { req.Effort = "minimal" },
			"an argument that widens": func(req *agent.Request, o *runners.Options) {
				req.ReadOnly, o.Args = true, []string{"--mcp-config=x.json"}
			},
			"the one that widens it all": func(req *agent.Request, o *runners.Options) {
				req.ReadOnly, o.Args = true, []string{"--dangerously-skip-permissions"}
			},
		} {
			_, _, err := attempt(t, "claude", prints(t, claudeDone), change)
			require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%s: %v", name, err)
		}
	})
}

func TestClaudeIsTold(t *testing.T) {
	program, read := arguments(t, claudeDone)
	_, _, err := attempt(t, "claude", program, func(req *agent.Request, o *runners.Options) {
		req.ReadOnly, req.Instructions, o.Model, o.Effort = true, "You plan.", "opus", "low"
		require.NoError(t, os.WriteFile(filepath.Join(req.Cwd, "CLAUDE"+".md"), []byte("x"), 0o600))
	})
	require.NoError(t, err)
	require.Equal(t, "opus", valued(read(), "--model"))
	require.Equal(t, "low", valued(read(), "--effort"))
	require.Equal(t, []string{"--append-system-prompt=You plan.", "", "CLAUDE" + ".md in the working directory is what the people of this project want you to know. Read it first."}, read()[len(read())-3:])

	// What is no argument's length goes before the prompt, and a slash begins no command.
	path := filepath.Join(t.TempDir(), "input")
	_, _, err = attempt(t, "claude", shell(t, "cat >'"+path+"'; echo '"+claudeDone+"'\n"), func(req *agent.Request, _ *runners.Options) {
		req.Prompt, req.Instructions = " /compact this", strings.Repeat("long ", 30_000)
	})
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("long ", 30_000)+"\n\nThe task:\n\n /compact this", string(text))
}

func TestClaudeProbe(t *testing.T) {
	claude, _ := runners.KindOf("claude")
	program := shell(t, "echo '2.1.197 (Claude Code)'\n")
	probe := func(t *testing.T, files map[string]string, environ ...string) runners.Probe {
		t.Helper()
		home := t.TempDir()
		for name, content := range files {
			path := filepath.Join(home, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		}
		return claude.Probe(t.Context(), runners.Options{Program: program, Env: append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, environ...)})
	}
	p := probe(t, map[string]string{".claude.json": `{"oauthAccount":null}`, ".claude/settings.json": `{"apiKeyHelper":null}`})
	require.Equal(t, "2.1.197", p.Version)
	require.False(t, *p.SignedIn)
	require.Contains(t, p.Next, "/login")
	for account, c := range map[string]struct {
		files   map[string]string
		environ []string
	}{
		"ANTHROPIC_API_KEY":      {nil, []string{"ANTHROPIC_API_KEY=k"}},
		"CLAUDE_CODE_USE_VERTEX": {nil, []string{"ANTHROPIC_API_KEY=k", "CLAUDE_CODE_USE_VERTEX=1"}},
		"a@b.example":            {map[string]string{".claude.json": `{"oauthAccount":{"emailAddress":"a@b.example"}}`}, nil},
		"a subscription":         {map[string]string{".claude/.credentials.json": `{"claudeAiOauth":{}}`}, nil},
		"apiKeyHelper":           {map[string]string{".claude/settings.json": `{"apiKeyHelper":"k"}`}, nil},
		"CLAUDE_CODE_USE_BEDROCK in settings.json": {map[string]string{".claude/settings.json": `{"env":{"CLAUDE_CODE_USE_BEDROCK":"1"}}`}, nil},
	} {
		p := probe(t, c.files, c.environ...)
		require.Equal(t, account, p.Account)
		require.True(t, *p.SignedIn)
		require.Empty(t, p.Problem)
	}
	p = claude.Probe(t.Context(), runners.Options{Program: filepath.Join(t.TempDir(), "none")})
	require.Empty(t, p.Path)
	require.Contains(t, p.Next, "npm install")
}
