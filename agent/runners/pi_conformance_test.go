package runners_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/runners"
)

// B60, B61, B63, B64 and B65 as they are the same for every program are in the suite.
func TestPiConforms(t *testing.T) {
	pi, _ := runners.KindOf("pi")
	agenttest.Run(t, agenttest.Subject{
		Speaker: "pi",
		New: func(_ *testing.T, s agenttest.Start) agent.Runner {
			return pi.New(runners.Options{Program: s.Program, Env: s.Env, MaxOutput: s.MaxOutput, Grace: s.Grace})
		},
		Lacks: map[agenttest.Trait]string{
			agenttest.Structured: "it has no structured answers",
			agenttest.ToolLists:  "its tools have names of their own; see TestPiKeepsToTools",
		},
	})
}

// hearPi reads what `pi --print` was given.
func hearPi(p *agenttest.Program) (agenttest.Heard, error) {
	prompt, err := io.ReadAll(p.In)
	if err != nil {
		return agenttest.Heard{}, err
	}
	if !slices.Contains(p.Args, "--print") || after(p.Args, "--mode") != "json" {
		return agenttest.Heard{}, fmt.Errorf("these are no arguments of pi without a person: %q", p.Args)
	}
	heard := agenttest.Heard{Prompt: string(prompt), Model: after(p.Args, "--model"), Effort: after(p.Args, "--thinking")}
	if tools := after(p.Args, "--tools"); tools != "" {
		heard.Tools = strings.Split(tools, ",")
	}
	writing := slices.ContainsFunc(heard.Tools, func(tool string) bool { return !slices.Contains([]string{"read", "grep", "find", "ls"}, tool) })
	heard.ReadOnly = len(heard.Tools) > 0 && !writing && slices.Contains(p.Args, "--no-extensions")
	if path := after(p.Args, "--append-system-prompt"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return heard, err
		}
		heard.Instructions = string(text)
	}
	return heard, nil
}

// sayPi says a behaviour in pi's events.
func sayPi(p *agenttest.Program, b agenttest.Behaviour) error {
	session := "01a22e8c-d20c-7694-87e8-f3f7474fae74"
	var lines []any
	for _, e := range b.Events {
		switch e.Type {
		case agent.EventSession:
			session = e.Text
		case agent.EventText:
			lines = append(lines, piMessage("toolUse", "", e.Text, 0, 0, 0))
		case agent.EventTool:
			lines = append(lines, map[string]any{"type": "tool_execution_start", "toolCallId": e.ID, "toolName": e.Tool, "args": json.RawMessage(e.Input)})
		case agent.EventToolResult:
			lines = append(lines, map[string]any{
				"type": "tool_execution_end", "toolCallId": e.ID, "toolName": e.Tool, "isError": e.Failed,
				"result": map[string]any{"content": []any{map[string]any{"type": "text", "text": e.Text}}},
			})
		}
	}
	for _, line := range slices.Concat([]any{
		map[string]any{"type": "session", "version": 3, "id": session}, map[string]any{"type": "agent_start"}, map[string]any{"type": "turn_start"},
	}, lines) {
		if err := p.Line(line); err != nil {
			return err
		}
	}
	if b.Wait {
		return nil
	}
	stop, word, text := "stop", "", b.Text
	switch {
	case b.Failure != "":
		stop, word, text = "error", b.Failure, ""
	case b.Limit != nil:
		stop, word, text = "error", "429 "+b.Limit.Message+": quota will reset at "+b.Limit.Reset.Format(time.RFC3339), ""
	case b.NoModel:
		stop, word, text = "error", "404 The model `no-such-model` does not exist", ""
	}
	if err := p.Last(piMessage(stop, word, text, b.Usage.Input, b.Usage.Output, float64(b.Usage.CostMicroUSD)/1e6)); err != nil {
		return err
	}
	return p.Line(map[string]any{"type": "agent_end", "messages": []any{}})
}

// piMessage is the end of a message of the model's; half of its input came from the cache.
func piMessage(stop, word, text string, input, output int64, cost float64) map[string]any {
	message := map[string]any{
		"role": "assistant", "content": []any{map[string]any{"type": "text", "text": text}}, "provider": "local", "model": "stand-in", "stopReason": stop,
		"usage": map[string]any{
			"input": input - input/2, "cacheRead": input / 2, "cacheWrite": 0, "output": output, "cost": map[string]any{"total": cost},
		},
	}
	if word != "" {
		message["errorMessage"] = word
	}
	return map[string]any{"type": "message_end", "message": message}
}
