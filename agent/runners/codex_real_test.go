package runners_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// realCodex is codex with a model provider that stands in for OpenAI's.
func realCodex(t *testing.T, play modeltest.Play) *real {
	t.Helper()
	if folder := os.Getenv("ASSENT_REAL_AGENTS"); folder != "" {
		// Its sandbox needs name spaces of its own, which a container may not give.
		if out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "codex"), "sandbox", "--", "true").CombinedOutput(); err != nil {
			t.Skipf("the sandbox of codex does not work here: %v: %s", err, out)
		}
	}
	return newReal(t, "codex", play, func(home, url string) {
		put(t, `model = "stand-in"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "`+url+`/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`, home, ".codex", "config.toml")
	})
}

// command is codex running one.
func command(line string) modeltest.Turn {
	return modeltest.Uses("exec_command", map[string]any{"cmd": line})
}

const editing = "apply_patch <<'END'\n*** Begin Patch\n*** Update File: a.txt\n@@\n-first\n+second\n*** End Patch\nEND"

func TestRealCodexReadsAndEdits(t *testing.T) {
	r := realCodex(t, modeltest.Play{{Prompt: "change a.txt", Turns: []modeltest.Turn{
		{Text: "I look.", Uses: command("cat a.txt").Uses, Input: 100, Output: 10, CacheRead: 50},
		command(editing), command("echo more >b.txt; git status --short"),
		{Text: "changed", Input: 1, Output: 2},
	}}})
	req := r.request("change a.txt")
	req.Instructions, req.Model, req.Effort = "Say little.\n\"Quoted\".", "other-model", "high"
	text, resp := r.say(t, req)
	require.Equal(t, "changed", text)
	require.False(t, resp.Structured)
	require.Equal(t, int64(100+50+10+10+1), resp.Usage.Input)
	require.Equal(t, int64(10+5+5+2), resp.Usage.Output)
	require.Equal(t, "second\n", read(t, r.repo, "a.txt"))
	require.Equal(t, "more\n", read(t, r.repo, "b.txt"))

	asked := r.model.Asked()
	require.Equal(t, "other-model", asked[0].Model)
	require.Equal(t, "high", asked[0].Effort)
	require.Contains(t, asked[0].System, req.Instructions)
	require.Contains(t, r.results(), "first")
	require.Len(t, r.events(agent.EventSession), 1)
	require.Equal(t, "I look.", r.events(agent.EventText)[0].Text)
	require.Equal(t, []string{"shell", "apply_patch", "shell"}, tools(r.events(agent.EventTool)))
	require.Contains(t, r.events(agent.EventToolResult)[0].Text, "first")
}

// tools are the names of those that were used.
func tools(events []agent.Event) []string {
	var names []string
	for _, e := range events {
		names = append(names, e.Tool)
	}
	return names
}

// A call that only reads changes nothing, whatever the user once allowed codex and whatever the
// repository has it do.
func TestRealCodexReadOnly(t *testing.T) {
	r := realCodex(t, modeltest.Play{{Prompt: "look", Turns: []modeltest.Turn{
		command("cat a.txt; touch b.txt"), command(editing), command("git commit --allow-empty -m two"), command("touch c.txt"), command("touch .git/hooks/pre-commit"),
		modeltest.Uses("exec_command", map[string]any{"cmd": "touch d.txt", "sandbox_permissions": "require_escalated", "justification": "please"}),
		modeltest.Says("looked"),
	}}})
	mark := filepath.Join(r.repo, "..", filepath.Base(r.repo)+"-started")
	t.Cleanup(func() { _ = os.Remove(mark) })
	put(t, `prefix_rule(pattern=["touch"], decision="allow")`, r.home, ".codex", "rules", "default.rules")
	server := "\n[mcp_servers.%]\ncommand = \"touch\"\nargs = [" + quoted(mark) + "]\n"
	own := read(t, r.home, ".codex", "config.toml")
	put(t, own+"sandbox_mode = \"danger-full-access\"\n"+replace(server, "own")+"[projects."+quoted(r.repo)+"]\ntrust_level = \"trusted\"\n", r.home, ".codex", "config.toml")
	put(t, "sandbox_mode = \"danger-full-access\"\n"+replace(server, "theirs"), r.repo, ".codex", "config.toml")
	git(t, r.repo, "add", ".")
	git(t, r.repo, "commit", "-qm", "with a configuration")
	head := git(t, r.repo, "rev-parse", "HEAD")
	req := r.request("look")
	req.ReadOnly = true
	text, _ := r.say(t, req)
	require.Equal(t, "looked", text)
	require.Contains(t, r.results(), "first")
	require.Contains(t, r.results(), "Read-only file system")
	untouched(t, r.repo, head)
	require.NoFileExists(t, mark, "a server was started outside of the sandbox")
	require.NoFileExists(t, filepath.Join(r.repo, ".git", "hooks", "pre-commit"))
}

func TestRealCodexAnswersWithAValue(t *testing.T) {
	r := realCodex(t, modeltest.Play{{Prompt: "count", Turns: []modeltest.Turn{modeltest.Says(`{"n":3}`)}}})
	req := r.request("count")
	req.Schema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`)
	resp, err := r.run(t, req)
	require.NoError(t, err)
	require.True(t, resp.Structured)
	require.JSONEq(t, `{"n":3}`, string(resp.Value))
	require.JSONEq(t, string(req.Schema), string(r.model.Asked()[0].Schema))
}

func TestRealCodexModes(t *testing.T) {
	for _, c := range []struct {
		mode    string
		commits bool
	}{{"", false}, {"ask", false}, {"accept-edits", false}, {"auto", true}} {
		r := realCodex(t, modeltest.Play{{Prompt: "commit", Turns: []modeltest.Turn{
			command("echo second >a.txt; git commit -qam two; echo over"), modeltest.Says("done"),
		}}})
		req := r.request("commit")
		req.PermissionMode = c.mode
		text, _ := r.say(t, req)
		require.Equal(t, "done", text)
		require.Equal(t, "second\n", read(t, r.repo, "a.txt"), c.mode)
		if c.commits {
			require.Equal(t, "two", git(t, r.repo, "log", "-1", "--format=%s"))
		} else {
			require.Equal(t, "one", git(t, r.repo, "log", "-1", "--format=%s"), c.mode)
		}
	}
}

func TestRealCodexFailures(t *testing.T) {
	limit := modeltest.Turn{Failure: &modeltest.Failure{Status: 429, Body: `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":4102444800}}`}}
	for prompt, c := range map[string]struct {
		turn modeltest.Turn
		code fault.Code
	}{
		"limit":   {limit, fault.UsageLimit},
		"quota":   {modeltest.Fails(429, "insufficient_quota", "You exceeded your current quota"), fault.UsageLimit},
		"model":   {modeltest.Fails(404, "model_not_found", "The model `stand-in` does not exist or you do not have access to it."), fault.AgentUnable},
		"key":     {modeltest.Fails(401, "invalid_api_key", "Incorrect API key provided"), fault.AgentFailed},
		"failure": {modeltest.Fails(500, "server_error", "the server is broken"), fault.AgentFailed},
		"cut":     {modeltest.Turn{Text: "half of it", Cut: true}, fault.AgentFailed},
	} {
		r := realCodex(t, modeltest.Play{{Prompt: prompt, Turns: []modeltest.Turn{c.turn}}})
		_, err := r.run(t, r.request(prompt))
		require.Equal(t, c.code, fault.CodeOf(err), "%s: %v", prompt, err)
		switch prompt {
		case "limit":
			reached, ok := errors.AsType[*agent.LimitError](err)
			require.True(t, ok)
			require.Equal(t, int64(4102444800), reached.Reset.Unix())
		case "key":
			e, _ := errors.AsType[*fault.Error](err)
			require.Contains(t, e.Next, "codex login")
		}
	}
}

func TestRealCodexProbe(t *testing.T) {
	r := realCodex(t, nil)
	codex, _ := runners.KindOf("codex")
	p := codex.Probe(t.Context(), r.options)
	require.Regexp(t, `^\d+\.\d+\.\d+`, p.Version)
	require.Equal(t, "model provider local", p.Account)
	require.Nil(t, p.SignedIn)
	require.Empty(t, p.Problem)
	require.NoError(t, os.Remove(filepath.Join(r.home, ".codex", "config.toml")))
	p = codex.Probe(t.Context(), r.options)
	require.NotNil(t, p.SignedIn)
	require.False(t, *p.SignedIn)
	require.Contains(t, p.Next, "codex login")
	require.Empty(t, r.model.Unserved(), "a probe makes no request")
}
