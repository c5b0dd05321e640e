package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// cutDuring runs a script and cuts the attempt while the call with the given prompt is at work.
func cutDuring(t *testing.T, body, prompt string, o engine.Options) *engine.Result {
	t.Helper()
	ctx, cut := context.WithCancel(context.Background())
	defer cut()
	o.Agent = &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		if req.Prompt == prompt {
			cut()
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return "done: " + req.Prompt, nil
	}}
	r, err := engine.Run(ctx, script(t, body), o)
	require.NoError(t, err)
	require.Equal(t, "interrupted", r.State)
	return r
}

func TestInterruptedCallNeedsLeave(t *testing.T) {
	body := `const a = await agent("edit"); return [a, await agent("next")];`
	store := newStore(t)
	first := cutDuring(t, body, "edit", engine.Options{Store: store})

	workers := &team{}
	o := engine.Options{Store: store, Agent: workers}
	stays := resume(t, first.Run, nil, o)
	require.Equal(t, "interrupted", stays.State)
	require.Equal(t, "CALLS_INTERRUPTED", stays.Code)
	require.Equal(t, "/agent#0", stays.Recovery.Interrupted[0].Key)
	require.Empty(t, workers.take())

	asked := 0
	o.Recover = func(_ context.Context, q engine.Recovery) (engine.Choice, error) {
		asked++
		require.Len(t, q.Interrupted, 1)
		return engine.ChooseStop, nil
	}
	require.Equal(t, "interrupted", resume(t, first.Run, nil, o).State)
	o.Recover = func(context.Context, engine.Recovery) (engine.Choice, error) { asked++; return engine.ChooseFail, nil }
	failed := resume(t, first.Run, nil, o)
	require.Equal(t, "completed", failed.State)
	require.JSONEq(t, `[null,"done: next"]`, string(failed.Value))
	require.Equal(t, []string{"next"}, workers.take())
	require.Equal(t, 2, asked)
	o.RetryFailed = true
	require.Zero(t, resume(t, first.Run, nil, o).Live, "a failure that a person chose stays")
}

func TestInterruptedCallRunsAgain(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		o    engine.Options
	}{
		"read-only":     {`return await agent("look", {readOnly: true})`, engine.Options{}},
		"read-only run": {`return await agent("look")`, engine.Options{Settings: journal.Settings{ReadOnly: true}}},
		"with the flag": {`return await agent("look")`, engine.Options{RerunInterrupted: true}},
		"with a person's yes": {`return await agent("look")`, engine.Options{Recover: func(context.Context, engine.Recovery) (engine.Choice, error) {
			return engine.ChooseRerun, nil
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Store = newStore(t)
			first := cutDuring(t, c.body, "look", c.o)
			c.o.Agent = &team{}
			done := resume(t, first.Run, nil, c.o)
			require.Equal(t, "completed", done.State)
			require.JSONEq(t, `"done: look"`, string(done.Value))
		})
	}
}

func TestFinishedWorkIsNotRepeatedUnasked(t *testing.T) {
	store := newStore(t)
	body := `const a = await agent("one"); return await agent("two");`
	workers := &team{}
	o := engine.Options{Store: store, Agent: workers}
	first := run(t, script(t, body), o)
	workers.take()
	edited := script(t, strings.Replace(body, `"one"`, `"one and a half"`, 1))
	stays := resume(t, first.Run, edited, o)
	require.Equal(t, "interrupted", stays.State)
	require.Equal(t, "FINISHED_WORK_WOULD_REPEAT", stays.Code)
	require.Empty(t, workers.take())

	forecast, err := engine.DryRun(context.Background(), first.Run, edited, o)
	require.NoError(t, err)
	require.Len(t, forecast.Again, 1)
	require.Equal(t, "the script asks for something else now", forecast.Again[0].Reason)

	o.RerunChanged = true
	done := resume(t, first.Run, edited, o)
	require.Equal(t, "completed", done.State)
	require.Equal(t, []string{"one and a half", "two"}, workers.take(), "what depends on it follows")
}

func TestB36_IdentityOfAnAgent(t *testing.T) {
	body := `
const a = await agent("first");
const b = await agent("second", {model: "small", schema: {type: "object"}, label: "x"});
return [a, b];`
	for name, c := range map[string]struct {
		old, now string
		calls    []string
	}{
		"prompt":     {`"second"`, `"another"`, []string{"x"}},
		"model":      {`"small"`, `"large"`, []string{"x"}},
		"schema":     {`{type: "object"}`, `{type: "object", required: []}`, []string{"x"}},
		"label":      {`label: "x"`, `label: "y"`, nil},
		"whitespace": {"const b", "\n\n  const b", nil},
	} {
		t.Run(name, func(t *testing.T) {
			workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
				if req.Prompt == "first" {
					return "one", nil
				}
				return map[string]any{}, nil
			}}
			o := engine.Options{Store: newStore(t), Agent: workers, RerunChanged: true}
			first := run(t, script(t, body), o)
			require.Equal(t, "completed", first.State, "%v", first.Err)
			workers.take()
			resume(t, first.Run, script(t, strings.Replace(body, c.old, c.now, 1)), o)
			require.Equal(t, c.calls, workers.take())
		})
	}
}

// A script that depends on something outside is found out, with both versions of what it asked.
func TestNondeterministicScript(t *testing.T) {
	flips := "first"
	odd := &oracle{name: "outside", pure: func() string { return flips }}
	body := `const v = await agent("a", {readOnly: true}); return await outside({ask: "x"});`
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{}, Primitives: []engine.Primitive{odd}}
	first := run(t, script(t, body), o)
	require.Equal(t, "completed", first.State)
	flips = "second"
	again := resume(t, first.Run, nil, o)
	require.Equal(t, "failed", again.State)
	require.Equal(t, "NONDETERMINISTIC_SCRIPT", again.Code)
	require.ErrorContains(t, again.Err, "test.js:2:")
	require.ErrorContains(t, again.Err, "/outside#0")
}

// oracle is a primitive whose identity is not a function of its arguments, which no primitive
// should be.
type oracle struct {
	name string
	pure func() string
}

func (p *oracle) Name() string { return p.name }

func (p *oracle) Parse([]json.RawMessage) (engine.Request, error) {
	id, err := json.Marshal(p.pure())
	return engine.Request{Identity: id, ReadOnly: true}, err
}

func (p *oracle) Answer(context.Context, engine.Request, *journal.Step) (json.RawMessage, error) {
	return json.RawMessage("1"), nil
}

// adder is a primitive as an embedder writes one.
type adder struct{ calls int }

func (a *adder) Name() string { return "add" }

func (a *adder) Parse(args []json.RawMessage) (engine.Request, error) {
	id, err := json.Marshal(args)
	if len(args) != 2 {
		err = errors.New("add takes two numbers")
	}
	return engine.Request{Identity: id, Value: args}, err
}

func (a *adder) Answer(_ context.Context, req engine.Request, step *journal.Step) (json.RawMessage, error) {
	a.calls++
	var x, y float64
	args := req.Value.([]json.RawMessage)
	if json.Unmarshal(args[0], &x) != nil || json.Unmarshal(args[1], &y) != nil {
		return nil, fault.New("NOT_A_NUMBER", "add takes numbers", "")
	}
	return json.Marshal(x + y)
}

func TestPrimitiveOfAnEmbedder(t *testing.T) {
	sum := &adder{}
	o := engine.Options{Store: newStore(t), Primitives: []engine.Primitive{sum}}
	body := `
const three = await add(1, 2);
const codes = [];
try { await add("x", 1) } catch (e) { codes.push(e.code) }
try { await add(1) } catch (e) { codes.push(e instanceof TypeError, e.message) }
return {three, codes, rest: await checkpoint("go?", {headless: "suspend"})};`
	first := run(t, script(t, body), o)
	require.Equal(t, "waiting", first.State)
	require.Equal(t, 2, sum.calls)
	_, err := answer(t, o.Store, first.Run, checkpoint.Response{Decision: json.RawMessage("true")})
	require.NoError(t, err)
	done := resume(t, first.Run, nil, o)
	require.Equal(t, "completed", done.State, "%v", done.Err)
	require.JSONEq(t, `{"three":3,"codes":["NOT_A_NUMBER",true,"add takes two numbers"],"rest":true}`, string(done.Value))
	require.Equal(t, 2, sum.calls, "replayed like any other call")
}

func TestBudget(t *testing.T) {
	store := newStore(t)
	spender := costs{input: 60, output: 40}
	body := `
const seen = [[budget.total, budget.spent(), budget.remaining()]];
for (let i = 0; i < 4; i++) { await agent("a" + i, {readOnly: true}); seen.push([budget.spent(), budget.remaining()]) }
return seen;`
	o := engine.Options{Store: store, Agent: spender, Settings: journal.Settings{Budget: journal.Usage{Tokens: 250}}}
	first := run(t, script(t, body), o)
	require.Equal(t, "paused", first.State)
	require.Equal(t, "BUDGET_EXCEEDED", first.Code)
	require.Equal(t, int64(180), first.Usage.Input)

	o.Settings.Budget.Tokens = 1000
	done := resume(t, first.Run, nil, o)
	require.Equal(t, "completed", done.State)
	require.JSONEq(t, `[[250,0,250],[100,150],[200,50],[300,0],[400,600]]`, string(done.Value), "replayed turns see the budget that was in force")
	require.Equal(t, int64(1000), state(t, store, first.Run).Settings.Budget.Tokens)
}

type costs struct{ input, output int64 }

func (c costs) Run(context.Context, agent.Request, agent.Step) (agent.Response, error) {
	return agent.Response{Value: json.RawMessage(`"ok"`), Usage: journal.Usage{Input: c.input, Output: c.output}}, nil
}

func TestLimitsSurviveResume(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, OnGate: checkpoint.Suspend, Settings: journal.Settings{MaxCalls: 7, Concurrency: 3, ReadOnly: true}}
	first := run(t, script(t, gated), o)
	resume(t, first.Run, nil, engine.Options{Store: store, Settings: journal.Settings{MaxCalls: 9}})
	s := state(t, store, first.Run).Settings
	require.Equal(t, 9, s.MaxCalls, "raised")
	require.Equal(t, 3, s.Concurrency, "kept")
	require.True(t, s.ReadOnly, "kept")
}

func TestB44_FailuresAreTold(t *testing.T) {
	store := newStore(t)
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Prompt == "0" {
			return "", nil
		}
		return nil, fault.New(fault.AgentFailed, "broke "+req.Prompt, "")
	}}
	body := `return await parallel([0, 1, 2, 3, 4].map(i => () => agent("" + i, {readOnly: true})))`
	r := run(t, script(t, body), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "completed", r.State)
	require.JSONEq(t, `["",null,null,null,null]`, string(r.Value), "an empty answer is not a failure")
	require.Len(t, r.Failures, 4)
	require.Equal(t, "/parallel#0[1]/agent#0", r.Failures[0].Key)
	require.Equal(t, "AGENT_FAILED", r.Failures[0].Failure.Code)
	require.Contains(t, r.Failures[0].Failure.Message, "broke 1")
	require.Equal(t, 4, state(t, store, r.Run).Finished.FailedCalls)
}

func TestSleepIsNotRestarted(t *testing.T) {
	store := newStore(t)
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	o := engine.Options{Store: store, OnGate: checkpoint.Suspend, Now: func() time.Time { return clock }}
	first := run(t, script(t, `await checkpoint("go?"); await sleep(3600_000); return now();`), o)
	_, err := answer(t, store, first.Run, checkpoint.Response{Decision: json.RawMessage("true")})
	require.NoError(t, err)
	ctx, cut := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cut()
	held, err := engine.Resume(ctx, first.Run, nil, o)
	require.NoError(t, err)
	require.Equal(t, "interrupted", held.State, "it sleeps")
	o.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	done := resume(t, first.Run, nil, o)
	require.Equal(t, "completed", done.State, "its time is past")
}

func TestScriptFailures(t *testing.T) {
	for name, c := range map[string]struct{ body, code, in string }{
		"throws":          {"\nthrow new Error('boom')", "SCRIPT_ERROR", "test.js:3:7"},
		"B06 un-awaited":  {`async function f() { throw new Error("boom") }; f(); return "ok"`, "UNHANDLED_REJECTION", "boom"},
		"B06 lost agent":  {`agent("x", {onError: "throw", readOnly: true}); await agent("y", {readOnly: true}); return "ok"`, "", "broke"},
		"deadlock":        {`await new Promise(() => {})`, "SCRIPT_DEADLOCK", "test.js"},
		"not JSON":        {`return 10n`, "RESULT_NOT_JSON", ""},
		"stretch":         {`for (;;) {}`, "STRETCH_LIMIT", ""},
		"nondeterminism":  {`return Date.now()`, "NONDETERMINISTIC_API", "now()"},
		"schema":          {`await agent("x", {schema: {type: "object"}, onError: "ignore", readOnly: true})`, "OPTION_INVALID", "onError"},
		"unknown option":  {`await agent("x", {shema: {}})`, "OPTION_UNKNOWN", `TypeError: agent() has no option "shema" (did you mean "schema"?`},
		"unknown tier":    {`await agent("x", {tier: "bigg"})`, "OPTION_INVALID", `did you mean "big"?`},
		"isolation":       {`await agent("x", {isolation: "docker"})`, "OPTION_INVALID", `not "worktree"`},
		"approves itself": {`await planApprove({}, {default: true})`, "APPROVAL_DEFAULT_NOT_FALSE", "default"},
	} {
		t.Run(name, func(t *testing.T) {
			workers := &team{answer: func(context.Context, agent.Request) (any, error) { return nil, errors.New("it broke") }}
			o := engine.Options{Store: newStore(t), Agent: workers, Settings: journal.Settings{StretchMs: 200, Concurrency: 1}}
			r := run(t, script(t, c.body), o)
			require.Equal(t, "failed", r.State)
			if c.code != "" {
				require.Equal(t, c.code, r.Code, "%v", r.Err)
			}
			require.ErrorContains(t, r.Err, c.in)
		})
	}
}

// What a plan was approved for is the script to the byte.
func TestS05_S06_ApprovalHoldsForQuestionAndScript(t *testing.T) {
	body := `
const a = await planApprove({steps: ["deploy"]}, {prompt: "Approve dry run?"});
if (a.decision !== true) return "declined";
return await agent("deploy", {under: a, readOnly: true, tools: ["dry-run"]});`
	for name, edit := range map[string][2]string{
		"S05 other question": {"Approve dry run?", "Approve production deploy?"},
		"S06 other worker":   {`["dry-run"]`, `["dry-run", "production"]`},
	} {
		t.Run(name, func(t *testing.T) {
			workers := &team{}
			o := engine.Options{Store: newStore(t), Agent: workers, Asker: says("true")}
			first := run(t, script(t, body), o)
			require.Equal(t, "completed", first.State)
			workers.take()
			ann := says("false")
			o.Asker = ann
			again := resume(t, first.Run, script(t, strings.Replace(body, edit[0], edit[1], 1)), o)
			require.JSONEq(t, `"declined"`, string(again.Value))
			require.Empty(t, workers.take())
			shown := ann.take()
			require.Len(t, shown, 1)
			require.NotNil(t, shown[0].Earlier)
			require.Contains(t, shown[0].Earlier.Diff, "+")
			require.Contains(t, shown[0].Earlier.Diff, edit[1])
		})
	}
}

func TestArgsAreChecked(t *testing.T) {
	p, err := compileText(`export const meta = {name: "t", description: "t", args: {type: "object", required: ["task"]}};
return args.task;`)
	require.NoError(t, err)
	_, err = engine.Run(context.Background(), p, engine.Options{Store: newStore(t)})
	require.True(t, fault.Is(err, fault.ArgsInvalid), "%v", err)
	require.ErrorContains(t, err, "task")
	r := run(t, p, engine.Options{Store: newStore(t), Args: json.RawMessage(`{"task":"x"}`)})
	require.JSONEq(t, `"x"`, string(r.Value))
}

func TestSuccessFalseStops(t *testing.T) {
	r := run(t, script(t, `return {success: false, why: "x"}`), engine.Options{Store: newStore(t)})
	require.Equal(t, "stopped", r.State)
}

func TestOutstandingCallsAreCancelledAndNamed(t *testing.T) {
	workers := racers()
	store := newStore(t)
	r := run(t, script(t, `return await Promise.race([agent("slow"), agent("fast")])`), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "completed", r.State)
	require.Equal(t, []string{"/agent#0"}, r.Outstanding)
	workers.take()
	again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.JSONEq(t, `"fast"`, string(again.Value), "the winner is the journal's")
	require.Empty(t, workers.take())
	_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
}

func TestNoAgent(t *testing.T) {
	r := run(t, script(t, `await agent("x")`), engine.Options{Store: newStore(t)})
	require.Equal(t, "failed", r.State)
	require.Equal(t, "AGENT_NOT_CONFIGURED", r.Code)
}

func TestModelOfAnAgent(t *testing.T) {
	p, err := compileText(`export const meta = {name: "t", description: "t", model: "plain", phases: [{title: "Build", model: "strong"}]};
await agent("a", {readOnly: true}); phase("Build"); await agent("b", {readOnly: true}); await agent("c", {readOnly: true, model: "own"});`)
	require.NoError(t, err)
	var models []string
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		models = append(models, req.Model)
		return "ok", nil
	}}
	run(t, p, engine.Options{Store: newStore(t), Agent: workers})
	require.Equal(t, []string{"plain", "strong", "own"}, models)
}

func TestHeaderThatCannotBeKept(t *testing.T) {
	for header, code := range map[string]fault.Code{
		`limits: {heapMB: 100}`: fault.OptionNotAvailable,
		`interactive: true`:     fault.PlanInteractive,
	} {
		p, err := compileText(`export const meta = {name: "t", description: "t", ` + header + `}; return 1`)
		require.NoError(t, err)
		_, err = engine.Run(context.Background(), p, engine.Options{Store: newStore(t)})
		require.True(t, fault.Is(err, code), "%s: %v", header, err)
	}
}

func TestDialectOptionsWarnOnce(t *testing.T) {
	var warnings []string
	o := engine.Options{Store: newStore(t), Agent: &team{}, Observe: func(e engine.Event) {
		if e.Type == engine.Warned {
			warnings = append(warnings, e.Text)
		}
	}}
	r := run(t, script(t, `for (let i = 0; i < 3; i++) await agent("x", {adapter: "claude", readOnly: true})`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0], "adapter")
}

// A usage limit pauses the run; when it goes on, the agent is asked again.
func TestUsageLimitPauses(t *testing.T) {
	spent := true
	workers := &team{answer: func(context.Context, agent.Request) (any, error) {
		if spent {
			return nil, fault.New(fault.UsageLimit, "the limit resets at 18:00", "")
		}
		return "ok", nil
	}}
	o := engine.Options{Store: newStore(t), Agent: workers}
	r := run(t, script(t, `return await parallel([() => agent("x")])`), o)
	require.Equal(t, "paused", r.State)
	require.Equal(t, "USAGE_LIMIT", r.Code)
	require.ErrorContains(t, r.Err, "18:00")
	spent = false
	done := resume(t, r.Run, nil, o)
	require.JSONEq(t, `["ok"]`, string(done.Value))
}

func TestExpiredWhileNobodyWasHere(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, OnGate: checkpoint.Suspend}
	r := run(t, script(t, `const a = await planApprove({x: 1}, {timeoutMs: 3600_000}); return a.decision`), o)
	require.Equal(t, "waiting", r.State)
	o.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	o.OnGate = ""
	done := resume(t, r.Run, nil, o)
	require.Equal(t, "stopped", done.State)
	require.JSONEq(t, "false", string(done.Value))
}
