package runners_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

func TestRealClaudeFails(t *testing.T) {
	play := modeltest.Play{
		{Prompt: "Limit.", Turns: []modeltest.Turn{modeltest.Fails(429, "rate_limit_error", "slow down")}},
		{Prompt: "Plan.", Turns: []modeltest.Turn{{Failure: &modeltest.Failure{
			Status: 429, Type: "rate_limit_error", Message: "no more",
			Header: map[string]string{
				"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "1900000000",
				"anthropic-ratelimit-unified-representative-claim": "five_hour",
			},
		}}}},
		{Prompt: "Model.", Turns: []modeltest.Turn{modeltest.Fails(404, "not_found_error", "model: none")}},
		{Prompt: "Key.", Turns: []modeltest.Turn{modeltest.Fails(401, "authentication_error", "invalid x-api-key")}},
		{Prompt: "Down.", Turns: []modeltest.Turn{modeltest.Fails(500, "api_error", "it is down")}},
	}
	fails := func(t *testing.T, prompt string, environ ...string) (agent.Response, *fault.Error) {
		t.Helper()
		r := newClaude(t, play, environ...)
		resp, err := r.run(t, r.request(prompt))
		e, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok, "%v", err)
		return resp, e
	}
	_, err := fails(t, "Limit.")
	require.Equal(t, fault.UsageLimit, err.Code)
	require.ErrorContains(t, err, "slow down")

	_, err = fails(t, "Plan.", "ANTHROPIC_API_KEY=", "CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-stand-in")
	require.Equal(t, fault.UsageLimit, err.Code)
	limit, ok := errors.AsType[*agent.LimitError](err)
	require.True(t, ok)
	require.Equal(t, time.Unix(1_900_000_000, 0).UTC(), limit.Reset)

	_, err = fails(t, "Model.")
	require.Equal(t, fault.AgentUnable, err.Code)
	_, err = fails(t, "Key.")
	require.Equal(t, fault.AgentFailed, err.Code)
	require.Contains(t, err.Next, "/login")
	_, err = fails(t, "Down.")
	require.Equal(t, fault.AgentFailed, err.Code)
	require.ErrorContains(t, err, "it is down")
	_, err = fails(t, "Nobody.", "ANTHROPIC_API_KEY=")
	require.Equal(t, fault.AgentFailed, err.Code)
	require.ErrorContains(t, err, "Not logged in")
	require.Contains(t, err.Next, "/login")
}
