package runners_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// realPi is pi with a provider of its own: a model at 1 and 2 dollars for a million tokens of input
// and output, and half of that for what comes from a cache.
func realPi(t *testing.T, play modeltest.Play) *real {
	t.Helper()
	return newReal(t, "pi", play, func(home, url string) {
		put(t, `{"providers":{"local":{"baseUrl":"`+url+`/v1","api":"openai-completions","apiKey":"k","models":[
			{"id":"stand-in","reasoning":true,"contextWindow":100000,"maxTokens":4096,"cost":{"input":1,"output":2,"cacheRead":0.5,"cacheWrite":0}}]}}}`,
			home, ".pi", "agent", "models.json")
		put(t, `{"defaultProvider":"local","defaultModel":"stand-in","retry":{"enabled":false,"provider":{"maxRetries":0}}}`, home, ".pi", "agent", "settings.json")
	})
}

func TestRealPiReadsAndEdits(t *testing.T) {
	r := realPi(t, modeltest.Play{{Prompt: "change a.txt", Turns: []modeltest.Turn{
		{Text: "I look.", Uses: modeltest.Uses("read", map[string]any{"path": "a.txt"}).Uses, Input: 1000, Output: 100, CacheRead: 500},
		modeltest.Uses("edit", map[string]any{"path": "a.txt", "edits": []any{map[string]any{"oldText": "first", "newText": "second"}}}),
		modeltest.Uses("bash", map[string]any{"command": "echo more >b.txt; git commit -qam two; exit 3"}),
		{Text: "changed", Input: 1000, Output: 200},
	}}})
	req := r.request("/change a.txt") // no command of pi's
	req.Prompt = "/go and change a.txt"
	req.Instructions, req.Model, req.Effort = "Say little.\n\"Quoted\".", "local/stand-in", "high"
	text, resp := r.say(t, req)
	require.Equal(t, "changed", text)
	require.Empty(t, resp.Note)
	require.Equal(t, int64(1000+500+10+10+1000), resp.Usage.Input)
	require.Equal(t, int64(100+5+5+200), resp.Usage.Output)
	require.Equal(t, int64(1000+100*2+250+2*(10+2*5)+1000+400), resp.Usage.CostMicroUSD, "1 dollar for a million is a millionth for each")
	require.Equal(t, "second\n", read(t, r.repo, "a.txt"))
	require.Equal(t, "more\n", read(t, r.repo, "b.txt"))
	require.Equal(t, "two", git(t, r.repo, "log", "-1", "--format=%s"))

	asked := r.model.Asked()
	require.Equal(t, "stand-in", asked[0].Model)
	require.Equal(t, "high", asked[0].Effort)
	require.Contains(t, asked[0].System, req.Instructions)
	require.Contains(t, asked[0].LastUserText(), req.Prompt)
	require.Contains(t, r.results(), "first")
	require.Len(t, r.events(agent.EventSession), 1)
	require.Equal(t, []string{"I look.", "changed"}, texts(r.events(agent.EventText)))
	require.Equal(t, []string{"read", "edit", "bash"}, tools(r.events(agent.EventTool)))
	results := r.events(agent.EventToolResult)
	require.Contains(t, results[0].Text, "first")
	require.True(t, results[2].Failed)
}

func texts(events []agent.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Text)
	}
	return out
}

// A call that only reads changes nothing, whatever the model tries and whatever extension, package and
// folder of sessions the repository has.
func TestRealPiReadOnly(t *testing.T) {
	write := map[string]any{"path": "b.txt", "content": "x"}
	r := realPi(t, modeltest.Play{{Prompt: "look", Turns: []modeltest.Turn{
		modeltest.Uses("read", map[string]any{"path": "a.txt"}),
		modeltest.Uses("write", write),
		modeltest.Uses("edit", map[string]any{"path": "a.txt", "edits": []any{map[string]any{"oldText": "first", "newText": "second"}}}),
		modeltest.Uses("bash", map[string]any{"command": "touch c.txt; git commit --allow-empty -m two"}),
		modeltest.Uses("ruin", map[string]any{}),
		modeltest.Says("looked"),
	}}})
	mark := filepath.Join(r.repo, "..", filepath.Base(r.repo)+"-started")
	t.Cleanup(func() { _ = os.Remove(mark) })
	put(t, `import { writeFileSync } from "node:fs";
writeFileSync(`+quoted(mark)+`, "x");
export default function (pi) {
	pi.registerTool({ name: "ruin", label: "ruin", description: "ruins", parameters: { type: "object", properties: {} },
		async execute() { writeFileSync("a.txt", "ruined"); return { content: [{ type: "text", text: "ruined" }], details: {} }; } });
}
`, r.repo, ".pi", "extensions", "ruin.ts")
	put(t, `{"sessionDir":"sessions","packages":["npm:assent-has-no-such-package"]}`, r.repo, ".pi", "settings.json")
	git(t, r.repo, "add", ".")
	git(t, r.repo, "commit", "-qm", "with an extension")
	head := git(t, r.repo, "rev-parse", "HEAD")
	req := r.request("look")
	req.ReadOnly = true
	text, _ := r.say(t, req)
	require.Equal(t, "looked", text)
	require.Equal(t, []string{"read", "grep", "find", "ls"}, r.model.Asked()[0].Tools)
	require.Contains(t, r.results(), "first")
	untouched(t, r.repo, head)
	require.NoFileExists(t, mark, "an extension was loaded")
}

func TestRealPiModes(t *testing.T) {
	for _, c := range []struct {
		mode  string
		shell bool
	}{{"", true}, {"ask", false}, {"accept-edits", false}, {"auto", true}} {
		r := realPi(t, modeltest.Play{{Prompt: "write", Turns: []modeltest.Turn{
			modeltest.Uses("write", map[string]any{"path": "b.txt", "content": "x"}), modeltest.Says("done"),
		}}})
		req := r.request("write")
		req.PermissionMode = c.mode
		text, resp := r.say(t, req)
		require.Equal(t, "done", text)
		require.Equal(t, "x", read(t, r.repo, "b.txt"))
		require.Equal(t, c.shell, r.model.Asked()[0].Has("bash"), c.mode)
		require.Equal(t, c.shell, resp.Note == "", "%q", resp.Note)
	}
}

func TestRealPiAnswersForASchema(t *testing.T) {
	r := realPi(t, modeltest.Play{{Prompt: "count", Turns: []modeltest.Turn{modeltest.Says("Here:\n```json\n{\"n\":3}\n```")}}})
	options := json.RawMessage(`{"schema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`)
	call, err := agent.Parse([]json.RawMessage{json.RawMessage(`"count"`), options})
	require.NoError(t, err)
	resp, err := agent.Do(t.Context(), r.runner, call, r.request(""), nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"n":3}`, string(resp.Value))
	require.Contains(t, r.model.Asked()[0].LastUserText(), `"required":["n"]`, "the model is told of the schema")
}

// B65: pi ends with exit code 0 whatever its provider says.
func TestRealPiFailuresB65(t *testing.T) {
	far := modeltest.Fails(429, "insufficient_quota", "You exceeded your current quota")
	far.Failure.Header = map[string]string{"retry-after": "3600"} // which pi would wait for, if it were not set up otherwise
	for prompt, c := range map[string]struct {
		turn modeltest.Turn
		code fault.Code
	}{
		"quota":   {far, fault.UsageLimit},
		"model":   {modeltest.Fails(404, "model_not_found", "The model `stand-in` does not exist"), fault.AgentUnable},
		"key":     {modeltest.Fails(401, "invalid_api_key", "Incorrect API key provided"), fault.AgentFailed},
		"failure": {modeltest.Fails(500, "server_error", "the server is broken"), fault.AgentFailed},
		"cut":     {modeltest.Turn{Text: "half of it", Cut: true}, fault.AgentFailed},
	} {
		r := realPi(t, modeltest.Play{{Prompt: prompt, Turns: []modeltest.Turn{c.turn}}})
		_, err := r.run(t, r.request(prompt))
		require.Equal(t, c.code, fault.CodeOf(err), "%s: %v", prompt, err)
	}
	r := realPi(t, nil)
	req := r.request("hi")
	req.Model = "no-such-model"
	_, err := r.run(t, req)
	require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	require.NoError(t, os.Remove(filepath.Join(r.home, ".pi", "agent", "models.json")))
	_, err = r.run(t, r.request("hi"))
	require.Equal(t, fault.AgentFailed, fault.CodeOf(err), "%v", err)
	e, ok := errors.AsType[*fault.Error](err)
	require.True(t, ok)
	require.Contains(t, e.Next, "/login")
}

func TestRealPiProbe(t *testing.T) {
	r := realPi(t, nil)
	pi, _ := runners.KindOf("pi")
	p := pi.Probe(t.Context(), r.options)
	require.Regexp(t, `^\d+\.\d+\.\d+`, p.Version)
	require.Equal(t, "models.json: local", p.Account)
	require.True(t, *p.SignedIn)
	require.Empty(t, p.Problem)
	require.Empty(t, r.model.Unserved(), "a probe makes no request")
}
