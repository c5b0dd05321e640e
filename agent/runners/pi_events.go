package runners

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
)

// piRepeats is how lines begin that only repeat, or forestall, what other events say whole.
var piRepeats = []string{`{"type":"message_update"`, `{"type":"tool_execution_update"`, `{"type":"message_start"`, `{"type":"turn_end"`}

// piEvent is a line of `pi --mode json`.
type piEvent struct {
	ID      string          `json:"id"` // of a session
	Message json.RawMessage `json:"message"`
	UseID   string          `json:"toolCallId"`
	Tool    string          `json:"toolName"`
	Args    json.RawMessage `json:"args"`
	Result  json.RawMessage `json:"result"`
	Failed  bool            `json:"isError"`
	Attempt float64         `json:"attempt"`
	Of      float64         `json:"maxAttempts"`
	Error   string          `json:"errorMessage"`
	Reason  string          `json:"reason"`
}

// piEvents are the events that this has a use for; a later pi has others.
var piEvents = []string{
	"session", "agent_start", "agent_end", "message_end", "tool_execution_start", "tool_execution_end", "auto_retry_start", "compaction_start",
}

// piMessage is a message of the model's.
type piMessage struct {
	Content      []piBlock       `json:"content"`
	Usage        json.RawMessage `json:"usage"`
	Provider     string          `json:"provider"`
	Model        string          `json:"model"`
	StopReason   string          `json:"stopReason"`
	ErrorMessage string          `json:"errorMessage"`
}

// piTokens are those of a message, with what they cost in US dollars.
type piTokens struct {
	// Input is without what came from the cache or went there.
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
	Cost       struct {
		Total float64 `json:"total"`
	} `json:"cost"`
}

// piBlock is a part of a message.
type piBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Thinking string `json:"thinking"`
}

// text is what the message says.
func (m *piMessage) text() string {
	var texts []string
	for _, b := range m.Content {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// model is the model as pi's own --model has it.
func (m *piMessage) model() string { return m.Provider + "/" + m.Model }

// piSaid is what a pi has said so far.
type piSaid struct {
	req agent.Request

	last  *piMessage // the model's last message
	ended bool       // the agent's work is over, as far as is known
	usage meter
}

// event takes a line.
func (s *piSaid) event(line []byte) error {
	kind, err := kindOfEvent(line)
	if err != nil || !slices.Contains(piEvents, kind) {
		return err
	}
	var e piEvent
	if err := decode(line, &e); err != nil {
		return err
	}
	switch kind {
	case "session":
		s.req.Say(agent.Event{Type: agent.EventSession, Text: e.ID})
	case "agent_start":
		s.ended = false
	case "agent_end":
		s.ended = true
	case "message_end":
		return s.message(e.Message)
	case "tool_execution_start":
		s.req.Say(agent.Event{Type: agent.EventTool, ID: e.UseID, Tool: e.Tool, Input: string(e.Args)})
	case "tool_execution_end":
		s.req.Say(agent.Event{Type: agent.EventToolResult, ID: e.UseID, Tool: e.Tool, Text: blocksText(e.Result), Failed: e.Failed})
	case "auto_retry_start":
		s.req.Say(agent.Event{Type: agent.EventNote, Text: fmt.Sprintf("pi asks its model again (%.0f of %.0f): %s", e.Attempt, e.Of, e.Error)})
	case "compaction_start":
		s.req.Say(agent.Event{Type: agent.EventNote, Text: "pi sums up the conversation: " + e.Reason})
	}
	return nil
}

// message takes a message, if it is the model's.
func (s *piSaid) message(text json.RawMessage) error {
	var head struct {
		Role string `json:"role"`
	}
	if err := decode(text, &head); err != nil || head.Role != "assistant" {
		return err
	}
	m := &piMessage{}
	if err := decode(text, m); err != nil {
		return err
	}
	s.last = m
	s.count(m.Usage)
	for _, b := range m.Content {
		switch {
		case b.Type == "text" && b.Text != "":
			s.req.Say(agent.Event{Type: agent.EventText, Text: b.Text})
		case b.Type == "thinking" && b.Thinking != "":
			s.req.Say(agent.Event{Type: agent.EventThinking, Text: b.Thinking})
		}
	}
	return nil
}

// count takes what a message used.
func (s *piSaid) count(usage json.RawMessage) {
	var u piTokens
	if len(usage) > 0 {
		if err := decode(usage, &u); err != nil {
			s.usage.fail(err)
			return
		}
	}
	s.usage.add([]float64{u.Input, u.CacheRead, u.CacheWrite}, []float64{u.Output}, u.Cost.Total)
}
