//go:build unix

package acp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
)

// The runner keeps to what every runner has to.
func TestConforms(t *testing.T) {
	agenttest.Run(t, agenttest.Subject{
		Speaker: "acp",
		New: func(_ *testing.T, s agenttest.Start) agent.Runner {
			return acp.New(acp.Options{Command: []string{s.Program}, Env: s.Env, MaxOutput: s.MaxOutput, Grace: s.Grace})
		},
		Lacks: map[agenttest.Trait]string{
			agenttest.Structured: "the protocol has no answer but text",
			agenttest.Inputs:     "it is a conversation",
		},
	})
}

// object is what is read of a message.
type object struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ModelID  string `json:"modelId"`
		ConfigID string `json:"configId"`
		Value    string `json:"value"`
		Prompt   []struct {
			Text string `json:"text"`
		} `json:"prompt"`
		Meta struct {
			Claude struct {
				Options struct {
					Tools           []string `json:"tools"`
					DisallowedTools []string `json:"disallowedTools"`
				} `json:"options"`
			} `json:"claudeCode"`
		} `json:"_meta"`
	} `json:"params"`
}

// asked is the id of the prompt that a fake has heard.
var asked json.RawMessage

// hear converses until the prompt is there. It is written by hand, so that the suite does not have the
// library alone to say what the protocol is.
func hear(p *agenttest.Program) (agenttest.Heard, error) {
	var heard agenttest.Heard
	for {
		line, err := p.In.ReadBytes('\n')
		if err != nil {
			return heard, err
		}
		var m object
		if err := json.Unmarshal(line, &m); err != nil {
			return heard, fmt.Errorf("%.100s: %w", line, err)
		}
		result := map[string]any{}
		switch m.Method {
		case "initialize":
			result["protocolVersion"] = 1
		case "session/new":
			heard.Tools = m.Params.Meta.Claude.Options.Tools
			heard.ReadOnly = slices.Contains(m.Params.Meta.Claude.Options.DisallowedTools, "Write")
			// The session's id is that of the suite's event.
			result["sessionId"] = sessionID
			result["models"] = map[string]any{"currentModelId": "model-0", "availableModels": []any{
				map[string]any{"modelId": "model-0", "name": "Zero"}, map[string]any{"modelId": "model-1", "name": "One"},
			}}
			result["configOptions"] = []any{map[string]any{
				"id": "effort", "name": "Effort", "category": "thought_level", "type": "select", "currentValue": "low",
				"options": []any{map[string]any{"value": "low", "name": "Low"}, map[string]any{"value": "high", "name": "High"}},
			}}
		case "session/set_model":
			heard.Model = m.Params.ModelID
		case "session/set_config_option":
			heard.Effort = m.Params.Value
			result["configOptions"] = []any{}
		case "session/prompt":
			heard.Prompt = m.Params.Prompt[0].Text
			heard.Instructions = heard.Prompt
			asked = m.ID
			return heard, nil
		}
		if err := p.Line(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result}); err != nil {
			return heard, err
		}
	}
}

const sessionID = "0b6e3c5e-4d0c-4c55-9b6b-3f3c1b0f3a11"

// say says a behaviour as updates and a response.
func say(p *agenttest.Program, b agenttest.Behaviour) error {
	update := func(kind string, fields map[string]any) error {
		fields["sessionUpdate"] = kind
		return p.Line(map[string]any{"jsonrpc": "2.0", "method": "session/update", "params": map[string]any{"sessionId": sessionID, "update": fields}})
	}
	for _, e := range b.Events {
		var err error
		switch e.Type {
		case agent.EventText:
			err = update("agent_message_chunk", map[string]any{"content": map[string]any{"type": "text", "text": e.Text}, "messageId": "working"})
		case agent.EventTool:
			err = update("tool_call", map[string]any{
				"toolCallId": e.ID, "title": "Read a.txt", "kind": "read", "status": "pending", "rawInput": json.RawMessage(e.Input),
				"_meta": map[string]any{"claudeCode": map[string]any{"toolName": e.Tool}},
			})
		case agent.EventToolResult:
			err = update("tool_call_update", map[string]any{"toolCallId": e.ID, "status": "completed", "content": []any{
				map[string]any{"type": "content", "content": map[string]any{"type": "text", "text": e.Text}},
			}})
		}
		if err != nil {
			return err
		}
	}
	if b.Wait || b.Exit != 0 { // a program that answered is ended, and has no exit code of its own
		return nil
	}
	if b.Usage.CostMicroUSD > 0 {
		cost := map[string]any{"amount": float64(b.Usage.CostMicroUSD) / 1e6, "currency": "USD"}
		if err := update("usage_update", map[string]any{"used": 100, "size": 200_000, "cost": cost}); err != nil {
			return err
		}
	}
	result := map[string]any{"stopReason": "end_turn"}
	if b.Usage.Input > 0 {
		result["usage"] = map[string]any{
			"inputTokens": b.Usage.Input - 200, "cachedReadTokens": 150, "cachedWriteTokens": 50, "outputTokens": b.Usage.Output,
			"totalTokens": b.Usage.Input + b.Usage.Output,
		}
	}
	text := b.Text
	switch {
	case b.Failure != "":
		text, result["stopReason"] = b.Failure, "refusal"
	case b.Limit != nil:
		return p.Last(map[string]any{"jsonrpc": "2.0", "id": asked, "error": map[string]any{
			"code": -32603, "message": "Internal error", "data": map[string]any{"details": "You've hit your weekly limit until " + b.Limit.Reset.Format(time.RFC3339)},
		}})
	case b.NoModel:
		return p.Last(map[string]any{"jsonrpc": "2.0", "id": asked, "error": map[string]any{"code": -32603, "message": "unknown model"}})
	}
	if err := update("agent_message_chunk", map[string]any{"content": map[string]any{"type": "text", "text": text}, "messageId": "last"}); err != nil {
		return err
	}
	return p.Last(map[string]any{"jsonrpc": "2.0", "id": asked, "result": result})
}
