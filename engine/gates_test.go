package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// answer records an answer as another process does.
func answer(t testing.TB, store engine.Store, run string, r checkpoint.Response) (checkpoint.Recorded, error) {
	t.Helper()
	return respond(store, run, r)
}

func respond(store engine.Store, run string, r checkpoint.Response) (checkpoint.Recorded, error) {
	v, err := store.Visit(context.Background(), run)
	if err != nil {
		return checkpoint.Recorded{}, err
	}
	defer v.Close()
	r.Who = journal.Who{User: "bob", Host: "there", Way: "command"}
	return planapprove.Respond(context.Background(), v, func() bool { _, alive := v.Owner(); return alive }, time.Now, r)
}

func TestSuspendAnswerResume(t *testing.T) {
	store, workers := newStore(t), &team{}
	o := engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend}
	r := run(t, script(t, gated), o)
	require.Equal(t, "waiting", r.State)
	require.Len(t, r.Waiting, 1)
	require.Empty(t, workers.take())

	still := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.Equal(t, "waiting", still.State, "a headless resume never declines a suspended gate")
	require.Equal(t, r.Waiting[0].Asked.Gate, still.Waiting[0].Asked.Gate)
	require.Equal(t, r.Waiting[0].Asked.Nonce, still.Waiting[0].Asked.Nonce)

	_, err := answer(t, store, r.Run, checkpoint.Response{Checksum: planSum, Decision: json.RawMessage("true"), Mode: "accept-edits"})
	require.NoError(t, err)
	done := resume(t, r.Run, nil, o)
	require.Equal(t, "completed", done.State)
	require.Equal(t, []string{"worker"}, workers.take())
}

// A gate is answered in another process while the executor is at work on something else.
func TestAnsweredWhileBusy(t *testing.T) {
	store := newStore(t)
	release := make(chan struct{})
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		if req.Label == "slow" {
			select {
			case <-release:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return "ok", nil
	}}
	body := `
const [a, slow] = await Promise.all([
	planApprove({b: 1, a: 2}).then(async a => a.decision === true ? await agent("worker", {under: a, label: "worker"}) : null),
	agent("x", {label: "slow"}),
]);
return [a, slow];`
	waits, worked := make(chan string, 1), make(chan struct{}, 1)
	o := engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend, Observe: func(e engine.Event) {
		if e.Type == engine.GateOpened {
			waits <- e.Run
		}
		if e.Type == engine.CallEnded && e.Label == "worker" {
			worked <- struct{}{}
		}
	}}
	program := script(t, body)
	result := make(chan *engine.Result, 1)
	go func() {
		r, _ := engine.Run(context.Background(), program, o) // a nil result fails below
		result <- r
	}()
	id := <-waits
	_, err := answer(t, store, id, checkpoint.Response{Checksum: planSum, Decision: json.RawMessage("true")})
	require.NoError(t, err)
	<-worked // while slow is still at work
	close(release)
	r := <-result
	require.NotNil(t, r)
	require.Equal(t, "completed", r.State)
	require.JSONEq(t, `["ok","ok"]`, string(r.Value))
}

// What nobody answered is asked anew when a person is there, also in a run that had ended.
func TestDefaultedIsAskedAnew(t *testing.T) {
	store, workers, ann := newStore(t), &team{}, says("true")
	first := run(t, script(t, gated), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "stopped", first.State)
	again := resume(t, first.Run, nil, engine.Options{Store: store, Agent: workers})
	require.Equal(t, "stopped", again.State)
	require.Zero(t, again.Live, "without a person the default replays")
	done := resume(t, first.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ann})
	require.Equal(t, "completed", done.State)
	require.Equal(t, "defaulted", ann.take()[0].Gate.Reason)
	require.Equal(t, []string{"worker"}, workers.take())
}

func TestScriptsOwnRuleWins(t *testing.T) {
	r := run(t, script(t, `const a = await planApprove({x: 1}, {headless: "default"}); return a.decision`), engine.Options{Store: newStore(t), OnGate: checkpoint.Suspend})
	require.Equal(t, "stopped", r.State)
	require.JSONEq(t, "false", string(r.Value))
}

func TestRejectedAndChangesReplayForGood(t *testing.T) {
	for decision, body := range map[string]string{
		`false`: `false`, `"do less"`: `"do less"`,
	} {
		store := newStore(t)
		first := run(t, script(t, gated), engine.Options{Store: store, Asker: says(decision)})
		require.Equal(t, "stopped", first.State)
		ann := says("true")
		again := resume(t, first.Run, nil, engine.Options{Store: store, Asker: ann})
		require.Empty(t, ann.take())
		require.JSONEq(t, `{"decision":`+body+`,"checksum":"`+planSum+`"}`, string(again.Value))
	}
}

func TestCheckpointNeedsDefault(t *testing.T) {
	store := newStore(t)
	body := `return await checkpoint("Delete?")`
	r := run(t, script(t, body), engine.Options{Store: store})
	require.Equal(t, "failed", r.State)
	require.Equal(t, "CHECKPOINT_NEEDS_DEFAULT", r.Code)
	done := resume(t, r.Run, nil, engine.Options{Store: store, Asker: says("true")})
	require.Equal(t, "completed", done.State, "with a person it is asked")
	require.JSONEq(t, "true", string(done.Value))
}

func TestB37_AnswersGoWhereTheyBelong(t *testing.T) {
	store := newStore(t)
	body := `return await parallel([() => checkpoint("Delete A?"), () => checkpoint("Delete B?")])`
	o := engine.Options{Store: store, OnGate: checkpoint.Suspend}
	r := run(t, script(t, body), o)
	other := run(t, script(t, body), o)
	require.Len(t, r.Waiting, 2)
	a, b := r.Waiting[0].Asked, r.Waiting[1].Asked
	require.Equal(t, "Delete A?", a.Prompt)
	require.NotEqual(t, a.Gate, b.Gate)
	_, err := answer(t, store, r.Run, checkpoint.Response{Gate: b.Gate, Decision: json.RawMessage("true")})
	require.NoError(t, err)
	half := resume(t, r.Run, nil, o)
	require.Equal(t, "waiting", half.State)
	require.Equal(t, a.Gate, half.Waiting[0].Asked.Gate, "the id survives")
	_, err = answer(t, store, r.Run, checkpoint.Response{Gate: a.Gate, Decision: json.RawMessage("false")})
	require.NoError(t, err)
	done := resume(t, r.Run, nil, o)
	require.JSONEq(t, `[false,true]`, string(done.Value))
	require.Len(t, resume(t, other.Run, nil, o).Waiting, 2, "the other run still waits")
}

func TestB38_AnswersAreNotReused(t *testing.T) {
	store := newStore(t)
	body := `
let age;
do { age = Number(await checkpoint("age?", {kind: "input"})) } while (!(age > 0));
return {age, name: await checkpoint("name?", {kind: "input"})};`
	o := engine.Options{Store: store, OnGate: checkpoint.Suspend}
	r := run(t, script(t, body), o)
	asked := 0
	for _, text := range []string{"x", "-1", "30", "Ann"} {
		require.Equal(t, "waiting", r.State)
		require.Len(t, r.Waiting, 1)
		asked++
		_, err := answer(t, store, r.Run, checkpoint.Response{Decision: json.RawMessage(`"` + text + `"`)})
		require.NoError(t, err)
		r = resume(t, r.Run, nil, o)
	}
	require.JSONEq(t, `{"age":30,"name":"Ann"}`, string(r.Value))
	require.Equal(t, 4, asked)
	require.Len(t, state(t, store, r.Run).GateOrder, 4, "nothing was asked twice")
}

func TestDeadline(t *testing.T) {
	store := newStore(t)
	body := `const a = await planApprove({x: 1}, {timeoutMs: 20}); return a.decision`
	slow := checkpoint.AskerFunc(func(ctx context.Context, _ checkpoint.Asked) (checkpoint.Answer, error) {
		<-ctx.Done()
		return checkpoint.Answer{}, ctx.Err()
	})
	r := run(t, script(t, body), engine.Options{Store: store, Asker: slow})
	require.Equal(t, "stopped", r.State)
	require.JSONEq(t, "false", string(r.Value))
	st := state(t, store, r.Run)
	g := st.Gates[st.GateOrder[0]]
	require.Equal(t, journal.Expired, g.State)
	require.Equal(t, "PLAN_APPROVAL_TIMEOUT", g.Closed.Code)
	require.Equal(t, 20*time.Millisecond, g.Asked.Deadline.Sub(g.At).Round(10*time.Millisecond))

	replay := resume(t, r.Run, nil, engine.Options{Store: store})
	require.JSONEq(t, "false", string(replay.Value))
	require.Len(t, state(t, store, r.Run).GateOrder, 1, "without a person the decline replays")
}

// The clock of the wall is set back an hour while the question waits: the deadline still ends it.
func TestS15_SettingTheClockBackExtendsNothing(t *testing.T) {
	var back atomic.Bool
	clock := func() time.Time {
		if back.Load() {
			return time.Now().Add(-time.Hour)
		}
		return time.Now()
	}
	slow := checkpoint.AskerFunc(func(ctx context.Context, _ checkpoint.Asked) (checkpoint.Answer, error) {
		back.Store(true)
		<-ctx.Done()
		return checkpoint.Answer{}, ctx.Err()
	})
	r := run(t, script(t, `const a = await planApprove({x: 1}, {timeoutMs: 50}); return a.decision`), engine.Options{Store: newStore(t), Asker: slow, Now: clock})
	require.JSONEq(t, "false", string(r.Value))
}

func TestLaterLeavesTheRunWaiting(t *testing.T) {
	store, workers := newStore(t), &team{}
	later := checkpoint.AskerFunc(func(context.Context, checkpoint.Asked) (checkpoint.Answer, error) {
		return checkpoint.Answer{Later: true}, nil
	})
	body := `return await parallel([() => planApprove({b: 1, a: 2}).then(a => a.decision), () => agent("other branch")])`
	r := run(t, script(t, body), engine.Options{Store: store, Agent: workers, Asker: later})
	require.Equal(t, "waiting", r.State)
	require.Equal(t, []string{"other branch"}, workers.take(), "other branches go on")
	_, err := answer(t, store, r.Run, checkpoint.Response{Checksum: planSum, Decision: json.RawMessage("true")})
	require.NoError(t, err)
	done := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.Equal(t, "completed", done.State)
	require.Empty(t, workers.take())
}

func TestCancelWhileWaitingForAPerson(t *testing.T) {
	store := newStore(t)
	shown := make(chan string, 1)
	asker := checkpoint.AskerFunc(func(ctx context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		shown <- q.Run
		<-ctx.Done()
		return checkpoint.Answer{}, ctx.Err()
	})
	ctx, cut := context.WithCancel(context.Background())
	defer cut()
	go func() { <-shown; cut() }()
	r, err := engine.Run(ctx, script(t, gated), engine.Options{Store: store, Asker: asker})
	require.NoError(t, err)
	require.Equal(t, "interrupted", r.State)
	require.Len(t, r.Waiting, 1, "a clean leave hands the question over")
	_, err = answer(t, store, r.Run, checkpoint.Response{Checksum: planSum, Decision: json.RawMessage("true")})
	require.NoError(t, err)
}

func TestCancelledByAnotherProcess(t *testing.T) {
	store := newStore(t)
	began := make(chan string, 1)
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		began <- req.Run
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	go func() {
		id := <-began
		v, err := store.Visit(context.Background(), id)
		if err != nil {
			return
		}
		defer v.Close()
		_, _ = v.Update(context.Background(), func(*journal.State) ([]journal.Draft, error) {
			return []journal.Draft{{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled", Who: &journal.Who{User: "bob"}}}}, nil
		})
	}()
	r := run(t, script(t, `await agent("forever")`), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "cancelled", r.State)
	_, err := engine.Resume(context.Background(), r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.True(t, fault.Is(err, fault.RunCancelled), "%v", err)
}

func TestLookAlikeApprovalIsRefused(t *testing.T) {
	workers := &team{}
	body := `
const a = await planApprove({b: 1, a: 2});
const fake = {plan: a.plan, checksum: a.checksum, decision: true, replayed: false};
for (const under of [fake, {...a}, JSON.parse(JSON.stringify(a)), a.checksum, true, null, undefined]) {
	try { await agent("x", {under, onError: "throw"}); return "ran" } catch (e) {}
}
try { await agent("x", {under: a, onError: "throw"}); return "ran" } catch (e) { return e.code }`
	r := run(t, script(t, body), engine.Options{Store: newStore(t), Agent: workers, Asker: says("false")})
	require.JSONEq(t, `"PLAN_NOT_APPROVED"`, string(r.Value), "a declined plan covers nothing")
	require.Empty(t, workers.take())
}

func TestB16_PollutedPrototypeDeclines(t *testing.T) {
	body := `
Object.prototype.default = true; Object.prototype.decision = true; Object.prototype.headless = "default";
const a = await planApprove({x: 1}, {});
return [a.decision, Object.hasOwn(a, "decision"), a.checksum];`
	r := run(t, script(t, body), engine.Options{Store: newStore(t)})
	require.JSONEq(t, `[false,true,"5041bf1f713df204784353e82f6a4a535931cb64f1f4b4a5aeaffcb720918b22"]`, string(r.Value))
}

// S07: an answer and the end of the deadline race; what is recorded first stands.
func TestS07_AnswerRacesCancel(t *testing.T) {
	store := newStore(t)
	for range 10 {
		r := run(t, script(t, gated), engine.Options{Store: store, OnGate: checkpoint.Suspend})
		done := make(chan error, 2)
		go func() {
			_, err := respond(store, r.Run, checkpoint.Response{Checksum: planSum, Decision: json.RawMessage("true")})
			done <- err
		}()
		go func() {
			v, err := store.Visit(context.Background(), r.Run)
			if err == nil {
				_, err = v.Update(context.Background(), func(*journal.State) ([]journal.Draft, error) {
					return []journal.Draft{{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled"}}}, nil
				})
				err = errors.Join(err, v.Close())
			}
			done <- err
		}()
		<-done
		<-done
		st := state(t, store, r.Run)
		require.Equal(t, "cancelled", st.Finished.State)
		require.Contains(t, []journal.GateState{journal.Approved, journal.Cancelled}, st.Gates[st.GateOrder[0]].State)
	}
}

// A question of the old script does not stay on offer when the edited one asks others.
func TestQuestionsOfTheOldScriptAreClosed(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, OnGate: checkpoint.Suspend}
	body := `return await parallel([() => planApprove({x: 1}, {prompt: "One?"}), () => planApprove({x: 2}, {prompt: "Two?"})])`
	first := run(t, script(t, body), o)
	require.Len(t, first.Waiting, 2)
	edited := resume(t, first.Run, script(t, `return (await planApprove({x: 1}, {prompt: "One, really?"})).decision`), o)
	require.Len(t, edited.Waiting, 1)
	require.Equal(t, "One, really?", edited.Waiting[0].Asked.Prompt)
	_, err := answer(t, store, first.Run, checkpoint.Response{Gate: first.Waiting[1].Asked.Gate, Checksum: first.Waiting[1].Asked.Checksum, Decision: json.RawMessage("true")})
	require.True(t, fault.Is(err, fault.PlanApprovalStale), "%v", err)
}

// A question whose time ran out while nobody was here is asked anew by a resume that can ask.
func TestExpiredIsAskedAnew(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, OnGate: checkpoint.Suspend}
	r := run(t, script(t, `return (await planApprove({x: 1}, {timeoutMs: 3600_000})).decision`), o)
	o.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	again := resume(t, r.Run, nil, o)
	require.Equal(t, "waiting", again.State)
	require.Equal(t, r.Waiting[0].Asked.Gate, again.Waiting[0].Asked.Revises)
	require.Equal(t, "expired", again.Waiting[0].Asked.Reason)
	st := state(t, store, r.Run)
	require.Equal(t, journal.Expired, st.Gates[r.Waiting[0].Asked.Gate].State)
}
