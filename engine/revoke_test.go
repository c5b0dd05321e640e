package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// revoke takes an approval back as another process does.
func revoke(store engine.Store, run, gate string) error {
	v, err := store.Visit(context.Background(), run)
	if err != nil {
		return err
	}
	defer v.Close()
	_, err = checkpoint.Revoke(context.Background(), v, checkpoint.Revocation{
		Gate: gate, Who: journal.Who{User: "bob", Host: "there", Way: "command"}, Reason: "wrong branch",
	})
	return err
}

// revokeAfter revokes the run's approval, on the engine's goroutine, when the call with that label
// has ended: what the script does then meets a revocation that nobody has told the engine of.
func revokeAfter(t *testing.T, store engine.Store, label string) func(engine.Event) {
	t.Helper()
	return func(e engine.Event) {
		if e.Type == engine.CallEnded && e.Label == label {
			require.NoError(t, revoke(store, e.Run, ""))
		}
	}
}

// An approval is revoked while work is under way: what is at work ends and is journaled, nothing
// begins any more, and a resume asks anew.
func TestRevokeStopsARunAtWork(t *testing.T) {
	store := newStore(t)
	busy, release := make(chan string, 2), make(chan struct{})
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		if req.Label == "slow" || req.Label == "free" {
			busy <- req.Run
			select {
			case <-release:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return "did " + req.Label, nil
	}}
	body := `
const a = await planApprove({b: 1, a: 2});
if (a.decision !== true) return "no";
const first = await Promise.all([agent("x", {under: a, label: "slow"}), agent("x", {label: "free"})]);
const under = await agent("x", {under: a, label: "after"});
const other = await agent("x", {label: "elsewhere"});
return [...first, under, other];`
	result := make(chan *engine.Result, 1)
	program := script(t, body)
	go func() {
		r, _ := engine.Run(context.Background(), program, engine.Options{Store: store, Agent: workers, Asker: says("true")}) // a nil result fails below
		result <- r
	}()
	id := <-busy
	<-busy
	require.NoError(t, revoke(store, id, ""))
	close(release)
	r := <-result
	require.NotNil(t, r)
	require.Equal(t, "stopped", r.State)
	require.Equal(t, "PLAN_NOT_APPROVED", r.Code)
	require.ErrorContains(t, r.Err, `its approval was revoked by bob at `)
	require.ErrorContains(t, r.Err, `: "wrong branch"`)
	require.ElementsMatch(t, []string{"slow", "free"}, workers.take())
	st := state(t, store, id)
	for _, key := range []string{"/agent#0", "/agent~1#0"} {
		if c := st.Calls[key]; c != nil {
			require.NotNil(t, c.Finish, "what was at work is in the journal")
		}
	}
	require.Len(t, st.Calls, 2)
	require.Equal(t, "bob", st.Finished.Who.User)
	_, err := engine.Replay(context.Background(), id, engine.Options{Store: store})
	require.True(t, fault.Is(err, fault.ReplayDiverged), "%v", err)
	require.ErrorContains(t, err, "ended from outside")

	headless := resume(t, id, nil, engine.Options{Store: store, Agent: workers})
	require.Equal(t, "stopped", headless.State, "a revoked approval replays for nobody")
	require.JSONEq(t, `"no"`, string(headless.Value))
	require.Empty(t, workers.take())

	ann := says("true")
	o := engine.Options{Store: store, Agent: workers, Asker: ann, RerunChanged: true}
	done := resume(t, id, nil, o)
	require.Equal(t, "completed", done.State, "%v", done.Err)
	shown := ann.take()
	require.Len(t, shown, 1)
	require.Equal(t, "defaulted", shown[0].Gate.Reason, "nobody was here the last time")
	require.Equal(t, "wrong branch", shown[0].Revoked.Revocation.Reason)
	require.ElementsMatch(t, []string{"slow", "free", "after", "elsewhere"}, workers.take())
}

func TestResumeSaysWhoRevoked(t *testing.T) {
	store, workers, ann := newStore(t), &team{}, says("true")
	r := run(t, script(t, gated), engine.Options{Store: store, Agent: workers, Asker: ann})
	require.Equal(t, "completed", r.State)
	first := ann.take()[0].Gate.Gate
	require.NoError(t, revoke(store, r.Run, first))
	require.NoError(t, revoke(store, r.Run, first), "once more is no news")

	proved, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NoError(t, err, "a later revocation does not change what happened")
	require.JSONEq(t, string(r.Value), string(proved.Value))
	f, err := engine.DryRun(context.Background(), r.Run, nil, engine.Options{Store: store})
	require.NoError(t, err)
	require.Len(t, f.Falling, 1)
	require.Equal(t, "revoked", f.Falling[0].Reason)

	workers.take()
	again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ann, RerunChanged: true})
	require.Equal(t, "completed", again.State, "%v", again.Err)
	shown := ann.take()
	require.Len(t, shown, 1)
	require.Equal(t, "revoked", shown[0].Gate.Reason)
	require.Equal(t, first, shown[0].Gate.Revises)
	require.NotEqual(t, first, shown[0].Gate.Gate)
	require.Equal(t, "bob", shown[0].Revoked.Revocation.Who.User)
	require.Equal(t, "wrong branch", shown[0].Revoked.Revocation.Reason)
	require.Equal(t, []string{"worker"}, workers.take())
	proved, err = engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
	require.JSONEq(t, string(again.Value), string(proved.Value))
}

// A revocation that nobody has told the engine of is met by whatever begins next.
func TestRevokedIsSeenByTheNextCall(t *testing.T) {
	for name, next := range map[string]string{
		"under it":                `await agent("x", {under: a, label: "next"})`,
		"under it, and only read": `await agent("x", {under: a, label: "next", readOnly: true})`,
		"not under it":            `await agent("x", {label: "next"})`,
		"not under it, and reads": `await agent("x", {label: "next", readOnly: true})`,
		"a question":              `await checkpoint("Go on?", {default: true})`,
		"another plan":            `await planApprove({x: 1})`,
		"nothing":                 `null`,
	} {
		t.Run(name, func(t *testing.T) {
			store, workers := newStore(t), &team{}
			asked := 0
			ann := &person{answer: func(checkpoint.Asked) string { asked++; return "true" }}
			body := `const a = await planApprove({b: 1, a: 2}); await agent("x", {under: a, label: "first"}); return ` + next
			r := run(t, script(t, body), engine.Options{Store: store, Agent: workers, Asker: ann, Observe: revokeAfter(t, store, "first")})
			require.Equal(t, "stopped", r.State)
			require.Equal(t, "PLAN_NOT_APPROVED", r.Code)
			require.ErrorContains(t, r.Err, "revoked by bob")
			require.Equal(t, []string{"first"}, workers.take())
			require.Equal(t, 1, asked)
			require.Empty(t, state(t, store, r.Run).Pending())
		})
	}
}

// A further attempt at a call is work that begins, too: whether an attempt failed or its answer has to
// be repaired, none follows a revocation.
func TestNoAttemptFollowsARevocation(t *testing.T) {
	for name, c := range map[string]struct {
		options string
		answer  any
		fails   error
		code    string
	}{
		"retries":       {`retries: 2`, nil, errors.New("no luck"), "AGENT_FAILED"},
		"schema repair": {`schema: {type: "object"}`, "no object", nil, "SCHEMA_NONCOMPLIANCE"},
		"both":          {`retries: 2, schema: {type: "object"}, readOnly: true`, "no object", nil, "SCHEMA_NONCOMPLIANCE"},
	} {
		t.Run(name, func(t *testing.T) {
			store, workers := newStore(t), &team{}
			workers.answer = func(_ context.Context, req agent.Request) (any, error) {
				if err := revoke(store, req.Run, ""); err != nil {
					return nil, err
				}
				return c.answer, c.fails
			}
			body := `const a = await planApprove({b: 1, a: 2}); return await agent("x", {under: a, label: "once", ` + c.options + `})`
			r := run(t, script(t, body), engine.Options{Store: store, Agent: workers, Asker: says("true")})
			require.Equal(t, "stopped", r.State)
			require.Equal(t, "PLAN_NOT_APPROVED", r.Code)
			require.Equal(t, []string{"once"}, workers.take(), "one attempt")
			f := state(t, store, r.Run).Calls["/agent#0"].Finish
			require.NotNil(t, f)
			require.Equal(t, c.code, f.Failure.Code)
			require.Contains(t, f.Failure.Message, "not tried again: PLAN_NOT_APPROVED")
			require.Contains(t, f.Failure.Message, "revoked by bob")
		})
	}
}

// Whatever comes of a revocation and a dispatch in the same moment, they have an order in which nothing
// begins under an approval that was taken back.
func TestRevokeAgainstDispatch(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	body := `
const a = await planApprove({b: 1, a: 2});
return await parallel([0, 1, 2].map(i => async () => {
	for (let n = 0; n < 6; n++) {
		await agent("x", {under: a, label: "u" + i + n, readOnly: n % 3 === 2});
		await agent("x", {label: "f" + i + n});
	}
}));`
	program := script(t, body)
	before, after := 0, 0
	moments := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		// The approval is taken back at a place in the run's course, and not at a time: when so many
		// calls have begun and ended. Every other time it races with what the run does next; else it
		// is done before that, and then nothing may begin, with an entry in the journal or without.
		moment, events, races := 1+moments.IntN(60), 0, i%2 == 1
		if !races {
			moment = 1 + moment%36 // of 36 calls
		}
		revoked := make(chan error, 1)
		done := false
		var late []string
		o := engine.Options{Store: store, Agent: &team{}, Asker: says("true"), Observe: func(e engine.Event) {
			if e.Type == engine.CallBegan && done {
				late = append(late, e.Key)
			}
			if e.Type != engine.CallEnded && (e.Type != engine.CallBegan || !races) {
				return
			}
			if events++; events != moment {
				return
			}
			if races {
				go func() { revoked <- revoke(store, e.Run, "") }()
			} else {
				revoked <- revoke(store, e.Run, "")
				done = true
			}
		}}
		r := run(t, program, o)
		require.NoError(t, <-revoked)
		require.Empty(t, late, "run %d: began after the approval was revoked", i)
		st := state(t, store, r.Run)
		g := st.Gates[st.GateOrder[0]]
		require.Equal(t, journal.Revoked, g.State)
		for key, c := range st.Calls {
			require.False(t, c.Unfinished(), "%s was finished before the run ended", key)
			require.Less(t, c.StartSeq, g.RevokedSeq, "run %d: %s began after the approval it acts under was revoked", i, key)
		}
		if r.State == "completed" {
			after++
			continue
		}
		before++
		require.Equal(t, "stopped", r.State, fmt.Sprint(r.Err))
		require.Equal(t, "PLAN_NOT_APPROVED", r.Code)
	}
	t.Logf("%d runs were stopped, %d were over before", before, after)
	require.Positive(t, before)
}

// A run that waits, or that was paused, is revoked in its absence, and asks when it goes on.
func TestRevokeWhileNobodyExecutes(t *testing.T) {
	store, workers := newStore(t), &team{}
	body := `
const a = await planApprove({b: 1, a: 2});
await agent("x", {under: a, label: "first"});
const b = await checkpoint("Go on?");
return await agent("x", {under: a, label: "second"});`
	o := engine.Options{Store: store, Agent: workers, Asker: &person{answer: func(q checkpoint.Asked) string {
		if q.Gate.Kind == "plan" {
			return "true"
		}
		return `"no usable answer"`
	}}}
	r := run(t, script(t, body), o)
	require.Equal(t, "waiting", r.State)
	require.NoError(t, revoke(store, r.Run, ""))
	st := state(t, store, r.Run)
	require.Equal(t, "waiting", st.StatusWith(false), "the question still waits")
	workers.take()
	still := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend})
	require.Equal(t, "waiting", still.State)
	require.Empty(t, workers.take())
	kinds := map[string]bool{}
	for _, g := range still.Waiting {
		kinds[g.Asked.Kind] = true
	}
	require.True(t, kinds["plan"], "the plan is asked about anew")
}

// A question that comes after an approval which was taken back is closed when that approval is
// asked for again: whoever answered it meanwhile would answer for nothing. A question of another
// branch stays as it is.
func TestQuestionsAfterARevokedApprovalAreClosed(t *testing.T) {
	store, workers := newStore(t), &team{}
	program := script(t, `
const behind = async () => {
  const a = await planApprove({a: 1}, {headless: "suspend"});
  if (a.decision !== true) return "no";
  return planApprove({b: 2}, {headless: "suspend"});
};
const beside = async () => {
  await agent("x", {label: "first"});
  return checkpoint("And you?", {headless: "suspend"});
};
const [b, c] = await Promise.all([behind(), beside()]);
return [b.decision, c];`)
	o := engine.Options{Store: store, Agent: workers}
	r := run(t, program, o)
	require.Equal(t, "waiting", r.State)
	gates := func() map[string]string {
		pending := map[string]string{}
		for _, g := range state(t, store, r.Run).Pending() {
			pending[g.Asked.Prompt+g.Asked.Plan] = g.Asked.Gate
		}
		return pending
	}
	answer := func(gate, decision string) error {
		_, err := respond(store, r.Run, checkpoint.Response{
			Gate: gate, Checksum: state(t, store, r.Run).Gates[gate].Asked.Checksum, Decision: json.RawMessage(decision), Who: journal.Who{User: "ann", Way: "command"},
		})
		return err
	}
	const a, b, c = `Approve this plan?{"a":1}`, `Approve this plan?{"b":2}`, "And you?"
	first := gates()
	require.Len(t, first, 2)
	require.NoError(t, answer(first[a], "true"))
	require.Equal(t, "waiting", resume(t, r.Run, nil, o).State)
	second := gates()
	require.Len(t, second, 2)
	require.Equal(t, first[c], second[c])
	require.NoError(t, revoke(store, r.Run, first[a]))
	require.Equal(t, "waiting", resume(t, r.Run, nil, o).State)
	third := gates()
	require.Len(t, third, 2, "the question behind the approval waits no more")
	require.Equal(t, first[c], third[c], "the one beside it does")
	require.NotEqual(t, first[a], third[a])
	require.Equal(t, journal.Superseded, state(t, store, r.Run).Gates[second[b]].State)
	require.True(t, fault.Is(answer(second[b], "true"), fault.PlanApprovalStale))

	require.NoError(t, answer(third[c], "true"))
	require.NoError(t, answer(third[a], "true"))
	require.Equal(t, "waiting", resume(t, r.Run, nil, o).State)
	fourth := gates()
	require.Len(t, fourth, 1)
	require.Equal(t, second[b], state(t, store, r.Run).Gates[fourth[b]].Asked.Revises)
	require.NoError(t, answer(fourth[b], "true"))
	done := resume(t, r.Run, nil, o)
	require.Equal(t, "completed", done.State, "%v", done.Err)
	require.JSONEq(t, `[true, true]`, string(done.Value))
	require.Equal(t, []string{"first"}, workers.take(), "nothing of the other branch ran again")
}
