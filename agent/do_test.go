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

const planSchema = `{"schema":{"type":"object","required":["name","steps"],"additionalProperties":false,
	"properties":{"name":{"type":"string"},"steps":{"type":"array","items":{"type":"integer"}}}}}`

func TestDoFillsTheRequest(t *testing.T) {
	var got agent.Request
	r := runnerFunc(func(_ context.Context, req agent.Request) (agent.Response, error) {
		got = req
		return agent.Response{Value: json.RawMessage(`"ok"`)}, nil
	})
	call := parse(t, `{"label":"l","model":"m","effort":"high","tools":[],"schema":{"type":"string"},"readOnly":false}`)
	_, err := agent.Do(t.Context(), r, call, agent.Request{Run: "R", Call: "/agent#0", Phase: "p", Model: "forced", ReadOnly: true, Cwd: "/"}, nil)
	require.ErrorContains(t, err, "SCHEMA_NONCOMPLIANCE") // ok is not JSON
	text, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, `{"version":1,"run":"R","call":"/agent#0","label":"l","phase":"p","prompt":`+quoted(got.Prompt)+`,
		"schema":{"type":"string"},"model":"forced","effort":"high","tools":[],"readOnly":true,"cwd":"/","attempt":3}`, string(text))
}

func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

// The request of a call without options has the members of the protocol and no others.
func TestRequestWithoutOptions(t *testing.T) {
	r := runnerFunc(func(_ context.Context, req agent.Request) (agent.Response, error) {
		text, err := json.Marshal(req)
		return agent.Response{Value: text}, err
	})
	resp, err := agent.Do(t.Context(), r, parse(t, ""), agent.Request{Run: "R", Call: "/agent#0", Cwd: "/w"}, nil)
	require.NoError(t, err)
	require.Equal(t, `{"version":1,"run":"R","call":"/agent#0","label":"","phase":"","prompt":"do it","readOnly":false,"cwd":"/w","attempt":1}`,
		string(resp.Value))
}

func TestDoNamesEveryViolationAndRepairs(t *testing.T) {
	var prompts []string
	r := says(&prompts, `{"name":5,"steps":[1,"two"],"extra":true}`, "Sorry.", "```json\n{\"steps\":[1],\"name\":\"n\"}\n```")
	resp, err := agent.Do(t.Context(), r, parse(t, planSchema), agent.Request{}, nil)
	require.NoError(t, err)
	require.Equal(t, `{"steps":[1],"name":"n"}`, string(resp.Value), "the agent's own order of keys")
	require.Equal(t, "do it", prompts[0])
	for _, want := range []string{"do it\n", "$.name: ", "$.steps[1]: ", "$: ", "'extra'", `{"name":5,`} {
		require.Contains(t, prompts[1], want)
	}
	require.Contains(t, prompts[2], "no JSON value")
	require.NotContains(t, prompts[2], "$.name")
}

// Before each attempt but the first somebody is asked; who says no ends the call as it stands, and
// why is a part of its failure.
func TestDoAsksBeforeItTriesAgain(t *testing.T) {
	stop := errors.New("the plan was revoked")
	for name, c := range map[string]struct {
		options, code string
		fails         error
	}{
		"retries":             {`{"retries":2}`, "AGENT_FAILED", fault.New(fault.AgentFailed, "no luck", "")},
		"retries, with cause": {`{"retries":2}`, "AGENT_FAILED", fault.Wrap(errors.New("a cause"), fault.AgentFailed, "no luck", "")},
		"retries, plain":      {`{"retries":2}`, "", errors.New("no luck")},
		"a repair":            {planSchema, "SCHEMA_NONCOMPLIANCE", nil},
	} {
		t.Run(name, func(t *testing.T) {
			attempts, asked := 0, 0
			r := runnerFunc(func(_ context.Context, req agent.Request) (agent.Response, error) {
				attempts++
				require.Nil(t, req.Again)
				return agent.Response{Value: json.RawMessage(`"no plan"`), Usage: journal.Usage{Output: 1}}, c.fails
			})
			again := func(context.Context, agent.Next) error {
				if asked++; asked == 1 {
					return nil
				}
				return stop
			}
			resp, err := agent.Do(t.Context(), r, parse(t, c.options), agent.Request{Again: again}, nil)
			require.Equal(t, 2, attempts)
			require.Equal(t, 2, asked)
			require.ErrorContains(t, err, "; not tried again: the plan was revoked")
			require.Equal(t, c.code, string(fault.CodeOf(err)))
			require.Equal(t, int64(2), resp.Usage.Output)
		})
	}
}

// Whoever cancels the call while it waits for leave leaves no failure behind.
func TestDoIsCancelledWhileItAsks(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
		return agent.Response{}, errors.New("no luck")
	})
	_, err := agent.Do(ctx, r, parse(t, `{"retries":2}`), agent.Request{Again: func(ctx context.Context, _ agent.Next) error {
		cancel()
		return ctx.Err()
	}}, nil)
	require.Equal(t, journal.FailureCancelled, agent.Class(err))
}

func TestB63_B64_BadAnswersEndAfterTwoRepairs(t *testing.T) {
	for _, text := range []string{
		`{"name":"x","steps":[` + strings.Repeat("1,", 32_000),
		`{"t":"a "b" c"}`,
		`{"approved":false,"approved":true}`,
		"{}\n{\"name\":\"n\",\"steps\":[]}",
		`{"name":"n","steps":[9007199254740993]}`,
	} {
		var prompts []string
		_, err := agent.Do(t.Context(), says(&prompts, text, text, text, text), parse(t, `{"retries":3,`+planSchema[1:]), agent.Request{}, nil)
		require.True(t, fault.Is(err, fault.SchemaNoncompliance), "%v", err)
		require.Equal(t, journal.FailureThrown, agent.Class(err))
		require.Len(t, prompts, 3)
		wrong, ok := errors.AsType[*agent.AnswerError](err)
		require.True(t, ok)
		require.Equal(t, text, wrong.Raw, "the raw text is kept")
		require.Less(t, len(err.Error()), 8<<10)
	}
}

func TestDoTakesAValueAsItIs(t *testing.T) {
	text := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
		return agent.Response{Value: json.RawMessage(`"{\"a\":1}"`), Structured: true}, nil
	})
	resp, err := agent.Do(t.Context(), text, parse(t, `{"schema":{"type":"string"}}`), agent.Request{}, nil)
	require.NoError(t, err)
	require.Equal(t, `"{\"a\":1}"`, string(resp.Value))
}

func TestB20_B25_DoRefusesWhatNoScriptCouldTake(t *testing.T) {
	for value, want := range map[string]string{
		`{"id":9007199254740993}`: "$.id", `{"a":1,"a":2}`: "$.a", "{\"a\":\"\xff\"}": "UTF-8", `"\ud800"`: "$", ``: "empty", `{`: "$",
	} {
		r := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
			return agent.Response{Value: json.RawMessage(value), Usage: journal.Usage{Input: 3}}, nil
		})
		resp, err := agent.Do(t.Context(), r, parse(t, ""), agent.Request{}, nil)
		require.True(t, fault.Is(err, fault.AgentAnswerInvalid), "%s: %v", value, err)
		require.ErrorContains(t, err, want)
		require.Equal(t, agent.Response{Usage: journal.Usage{Input: 3}}, resp)
	}
}

func TestDoRetriesOrdinaryFailuresOnly(t *testing.T) {
	ordinary := fault.New(fault.AgentFailed, "no", "")
	for _, c := range []struct {
		retries, want int
		err           error
	}{
		{0, 1, ordinary},
		{3, 4, ordinary},
		{2, 3, errors.New("plain")},
		{3, 1, fault.New(fault.UsageLimit, "x", "")},
		{3, 1, fault.New(fault.AgentNotConfigured, "x", "")},
		{3, 1, context.Canceled},
	} {
		n := 0
		r := runnerFunc(func(_ context.Context, req agent.Request) (agent.Response, error) {
			n++
			require.Equal(t, n, req.Attempt)
			return agent.Response{Usage: journal.Usage{Input: 10, Output: 1, CostMicroUSD: 5}}, c.err
		})
		resp, err := agent.Do(t.Context(), r, parse(t, fmt.Sprintf(`{"retries":%d}`, c.retries)), agent.Request{}, nil)
		require.ErrorIs(t, err, c.err)
		require.Equal(t, c.want, n)
		w := int64(c.want)
		require.Equal(t, journal.Usage{Input: 10 * w, Output: w, CostMicroUSD: 5 * w}, resp.Usage, "also of attempts that failed")
	}
}

func TestDoTimesEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := runnerFunc(func(ctx context.Context, req agent.Request) (agent.Response, error) {
			if req.Attempt == 3 {
				return agent.Response{Value: json.RawMessage(`"late but there"`)}, nil
			}
			<-ctx.Done()
			return agent.Response{}, ctx.Err()
		})
		resp, err := agent.Do(t.Context(), r, parse(t, `{"timeoutMs":1000,"retries":2}`), agent.Request{}, nil)
		require.NoError(t, err)
		require.Equal(t, `"late but there"`, string(resp.Value))
		require.Equal(t, 2*time.Second, time.Since(start))

		_, err = agent.Do(t.Context(), r, parse(t, `{"timeoutMs":1000}`), agent.Request{}, nil)
		require.Equal(t, journal.FailureOrdinary, agent.Class(err))
		require.True(t, fault.Is(err, fault.AgentTimeout), "%v", err)
		require.ErrorContains(t, err, "within 1s")
	})
}

func TestDoCancelledIsNeverAnOrdinaryFailure(t *testing.T) {
	for name, cause := range map[string]error{"ctrl-c": nil, "limit": fault.New(fault.WallClockLimit, "the run's time is up", "")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		n := 0
		r := runnerFunc(func(ctx context.Context, _ agent.Request) (agent.Response, error) {
			n++
			cancel(cause)
			return agent.Response{}, errors.New("killed")
		})
		_, err := agent.Do(ctx, r, parse(t, `{"retries":3,"timeoutMs":60000}`), agent.Request{}, nil)
		require.Equal(t, journal.FailureCancelled, agent.Class(err), name)
		require.Equal(t, 1, n)
		if cause != nil {
			require.ErrorIs(t, err, cause)
		}
		_, err = agent.Do(ctx, r, parse(t, ""), agent.Request{}, nil)
		require.Equal(t, journal.FailureCancelled, agent.Class(err))
		require.Equal(t, 1, n, "nothing starts after the end")
	}
}

// A deadline of the whole run is not the agent's timeout.
func TestDoRunDeadlineIsNoTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := runnerFunc(func(ctx context.Context, _ agent.Request) (agent.Response, error) {
			<-ctx.Done()
			return agent.Response{}, ctx.Err()
		})
		_, err := agent.Do(ctx, r, parse(t, `{"timeoutMs":60000}`), agent.Request{}, nil)
		require.Equal(t, journal.FailureCancelled, agent.Class(err))
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// An answer that is there when the end comes is kept: it is paid for.
func TestDoKeepsAnAnswerThatCameWithTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
		cancel()
		return agent.Response{Value: json.RawMessage(`"done"`)}, nil
	})
	resp, err := agent.Do(ctx, r, parse(t, ""), agent.Request{}, nil)
	require.NoError(t, err)
	require.Equal(t, `"done"`, string(resp.Value))
}

func TestClass(t *testing.T) {
	for code, want := range map[fault.Code]string{
		fault.AgentFailed: journal.FailureOrdinary, fault.AgentTimeout: journal.FailureOrdinary,
		fault.AgentOutputTooLarge: journal.FailureOrdinary, fault.AgentAnswerInvalid: journal.FailureOrdinary,
		fault.SchemaNoncompliance: journal.FailureThrown, fault.UsageLimit: journal.FailureThrown,
		fault.OptionInvalid: journal.FailureThrown, fault.PlanNotApproved: journal.FailureThrown,
		fault.AgentNotConfigured: journal.FailureFatal, fault.BudgetExceeded: journal.FailureFatal,
	} {
		require.Equal(t, want, agent.Class(fmt.Errorf("around: %w", fault.New(code, "", ""))), code)
	}
	require.Empty(t, agent.Class(nil))
}
