package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// planSum is the SHA-256 of {"a":2,"b":1}, from an independent implementation.
const planSum = "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"

const gated = `
const approval = await planApprove({b: 1, a: 2});
if (approval.decision !== true) return {decision: approval.decision, checksum: approval.checksum};
const work = await agent("worker", {under: approval});
return {decision: approval.decision, checksum: approval.checksum, work};
`

func TestHeadlessDeclines(t *testing.T) {
	workers := &team{}
	r := run(t, script(t, gated), engine.Options{Store: newStore(t), Agent: workers})
	require.Equal(t, "stopped", r.State)
	require.JSONEq(t, `{"decision":false,"checksum":"`+planSum+`"}`, string(r.Value))
	require.Empty(t, workers.take(), "a declined plan runs no worker")
}

func TestPersonsYesApproves(t *testing.T) {
	workers, ann, store := &team{}, says("true"), newStore(t)
	r := run(t, script(t, gated), engine.Options{Store: store, Agent: workers, Asker: ann})
	require.Equal(t, "completed", r.State)
	require.JSONEq(t, `{"decision":true,"checksum":"`+planSum+`","work":"done: worker"}`, string(r.Value))
	shown := ann.take()
	require.Len(t, shown, 1)
	require.Equal(t, `{"a":2,"b":1}`, shown[0].Gate.Plan)
	require.Equal(t, planSum, shown[0].Gate.Checksum)
	require.Equal(t, 1, shown[0].Position)
	require.Equal(t, 1, shown[0].Waiting)
}

func TestExactlyOneEntryCarriesTheApproval(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, gated), engine.Options{Store: store, Agent: &team{}, Asker: says("true")})
	var out bytes.Buffer
	require.NoError(t, journal.Export(context.Background(), store, r.Run, &out))
	found := 0
	for line := range strings.Lines(out.String()) {
		if !strings.Contains(line, `"planApproval"`) {
			continue
		}
		found++
		var entry struct {
			Kind string
			Data struct{ PlanApproval journal.PlanApproval }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		require.Equal(t, "gate.answered", entry.Kind)
		require.Equal(t, planSum, entry.Data.PlanApproval.Checksum)
		require.JSONEq(t, `true`, string(entry.Data.PlanApproval.Decision))
		require.False(t, entry.Data.PlanApproval.ApprovedAt.IsZero())
	}
	require.Equal(t, 1, found)
}

func TestUnchangedPlanReplaysWithoutAsking(t *testing.T) {
	store, broken := newStore(t), true
	workers := &team{answer: func(context.Context, agent.Request) (any, error) {
		if broken {
			return nil, context.DeadlineExceeded
		}
		return "fixed", nil
	}}
	o := engine.Options{Store: store, Agent: workers, Asker: says("true")}
	first := run(t, script(t, gated), o)
	require.Len(t, first.Failures, 1)
	broken = false
	ann := says("false")
	o.Asker = ann
	second := resume(t, first.Run, nil, o)
	require.Equal(t, "completed", second.State)
	require.JSONEq(t, `{"decision":true,"checksum":"`+planSum+`","work":"fixed"}`, string(second.Value))
	require.Empty(t, ann.take(), "the approval is in the journal")
}

// A planner that is run again because an agent before it changed proposes another plan: it is
// asked anew, and the approval of the old one is not used.
func TestDriftedPlanIsAskedAgain(t *testing.T) {
	store := newStore(t)
	body := `
const scope = await agent("scout", {readOnly: true, label: "scout"});
const plan = await agent("plan for " + scope, {readOnly: true, label: "planner"});
const approval = await planApprove({plan});
if (approval.decision !== true) return {success: false};
return await agent("work", {under: approval, label: "worker"});
`
	scope := "small"
	workers := &team{}
	workers.answer = func(_ context.Context, req agent.Request) (any, error) {
		switch {
		case req.Label == "scout" && scope == "":
			return nil, context.DeadlineExceeded
		case req.Label == "scout":
			return scope, nil
		}
		return "done: " + req.Prompt, nil
	}
	ann := says("true")
	first := run(t, script(t, body), engine.Options{Store: store, Agent: workers, Asker: ann})
	require.Equal(t, "completed", first.State)
	require.Equal(t, []string{"scout", "planner", "worker"}, workers.take())
	p1 := ann.take()[0].Gate

	scope = "large"
	bob := says("false")
	edited := script(t, strings.Replace(body, `agent("scout"`, `agent("scout wider"`, 1))
	second := resume(t, first.Run, edited, engine.Options{Store: store, Agent: workers, Asker: bob, RerunChanged: true})
	require.Equal(t, "stopped", second.State)
	require.Equal(t, []string{"scout", "planner"}, workers.take(), "the worker of the declined plan never runs")
	shown := bob.take()
	require.Len(t, shown, 1)
	require.NotEqual(t, p1.Checksum, shown[0].Gate.Checksum)
	require.Equal(t, p1.Gate, shown[0].Gate.Revises)
	require.Equal(t, p1.Checksum, shown[0].Previous.Asked.Checksum, "the person sees the difference to what was approved")
}

func TestAbort(t *testing.T) {
	for name, body := range map[string]string{
		"plain":         `await planApprove({x: 1}, {headless: "abort"}); await agent("worker");`,
		"caught":        `try { await planApprove({x: 1}, {headless: "abort"}) } catch (e) {}; await agent("worker");`,
		"in parallel":   `const r = await parallel([() => planApprove({x: 1}, {headless: "abort"})]); if (r[0] === null) await agent("worker");`,
		"catch handler": `const a = await planApprove({x: 1}, {headless: "abort"}).catch(() => ({decision: true})); if (a.decision) await agent("worker");`,
		"un-awaited":    `planApprove({x: 1}, {headless: "abort"}); await agent("worker");`,
		"worker first":  `const w = agent("worker"); await planApprove({x: 1}, {headless: "abort"}); await w;`,
		"checkpoint":    `await checkpoint("go?", {headless: "abort"}); await agent("worker");`,
	} {
		t.Run("B53_"+name, func(t *testing.T) {
			workers := &team{}
			r := run(t, script(t, body), engine.Options{Store: newStore(t), Agent: workers})
			require.Equal(t, "stopped", r.State)
			require.Equal(t, "HUMAN_INPUT_REQUIRED", r.Code)
			require.Regexp(t, `(?i)human input|headless`, r.Err.Error())
			require.Empty(t, workers.take(), "after an abort nothing runs")
		})
	}
}

func TestGatesCountAgainstTheCallCap(t *testing.T) {
	body := `
let asked = 0;
try { for (;;) { await checkpoint("again?", {default: false}); asked++ } }
catch (e) { return {asked, code: e.code} }
`
	o := engine.Options{Store: newStore(t), Settings: journal.Settings{MaxCalls: 3}}
	r := run(t, script(t, body), o)
	require.JSONEq(t, `{"asked":3,"code":"CALL_LIMIT"}`, string(r.Value))
}

// For a Go program that keeps a journal without a script: the same key, another plan.
func TestB51_ApprovalIsBound(t *testing.T) {
	store, ann := newStore(t), says("true")
	o := engine.Options{Store: store, Asker: ann}
	both := script(t, `
const a = await planApprove({amount: 10}, {prompt: "Pay?"});
const b = await planApprove({amount: 10}, {prompt: "Pay?"});
return [a.decision, b.decision, a.replayed, JSON.stringify(a)];
`)
	ann.answer = func(q checkpoint.Asked) string {
		if q.Key == "/planApprove#1" {
			return "false"
		}
		return "true"
	}
	r := run(t, both, o)
	require.Equal(t, "stopped", r.State, "the plan asked last was declined")
	var got []any
	require.NoError(t, json.Unmarshal(r.Value, &got))
	require.Equal(t, []any{true, false, false}, got[:3], "the second call site is asked by itself")
	require.NotContains(t, got[3], "replayed")
	require.Len(t, ann.take(), 2)

	other := run(t, both, o)
	require.NotEqual(t, r.Run, other.Run)
	require.Len(t, ann.take(), 2, "another run is asked by itself")

	for _, body := range []string{
		`const a = await planApprove({amount: 999999}, {prompt: "Pay?"}); return a.decision`,
		`const a = await planApprove({amount: 10}, {prompt: "Approve production deploy?"}); return a.decision`,
		"\n" + `const a = await planApprove({amount: 10}, {prompt: "Pay?"}); return a.decision`,
	} {
		first := run(t, script(t, `const a = await planApprove({amount: 10}, {prompt: "Pay?"}); return a.decision`), o)
		ann.take()
		ann.answer = func(checkpoint.Asked) string { return "false" }
		again := resume(t, first.Run, script(t, body), o)
		require.JSONEq(t, `false`, string(again.Value))
		require.Len(t, ann.take(), 1, "asked again: %s", body)
		ann.answer = func(checkpoint.Asked) string { return "true" }
	}
}
