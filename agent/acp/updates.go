package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// transcript is what an agent has said and done so far.
type transcript struct {
	mu      sync.Mutex
	message strings.Builder // the one that is being said
	id      string          // of that message, if the agent numbers them
	last    string          // the last one that was said whole
	prelude string          // what an adapter says by itself before the first one
	thought strings.Builder
	total   int // bytes said and thought
	tools   map[sdk.ToolCallId]*tool
	cost    float64 // of the session, in US dollars
	context int64   // the most tokens that were in the agent's context
	events  int
}

// say hands an event on, as long as there are not too many.
func (s *session) say(events ...agent.Event) {
	for _, e := range events {
		s.transcript.mu.Lock()
		s.transcript.events++
		n := s.transcript.events
		s.transcript.mu.Unlock()
		switch {
		case n < maxEvents:
			s.req.Say(e)
		case n == maxEvents:
			s.req.Say(note(fmt.Sprintf("the agent did more than %d things; no more of them are told", maxEvents), false))
		}
	}
}

func note(text string, failed bool) agent.Event {
	return agent.Event{Type: agent.EventNote, Text: text, Failed: failed}
}

// update takes in one update of the session. Updates come one after the other.
func (s *session) update(_ context.Context, p sdk.SessionNotification) (any, error) {
	s.transcript.mu.Lock()
	events := s.transcript.take(p.Update)
	over := s.transcript.total > maxText
	s.transcript.mu.Unlock()
	s.say(events...)
	if over {
		s.wire.fail(tooMuch("it said and thought more than %d bytes", maxText))
	}
	return struct{}{}, nil
}

// take gives the events that an update makes; the caller holds mu.
func (t *transcript) take(u sdk.SessionUpdate) []agent.Event {
	switch {
	case u.AgentMessageChunk != nil:
		var events []agent.Event
		if id := u.AgentMessageChunk.MessageId; id != nil && *id != t.id {
			events, t.id = t.flush(), *id
		} else {
			events = t.flushThought()
		}
		t.message.WriteString(t.counted(u.AgentMessageChunk.Content))
		return events
	case u.AgentThoughtChunk != nil:
		t.thought.WriteString(t.counted(u.AgentThoughtChunk.Content))
	case u.ToolCall != nil:
		c := u.ToolCall
		events := t.flush()
		known := t.tool(c.ToolCallId)
		known.adds(c.Kind, c.Title, c.RawInput, c.Locations, c.Content)
		return append(events, known.progress(c.ToolCallId, c.Status, c.Content, c.RawOutput, c.Meta)...)
	case u.ToolCallUpdate != nil:
		c := u.ToolCallUpdate
		known := t.tool(c.ToolCallId)
		known.adds(deref(c.Kind), deref(c.Title), c.RawInput, c.Locations, c.Content)
		return known.progress(c.ToolCallId, deref(c.Status), c.Content, c.RawOutput, c.Meta)
	case u.Plan != nil:
		return append(t.flushThought(), note(planText(u.Plan.Entries), false))
	case u.CurrentModeUpdate != nil:
		return []agent.Event{note("the agent is in its mode "+cut(string(u.CurrentModeUpdate.CurrentModeId), 100)+" now", false)}
	case u.UsageUpdate != nil:
		t.context = max(t.context, within(u.UsageUpdate.Used))
		if c := u.UsageUpdate.Cost; c != nil && c.Currency == "USD" && c.Amount >= 0 && c.Amount <= maxCost {
			t.cost = max(t.cost, c.Amount)
		}
	}
	return nil
}

// counted is the text of a block, which is all that counts of a message.
func (t *transcript) counted(b sdk.ContentBlock) string {
	text := blockText(b)
	if t.total += len(text); t.total > maxText {
		return ""
	}
	return text
}

// flush ends the message and the thought that are under way.
func (t *transcript) flush() []agent.Event {
	events := t.flushThought()
	text := t.message.String()
	if own, after, found := strings.Cut(text, t.prelude); found && t.prelude != "" && own == "" {
		events = append(events, note(cut(t.prelude, eventShown), false))
		text = after
	}
	if strings.TrimSpace(text) != "" {
		t.last = text
		events = append(events, agent.Event{Type: agent.EventText, Text: text})
	}
	t.message.Reset()
	return events
}

func (t *transcript) flushThought() []agent.Event {
	text := t.thought.String()
	t.thought.Reset()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []agent.Event{{Type: agent.EventThinking, Text: text}}
}

// tool is what is known of one use of a tool; of more than can be remembered nothing is.
func (t *transcript) tool(id sdk.ToolCallId) *tool {
	known := t.tools[id]
	if known == nil {
		known = &tool{}
		if len(t.tools) < maxTools {
			t.tools[id] = known
		}
	}
	return known
}

// progress tells of a use of a tool when its input is known, or it has begun, and of its end.
func (t *tool) progress(id sdk.ToolCallId, status sdk.ToolCallStatus, content []sdk.ToolCallContent, output any, meta map[string]any) []agent.Event {
	var events []agent.Event
	if name := toolName(meta); name != "" {
		t.name = name
	}
	ended := status == sdk.ToolCallStatusCompleted || status == sdk.ToolCallStatusFailed
	if !t.told && (len(t.inputs) > 0 || ended || status == sdk.ToolCallStatusInProgress) {
		t.told = true
		events = append(events, agent.Event{Type: agent.EventTool, ID: string(id), Tool: t.called(), Text: cut(t.title, eventShown), Input: cut(t.inputText(), eventShown)})
	}
	if ended && !t.ended {
		t.ended = true
		events = append(events, agent.Event{
			Type: agent.EventToolResult, ID: string(id), Tool: t.called(), Text: cut(resultText(content, output), eventShown), Failed: status == sdk.ToolCallStatusFailed,
		})
	}
	return events
}

// called is how the agent calls the tool: the name that adapters hand on, else its kind.
func (t *tool) called() string {
	switch kind := t.kind(); {
	case t.name != "":
		return t.name
	case kind != "":
		return string(kind)
	}
	return "tool"
}

// toolName finds the name of a tool in what an adapter says of it beside the protocol.
func toolName(meta map[string]any) string {
	for _, of := range meta {
		if object, ok := of.(map[string]any); ok {
			if name, ok := object["toolName"].(string); ok {
				return cut(name, 200)
			}
		}
	}
	return ""
}

func blockText(b sdk.ContentBlock) string {
	switch {
	case b.Text != nil:
		return b.Text.Text
	case b.ResourceLink != nil:
		return b.ResourceLink.Uri
	case b.Resource != nil && b.Resource.Resource.TextResourceContents != nil:
		return b.Resource.Resource.TextResourceContents.Text
	}
	return ""
}

// resultText is what a tool gave, as text.
func resultText(content []sdk.ToolCallContent, output any) string {
	var parts []string
	for _, c := range content {
		switch {
		case c.Content != nil:
			parts = append(parts, blockText(c.Content.Content))
		case c.Diff != nil:
			parts = append(parts, "changed "+c.Diff.Path)
		case c.Terminal != nil:
			parts = append(parts, "terminal "+c.Terminal.TerminalId)
		}
	}
	if len(parts) == 0 && output != nil {
		if text, err := json.Marshal(output); err == nil {
			return string(text)
		}
	}
	return strings.Join(parts, "\n")
}

func planText(entries []sdk.PlanEntry) string {
	var text strings.Builder
	text.WriteString("plan:")
	for _, e := range entries {
		mark := " "
		if e.Status == sdk.PlanEntryStatusCompleted {
			mark = "x"
		}
		text.WriteString("\n[" + mark + "] " + e.Content)
	}
	return cut(text.String(), eventShown)
}

// begins ends what was said before the prompt, which is no part of the answer. An adapter may greet
// with a message of its own, and says so beside its session; it can come later than that.
func (s *session) begins(meta map[string]any) {
	s.transcript.mu.Lock()
	events := s.transcript.flush()
	s.transcript.last = ""
	for _, of := range meta {
		if object, ok := of.(map[string]any); ok {
			if text, ok := object["startupInfo"].(string); ok {
				s.transcript.prelude = text
			}
		}
	}
	s.transcript.mu.Unlock()
	s.say(events...)
}

// finish ends what is under way, and gives the text of the last message.
func (s *session) finish() string {
	s.transcript.mu.Lock()
	events := s.transcript.flush()
	last := s.transcript.last
	s.transcript.mu.Unlock()
	s.say(events...)
	return last
}

// usage is what the agent reports: tokens with the answer, and otherwise the most that were in its
// context, which is the least that it can have read; the cost of the session.
func (s *session) usage(reported *sdk.Usage) journal.Usage {
	s.transcript.mu.Lock()
	defer s.transcript.mu.Unlock()
	usage := tokensOf(reported)
	if usage == (journal.Usage{}) {
		usage.Input = s.transcript.context
	}
	usage.CostMicroUSD = int64(math.Round(s.transcript.cost * 1e6))
	return usage
}

// tokensOf counts cached tokens as input. Some agents count them there already, and thinking apart
// from the output; the total tells, if there is one.
func tokensOf(u *sdk.Usage) journal.Usage {
	if u == nil {
		return journal.Usage{}
	}
	in, out, total := within(u.InputTokens), within(u.OutputTokens), within(u.TotalTokens)
	cached, thought := within(deref(u.CachedReadTokens))+within(deref(u.CachedWriteTokens)), within(deref(u.ThoughtTokens))
	switch total {
	case in + out:
		return journal.Usage{Input: in, Output: out}
	case in + out + thought:
		return journal.Usage{Input: in, Output: out + thought}
	case in + cached + out + thought:
		return journal.Usage{Input: in + cached, Output: out + thought}
	}
	return journal.Usage{Input: in + cached, Output: out}
}

// within is a count of tokens that can be true, else 0.
func within(n int) int64 {
	if n < 0 || n > maxTokens {
		return 0
	}
	return int64(n)
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// cut shortens text to at most limit bytes, at a character, and marks the cut.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
