package runners

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
)

// claudeOutput is the tool by which claude gives an answer that has a schema.
const claudeOutput = "StructuredOutput"

// claudeEvent is a message, as a line of `claude --output-format stream-json --verbose`.
type claudeEvent struct {
	Parent  string `json:"parent_tool_use_id"` // of what an agent below this one says
	Message struct {
		ID      string          `json:"id"`
		Content json.RawMessage `json:"content"`
		Usage   json.RawMessage `json:"usage"`
	} `json:"message"`
	// Error is the kind of failure that a message of the model's tells.
	Error string `json:"error"`
}

// claudeSystem is what claude says of itself.
type claudeSystem struct {
	Session string `json:"session_id"`
	// Error is what a request is made again for.
	Error   string  `json:"error"`
	Attempt float64 `json:"attempt"`
	Of      float64 `json:"max_retries"`
}

// claudeLimits is how near a limit is.
type claudeLimits struct {
	Limits struct {
		Status      string  `json:"status"`
		Resets      float64 `json:"resetsAt"` // seconds since 1970
		Kind        string  `json:"rateLimitType"`
		Utilization float64 `json:"utilization"`
	} `json:"rate_limit_info"`
}

// claudeResult is the last event.
type claudeResult struct {
	Subtype string `json:"subtype"`
	Failed  bool   `json:"is_error"`
	// Status is that of HTTP by which the provider refused.
	Status     float64         `json:"api_error_status"`
	Text       string          `json:"result"`
	Errors     []string        `json:"errors"`
	Structured json.RawMessage `json:"structured_output"`
	Cost       json.RawMessage `json:"total_cost_usd"`
	Usage      json.RawMessage `json:"usage"`
	// Models is the usage by model, with that of agents below this one.
	Models  json.RawMessage `json:"modelUsage"`
	Denials []struct {
		Tool  string          `json:"tool_name"`
		Input json.RawMessage `json:"tool_input"`
	} `json:"permission_denials"`
}

// failed says whether it tells a failure.
func (r *claudeResult) failed() bool { return r.Failed || r.Subtype != "success" }

// refused says whether its word is that of claude or of its provider about a failure, and not of its
// model. A result that tells another end, such as that of its turns, may have the model's last words.
func (r *claudeResult) refused() bool {
	return r.Failed && (r.Subtype == "success" || r.Subtype == "error_during_execution")
}

// word is why it failed.
func (r *claudeResult) word() string {
	told, ended := strings.Join(r.Errors, "; "), strings.ReplaceAll(r.Subtype, "_", " ")
	switch {
	case !r.failed():
		return ""
	case r.refused():
		return cmp.Or(r.Text, told, ended)
	}
	return cmp.Or(told, ended)
}

// claudeBlock is a part of a message.
type claudeBlock struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	UseID    string          `json:"tool_use_id"`
	Content  json.RawMessage `json:"content"`
	Failed   bool            `json:"is_error"`
}

// claudeBlocks are the parts of a content, which is a text or a list.
func claudeBlocks(content json.RawMessage) ([]claudeBlock, error) {
	var text string
	if len(content) == 0 {
		return nil, nil
	}
	if decode(content, &text) == nil {
		return []claudeBlock{{Type: "text", Text: text}}, nil
	}
	var list []claudeBlock
	err := decode(content, &list)
	return list, err
}

// claudeText is all text of a content.
func claudeText(content json.RawMessage) string {
	var texts []string
	blocks, _ := claudeBlocks(content) // what a tool gave back may be of any shape
	for _, b := range blocks {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// claudeSaid is what a claude has said so far.
type claudeSaid struct {
	req     agent.Request
	session string

	result *claudeResult
	usage  meter     // that of result, or of all results
	kind   string    // of the failure that the last message told
	reset  time.Time // of a limit that is reached
	// structured is the last answer that was tried for a schema.
	structured json.RawMessage
	// tools are the names of those in use, by the id of the use; tokens those of each message.
	tools  map[string]string
	tokens map[string]claudeTokens
}

func newClaudeSaid(req agent.Request) *claudeSaid {
	return &claudeSaid{req: req, tools: map[string]string{}, tokens: map[string]claudeTokens{}}
}

// event takes a line.
func (s *claudeSaid) event(line []byte) error {
	kind, err := kindOfEvent(line)
	if err != nil {
		return err
	}
	switch kind {
	case "system":
		return s.system(line)
	case "assistant":
		return s.message(line)
	case "user":
		return s.gotBack(line)
	case "rate_limit_event":
		return s.limits(line)
	case "result":
		return s.ended(line)
	}
	return nil
}

func (s *claudeSaid) system(line []byte) error {
	var head struct {
		Subtype string `json:"subtype"`
	}
	err := decode(line, &head)
	if err != nil || !slices.Contains([]string{"init", "api_retry", "compact_boundary"}, head.Subtype) {
		return err
	}
	var e claudeSystem
	if err := decode(line, &e); err != nil {
		return err
	}
	switch head.Subtype {
	case "init":
		if e.Session != "" && e.Session != s.session {
			s.session = e.Session
			s.req.Say(agent.Event{Type: agent.EventSession, Text: e.Session})
		}
	case "api_retry":
		s.req.Say(agent.Event{Type: agent.EventNote, Text: fmt.Sprintf("claude asks its model again (%.0f of %.0f): %s", e.Attempt, e.Of, e.Error)})
	case "compact_boundary":
		s.req.Say(agent.Event{Type: agent.EventNote, Text: "claude has summed up the conversation"})
	}
	return nil
}

// limits keeps the time at which a limit that is reached ends.
func (s *claudeSaid) limits(line []byte) error {
	var e claudeLimits
	if err := decode(line, &e); err != nil {
		return err
	}
	switch l := e.Limits; l.Status {
	case "rejected":
		if l.Resets > 0 && l.Resets < latest {
			s.reset = time.Unix(int64(l.Resets), 0)
		}
	case "allowed_warning":
		s.req.Say(agent.Event{Type: agent.EventNote, Text: fmt.Sprintf("%.0f %% of the limit %s is used", 100*l.Utilization, l.Kind)})
	}
	return nil
}

// latest is a time that no limit lasts to, in seconds since 1970: the year 10000.
const latest = 253_402_300_800

// gotBack takes what came of the uses of tools.
func (s *claudeSaid) gotBack(line []byte) error {
	var e struct {
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if err := decode(line, &e); err != nil {
		return err
	}
	blocks, err := claudeBlocks(e.Message.Content)
	for _, b := range blocks {
		if b.Type == "tool_result" {
			s.req.Say(agent.Event{Type: agent.EventToolResult, ID: b.UseID, Tool: s.tools[b.UseID], Text: claudeText(b.Content), Failed: b.Failed})
		}
	}
	return err
}

// message takes a message of the model's. Each part of one is an event of its own, with what the whole
// has used so far.
func (s *claudeSaid) message(line []byte) error {
	var e claudeEvent
	if err := decode(line, &e); err != nil {
		return err
	}
	s.kind = e.Error
	if e.Error != "" {
		s.req.Say(agent.Event{Type: agent.EventNote, Text: claudeText(e.Message.Content), Failed: true})
		return nil
	}
	s.spent(e)
	blocks, err := claudeBlocks(e.Message.Content)
	for _, b := range blocks {
		switch {
		case b.Type == "text" && b.Text != "":
			s.req.Say(agent.Event{Type: agent.EventText, Text: b.Text})
		case b.Type == "thinking" && b.Thinking != "":
			s.req.Say(agent.Event{Type: agent.EventThinking, Text: b.Thinking})
		case b.Type == "tool_use":
			s.tools[b.ID] = b.Name
			s.req.Say(agent.Event{Type: agent.EventTool, ID: b.ID, Tool: b.Name, Input: string(b.Input)})
			if b.Name == claudeOutput && e.Parent == "" {
				s.structured = b.Input
			}
		}
	}
	return err
}

// ended takes a result. Of several the last one counts, but a failure stays one.
func (s *claudeSaid) ended(line []byte) error {
	r := &claudeResult{}
	if err := decode(line, r); err != nil {
		return err
	}
	s.account(r)
	if s.result == nil || !s.result.failed() {
		s.result = r
	}
	return nil
}
