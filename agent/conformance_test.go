package agent_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
)

// The runner of command agents keeps to what every runner has to.
func TestCommandConforms(t *testing.T) {
	const untold = "its output is one answer, and no stream"
	agenttest.Run(t, agenttest.Subject{
		Speaker: "command",
		New: func(_ *testing.T, s agenttest.Start) agent.Runner {
			return &agent.Command{Argv: []string{s.Program}, Env: s.Env, MaxOutput: s.MaxOutput, Grace: s.Grace}
		},
		Lacks: map[agenttest.Trait]string{
			agenttest.Sessions: untold, agenttest.Texts: untold, agenttest.Tools: untold,
			agenttest.Framing: "plain text is an answer",
		},
	})
}

// hearRequest reads the request of a command agent.
func hearRequest(p *agenttest.Program) (agenttest.Heard, error) {
	var req agent.Request
	if err := json.NewDecoder(p.In).Decode(&req); err != nil {
		return agenttest.Heard{}, err
	}
	if end, err := p.In.Peek(1); err == nil {
		return agenttest.Heard{}, fmt.Errorf("%q follows the request", end)
	}
	return agenttest.Heard{
		Prompt: req.Prompt, Model: req.Model, Effort: req.Effort, Instructions: req.Instructions, Tools: req.Tools,
		Schema: req.Schema, ReadOnly: req.ReadOnly,
	}, nil
}

// sayReply says a behaviour as an envelope.
func sayReply(p *agenttest.Program, b agenttest.Behaviour) error {
	for _, e := range b.Events {
		if _, err := fmt.Fprintln(p.Out, e.Text); err != nil {
			return err
		}
	}
	if b.Wait {
		return nil
	}
	reply := map[string]any{"assent": 1}
	if u := b.Usage; u.Input+u.Output > 0 {
		reply["usage"] = map[string]any{"input": u.Input, "output": u.Output, "cost": float64(u.CostMicroUSD) / 1e6}
	}
	switch {
	case b.Failure != "":
		reply["error"] = b.Failure
	case b.Limit != nil:
		reply["error"] = map[string]any{"code": "usage_limit", "message": b.Limit.Message, "resetAt": b.Limit.Reset.Format(time.RFC3339)}
	case b.NoModel:
		reply["error"] = map[string]any{"code": "model_unavailable", "message": "there is no such model"}
	case b.Value != nil:
		reply["value"] = b.Value
	default:
		reply["text"] = b.Text
	}
	return p.Last(reply)
}
