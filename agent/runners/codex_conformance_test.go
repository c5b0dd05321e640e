package runners_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/runners"
)

// B60, B61, B63, B64 and B65 as they are the same for every program are in the suite.
func TestCodexConforms(t *testing.T) {
	codex, _ := runners.KindOf("codex")
	agenttest.Run(t, agenttest.Subject{
		Speaker: "codex",
		New: func(_ *testing.T, s agenttest.Start) agent.Runner {
			return codex.New(runners.Options{Program: s.Program, Env: s.Env, MaxOutput: s.MaxOutput, Grace: s.Grace})
		},
		Lacks: map[agenttest.Trait]string{
			agenttest.Cost:       "it reports tokens only",
			agenttest.Failures:   "it ends with exit code 1 then, and reports no usage; see TestB65CodexFails",
			agenttest.Structured: "its service takes schemas of a strict form only; see TestCodexAnswersWithAValue",
			agenttest.Tools:      "it tells commands and changes of files; see TestCodexTellsWhatItDoes",
			agenttest.ToolLists:  "it has none; see TestCodexKeepsToTools",
		},
	})
}

// hearCodex reads what `codex exec` was given.
func hearCodex(p *agenttest.Program) (agenttest.Heard, error) {
	prompt, err := io.ReadAll(p.In)
	if err != nil {
		return agenttest.Heard{}, err
	}
	if len(p.Args) < 2 || p.Args[0] != "exec" || p.Args[len(p.Args)-1] != "-" {
		return agenttest.Heard{}, fmt.Errorf("these are no arguments of codex exec: %q", p.Args)
	}
	heard := agenttest.Heard{Prompt: string(prompt), Model: after(p.Args, "--model"), ReadOnly: after(p.Args, "--sandbox") == "read-only"}
	for i, arg := range p.Args[:len(p.Args)-1] {
		if arg != "-c" {
			continue
		}
		name, value, _ := strings.Cut(p.Args[i+1], "=")
		switch name {
		case "model_reasoning_effort":
			err = json.Unmarshal([]byte(value), &heard.Effort)
		case "developer_instructions":
			err = json.Unmarshal([]byte(value), &heard.Instructions)
		}
		if err != nil {
			return heard, err
		}
	}
	if path := after(p.Args, "--output-schema"); path != "" {
		heard.Schema, err = os.ReadFile(path)
	}
	return heard, err
}

// sayCodex says a behaviour in codex's events.
func sayCodex(p *agenttest.Program, b agenttest.Behaviour) error {
	session := "01a22e8b-da81-7051-b146-369ba631286c"
	for _, e := range b.Events {
		if e.Type == agent.EventSession {
			session = e.Text
		}
	}
	lines := []any{
		map[string]any{"type": "thread.started", "thread_id": session},
		map[string]any{"type": "turn.started"},
	}
	item := func(fields map[string]any) map[string]any {
		fields["id"] = fmt.Sprintf("item_%d", len(lines))
		return map[string]any{"type": "item.completed", "item": fields}
	}
	for _, e := range b.Events {
		switch e.Type {
		case agent.EventText:
			lines = append(lines, item(map[string]any{"type": "agent_message", "text": e.Text}))
		case agent.EventTool:
			lines = append(lines, item(map[string]any{"type": "command_execution", "command": e.Input, "aggregated_output": "", "exit_code": 0, "status": "completed"}))
		}
	}
	for _, line := range lines {
		if err := p.Line(line); err != nil {
			return err
		}
	}
	if b.Wait {
		return nil
	}
	failed := func(message string) error {
		if err := p.Line(map[string]any{"type": "error", "message": message}); err != nil {
			return err
		}
		return p.Last(map[string]any{"type": "turn.failed", "error": map[string]any{"message": message}})
	}
	switch {
	case b.Failure != "":
		return failed(b.Failure)
	case b.Limit != nil:
		at := b.Limit.Reset.Local()
		return failed("You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again at " +
			at.Format("Jan ") + fmt.Sprint(at.Day()) + "th, " + at.Format("2006 3:04 PM") + ".")
	case b.NoModel:
		return failed("The model `no-such-model` does not exist or you do not have access to it.")
	}
	text := b.Text
	if b.Value != nil {
		text = string(b.Value)
	}
	if err := p.Last(item(map[string]any{"type": "agent_message", "text": text})); err != nil {
		return err
	}
	return p.Line(map[string]any{"type": "turn.completed", "usage": map[string]any{"input_tokens": b.Usage.Input, "cached_input_tokens": 0, "output_tokens": b.Usage.Output}})
}
