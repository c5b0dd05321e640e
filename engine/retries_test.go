package engine_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// counted is an agent that reports usage.
type counted func(ctx context.Context, req agent.Request) (agent.Response, error)

func (f counted) Run(ctx context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	return f(ctx, req)
}

func TestAttemptsAreJournaled(t *testing.T) {
	store := newStore(t)
	runner := counted(func(_ context.Context, req agent.Request) (agent.Response, error) {
		used := journal.Usage{Input: int64(10 * req.Attempt), Output: 1, CostMicroUSD: 100}
		if req.Prompt == "never" || req.Attempt < 3 {
			return agent.Response{Usage: used}, fault.New(fault.AgentFailed, "no luck", "")
		}
		return agent.Response{Value: []byte(`"at last"`), Usage: used}, nil
	})
	var retried []engine.Event
	o := engine.Options{Store: store, Agent: runner, Observe: func(e engine.Event) {
		if e.Type == engine.CallRetried {
			retried = append(retried, e)
		}
	}}
	r := run(t, script(t, `return [await agent("soon", {retries: 2, label: "soon"}), await agent("never", {retries: 1, readOnly: true}), await agent("soon", {retries: 0})]`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, `["at last",null,null]`, string(r.Value))

	calls := state(t, store, r.Run).Calls
	soon := calls["/agent#0"].Finish
	require.Len(t, soon.Attempts, 3)
	for i, a := range soon.Attempts {
		require.Equal(t, journal.Usage{Input: int64(10 * (i + 1)), Output: 1, CostMicroUSD: 100}, a.Usage)
		require.Equal(t, i < 2, a.Code == "AGENT_FAILED")
	}
	require.Equal(t, journal.Usage{Input: 60, Output: 3, CostMicroUSD: 300}, soon.Usage)
	require.Len(t, calls["/agent#1"].Finish.Attempts, 2)
	require.Empty(t, calls["/agent#2"].Finish.Attempts)
	require.Equal(t, journal.Usage{Input: 60 + 30 + 10, Output: 3 + 2 + 1, CostMicroUSD: 600}, r.Usage)

	require.Len(t, r.Failures, 2)
	require.Equal(t, "/agent#1", r.Failures[0].Key)
	require.Len(t, r.Failures[0].Attempts, 2)
	require.Empty(t, r.Failures[1].Attempts)

	require.Len(t, retried, 3)
	require.Equal(t, "soon", retried[0].Label)
	require.Equal(t, "attempt 2 of 3: AGENT_FAILED: no luck", retried[0].Next.String())
	require.Equal(t, "attempt 3 of 3: AGENT_FAILED: no luck", retried[1].Next.String())
	require.Equal(t, "attempt 2 of 2: AGENT_FAILED: no luck", retried[2].Next.String())
}

// While a further attempt is at work, other processes are told which it is, and why.
func TestAFurtherAttemptIsTold(t *testing.T) {
	store := newStore(t)
	open := make(chan struct{})
	var id atomic.Value
	runner := counted(func(ctx context.Context, req agent.Request) (agent.Response, error) {
		if req.Attempt == 1 {
			return agent.Response{}, errors.New("broken pipe")
		}
		id.Store(req.Run)
		select {
		case <-open:
		case <-ctx.Done():
		}
		return agent.Response{Value: []byte(`"ok"`)}, nil
	})
	ended := make(chan error)
	program := script(t, `return await agent("a", {retries: 1, readOnly: true})`)
	go func() {
		r, err := engine.Run(context.Background(), program, engine.Options{Store: store, Agent: runner})
		if err == nil {
			err = r.Err
		}
		ended <- err
	}()
	require.Eventually(t, func() bool {
		run, _ := id.Load().(string)
		if run == "" {
			return false
		}
		visit, err := store.Visit(context.Background(), run)
		if err != nil {
			return false
		}
		defer visit.Close()
		work := visit.Work()
		return len(work) == 1 && work[0].Trying == "attempt 2 of 2: AGENT_FAILED: broken pipe"
	}, time.Minute, 5*time.Millisecond)
	close(open)
	require.NoError(t, <-ended)
}

// A provider's usage limit pauses the run, whatever the script allows; when the run goes on, the call
// has all its attempts again.
func TestAUsageLimitIsNotRetried(t *testing.T) {
	store := newStore(t)
	limited, made := true, 0
	runner := counted(func(context.Context, agent.Request) (agent.Response, error) {
		made++
		switch {
		case made == 1:
			return agent.Response{}, errors.New("first")
		case limited:
			return agent.Response{}, fault.New(fault.UsageLimit, "come back later", "")
		}
		return agent.Response{Value: []byte(`"ok"`)}, nil
	})
	o := engine.Options{Store: store, Agent: runner}
	p := script(t, `return await agent("a", {retries: 3, readOnly: true})`)
	first := run(t, p, o)
	require.Equal(t, "paused", first.State)
	require.Equal(t, "USAGE_LIMIT", first.Code)
	require.Equal(t, 2, made)
	require.Len(t, state(t, store, first.Run).Calls["/agent#0"].Finish.Attempts, 2)
	limited = false
	require.Equal(t, "completed", resume(t, first.Run, nil, o).State)
	require.Empty(t, state(t, store, first.Run).Calls["/agent#0"].Finish.Attempts)
}

func TestContextOfACall(t *testing.T) {
	store := newStore(t)
	var warned []string
	runner := counted(func(context.Context, agent.Request) (agent.Response, error) {
		return agent.Response{Value: []byte(`"ok"`), Usage: journal.Usage{Input: 90}}, nil
	})
	o := engine.Options{Store: store, Agent: runner, Observe: func(e engine.Event) {
		if e.Type == engine.Warned {
			warned = append(warned, e.Text)
		}
	}}
	body := `const caught = [];
try { await agent("x".repeat(401), {maxContextTokens: 100, onError: "throw", readOnly: true}) } catch (e) { caught.push(e.code) }
return [caught, await agent("x".repeat(401), {maxContextTokens: 100, retries: 3}), await agent("b", {maxContextTokens: 100, label: "b", readOnly: true}), await agent("c", {maxContextTokens: 200})]`
	r := run(t, script(t, body), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, `[["CONTEXT_TOO_LARGE"],null,"ok","ok"]`, string(r.Value))
	require.Equal(t, []string{`agent "b" at /agent#2: the agent reported 90 tokens of input, 90 % of maxContextTokens (100)`}, warned)
	calls := state(t, store, r.Run).Calls
	require.Equal(t, "the agent reported 90 tokens of input, 90 % of maxContextTokens (100)", calls["/agent#2"].Finish.Note)
	require.Empty(t, calls["/agent#3"].Finish.Note)
	require.Equal(t, journal.Usage{Input: 180}, r.Usage, "two were asked")

	warned, o.Settings.ContextWarning = nil, 95
	r = run(t, script(t, body), o)
	require.Empty(t, warned)
	require.Equal(t, 95, state(t, store, r.Run).Settings.ContextWarning)
}
