package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

func TestAnswerLostToRetryOfFailures(t *testing.T) {
	store := newStore(t)
	bad := true
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if bad {
			return nil, errors.New("broke")
		}
		return "fine", nil
	}}
	body := `
const scout = await agent("scout", {readOnly: true});
const a = await planApprove({b: 1, a: 2, scout});
return a.decision;`
	o := engine.Options{Store: store, Agent: workers}
	r := run(t, script(t, body), o)
	require.Equal(t, "stopped", r.State)
	ann := says("true")
	o.Asker = ann
	done := resume(t, r.Run, nil, o)
	require.Len(t, ann.take(), 1, "asked once")
	_ = done
}

func TestDecisionWithSpace(t *testing.T) {
	r := run(t, script(t, `const a = await planApprove({b:1,a:2}); return [a.decision, a.approvedAt, a.permissionMode]`), engine.Options{Store: newStore(t), Asker: says(" true\n")})
	require.NotContains(t, string(r.Value), "0001-")
}

func TestDecisionBadUTF8(t *testing.T) {
	r := run(t, script(t, `return await checkpoint("name?", {kind: "input"})`), engine.Options{Store: newStore(t), Asker: says("\"a\xffb\"")})
	require.Equal(t, "waiting", r.State, "it is no answer")
}

func TestModeAndWho(t *testing.T) {
	store := newStore(t)
	asker := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Mode: "bypass-everything"}, nil
	})
	r := run(t, script(t, `const a = await planApprove({b:1,a:2}); return [a.decision, a.permissionMode, a.approvedBy]`), engine.Options{Store: store, Asker: asker})
	require.NotContains(t, string(r.Value), "bypass-everything")
}

func TestSimulatedAskerIsNoAnswer(t *testing.T) {
	store := newStore(t)
	asker := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{Way: "simulated"}}, nil
	})
	_, err := engine.Run(context.Background(), script(t, `const a = await planApprove({b:1,a:2}); return a.decision`), engine.Options{Store: store, Asker: asker})
	require.NoError(t, err)
}

func TestApproveWithoutChecksum(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, gated), engine.Options{Store: store, OnGate: checkpoint.Suspend})
	_, err := answer(t, store, r.Run, checkpoint.Response{Decision: json.RawMessage("true")})
	require.Error(t, err)
}

func TestAnswerBeforeInterruptIsLost(t *testing.T) {
	store := newStore(t)
	lost := 0
	for range 10 {
		ctx, cut := context.WithCancel(context.Background())
		asker := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
			cut()
			return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann", Way: "asker"}}, nil
		})
		r, err := engine.Run(ctx, script(t, gated), engine.Options{Store: store, Asker: asker, Agent: &team{}})
		require.NoError(t, err)
		if len(r.Waiting) > 0 {
			lost++
		}
	}
	require.Zero(t, lost)
}

func TestFromGatePanics(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, gated), engine.Options{Store: store, OnGate: checkpoint.Suspend})
	v, err := store.Visit(context.Background(), r.Run)
	require.NoError(t, err)
	_, err = v.Update(context.Background(), func(st *journal.State) ([]journal.Draft, error) {
		g := st.Pending()[0]
		d := checkpoint.Settle(g.Key, g.Identity, g.Asked, json.RawMessage("true"), journal.Who{User: "x"}, checkpoint.Policy{}, time.Now())
		a := d.Data.(journal.GateAnswered)
		a.PlanApproval = nil
		d.Data = a
		return []journal.Draft{d}, nil
	})
	v.Close()
	if err != nil {
		return // refused
	}
	require.NotPanics(t, func() { resume(t, r.Run, nil, engine.Options{Store: store, Agent: &team{}}) })
}

func TestSurrogateAnswer(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `return await checkpoint("name?", {kind: "input"})`), engine.Options{Store: store, OnGate: checkpoint.Suspend})
	_, err := answer(t, store, r.Run, checkpoint.Response{Decision: json.RawMessage(`"\ud800"`)})
	if err != nil {
		return
	}
	r = resume(t, r.Run, nil, engine.Options{Store: store})
	require.Equal(t, "completed", r.State, "%v", r.Err)
}

func TestTwoAttemptsTwoAskers(t *testing.T) {
	store := newStore(t)
	bad := true
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if bad {
			return nil, errors.New("broke")
		}
		return "fine", nil
	}}
	body := `const s = await agent("scout", {readOnly: true}); return await Promise.race([checkpoint("a?", {default: false}), checkpoint("b?", {default: false})]);`
	r := run(t, script(t, body), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "completed", r.State)
	now, most := 0, 0
	ch := make(chan int, 10)
	asker := checkpoint.AskerFunc(func(ctx context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		ch <- 1
		defer func() { ch <- -1 }()
		if q.Gate.Prompt == "a?" {
			st := state(t, store, r.Run)
			for _, g := range st.Pending() {
				if g.Asked.Prompt == "b?" {
					_, err := answer(t, store, r.Run, checkpoint.Response{Gate: g.Asked.Gate, Decision: json.RawMessage("true")})
					require.NoError(t, err)
				}
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
		return checkpoint.Answer{Later: true}, nil
	})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := engine.Resume(ctx, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: asker})
	require.NoError(t, err)
	close(ch)
	for d := range ch {
		now += d
		most = max(most, now)
	}
	require.LessOrEqual(t, most, 1, "one question at a time")
	require.Zero(t, now, "every asker came back before Resume returned")
}
