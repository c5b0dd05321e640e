package modeltest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// sent are the data of a stream's events.
func sent(t *testing.T, stream string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(stream) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var event map[string]any
		require.NoError(t, json.Unmarshal([]byte(data), &event))
		all = append(all, event)
	}
	return all
}

// The forms are those of https://platform.openai.com/docs/api-reference/responses-streaming.
func TestResponses(t *testing.T) {
	s := modeltest.Start(t, reading.Script())
	first := `{"model":"m","stream":true,"reasoning":{"effort":"high"},"text":{"format":{"type":"json_schema","schema":{"type":"object"}}},
		"tools":[{"type":"function","name":"Read"},{"type":"web_search"}],
		"input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"be brief"}]},
			{"type":"message","role":"user","content":[{"type":"input_text","text":"please read it"}]}`
	_, text, err := post(t, s.URL+"/v1/responses", first+"]}")
	require.NoError(t, err)
	events := sent(t, text)
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e["type"].(string))
	}
	require.Equal(t, []string{"response.created", "response.output_item.added", "response.output_item.done", "response.completed"}, kinds)
	item := events[2]["item"].(map[string]any)
	require.Equal(t, "function_call", item["type"])
	require.Equal(t, "Read", item["name"])
	require.JSONEq(t, `{"path":"a"}`, item["arguments"].(string))

	_, text, err = post(t, s.URL+"/v1/responses", first+`,{"type":"reasoning","summary":[]},{"type":"function_call","call_id":"c","name":"Read","arguments":"{}"},
		{"type":"function_call_output","call_id":"c","output":"contents"}]}`)
	require.NoError(t, err)
	events = sent(t, text)
	require.Equal(t, "response.output_text.delta", events[2]["type"])
	require.Equal(t, "done", events[2]["delta"])
	usage := events[len(events)-1]["response"].(map[string]any)["usage"].(map[string]any)
	require.InDelta(t, 7+2+1, usage["input_tokens"], 0)
	require.InDelta(t, 3, usage["output_tokens"], 0)

	asked := s.Asked()
	require.Len(t, asked, 2)
	require.Equal(t, "responses", asked[1].Endpoint)
	require.Equal(t, "high", asked[1].Effort)
	require.Equal(t, []string{"Read", "web_search"}, asked[1].Tools)
	require.Contains(t, asked[1].System, "be brief")
	require.JSONEq(t, `{"type":"object"}`, string(asked[1].Schema))
	require.Equal(t, []modeltest.Result{{ID: "c", Name: "Read", Text: "contents"}}, asked[1].Results())
}

// The forms are those of https://platform.openai.com/docs/api-reference/chat-streaming.
func TestCompletions(t *testing.T) {
	s := modeltest.Start(t, reading.Script())
	first := `{"model":"m","stream":true,"reasoning_effort":"high","tools":[{"type":"function","function":{"name":"Read"}}],
		"messages":[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"please read it"}]}`
	_, text, err := post(t, s.URL+"/v1/chat/completions", first+"]}")
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(strings.TrimSpace(text), "data: [DONE]"))
	chunks := sent(t, text)
	require.Len(t, chunks, 4)
	choice := func(i int) map[string]any { return chunks[i]["choices"].([]any)[0].(map[string]any) }
	call := choice(1)["delta"].(map[string]any)["tool_calls"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"name": "Read", "arguments": `{"path":"a"}`}, call["function"])
	require.Equal(t, "tool_calls", choice(2)["finish_reason"])

	_, text, err = post(t, s.URL+"/v1/chat/completions", first+`,{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"Read","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"c","content":"contents"}]}`)
	require.NoError(t, err)
	chunks = sent(t, text)
	require.Equal(t, "done", choice(1)["delta"].(map[string]any)["content"])
	require.Equal(t, "stop", choice(2)["finish_reason"])
	usage := chunks[3]["usage"].(map[string]any)
	require.InDelta(t, 7+2+1, usage["prompt_tokens"], 0)
	require.InDelta(t, 3, usage["completion_tokens"], 0)

	asked := s.Asked()
	require.Equal(t, "completions", asked[1].Endpoint)
	require.Equal(t, "high", asked[1].Effort)
	require.Equal(t, []string{"Read"}, asked[1].Tools)
	require.Contains(t, asked[1].System, "be brief")
	require.Equal(t, []modeltest.Result{{ID: "c", Name: "Read", Text: "contents"}}, asked[1].Results())
}

func TestOpenAIFailures(t *testing.T) {
	s := modeltest.Start(t, modeltest.Play{
		{Prompt: "fail", Turns: []modeltest.Turn{modeltest.Fails(429, "insufficient_quota", "no more")}},
		{Prompt: "cut", Turns: []modeltest.Turn{{Text: "half", Cut: true}}},
	}.Script())
	for path, body := range map[string]string{
		"/v1/responses":        `{"stream":true,"input":[{"role":"user","content":"%"}]}`,
		"/v1/chat/completions": `{"stream":true,"messages":[{"role":"user","content":"%"}]}`,
	} {
		status, text, err := post(t, s.URL+path, strings.ReplaceAll(body, "%", "fail"))
		require.NoError(t, err)
		require.Equal(t, 429, status)
		require.JSONEq(t, `{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"no more"}}`, text)
		_, text, err = post(t, s.URL+path, strings.ReplaceAll(body, "%", "cut"))
		require.Error(t, err, "the connection breaks")
		require.Len(t, sent(t, text), 2)
		status, _, err = post(t, s.URL+path, `{"stream":false}`)
		require.NoError(t, err)
		require.Equal(t, 400, status)
	}
}
