package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// completions serves OpenAI's Chat Completions API, which many other services have too:
// https://platform.openai.com/docs/api-reference/chat.
func (s *Server) completions(mux *http.ServeMux) {
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
}

// completionsRequest is the part of a request that is looked at.
type completionsRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Calls   []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
		CallID string `json:"tool_call_id"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	Effort string `json:"reasoning_effort"`
	Format struct {
		JSONSchema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Stream bool `json:"stream"`
}

func joined(texts []string) string { return strings.Join(texts, "\n") }

func (r completionsRequest) conversation() Conversation {
	c := Conversation{Endpoint: "completions", Model: r.Model, Effort: r.Effort, Schema: r.Format.JSONSchema.Schema}
	for _, t := range r.Tools {
		c.Tools = append(c.Tools, t.Function.Name)
	}
	for _, given := range r.Messages {
		texts := partsText(given.Content)
		switch given.Role {
		case "system", "developer":
			c.System += "\n" + joined(texts)
		case "tool":
			c.Messages = append(c.Messages, Message{Role: "user", Results: []Result{{ID: given.CallID, Text: joined(texts)}}})
		default:
			m := Message{Role: given.Role, Texts: texts}
			for _, call := range given.Calls {
				m.Uses = append(m.Uses, Use{ID: call.ID, Name: call.Function.Name, Input: json.RawMessage(call.Function.Arguments)})
			}
			c.Messages = append(c.Messages, m)
		}
	}
	return c
}

// complete answers POST /v1/chat/completions, which is asked for as a stream only.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var asked completionsRequest
	text, ok := s.body(w, r, &asked)
	if !ok {
		return
	}
	if !asked.Stream {
		http.Error(w, `{"error":{"message":"this stand-in only streams"}}`, http.StatusBadRequest)
		return
	}
	c := asked.conversation()
	c.Header, c.Body = r.Header, text
	turn, ok := s.turn(w, r, c)
	switch {
	case !ok:
	case turn.Failure != nil:
		turn.Failure.send(w, openAIFailure)
	default:
		turn.streamCompletion(newStream(w, turn.Cut), asked.Model)
	}
}

// streamCompletion sends the turn as https://platform.openai.com/docs/api-reference/chat-streaming has it.
func (t Turn) streamCompletion(out *stream, model string) {
	chunk := func(choices []any, usage map[string]any) {
		out.event("", map[string]any{
			"id": fmt.Sprintf("chatcmpl_%d", t.number), "object": "chat.completion.chunk", "created": 0, "model": model,
			"choices": choices, "usage": usage,
		})
	}
	choice := func(delta map[string]any, finish any) []any {
		return []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
	}
	chunk(choice(map[string]any{"role": "assistant", "content": ""}, nil), nil)
	if t.Text != "" {
		chunk(choice(map[string]any{"content": t.Text}, nil), nil)
	}
	finish := "stop"
	for i, u := range t.Uses {
		finish = "tool_calls"
		chunk(choice(map[string]any{"tool_calls": []any{map[string]any{
			"index": i, "id": u.ID, "type": "function", "function": map[string]any{"name": u.Name, "arguments": string(u.Input)},
		}}}, nil), nil)
	}
	chunk(choice(map[string]any{}, finish), nil)
	input := t.Input + t.CacheRead + t.CacheWrite
	chunk([]any{}, map[string]any{
		"prompt_tokens": input, "completion_tokens": t.Output, "total_tokens": input + t.Output,
		"prompt_tokens_details": map[string]any{"cached_tokens": t.CacheRead},
	})
	out.raw("", "[DONE]")
}
