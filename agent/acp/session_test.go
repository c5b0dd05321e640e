//go:build unix

package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// turns are the agents of these tests, by their names.
var turns = map[string]turn{
	// echo answers with what it was asked, and what was asked of it before.
	"echo":         echo,
	"choices":      echo,
	"signin":       echo,
	"work":         work,
	"stop":         stop,
	"fail":         fail,
	"patient":      patient,
	"files":        useFiles,
	"permissions":  usePermissions,
	"terminals":    useTerminals,
	"mode-written": writeOnce,
	"mode-leave":   leave,
	"mode-unseen":  unseen,
}

func echo(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error) {
	a.mu.Lock()
	asks := strings.Join(a.asks, "; ")
	a.mu.Unlock()
	return a.answers(ctx, map[string]string{"prompt": prompt, "asks": asks, "env": strings.Join(os.Environ(), "\n")})
}

// work thinks, speaks, uses tools, and speaks again.
func work(ctx context.Context, a *fake, _ string) (sdk.PromptResponse, error) {
	a.tells(ctx, sdk.UpdateAgentThoughtText("I thi"))
	a.tells(ctx, sdk.UpdateAgentThoughtText("nk"))
	a.says(ctx, "let me look")
	a.tells(ctx, sdk.StartToolCall("1", "Read a.go", sdk.WithStartKind(sdk.ToolKindRead), sdk.WithStartStatus(sdk.ToolCallStatusPending)))
	a.tells(ctx, sdk.UpdateToolCall("1", sdk.WithUpdateRawInput(map[string]any{"path": "a.go"})))
	a.tells(ctx, sdk.UpdateToolCall("1", sdk.WithUpdateStatus(sdk.ToolCallStatusCompleted), sdk.WithUpdateContent([]sdk.ToolCallContent{sdk.ToolContent(sdk.TextBlock("package a"))})))
	a.tells(ctx, sdk.UpdatePlan(sdk.PlanEntry{Content: "read", Status: sdk.PlanEntryStatusCompleted}, sdk.PlanEntry{Content: "write"}))
	a.says(ctx, "now I change it")
	a.tells(ctx, sdk.StartToolCall("2", "Edit a.go", sdk.WithStartKind(sdk.ToolKindEdit), sdk.WithStartRawInput(map[string]any{"path": "a.go"})))
	a.tells(ctx, sdk.UpdateToolCall("2", sdk.WithUpdateStatus(sdk.ToolCallStatusFailed), sdk.WithUpdateRawOutput(map[string]any{"error": "no"})))
	a.says(ctx, "it is done")
	a.tells(ctx, sdk.StartToolCall("3", "tidy up"))
	a.tells(ctx, sdk.SessionUpdate{UsageUpdate: &sdk.SessionUsageUpdate{Used: 900, Size: 1000, Cost: &sdk.Cost{Amount: 0.25, Currency: "USD"}}})
	return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn, Usage: &sdk.Usage{
		InputTokens: 100, CachedReadTokens: sdk.Ptr(20), CachedWriteTokens: sdk.Ptr(3), OutputTokens: 7, TotalTokens: 130,
	}}, nil
}

// stop ends for the reason that it is asked for.
func stop(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error) {
	a.says(ctx, "some words")
	return sdk.PromptResponse{StopReason: sdk.StopReason(prompt), Usage: &sdk.Usage{InputTokens: 1, OutputTokens: 2, TotalTokens: 3}}, nil
}

// fail fails with the error that it is asked for.
func fail(_ context.Context, _ *fake, prompt string) (sdk.PromptResponse, error) {
	var e sdk.RequestError
	if err := json.Unmarshal([]byte(prompt), &e); err != nil {
		return sdk.PromptResponse{}, err
	}
	return sdk.PromptResponse{}, &e
}

// patient waits until it is told to stop, and then says what it used.
func patient(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error) {
	a.says(ctx, "waiting")
	if err := os.WriteFile(strings.TrimPrefix(prompt, "mark "), nil, 0o600); err != nil {
		return sdk.PromptResponse{}, err
	}
	<-a.over
	return sdk.PromptResponse{StopReason: sdk.StopReasonCancelled, Usage: &sdk.Usage{InputTokens: 11, OutputTokens: 2, TotalTokens: 13}}, nil
}

func TestSession(t *testing.T) {
	c := attempt(t, made("turn", "echo"), func(r *agent.Request) {
		r.Instructions, r.Schema = "You are brief.", json.RawMessage(`{"type":"object"}`)
	})
	got := c.object(t)
	real, err := filepath.EvalSymlinks(c.req.Cwd)
	require.NoError(t, err)
	require.Equal(t, "new "+real, got["asks"])
	require.True(t, strings.HasPrefix(got["prompt"], "You are brief.\n\ndo it\n\n"), got["prompt"])
	require.True(t, strings.HasSuffix(got["prompt"], "\n"+`{"type":"object"}`))
	require.Contains(t, got["env"], "ASSENT_AGENT=01RUN/agent#0")
	require.Equal(t, []agent.Event{{Type: agent.EventSession, Text: "session-1"}}, c.told(agent.EventSession))
	require.Empty(t, c.resp.Note)
	require.Equal(t, "do it", attempt(t, made("turn", "echo")).object(t)["prompt"])
	require.Equal(t, "The task:\n\n /logout", attempt(t, made("turn", "echo"), func(r *agent.Request) { r.Prompt = " /logout" }).object(t)["prompt"], "no command of the agent's")
}

func TestAnswerIsTheLastMessage(t *testing.T) {
	c := attempt(t, made("turn", "work"))
	require.Equal(t, "it is done", c.text(t))
	require.Equal(t, journal.Usage{Input: 123, Output: 7, CostMicroUSD: 250_000}, c.resp.Usage)
	require.Equal(t, []agent.Event{
		{Type: agent.EventSession, Text: "session-1"},
		{Type: agent.EventThinking, Text: "I think"},
		{Type: agent.EventText, Text: "let me look"},
		{Type: agent.EventTool, Tool: "read", ID: "1", Text: "Read a.go", Input: `{"path":"a.go"}`},
		{Type: agent.EventToolResult, Tool: "read", ID: "1", Text: "package a"},
		{Type: agent.EventNote, Text: "plan:\n[x] read\n[ ] write"},
		{Type: agent.EventText, Text: "now I change it"},
		{Type: agent.EventTool, Tool: "edit", ID: "2", Text: "Edit a.go", Input: `{"path":"a.go"}`},
		{Type: agent.EventToolResult, Tool: "edit", ID: "2", Text: `{"error":"no"}`, Failed: true},
		{Type: agent.EventText, Text: "it is done"},
	}, c.events)
}

func TestChoices(t *testing.T) {
	ask := func(adjust func(*agent.Request), options ...func(*acp.Options)) *called {
		return attempt(t, made("turn", "choices", options...), adjust)
	}
	asked := func(c *called) string {
		_, after, _ := strings.Cut(c.object(t)["asks"], "; ")
		return after
	}
	require.Equal(t, "mode read-only", asked(ask(func(*agent.Request) {})), "the mode that asks most")
	require.Equal(t, "mode read-only", asked(ask(func(r *agent.Request) { r.ReadOnly, r.PermissionMode = true, "auto" })))
	require.Equal(t, "mode default", asked(ask(func(r *agent.Request) { r.PermissionMode = "auto" })), "never one that does not ask")
	require.Equal(t, "mode read-only; model m2; option thinking high", asked(ask(func(r *agent.Request) { r.Model, r.Effort = "m2", "high" })))
	require.Equal(t, "mode read-only; model m2; option thinking high", asked(ask(func(r *agent.Request) { r.Model = "two" }, func(o *acp.Options) { o.Model, o.Effort = "m1", "high" })))
	require.Equal(t, "mode read-only", asked(ask(func(r *agent.Request) { r.Model, r.Effort = "m1", "low" })), "what it has already")
	for what, adjust := range map[string]func(*agent.Request){
		"model":  func(r *agent.Request) { r.Model = "m3" },
		"effort": func(r *agent.Request) { r.Effort = "max" },
	} {
		c := ask(adjust)
		require.Equal(t, fault.AgentUnable, fault.CodeOf(c.err), "%v", c.err)
		unable, ok := errors.AsType[*agent.UnableError](c.err)
		require.True(t, ok)
		require.Equal(t, what, unable.What)
	}
	require.ErrorContains(t, ask(func(r *agent.Request) { r.Model = "m3" }).err, "it has m1, m2")
	c := attempt(t, made("turn", "echo"), func(r *agent.Request) { r.Model = "m1" })
	require.Equal(t, fault.AgentUnable, fault.CodeOf(c.err), "%v", c.err)
	require.ErrorContains(t, c.err, "offers no choice")
}

func TestSignIn(t *testing.T) {
	path := "PATH=" + os.Getenv("PATH")
	c := attempt(t, made("turn", "signin", func(o *acp.Options) { o.Env = []string{path} }))
	require.Equal(t, fault.AgentFailed, fault.CodeOf(c.err), "%v", c.err)
	require.ErrorContains(t, c.err, "not signed in")
	e, ok := errors.AsType[*fault.Error](c.err)
	require.True(t, ok)
	require.Contains(t, e.Next, "set FAKE_API_KEY")

	c = attempt(t, made("turn", "signin", func(o *acp.Options) { o.Env, o.Keep = []string{path, "FAKE_API_KEY=k"}, []string{"FAKE_API_KEY"} }))
	require.True(t, strings.HasPrefix(c.object(t)["asks"], "authenticate key; new /"), "%s", c.object(t)["asks"])
}

func TestStopReasons(t *testing.T) {
	for reason, want := range map[string]string{
		"max_tokens": "max_tokens", "max_turn_requests": "max_turn_requests", "refusal": "it refused (refusal): some words", "cancelled": "cancelled", "else": `"else"`, "": `""`,
	} {
		c := attempt(t, made("turn", "stop"), func(r *agent.Request) { r.Prompt = reason })
		require.Equal(t, fault.AgentFailed, fault.CodeOf(c.err), "%v", c.err)
		require.ErrorContains(t, c.err, want)
		require.Nil(t, c.resp.Value)
		require.Equal(t, journal.Usage{Input: 1, Output: 2}, c.resp.Usage, "beside an error too")
	}
}

func TestB65_AgentsErrors(t *testing.T) {
	for _, row := range []struct {
		given string
		code  fault.Code
		want  string
	}{
		{`{"code":-32000,"message":"Authentication required"}`, fault.AgentFailed, "not signed in"},
		{`{"code":-32603,"message":"Internal error","data":{"details":"You've hit your limit · resets 3pm"}}`, fault.UsageLimit, "resets 3pm"},
		{`{"code":-32603,"message":"Claude AI usage limit reached|1772362800"}`, fault.UsageLimit, "2026-03-01T11:00:00Z"},
		{`{"code":-32603,"message":"insufficient_quota"}`, fault.UsageLimit, ""},
		{`{"code":-32603,"message":"Internal error: API Error: 429 {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"no more\"}}"}`, fault.UsageLimit, "no more"},
		{`{"code":-32603,"message":"Internal error","data":{"message":"model: claude-x not found"}}`, fault.AgentUnable, "claude-x"},
		{`{"code":-32603,"message":"Internal error","data":"Authorization: Bearer abcdefgh12345"}`, fault.AgentFailed, "[redacted]"},
		{`{"code":429,"message":"slow down"}`, fault.AgentFailed, "slow down (code 429)"},
		{`{"code":-32603,"message":"Internal error","data":{"x":[1]}}`, fault.AgentFailed, `{"x":[1]}`},
	} {
		c := attempt(t, made("turn", "fail"), func(r *agent.Request) { r.Prompt = row.given })
		require.Equal(t, row.code, fault.CodeOf(c.err), "%s: %v", row.given, c.err)
		require.ErrorContains(t, c.err, row.want)
		require.NotContains(t, c.err.Error(), "abcdefgh12345")
	}
}

// An agent that is told to stop has a moment to say what it used.
func TestCancelIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := t.TempDir()
	mark := filepath.Join(dir, "waiting")
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(mark); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	resp, err := made("turn", "patient", func(o *acp.Options) { o.Grace = 10 * time.Second }).Run(ctx, agent.Request{Run: "R", Call: "/agent#0", Prompt: "mark " + mark, Cwd: dir}, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, journal.FailureCancelled, agent.Class(err))
	require.Equal(t, journal.Usage{Input: 11, Output: 2}, resp.Usage)
}

func TestToolsAreNotEnforced(t *testing.T) {
	c := attempt(t, made("turn", "echo"), func(r *agent.Request) { r.Tools = []string{"Read"} })
	require.Contains(t, c.resp.Note, "not enforced")
}

func TestUsageIsCountedOnce(t *testing.T) {
	for _, row := range []struct {
		given sdk.Usage
		want  journal.Usage
	}{
		{sdk.Usage{InputTokens: 10, OutputTokens: 5, TotalTokens: 15, CachedReadTokens: sdk.Ptr(4), ThoughtTokens: sdk.Ptr(2)}, journal.Usage{Input: 10, Output: 5}},
		{sdk.Usage{InputTokens: 10, OutputTokens: 5, TotalTokens: 17, CachedReadTokens: sdk.Ptr(4), ThoughtTokens: sdk.Ptr(2)}, journal.Usage{Input: 10, Output: 7}},
		{sdk.Usage{InputTokens: 10, OutputTokens: 5, TotalTokens: 21, CachedReadTokens: sdk.Ptr(4), ThoughtTokens: sdk.Ptr(2)}, journal.Usage{Input: 14, Output: 7}},
		{sdk.Usage{InputTokens: 10, OutputTokens: 5, TotalTokens: 19, CachedReadTokens: sdk.Ptr(4), ThoughtTokens: sdk.Ptr(2)}, journal.Usage{Input: 14, Output: 5}},
		{sdk.Usage{InputTokens: 10, OutputTokens: 5, CachedReadTokens: sdk.Ptr(4)}, journal.Usage{Input: 14, Output: 5}},
		{sdk.Usage{InputTokens: -10, OutputTokens: 1 << 60}, journal.Usage{}},
	} {
		require.Equal(t, row.want, acp.TokensOf(&row.given))
	}
	require.Equal(t, journal.Usage{}, acp.TokensOf(nil))
}
