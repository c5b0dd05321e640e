package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// responses serves OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses.
func (s *Server) responses(mux *http.ServeMux) { mux.HandleFunc("POST /v1/responses", s.respond) }

// responsesRequest is the part of a request that is looked at.
type responsesRequest struct {
	Model        string          `json:"model"`
	Instructions string          `json:"instructions"`
	Input        []responsesItem `json:"input"`
	Tools        []struct {
		Type string `json:"type"`
		Name string `json:"name"`
	} `json:"tools"`
	Reasoning struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
	Text struct {
		Format struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"text"`
	Stream bool `json:"stream"`
}

// responsesItem is an item of a conversation.
type responsesItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    json.RawMessage `json:"output"`
}

// partsText are the texts of a content, which is a text or a list of parts of several types.
func partsText(content json.RawMessage) []string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []string{text}
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts)
	var texts []string
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return texts
}

func (r responsesRequest) conversation() Conversation {
	c := Conversation{
		Endpoint: "responses", Model: r.Model, Effort: r.Reasoning.Effort, System: r.Instructions, Schema: r.Text.Format.Schema,
	}
	for _, t := range r.Tools {
		if t.Name == "" {
			t.Name = t.Type // what the service itself has
		}
		c.Tools = append(c.Tools, t.Name)
	}
	for _, item := range r.Input {
		switch {
		case item.Type == "function_call":
			c.Messages = append(c.Messages, Message{
				Role: "assistant", Uses: []Use{{ID: item.CallID, Name: item.Name, Input: json.RawMessage(item.Arguments)}},
			})
		case item.Type == "function_call_output":
			c.Messages = append(c.Messages, Message{Role: "user", Results: []Result{{ID: item.CallID, Text: joined(partsText(item.Output))}}})
		case item.Role == "system", item.Role == "developer":
			c.System += "\n" + joined(partsText(item.Content))
		case item.Role != "":
			c.Messages = append(c.Messages, Message{Role: item.Role, Texts: partsText(item.Content)})
		}
	}
	return c
}

// respond answers POST /v1/responses, which is asked for as a stream only.
func (s *Server) respond(w http.ResponseWriter, r *http.Request) {
	var asked responsesRequest
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
		turn.streamResponse(newStream(w, turn.Cut))
	}
}

// openAIFailure is OpenAI's form of an error.
func openAIFailure(kind, message string) any {
	return map[string]any{"error": map[string]any{"type": kind, "code": kind, "message": message}}
}

// items are the turn as items of a response.
func (t Turn) items() []map[string]any {
	items := []map[string]any{}
	if t.Text != "" {
		items = append(items, map[string]any{
			"type": "message", "id": fmt.Sprintf("msg_%d", t.number), "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": t.Text, "annotations": []any{}}},
		})
	}
	for i, u := range t.Uses {
		items = append(items, map[string]any{
			"type": "function_call", "id": fmt.Sprintf("fc_%d_%d", t.number, i), "call_id": u.ID, "name": u.Name,
			"arguments": string(u.Input), "status": "completed",
		})
	}
	return items
}

// streamResponse sends the turn as https://platform.openai.com/docs/api-reference/responses-streaming has it.
func (t Turn) streamResponse(out *stream) {
	id := fmt.Sprintf("resp_%d", t.number)
	event := func(kind string, fields map[string]any) {
		fields["type"], fields["sequence_number"] = kind, out.sent
		out.event(kind, fields)
	}
	event("response.created", map[string]any{"response": map[string]any{"id": id, "object": "response", "status": "in_progress", "output": []any{}}})
	items := t.items()
	for i, item := range items {
		event("response.output_item.added", map[string]any{"output_index": i, "item": item})
		if item["type"] == "message" {
			event("response.output_text.delta", map[string]any{"item_id": item["id"], "output_index": i, "content_index": 0, "delta": t.Text})
		}
		event("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	input := t.Input + t.CacheRead + t.CacheWrite
	event("response.completed", map[string]any{"response": map[string]any{
		"id": id, "object": "response", "status": "completed", "output": items,
		"usage": map[string]any{
			"input_tokens": input, "input_tokens_details": map[string]any{"cached_tokens": t.CacheRead},
			"output_tokens": t.Output, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": input + t.Output,
		},
	}})
}
