package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// turns makes attempt n by the nth function.
func turns(list ...func(ctx context.Context) (agent.Response, error)) agent.Runner {
	return runnerFunc(func(ctx context.Context, req agent.Request) (agent.Response, error) {
		return list[req.Attempt-1](ctx)
	})
}

// after fails, or answers, in so many seconds, and has used so many tokens.
func after(seconds, tokens int64, value string, err error) func(context.Context) (agent.Response, error) {
	return func(ctx context.Context) (agent.Response, error) {
		resp := agent.Response{Usage: journal.Usage{Input: tokens, Output: 1}}
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-ctx.Done():
			return resp, ctx.Err()
		}
		resp.Value = json.RawMessage(value)
		return resp, err
	}
}

func TestDoKeepsEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		again := func(_ context.Context, next agent.Next) error {
			told = append(told, next.String())
			return nil
		}
		r := turns(
			after(1, 10, "", fault.Wrap(errors.New("exit status 1"), fault.AgentFailed, "the agent failed", "look at it")),
			after(99, 20, "", nil),
			after(2, 30, `"here"`, nil),
		)
		resp, err := agent.Do(t.Context(), r, parse(t, `{"retries":3,"timeoutMs":5000}`), agent.Request{Again: again}, nil)
		require.NoError(t, err)
		require.Equal(t, []journal.CallAttempt{
			{Code: "AGENT_FAILED", Message: "the agent failed: exit status 1", DurationMs: 1000, Usage: journal.Usage{Input: 10, Output: 1}},
			{Code: "AGENT_TIMEOUT", Message: "the agent did not answer within 5s", DurationMs: 5000, Usage: journal.Usage{Input: 20, Output: 1}},
			{DurationMs: 2000, Usage: journal.Usage{Input: 30, Output: 1}},
		}, resp.Attempts)
		require.Equal(t, journal.Usage{Input: 60, Output: 3}, resp.Usage, "10+20+30 and 1+1+1: paid is paid")
		require.Equal(t, []string{
			"attempt 2 of 4: AGENT_FAILED: the agent failed: exit status 1",
			"attempt 3 of 4: AGENT_TIMEOUT: the agent did not answer within 5s",
		}, told)
	})
}

// One attempt is no list: the answer, or the failure, of the call says it all.
func TestDoKeepsNoListOfOne(t *testing.T) {
	for _, err := range []error{nil, fault.New(fault.AgentFailed, "no", "")} {
		r := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
			return agent.Response{Value: json.RawMessage(`"x"`)}, err
		})
		resp, _ := agent.Do(t.Context(), r, parse(t, ""), agent.Request{}, nil)
		require.Empty(t, resp.Attempts)
	}
}

// Repair rounds count for themselves, whatever is retried between them.
func TestDoCountsRepairsApart(t *testing.T) {
	var told []string
	again := func(_ context.Context, next agent.Next) error {
		told = append(told, next.String())
		return nil
	}
	r := turns(
		after(0, 1, `"{\"name\":1}"`, nil),
		after(0, 1, "", fault.New(fault.AgentFailed, "it hung up", "")),
		after(0, 1, `"nothing"`, nil),
		after(0, 1, `"{\"name\":\"n\",\"steps\":[]}"`, nil),
	)
	resp, err := agent.Do(t.Context(), r, parse(t, `{"retries":1,`+planSchema[1:]), agent.Request{Again: again}, nil)
	require.NoError(t, err)
	require.Len(t, resp.Attempts, 4)
	require.Equal(t, []bool{false, true, false, true},
		[]bool{resp.Attempts[0].Repair, resp.Attempts[1].Repair, resp.Attempts[2].Repair, resp.Attempts[3].Repair})
	require.Equal(t, "SCHEMA_NONCOMPLIANCE", resp.Attempts[0].Code)
	require.Equal(t, `the answer was: {"name":1}`, resp.Attempts[0].Message)
	require.Len(t, resp.Attempts[0].Violations, 2)
	require.Contains(t, resp.Attempts[0].Violations[0], "$.name: ")
	require.Contains(t, resp.Attempts[0].Violations[1], "steps")
	require.Equal(t, "AGENT_FAILED", resp.Attempts[1].Code)
	require.Empty(t, resp.Attempts[3].Code)
	require.Len(t, told, 3)
	require.Regexp(t, `^repair round 1 of 2: SCHEMA_NONCOMPLIANCE: \$\.name: `, told[0])
	require.Equal(t, "attempt 2 of 2: AGENT_FAILED: it hung up", told[1])
	require.Regexp(t, `^repair round 2 of 2: SCHEMA_NONCOMPLIANCE: `, told[2])
}

// What ended the last attempt is in the list too, whatever it was, and it is not tried again.
func TestDoDoesNotRetryLimits(t *testing.T) {
	for _, code := range []fault.Code{fault.UsageLimit, fault.BudgetExceeded, fault.AgentNotConfigured, fault.PlanNotApproved} {
		n := 0
		r := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
			if n++; n == 1 {
				return agent.Response{Usage: journal.Usage{Input: 5}}, errors.New("first")
			}
			return agent.Response{Usage: journal.Usage{Input: 7}}, fault.New(code, "no more", "")
		})
		resp, err := agent.Do(t.Context(), r, parse(t, `{"retries":3}`), agent.Request{}, nil)
		require.Equal(t, code, fault.CodeOf(err))
		require.Equal(t, 2, n, code)
		require.Len(t, resp.Attempts, 2)
		require.Equal(t, "AGENT_FAILED", resp.Attempts[0].Code)
		require.Equal(t, string(code), resp.Attempts[1].Code)
		require.Equal(t, int64(12), resp.Usage.Input)
	}
}

// What is kept of a cause is cut, and has no secret in it, not even half of one.
func TestCausesAreCutAndRedacted(t *testing.T) {
	secret := "sk-" + strings.Repeat("a1", 20)
	long := strings.Repeat("x", 480) + " " + secret + " " + strings.Repeat("y", 900)
	quoted, err := json.Marshal(long)
	require.NoError(t, err)
	r := turns(after(0, 0, "", fault.New(fault.AgentFailed, long, "")), after(0, 0, string(quoted), nil), after(0, 0, string(quoted), nil), after(0, 0, string(quoted), nil))
	resp, err := agent.Do(t.Context(), r, parse(t, `{"retries":1,`+planSchema[1:]), agent.Request{}, nil)
	require.True(t, fault.Is(err, fault.SchemaNoncompliance))
	require.Len(t, resp.Attempts, 4)
	for _, a := range resp.Attempts {
		require.NotContains(t, a.Message, "sk-")
		require.LessOrEqual(t, len(a.Message), 500+len("…"))
		require.NotEmpty(t, a.Message)
	}
}

func TestAPromptThatCannotFitIsNotSent(t *testing.T) {
	never := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
		return agent.Response{}, errors.New("it was asked")
	})
	for prompt, fits := range map[string]bool{
		strings.Repeat("a", 40):  true, // 40 bytes are 10 tokens
		strings.Repeat("a", 41):  false,
		strings.Repeat("é", 20):  true, // two bytes each
		strings.Repeat("é", 21):  false,
		strings.Repeat("a", 400): false,
	} {
		call := parse(t, `{"maxContextTokens":10,"retries":3}`)
		call.Prompt = prompt
		resp, err := agent.Do(t.Context(), never, call, agent.Request{}, nil)
		require.Equal(t, fits, fault.CodeOf(err) != fault.ContextTooLarge, "%d bytes: %v", len(prompt), err)
		require.Equal(t, journal.FailureOrdinary, agent.Class(err))
		if !fits {
			require.ErrorContains(t, err, fmt.Sprintf("(%d bytes)", len(prompt)))
			require.Equal(t, agent.Response{}, resp)
		}
	}
	// A repair round has a longer prompt than the call, and is not made if that does not fit.
	prompts := []string{}
	call := parse(t, `{"maxContextTokens":10,`+planSchema[1:])
	resp, err := agent.Do(t.Context(), says(&prompts, "no", "no", "no"), call, agent.Request{}, nil)
	require.True(t, fault.Is(err, fault.SchemaNoncompliance))
	require.ErrorContains(t, err, "not tried again: ")
	require.Len(t, prompts, 1)
	require.Empty(t, resp.Attempts)
}

func TestAFullContextIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		input   int64
		percent int
		want    string
	}{
		{799, 0, ""},
		{800, 0, "the agent reported 800 tokens of input, 80 % of maxContextTokens (1000)"},
		{1000, 0, "the agent reported 1000 tokens of input, 100 % of maxContextTokens (1000)"},
		{1001, 0, "the agent reported 1001 tokens of input, more than maxContextTokens (1000)"},
		{949, 95, ""},
		{950, 95, "the agent reported 950 tokens of input, 95 % of maxContextTokens (1000)"},
	} {
		r := turns(after(0, 300, "", errors.New("first")), after(0, c.input, `"ok"`, nil))
		resp, err := agent.Do(t.Context(), r, parse(t, `{"maxContextTokens":1000,"retries":1}`), agent.Request{ContextWarning: c.percent}, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, resp.Warning, "the attempts are not added up: each begins with an empty context")
		require.Equal(t, c.want, resp.Note)
	}
	resp, err := agent.Do(t.Context(), turns(after(0, 1<<40, `"ok"`, nil)), parse(t, ""), agent.Request{}, nil)
	require.NoError(t, err)
	require.Empty(t, resp.Warning, "without maxContextTokens nothing is known of the context")
}
