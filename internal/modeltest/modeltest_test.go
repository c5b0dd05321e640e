package modeltest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// post sends a request and gives the status and the body, as far as it came.
func post(t *testing.T, url, body string) (int, string, error) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// messagesAsked is a conversation in Anthropic's form: the prompt, and for each result a use of Read before it.
func messagesAsked(stream bool, prompt string, results ...string) string {
	list := []any{map[string]any{"role": "user", "content": prompt}}
	for _, r := range results {
		list = append(list,
			map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": "a", "name": "Read", "input": map[string]any{}}}},
			map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "a", "content": r}}})
	}
	text, _ := json.Marshal(map[string]any{"model": "m", "stream": stream, "system": []any{map[string]any{"type": "text", "text": "be brief"}}, "messages": list})
	return string(text)
}

var reading = modeltest.Play{{Prompt: "read", Turns: []modeltest.Turn{
	modeltest.Uses("Read", map[string]any{"path": "a"}),
	{Text: "done", Input: 7, Output: 3, CacheRead: 2, CacheWrite: 1},
}}}

func TestMessagesWhole(t *testing.T) {
	s := modeltest.Start(t, reading.Script())
	_, first, err := post(t, s.URL+"/v1/messages", messagesAsked(false, "please read it"))
	require.NoError(t, err)
	require.JSONEq(t, `{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","stop_sequence":null,
		"content":[{"type":"tool_use","id":"toolu_1_0","name":"Read","input":{"path":"a"}}],
		"usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":0}}`, first)
	_, second, err := post(t, s.URL+"/v1/messages", messagesAsked(false, "please read it", "contents"))
	require.NoError(t, err)
	require.JSONEq(t, `{"id":"msg_3","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","stop_sequence":null,
		"content":[{"type":"text","text":"done"}],
		"usage":{"input_tokens":7,"output_tokens":3,"cache_read_input_tokens":2,"cache_creation_input_tokens":1}}`, second)

	asked := s.Asked()
	require.Len(t, asked, 2)
	require.Equal(t, "messages", asked[1].Endpoint)
	require.Equal(t, "be brief", asked[1].System)
	require.Equal(t, "please read it", asked[1].LastUserText())
	require.Equal(t, []modeltest.Result{{ID: "a", Name: "Read", Text: "contents"}}, asked[1].Results())
	require.Equal(t, "contents", asked[1].LastResult())
	require.Empty(t, asked[0].LastResult())
	require.Equal(t, []string{"please read it"}, asked[1].Texts())
}

func TestMessagesStreamed(t *testing.T) {
	s := modeltest.Start(t, reading.Script())
	_, text, err := post(t, s.URL+"/v1/messages?beta=true", messagesAsked(true, "read"))
	require.NoError(t, err)
	var kinds []string
	var input string
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		kind, data, found := strings.Cut(part, "\ndata: ")
		require.True(t, found, part)
		kinds = append(kinds, strings.TrimPrefix(kind, "event: "))
		var event struct {
			Type  string `json:"type"`
			Delta struct {
				Partial string `json:"partial_json"`
			} `json:"delta"`
		}
		require.NoError(t, json.Unmarshal([]byte(data), &event))
		require.Equal(t, kinds[len(kinds)-1], event.Type)
		input += event.Delta.Partial
	}
	require.Equal(t, []string{
		"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
	}, kinds)
	require.JSONEq(t, `{"path":"a"}`, input)
}

func TestFailureAndCut(t *testing.T) {
	s := modeltest.Start(t, modeltest.Play{
		{Prompt: "limit", Turns: []modeltest.Turn{{Failure: &modeltest.Failure{
			Status: 429, Header: map[string]string{"Retry-After": "3"}, Type: "rate_limit_error", Message: "slow down",
		}}}},
		{Prompt: "cut", Turns: []modeltest.Turn{{Text: "half", Cut: true}}},
	}.Script())
	status, text, err := post(t, s.URL+"/v1/messages", messagesAsked(true, "limit"))
	require.NoError(t, err)
	require.Equal(t, 429, status)
	require.JSONEq(t, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, text)

	_, text, err = post(t, s.URL+"/v1/messages", messagesAsked(true, "cut"))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NotContains(t, text, "message_stop")

	status, _, err = post(t, s.URL+"/v1/elsewhere", "{}")
	require.NoError(t, err)
	require.Equal(t, 404, status)
	require.Equal(t, []string{"POST /v1/elsewhere"}, s.Unserved())
}
