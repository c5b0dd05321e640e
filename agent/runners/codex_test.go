package runners_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Lines as codex 0.171 prints them.
const (
	codexThread    = `{"type":"thread.started","thread_id":"t-1"}`
	codexDone      = `{"type":"item.completed","item":{"id":"item_9","type":"agent_message","text":"done"}}`
	codexCompleted = `{"type":"turn.completed","usage":{"input_tokens":410,"cached_input_tokens":28,"cache_write_input_tokens":0,"output_tokens":50,"reasoning_output_tokens":12}}`
)

func TestCodexTellsWhatItDoes(t *testing.T) {
	resp, told, err := attempt(t, "codex", prints(t, codexThread,
		`{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata not found."}}`,
		`{"type":"item.completed","item":{"id":"item_1","type":"reasoning","text":"thinking hard"}}`,
		`{"type":"item.started","item":{"id":"item_2","type":"command_execution","command":"cat a","aggregated_output":"","exit_code":null,"status":"in_progress"}}`,
		`{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"cat a","aggregated_output":"no such file\n","exit_code":1,"status":"failed"}}`,
		`{"type":"item.completed","item":{"id":"item_3","type":"file_change","changes":[{"path":"/w/a","kind":"update"}],"status":"completed"}}`,
		`{"type":"item.completed","item":{"id":"item_4","type":"mcp_tool_call","server":"s","tool":"poke","arguments":{"a":1},"result":{"content":[{"type":"text","text":"poked"}]},"error":null,"status":"completed"}}`,
		`{"type":"item.completed","item":{"id":"item_5","type":"mcp_tool_call","server":"s","tool":"poke","arguments":{},"result":null,"error":{"message":"requires approval"},"status":"failed"}}`,
		`{"type":"error","message":"Reconnecting... 1/5"}`,
		`{"type":"item.completed","item":{"id":"item_6","type":"something_new","text":"?"}}`,
		`{"type":"something.new"}`, codexDone, codexCompleted))
	require.NoError(t, err)
	require.Equal(t, `"done"`, string(resp.Value))
	require.Equal(t, []int64{410, 50, 0}, []int64{resp.Usage.Input, resp.Usage.Output, resp.Usage.CostMicroUSD})
	require.Equal(t, []agent.Event{
		{Type: agent.EventSession, Text: "t-1"},
		{Type: agent.EventNote, Text: "Model metadata not found."},
		{Type: agent.EventThinking, Text: "thinking hard"},
		{Type: agent.EventTool, ID: "item_2", Tool: "shell", Input: "cat a"},
		{Type: agent.EventToolResult, ID: "item_2", Tool: "shell", Text: "no such file\n", Failed: true},
		{Type: agent.EventTool, ID: "item_3", Tool: "apply_patch", Input: `[{"path":"/w/a","kind":"update"}]`},
		{Type: agent.EventToolResult, ID: "item_3", Tool: "apply_patch", Text: "completed"},
		{Type: agent.EventTool, ID: "item_4", Tool: "s.poke", Input: `{"a":1}`},
		{Type: agent.EventToolResult, ID: "item_4", Tool: "s.poke", Text: "poked"},
		{Type: agent.EventTool, ID: "item_5", Tool: "s.poke", Input: `{}`},
		{Type: agent.EventToolResult, ID: "item_5", Tool: "s.poke", Text: "requires approval", Failed: true},
		{Type: agent.EventNote, Text: "Reconnecting... 1/5"},
		{Type: agent.EventText, Text: "done"},
	}, told)
}

// B65: a failure is one whatever else was said, and whatever the exit code.
func TestB65CodexFails(t *testing.T) {
	failed := func(message string) string {
		return `{"type":"turn.failed","error":{"message":` + quoted(message) + `}}`
	}
	for message, code := range map[string]fault.Code{
		"Quota exceeded. Check your plan and billing details.":                                       fault.UsageLimit,
		"exceeded retry limit, last status: 429 Too Many Requests":                                   fault.UsageLimit,
		"The 'x' model is not supported when using Codex with a ChatGPT account.":                    fault.AgentUnable,
		"Unsupported value: 'reasoning.effort' does not support 'bogus'":                             fault.AgentUnable,
		"unexpected status 401 Unauthorized: Missing bearer or basic authentication in header":       fault.AgentFailed,
		"stream disconnected before completion: error sending request":                               fault.AgentFailed,
		"unexpected status 500 Internal Server Error: sk-proj-abcdefghijklmnopqrstuvwxyz0123456789A": fault.AgentFailed,
	} {
		for _, program := range []string{
			prints(t, codexThread, codexDone, failed(message)),
			shell(t, "cat >/dev/null; cat <<'END'\n"+codexThread+"\n"+codexDone+"\n"+failed(message)+"\nEND\nexit 1\n"),
		} {
			resp, _, err := attempt(t, "codex", program)
			require.Equal(t, code, fault.CodeOf(err), "%s: %v", message, err)
			require.Empty(t, resp.Value)
			require.NotContains(t, err.Error(), "sk-proj-abcdefg")
		}
	}
	_, _, err := attempt(t, "codex", shell(t, "cat >/dev/null; echo 'error: unexpected argument' >&2; exit 2\n"))
	require.Equal(t, fault.AgentFailed, fault.CodeOf(err))
	require.ErrorContains(t, err, "exit code 2")
	require.ErrorContains(t, err, "unexpected argument")
	_, _, err = attempt(t, "codex", prints(t, failed("401 Unauthorized")))
	e, ok := errors.AsType[*fault.Error](err)
	require.True(t, ok)
	require.Contains(t, e.Next, "codex login")
}

// B64: what is damaged is no answer, also if an earlier message could be taken for one.
func TestB64CodexDamaged(t *testing.T) {
	for name, lines := range map[string][]string{
		"no end of the turn": {codexThread, codexDone},
		"nothing":            {""},
		"a damaged event":    {codexThread, codexDone, codexDone[:40], codexCompleted},
		"quotes in quotes":   {codexThread, `{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"a "b" c"}}`, codexCompleted},
		"not UTF-8":          {codexThread, strings.Replace(codexDone, "done", "d\xffne", 1), codexCompleted},
	} {
		_, _, err := attempt(t, "codex", prints(t, lines...))
		require.Equal(t, fault.AgentAnswerInvalid, fault.CodeOf(err), "%s: %v", name, err)
	}
	// Talk between the events is none of them.
	resp, _, err := attempt(t, "codex", prints(t, "npm warn something", codexThread, codexDone, codexCompleted))
	require.NoError(t, err)
	require.Equal(t, `"done"`, string(resp.Value))
}

// B63: with a schema of the strict form the answer is a value; with any other it is looked for in the text.
func TestCodexAnswersWithAValue(t *testing.T) {
	strict := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`
	program, args := arguments(t, codexThread, `{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"{\"n\":3}"}}`, codexCompleted)
	resp, _, err := attempt(t, "codex", program, func(r *agent.Request, _ *runners.Options) { r.Schema = json.RawMessage(strict) })
	require.NoError(t, err)
	require.True(t, resp.Structured)
	require.Equal(t, `{"n":3}`, string(resp.Value))
	path := after(args(), "--output-schema")
	require.NotEmpty(t, path)
	require.NoFileExists(t, path, "the file is gone when the attempt is")
	require.NoDirExists(t, filepath.Dir(path))

	resp, _, err = attempt(t, "codex", program, func(r *agent.Request, _ *runners.Options) {
		r.Schema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)
	})
	require.NoError(t, err)
	require.False(t, resp.Structured)
	require.Equal(t, `"{\"n\":3}"`, string(resp.Value))
	require.Empty(t, after(args(), "--output-schema"))
}

func TestCodexSandboxes(t *testing.T) {
	home := t.TempDir()
	put(t, "[mcp_servers.\"a b\"]\ncommand = \"x\"\n[mcp_servers.c]\nurl = \"https://example.org\"\n", home, ".codex", "config.toml")
	repo := t.TempDir()
	put(t, "", repo, ".git", "HEAD")
	cwd := filepath.Join(repo, "sub")
	require.NoError(t, os.Mkdir(cwd, 0o700))
	run := func(change func(*agent.Request)) []string {
		program, args := arguments(t, codexThread, codexDone, codexCompleted)
		_, _, err := attempt(t, "codex", program, func(r *agent.Request, o *runners.Options) {
			r.Cwd, r.Scratch, o.Env = cwd, "/scratch", append(o.Env, "HOME="+home)
			change(r)
		})
		require.NoError(t, err)
		return args()
	}
	for mode, sandbox := range map[string]string{"": "workspace-write", "ask": "workspace-write", "accept-edits": "workspace-write", "auto": "danger-full-access"} {
		args := run(func(r *agent.Request) { r.PermissionMode = mode })
		require.Equal(t, sandbox, after(args, "--sandbox"))
		require.Contains(t, args, `approval_policy="never"`)
		require.NotContains(t, args, "--ignore-rules")
		if mode != "auto" {
			require.Equal(t, "/scratch", after(args, "--add-dir"))
		}
		args = run(func(r *agent.Request) { r.PermissionMode, r.ReadOnly = mode, true })
		require.Equal(t, "read-only", after(args, "--sandbox"), "a mode does not lift the stamp")
		require.Empty(t, after(args, "--add-dir"))
		for _, want := range []string{"--ignore-rules", `approval_policy="never"`, "features.hooks=false", "features.plugins=false", "features.apps=false", "notify=[]"} {
			require.Contains(t, args, want)
		}
		require.Contains(t, args, `mcp_servers={"a b"={enabled=false},"c"={enabled=false}}`)
		require.Contains(t, args, "projects={"+quoted(repo)+`={trust_level="untrusted"},`+quoted(cwd)+`={trust_level="untrusted"}}`)
	}
	_, _, err := attempt(t, "codex", prints(t), func(r *agent.Request, o *runners.Options) {
		r.ReadOnly, o.Args = true, []string{"--dangerously-bypass-approvals-and-sandbox"}
	})
	require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "--dangerously-bypass-approvals-and-sandbox")
	put(t, "[mcp_servers\n", home, ".codex", "config.toml")
	_, _, err = attempt(t, "codex", prints(t), func(r *agent.Request, o *runners.Options) {
		r.ReadOnly, o.Env = true, append(o.Env, "HOME="+home)
	})
	require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "what it may start besides cannot be told: %v", err)
}

// A sandbox that does not work keeps codex from everything: what it answers is a guess.
func TestCodexSandboxThatDoesNotWork(t *testing.T) {
	broken := `{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"cat a","aggregated_output":"bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)\n","exit_code":1,"status":"failed"}}`
	works := `{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"cat a","aggregated_output":"x","exit_code":0,"status":"completed"}}`
	_, _, err := attempt(t, "codex", prints(t, codexThread, broken, codexDone, codexCompleted))
	require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "bwrap: Creating new namespace failed")
	_, _, err = attempt(t, "codex", prints(t, codexThread, broken, works, codexDone, codexCompleted))
	require.NoError(t, err, "a command of that name may fail by itself")
}

// Codex has no list of tools: what a sandbox cannot keep is refused.
func TestCodexKeepsToTools(t *testing.T) {
	for _, c := range []struct {
		readOnly      bool
		tools, denied []string
		sandbox       string // "" is that the call is refused
		web           bool
	}{
		{false, nil, nil, "workspace-write", true},
		{false, []string{"Read", "Grep"}, nil, "read-only", false},
		{false, []string{}, nil, "read-only", false},
		{false, []string{"Read", "Edit", "Bash", "WebSearch"}, nil, "workspace-write", true},
		{false, []string{"Read", "Edit"}, nil, "", false},
		{false, []string{"Read", "Bash(git log:*)"}, nil, "", false},
		{true, []string{"Read", "Bash(git log:*)"}, nil, "read-only", false},
		{false, []string{"mcp__x__y"}, nil, "", false},
		{true, nil, []string{"Edit", "Write"}, "read-only", true},
		{false, nil, []string{"WebFetch", "WebSearch"}, "workspace-write", false},
		{false, nil, []string{"Edit"}, "", false},
		{false, nil, []string{"Bash"}, "", false},
		{true, nil, []string{"Bash"}, "", false},
		{false, []string{"Read", "Edit"}, []string{"Edit"}, "read-only", false},
	} {
		program, args := arguments(t, codexThread, codexDone, codexCompleted)
		resp, _, err := attempt(t, "codex", program, func(r *agent.Request, _ *runners.Options) {
			r.ReadOnly, r.Tools, r.DisallowedTools = c.readOnly, c.tools, c.denied
		})
		if c.sandbox == "" {
			require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v: %v", c, err)
			continue
		}
		require.NoError(t, err, "%v", c)
		require.Equal(t, c.sandbox, after(args(), "--sandbox"), "%v", c)
		if c.web {
			require.NotContains(t, args(), `web_search="disabled"`, "%v", c)
		} else {
			require.Contains(t, args(), `web_search="disabled"`, "%v", c)
		}
		if c.sandbox == "read-only" {
			require.Contains(t, args(), "--ignore-rules")
		}
		if len(c.tools) == 0 && c.tools != nil {
			require.Contains(t, args(), "features.shell_tool=false")
		}
		require.Equal(t, c.sandbox == "read-only" && len(c.tools) > 0, strings.Contains(resp.Note, "no list of tools"))
	}
}

func TestCodexIsTold(t *testing.T) {
	program, args := arguments(t, codexThread, codexDone, codexCompleted)
	resp, _, err := attempt(t, "codex", program, func(r *agent.Request, o *runners.Options) {
		o.Args, o.Model, o.Effort = []string{"-c", "x=1"}, "theirs", "low"
		r.Skills = []string{"deploy"}
	})
	require.NoError(t, err)
	require.Equal(t, []string{"-c", "x=1", "exec"}, args()[:3], "arguments of the configuration come first")
	require.Equal(t, "theirs", after(args(), "--model"))
	require.Contains(t, args(), `model_reasoning_effort="low"`)
	require.Contains(t, resp.Note, "skills")
	_, _, err = attempt(t, "codex", program, func(r *agent.Request, o *runners.Options) {
		o.Model, r.Model, r.Skills = "theirs", "mine", []string{}
		r.Instructions = strings.Repeat("x", 200_000)
	})
	require.NoError(t, err)
	require.Equal(t, "mine", after(args(), "--model"))
	require.Contains(t, args(), "skills.include_instructions=false")
	require.NotContains(t, strings.Join(args(), " "), "developer_instructions", "too long for an argument")
}

func TestCodexProbe(t *testing.T) {
	codex, _ := runners.KindOf("codex")
	home := t.TempDir()
	probe := func(script string, environ ...string) runners.Probe {
		program := shell(t, `case "$*" in --version) echo "codex-cli 1.2.3";; "login status") `+script+`;; "sandbox -- true") [ -z "$HTTP_PROXY" ] || { echo "bwrap: no" >&2; exit 1; };; *) exit 9;; esac`+"\n")
		return codex.Probe(t.Context(), runners.Options{Program: program, Env: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}, environ...)})
	}
	p := probe("echo 'Logged in using ChatGPT' >&2")
	require.Equal(t, "1.2.3", p.Version)
	require.Equal(t, "ChatGPT", p.Account)
	require.True(t, *p.SignedIn)
	require.Empty(t, p.Problem)

	// What it says below that is no account.
	p = probe("echo 'Logged in using an API key'; echo 'Authentication is checked when you send a request.'")
	require.Equal(t, "an API key", p.Account)
	p = probe("echo 'Authentication is checked when you send a request.'")
	require.Empty(t, p.Account)

	p = probe("echo 'Not logged in' >&2; exit 1")
	require.False(t, *p.SignedIn)
	require.Contains(t, p.Next, "codex login")

	p = probe("exit 1", "CODEX_API_KEY=k", "HTTP_PROXY=x")
	require.True(t, *p.SignedIn)
	require.Equal(t, "CODEX_API_KEY", p.Account)
	require.Contains(t, p.Problem, "sandbox does not work on this machine: bwrap: no")

	p = codex.Probe(t.Context(), runners.Options{Program: filepath.Join(home, "none")})
	require.Empty(t, p.Path)
	require.Equal(t, "npm install -g @openai/codex", p.Next)
}
