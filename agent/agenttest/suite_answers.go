package agenttest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// used is what the fakes of this part report.
var used = journal.Usage{Input: 1200, Output: 34, CostMicroUSD: 12_500}

// answers are what a call comes to.
func answers(t *testing.T, s Subject) {
	t.Run("a text", func(t *testing.T) {
		for _, text := range []string{"done", "two\nlines", "{\"not\": \"a value\"}", "ünï \u2028 😀 <&> \"quoted\" \\ end", strings.Repeat("long ", 50_000) + "."} {
			require.Equal(t, text, s.call(t, Behaviour{Text: text}).answer(t))
		}
	})
	t.Run("a value for a schema", func(t *testing.T) {
		value := `{"steps":["read","write"],"n":3}`
		b := Behaviour{Text: "Here it is:\n\n```json\n" + value + "\n```\n"}
		schema := json.RawMessage(`{"type":"object","required":["steps"]}`)
		options, err := json.Marshal(map[string]any{"schema": schema})
		require.NoError(t, err)
		asked, err := agent.Parse([]json.RawMessage{json.RawMessage(`"Plan"`), options})
		require.NoError(t, err)

		c := s.call(t, b)
		resp, err := agent.Do(t.Context(), c.runner, asked, c.req, c.step)
		require.NoError(t, err, "a text with one value in it")
		require.JSONEq(t, value, string(resp.Value))

		if !s.has(t, Structured) {
			return
		}
		c = s.call(t, Behaviour{Value: json.RawMessage(value), Text: "ignore this"})
		c.req.Schema = schema
		resp, err = c.run(t.Context(), t)
		require.NoError(t, err)
		require.True(t, resp.Structured)
		require.JSONEq(t, value, string(resp.Value))
		require.JSONEq(t, string(schema), string(c.report(t).Heard.Schema))
	})
	t.Run("usage", func(t *testing.T) {
		if !s.has(t, Usage) {
			return
		}
		want := used
		if !s.has(t, Cost) {
			want.CostMicroUSD = 0
		}
		resp, err := s.call(t, Behaviour{Text: "done", Usage: used}).run(t.Context(), t)
		require.NoError(t, err)
		require.Equal(t, want, resp.Usage, "beside an answer")
		if s.has(t, Failures) {
			resp, err = s.call(t, Behaviour{Failure: "no", Usage: used}).run(t.Context(), t)
			require.Error(t, err)
			require.Equal(t, want, resp.Usage, "beside an error")
		}
	})
}

// events are what an agent tells while it is at work.
func events(t *testing.T, s Subject) {
	b := Behaviour{Text: "done", Events: []agent.Event{
		{Type: agent.EventSession, Text: "0b6e3c5e-4d0c-4c55-9b6b-3f3c1b0f3a11"},
		{Type: agent.EventText, Text: "I look at it."},
		{Type: agent.EventTool, Tool: "Read", ID: "use-1", Input: `{"path":"a.txt"}`},
		{Type: agent.EventToolResult, ID: "use-1", Text: "the content"},
	}}
	c := s.call(t, b)
	require.Equal(t, "done", c.answer(t))
	if s.has(t, Sessions) {
		require.NotEmpty(t, c.events(agent.EventSession))
		require.Equal(t, b.Events[0].Text, c.events(agent.EventSession)[0].Text)
	}
	if s.has(t, Texts) {
		require.Contains(t, c.said(), "I look at it.")
	}
	if s.has(t, Tools) {
		uses, results := c.events(agent.EventTool), c.events(agent.EventToolResult)
		require.Len(t, uses, 1)
		require.Equal(t, "Read", uses[0].Tool)
		require.Contains(t, uses[0].Input, "a.txt")
		require.Len(t, results, 1)
		require.Equal(t, uses[0].ID, results[0].ID)
		require.Contains(t, results[0].Text, "the content")
		require.False(t, results[0].Failed)
	}
	// Nobody has to listen.
	c = s.call(t, b)
	c.req.Tell = nil
	require.Equal(t, "done", c.answer(t))
}

// failures are told apart, and none of them is an answer.
func failures(t *testing.T, s Subject) {
	t.Run("by its own word", func(t *testing.T) {
		if !s.has(t, Failures) {
			return
		}
		_, err := s.call(t, Behaviour{Failure: "Provider error: the reason"}).run(t.Context(), t)
		require.Equal(t, fault.AgentFailed, fault.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "the reason")
	})
	t.Run("by its exit code", func(t *testing.T) {
		c := s.call(t, Behaviour{
			Text: "an answer that is none", Exit: 3,
			Stderr: "Authorization: Bearer abcdefgh12345\nplain-looking-value\ncannot reach the model\n",
		}, func(start *Start) { start.Env = append(start.Env, "ANTHROPIC_AUTH_TOKEN=plain-looking-value") })
		_, err := c.run(t.Context(), t)
		require.Equal(t, fault.AgentFailed, fault.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "exit code 3")
		require.ErrorContains(t, err, "cannot reach the model")
		require.ErrorContains(t, err, "[redacted]")
		require.NotContains(t, err.Error(), "abcdefgh12345")
		require.NotContains(t, err.Error(), "plain-looking-value")
	})
	t.Run("a usage limit", func(t *testing.T) {
		if !s.has(t, Limits) {
			return
		}
		_, err := s.call(t, Behaviour{Limit: &Limit{Reset: reset, Message: "weekly limit"}}).run(t.Context(), t)
		require.Equal(t, fault.UsageLimit, fault.CodeOf(err), "%v", err)
		limit, ok := asLimit(err)
		require.True(t, ok, "%v", err)
		if s.has(t, Resets) {
			require.True(t, reset.Equal(limit.Reset), "%s", limit.Reset)
		}
	})
	t.Run("no such model", func(t *testing.T) {
		if !s.has(t, NoModels) {
			return
		}
		c := s.call(t, Behaviour{NoModel: true})
		c.req.Model = "no-such-model"
		_, err := c.run(t.Context(), t)
		require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	})
	t.Run("no program", func(t *testing.T) {
		none := s.New(t, Start{Program: folder(t) + "/none"})
		_, err := none.Run(t.Context(), agent.Request{Run: "R", Call: "/agent#0", Cwd: folder(t)}, nil)
		require.Equal(t, fault.AgentNotConfigured, fault.CodeOf(err), "%v", err)
	})
}
