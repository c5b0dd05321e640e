package runners

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
)

// codexEvent is a line of `codex exec --json`.
type codexEvent struct {
	ThreadID string          `json:"thread_id"`
	Item     json.RawMessage `json:"item"`
	Usage    json.RawMessage `json:"usage"`
	Error    struct {
		Message string `json:"message"`
	} `json:"error"`
	Message string `json:"message"`
}

// codexTokens are those of a turn.
type codexTokens struct {
	// Input holds what came from the cache, Output what it thought.
	Input  float64 `json:"input_tokens"`
	Output float64 `json:"output_tokens"`
}

// The events and the items that this has a use for; a later codex has others.
var (
	codexEvents = []string{"thread.started", "turn.completed", "turn.failed", "error", "item.started", "item.completed"}
	codexItems  = []string{"agent_message", "reasoning", "error", "command_execution", "file_change", "mcp_tool_call", "web_search"}
)

// codexItem is something that codex said or did.
type codexItem struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Message  string          `json:"message"`
	Command  string          `json:"command"`
	Output   string          `json:"aggregated_output"`
	ExitCode *int            `json:"exit_code"`
	Status   string          `json:"status"`
	Changes  json.RawMessage `json:"changes"`
	Server   string          `json:"server"`
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"arguments"`
	Result   json.RawMessage `json:"result"`
	Failure  *struct {
		Message string `json:"message"`
	} `json:"error"`
	Query string `json:"query"`
}

// codexSaid is what a codex has said so far.
type codexSaid struct {
	req     agent.Request
	started map[string]bool // uses of tools that were told, by id

	answer    string // the last message
	completed bool
	failure   string
	// trouble is the last error, unless it got over it.
	trouble string
	usage   meter
	// sandbox is the word of a sandbox that does not work, done how many uses of tools got beyond it.
	sandbox string
	done    int
}

// event takes a line.
func (s *codexSaid) event(line []byte) error {
	kind, err := kindOfEvent(line)
	if err != nil || !slices.Contains(codexEvents, kind) {
		return err
	}
	var e codexEvent
	if err := decode(line, &e); err != nil {
		return err
	}
	switch kind {
	case "thread.started":
		s.req.Say(agent.Event{Type: agent.EventSession, Text: e.ThreadID})
	case "turn.completed":
		s.completed, s.trouble = true, ""
		s.count(e.Usage)
	case "turn.failed":
		s.failure = cmp.Or(e.Error.Message, "its turn failed")
	case "error": // also one that it gets over, such as a connection that is made again
		s.trouble = e.Message
		s.req.Say(agent.Event{Type: agent.EventNote, Text: e.Message})
	case "item.started", "item.completed":
		return s.item(e.Item, kind == "item.completed")
	}
	return nil
}

// count takes what a turn used.
func (s *codexSaid) count(usage json.RawMessage) {
	var tokens codexTokens
	if len(usage) > 0 {
		if err := decode(usage, &tokens); err != nil {
			s.usage.fail(err)
			return
		}
	}
	s.usage.add([]float64{tokens.Input}, []float64{tokens.Output}, 0)
}

// item takes what is begun or done.
func (s *codexSaid) item(text json.RawMessage, done bool) error {
	kind, err := kindOfEvent(text)
	if err != nil || !slices.Contains(codexItems, kind) {
		return err
	}
	var i codexItem
	if err := decode(text, &i); err != nil {
		return err
	}
	if done {
		s.finished(i)
	} else if use, ok := i.use(); ok {
		s.started[i.ID] = true
		s.req.Say(use)
	}
	return nil
}

// finished takes what is done.
func (s *codexSaid) finished(i codexItem) {
	switch i.Type {
	case "agent_message":
		s.answer = i.Text
		s.req.Say(agent.Event{Type: agent.EventText, Text: i.Text})
		return
	case "reasoning":
		s.req.Say(agent.Event{Type: agent.EventThinking, Text: i.Text})
		return
	case "error":
		s.req.Say(agent.Event{Type: agent.EventNote, Text: i.Message})
		return
	}
	use, ok := i.use()
	if !ok {
		return
	}
	if !s.started[i.ID] {
		s.req.Say(use)
	}
	s.req.Say(agent.Event{Type: agent.EventToolResult, ID: i.ID, Tool: use.Tool, Text: i.result(), Failed: i.failed()})
	if word := brokenSandbox.FindString(i.Output); word != "" && i.failed() {
		s.sandbox = strings.TrimSpace(word)
	} else {
		s.done++
	}
}

// brokenSandbox is what the sandboxes of codex say when they cannot be set up: in place of all that
// the command would have printed.
var brokenSandbox = regexp.MustCompile(`^(bwrap: |sandbox-exec: |error applying .*(sandbox|landlock|seccomp)|.*[Ll]andlock.*not).*`)

// use is an item as the use of a tool; false if it is none.
func (i codexItem) use() (agent.Event, bool) {
	e := agent.Event{Type: agent.EventTool, ID: i.ID}
	switch i.Type {
	case "command_execution":
		e.Tool, e.Input = "shell", i.Command
	case "file_change":
		e.Tool, e.Input = "apply_patch", string(i.Changes)
	case "mcp_tool_call":
		e.Tool, e.Input = i.Server+"."+i.Tool, string(i.Args)
	case "web_search":
		e.Tool, e.Input = "web_search", i.Query
	default:
		return e, false
	}
	return e, true
}

// result is what came of the use of a tool.
func (i codexItem) result() string {
	switch {
	case i.Failure != nil:
		return i.Failure.Message
	case i.Type == "mcp_tool_call":
		return blocksText(i.Result)
	case i.Type == "command_execution":
		return i.Output
	}
	return i.Status
}

func (i codexItem) failed() bool {
	return i.Failure != nil || i.Status == "failed" || i.Status == "declined" || i.ExitCode != nil && *i.ExitCode != 0
}

// blocksText is the text of a tool's result: that of its blocks of text.
func blocksText(result json.RawMessage) string {
	var given struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	_ = json.Unmarshal(result, &given)
	var texts []string
	for _, block := range given.Content {
		if block.Text != "" {
			texts = append(texts, block.Text)
		}
	}
	return strings.Join(texts, "\n")
}
