package runners_test

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/runners"
)

func TestClaudeConforms(t *testing.T) {
	claude, _ := runners.KindOf("claude")
	agenttest.Run(t, agenttest.Subject{
		Speaker: "claude",
		New: func(_ *testing.T, s agenttest.Start) agent.Runner {
			return claude.New(runners.Options{Program: s.Program, Env: s.Env, MaxOutput: s.MaxOutput, Grace: s.Grace})
		},
	})
}

// valued is the value of an argument that has it in the same word.
func valued(args []string, name string) string {
	value := ""
	for _, arg := range args {
		if given, ok := strings.CutPrefix(arg, name+"="); ok {
			value = given
		}
	}
	return value
}

// hearClaude reads what `claude --print` was given.
func hearClaude(p *agenttest.Program) (agenttest.Heard, error) {
	prompt, err := io.ReadAll(p.In)
	if err != nil {
		return agenttest.Heard{}, err
	}
	if !slices.Contains(p.Args, "--print") || valued(p.Args, "--output-format") != "stream-json" || !slices.Contains(p.Args, "--verbose") {
		return agenttest.Heard{}, fmt.Errorf("these are no arguments of claude without a person: %q", p.Args)
	}
	heard := agenttest.Heard{
		Prompt: string(prompt), Model: valued(p.Args, "--model"), Effort: valued(p.Args, "--effort"),
		Instructions: valued(p.Args, "--append-system-prompt"),
	}
	if schema := valued(p.Args, "--json-schema"); schema != "" {
		heard.Schema = json.RawMessage(schema)
	}
	if tools := valued(p.Args, "--tools"); tools != "" {
		heard.Tools = strings.Split(tools, ",")
	}
	writing := slices.ContainsFunc(heard.Tools, func(tool string) bool { return !slices.Contains([]string{"Read", "Grep", "Glob"}, tool) })
	heard.ReadOnly = len(heard.Tools) > 0 && !writing && valued(p.Args, "--setting-sources") == "user" && valued(p.Args, "--permission-mode") == "dontAsk"
	return heard, nil
}

// sayClaude says a behaviour in claude's events.
func sayClaude(p *agenttest.Program, b agenttest.Behaviour) error {
	for i, e := range b.Events {
		message := map[string]any{"id": fmt.Sprintf("msg_%d", i), "usage": map[string]any{"input_tokens": 10, "output_tokens": 1}}
		line := map[string]any{"type": "assistant", "message": message, "parent_tool_use_id": nil}
		switch e.Type {
		case agent.EventSession:
			line = map[string]any{"type": "system", "subtype": "init", "session_id": e.Text}
		case agent.EventText:
			message["content"] = []any{map[string]any{"type": "text", "text": e.Text}}
		case agent.EventTool:
			message["content"] = []any{map[string]any{"type": "tool_use", "id": e.ID, "name": e.Tool, "input": json.RawMessage(e.Input)}}
		case agent.EventToolResult:
			line["type"] = "user"
			message["content"] = []any{map[string]any{"type": "tool_result", "tool_use_id": e.ID, "content": e.Text, "is_error": e.Failed}}
		}
		if err := p.Line(line); err != nil {
			return err
		}
	}
	if b.Wait {
		return nil
	}
	// Half of the input came from the cache.
	result := map[string]any{
		"type": "result", "subtype": "success", "is_error": false, "api_error_status": nil, "result": b.Text,
		"total_cost_usd": float64(b.Usage.CostMicroUSD) / 1e6,
		"modelUsage": map[string]any{"m": map[string]any{
			"inputTokens": b.Usage.Input - b.Usage.Input/2, "cacheReadInputTokens": b.Usage.Input / 2, "outputTokens": b.Usage.Output,
		}},
	}
	failed := func(kind string, status int, word string) error {
		result["is_error"], result["api_error_status"], result["result"] = true, status, word
		return p.Line(map[string]any{
			"type": "assistant", "error": kind,
			"message": map[string]any{"id": "x", "content": []any{map[string]any{"type": "text", "text": word}}},
		})
	}
	var err error
	switch {
	case b.Failure != "":
		err = failed("server_error", 500, b.Failure)
	case b.Limit != nil:
		err = failed("rate_limit", 429, "You've hit your "+b.Limit.Message+" · resets "+b.Limit.Reset.Format("Jan 2, 3:04pm")+" (UTC)")
	case b.NoModel:
		err = failed("model_not_found", 404, "There's an issue with the selected model (no-such-model). It may not exist or you may not have access to it.")
	case b.Value != nil:
		result["structured_output"], result["result"] = b.Value, string(b.Value)
	}
	if err != nil {
		return err
	}
	return p.Last(result)
}
