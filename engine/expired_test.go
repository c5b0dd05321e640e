package engine_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// A question's own rule to wait for a person lets it wait until its deadline, and no longer:
// whoever goes on with the run without a person gets the default, or a decline, for good.
func TestDeadlineEndsAQuestionThatWaitsByItsOwnRule(t *testing.T) {
	for name, c := range map[string]struct{ body, state, value string }{
		"checkpoint":  {`return await checkpoint("Sure?", {timeoutMs: 3600_000, headless: "suspend", default: false})`, "completed", "false"},
		"planApprove": {`return (await planApprove({x: 1}, {timeoutMs: 3600_000, headless: "suspend"})).decision`, "stopped", "false"},
		"without a default": {
			`try { return await checkpoint("Sure?", {timeoutMs: 3600_000, headless: "suspend"}) } catch (e) { return e.code }`,
			"completed", `"PLAN_APPROVAL_TIMEOUT"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			o := engine.Options{Store: store}
			r := run(t, script(t, c.body), o)
			require.Equal(t, "waiting", r.State)
			o.Now = func() time.Time { return time.Now().Add(30 * time.Minute) }
			require.Equal(t, "waiting", resume(t, r.Run, nil, o).State, "its deadline is not there yet")

			o.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
			for _, rule := range []checkpoint.Rule{"", checkpoint.Default, checkpoint.Abort, ""} {
				o.OnGate = rule
				ended := resume(t, r.Run, nil, o)
				require.Equal(t, c.state, ended.State)
				require.JSONEq(t, c.value, string(ended.Value))
				st := state(t, store, r.Run)
				require.Len(t, st.GateOrder, 1, "it was asked once, and replays")
				require.Equal(t, journal.Expired, st.Gates[st.GateOrder[0]].State)
			}
			_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
			require.NoError(t, err)

			o.OnGate = checkpoint.Suspend
			open := resume(t, r.Run, nil, o)
			require.Equal(t, "waiting", open.State, "told to leave questions open, it asks anew")
			require.Equal(t, r.Waiting[0].Asked.Gate, open.Waiting[0].Asked.Revises)
			require.True(t, open.Waiting[0].Asked.Deadline.After(r.Waiting[0].Asked.Deadline))
		})
	}
}

// A person who is here is asked anew, whether the question was closed already or not; what they
// say then stands.
func TestExpiredQuestionIsPutToThePersonWhoIsHere(t *testing.T) {
	body := `return await checkpoint("Sure?", {timeoutMs: 3600_000, headless: "suspend", default: false})`
	for name, closed := range map[string]bool{"still open": false, "closed": true} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			o := engine.Options{Store: store}
			r := run(t, script(t, body), o)
			o.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
			if closed {
				require.Equal(t, "completed", resume(t, r.Run, nil, o).State)
			}
			ann := says("true")
			o.Asker = ann
			answered := resume(t, r.Run, nil, o)
			require.Equal(t, "completed", answered.State)
			require.JSONEq(t, "true", string(answered.Value))
			shown := ann.take()
			require.Len(t, shown, 1)
			require.Equal(t, r.Waiting[0].Asked.Gate, shown[0].Gate.Revises)

			o.Asker = nil
			require.JSONEq(t, "true", string(resume(t, r.Run, nil, o).Value))
			_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
			require.NoError(t, err)
		})
	}
}

// The rule of a process never lets a question wait whose own rule is not to.
func TestExpiredQuestionKeepsItsOwnRule(t *testing.T) {
	store := newStore(t)
	slow := checkpoint.AskerFunc(func(ctx context.Context, _ checkpoint.Asked) (checkpoint.Answer, error) {
		<-ctx.Done()
		return checkpoint.Answer{}, ctx.Err()
	})
	r := run(t, script(t, `return await checkpoint("Sure?", {timeoutMs: 20, headless: "default", default: false})`), engine.Options{Store: store, Asker: slow})
	require.JSONEq(t, "false", string(r.Value))
	again := resume(t, r.Run, nil, engine.Options{Store: store, OnGate: checkpoint.Suspend})
	require.Equal(t, "completed", again.State)
	require.Equal(t, json.RawMessage("false"), again.Value)
	require.Len(t, state(t, store, r.Run).GateOrder, 1)
}
