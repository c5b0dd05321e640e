package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// anthropic serves Anthropic's Messages API: https://docs.anthropic.com/en/api/messages.
func (s *Server) anthropic(mux *http.ServeMux) {
	mux.HandleFunc("POST /v1/messages", s.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]any
		if text, ok := s.body(w, r, &asked); ok {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"input_tokens": len(text) / 4})
		}
	})
}

// messagesRequest is the part of a request that is looked at.
type messagesRequest struct {
	Model    string          `json:"model"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"`
	Stream bool `json:"stream"`
	Output struct {
		Effort string `json:"effort"`
		Format struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
}

// messagesBlock is a block of a message's content.
type messagesBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	UseID   string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
	Failed  bool            `json:"is_error"`
}

// blocks reads a content, which is a text or a list of blocks.
func blocks(content json.RawMessage) []messagesBlock {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []messagesBlock{{Type: "text", Text: text}}
	}
	var list []messagesBlock
	_ = json.Unmarshal(content, &list)
	return list
}

// joinedText is all text of a content.
func joinedText(content json.RawMessage) string {
	var texts []string
	for _, b := range blocks(content) {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func (r messagesRequest) conversation() Conversation {
	c := Conversation{
		Endpoint: "messages", Model: r.Model, Effort: r.Output.Effort,
		System: joinedText(r.System), Schema: r.Output.Format.Schema,
	}
	for _, t := range r.Tools {
		c.Tools = append(c.Tools, t.Name)
	}
	for _, given := range r.Messages {
		if given.Role == "system" { // a remark of the program's, between the sides
			c.System += "\n" + joinedText(given.Content)
			continue
		}
		m := Message{Role: given.Role}
		for _, b := range blocks(given.Content) {
			switch b.Type {
			case "text":
				m.Texts = append(m.Texts, b.Text)
			case "tool_use":
				m.Uses = append(m.Uses, Use{ID: b.ID, Name: b.Name, Input: b.Input})
			case "tool_result":
				m.Results = append(m.Results, Result{ID: b.UseID, Text: joinedText(b.Content), Failed: b.Failed})
			}
		}
		c.Messages = append(c.Messages, m)
	}
	return c
}

// messages answers POST /v1/messages, as a stream or whole.
func (s *Server) messages(w http.ResponseWriter, r *http.Request) {
	var asked messagesRequest
	text, ok := s.body(w, r, &asked)
	if !ok {
		return
	}
	c := asked.conversation()
	c.Header, c.Body = r.Header, text
	turn, ok := s.turn(w, r, c)
	switch {
	case !ok:
	case turn.Failure != nil:
		turn.Failure.send(w, func(kind, message string) any {
			return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}}
		})
	case asked.Stream:
		turn.streamMessage(newStream(w, turn.Cut), asked.Model)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(turn.message(asked.Model))
	}
}

// content is the turn as blocks of a message.
func (t Turn) content() []map[string]any {
	out := []map[string]any{}
	if t.Text != "" {
		out = append(out, map[string]any{"type": "text", "text": t.Text})
	}
	for _, u := range t.Uses {
		out = append(out, map[string]any{"type": "tool_use", "id": u.ID, "name": u.Name, "input": u.Input})
	}
	return out
}

func (t Turn) messageUsage() map[string]any {
	return map[string]any{
		"input_tokens": t.Input, "output_tokens": t.Output,
		"cache_read_input_tokens": t.CacheRead, "cache_creation_input_tokens": t.CacheWrite,
	}
}

func (t Turn) stopReason() string {
	if len(t.Uses) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

// message is the turn as a whole message.
func (t Turn) message(model string) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("msg_%d", t.number), "type": "message", "role": "assistant", "model": model,
		"content": t.content(), "stop_reason": t.stopReason(), "stop_sequence": nil, "usage": t.messageUsage(),
	}
}

// streamMessage sends the turn as https://docs.anthropic.com/en/docs/build-with-claude/streaming has it.
func (t Turn) streamMessage(out *stream, model string) {
	begun := t.message(model)
	begun["content"], begun["stop_reason"] = []any{}, nil
	out.event("message_start", map[string]any{"type": "message_start", "message": begun})
	for i, block := range t.content() {
		var delta map[string]any
		switch block["type"] {
		case "text":
			delta = map[string]any{"type": "text_delta", "text": block["text"]}
			block = map[string]any{"type": "text", "text": ""}
		default:
			input, _ := block["input"].(json.RawMessage)
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
			block["input"] = map[string]any{}
		}
		out.event("content_block_start", map[string]any{"type": "content_block_start", "index": i, "content_block": block})
		out.event("content_block_delta", map[string]any{"type": "content_block_delta", "index": i, "delta": delta})
		out.event("content_block_stop", map[string]any{"type": "content_block_stop", "index": i})
	}
	out.event("message_delta", map[string]any{
		"type": "message_delta", "delta": map[string]any{"stop_reason": t.stopReason(), "stop_sequence": nil}, "usage": t.messageUsage(),
	})
	out.event("message_stop", map[string]any{"type": "message_stop"})
}
