package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

const (
	validatorKey = "/planApprove#0/agent#0"
	validated    = `
const a = await planApprove({b: 1, a: 2}, {planModel: "careful"});
if (a.decision !== true) return {success: false};
return await agent("worker", {under: a, label: "worker"});`
)

// critic is a team whose validator finds fault; everybody else answers at once.
func critic() *team {
	return &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Label == planapprove.ValidatorLabel {
			return map[string]any{"verdict": "doubtful", "summary": "Too short.", "problems": []string{"b is not verified"}}, nil
		}
		return "done", nil
	}}
}

var doubts = &journal.Validation{
	Call: validatorKey, Model: "careful", Verdict: "doubtful", Summary: "Too short.", Problems: []string{"b is not verified"},
}

func TestValidator(t *testing.T) {
	store, ann := newStore(t), says("true")
	var asked agent.Request
	workers := critic()
	verdict := workers.answer
	workers.answer = func(ctx context.Context, req agent.Request) (any, error) {
		if req.Label == planapprove.ValidatorLabel {
			asked = req
		}
		return verdict(ctx, req)
	}
	o := engine.Options{Store: store, Agent: workers, Asker: ann}
	r := run(t, script(t, validated), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, `"done"`, string(r.Value), "a doubtful verdict decides nothing")
	require.Equal(t, []string{"validate plan", "worker"}, workers.take())
	require.Equal(t, validatorKey, asked.Call)
	require.True(t, asked.ReadOnly)
	require.Equal(t, "careful", asked.Model)
	require.Contains(t, asked.Prompt, "\n--- plan "+planSum+" ---\n"+`{"a":2,"b":1}`+"\n--- end "+planSum+" ---\n")
	require.Contains(t, asked.Prompt, "\n"+`"Approve this plan?"`+"\n")
	require.NotEmpty(t, asked.Schema)
	shown := ann.take()
	require.Len(t, shown, 1)
	require.Equal(t, doubts, shown[0].Gate.Validation)

	st := state(t, store, r.Run)
	require.True(t, st.Calls[validatorKey].Call.ReadOnly)
	g := st.Gates[st.GateByKey["/planApprove#0"]]
	require.Equal(t, doubts, g.Asked.Validation)
	require.Equal(t, st.Calls[validatorKey].Finish.Seq, g.Asked.After, "the verdict caused the question")

	again := resume(t, r.Run, nil, o)
	require.Equal(t, "completed", again.State)
	require.Empty(t, workers.take())
	require.Empty(t, ann.take())
	proof, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
	require.Equal(t, string(r.Value), string(proof.Value))
}

// The option is no part of what is approved: the gate's identity is the same with and without.
func TestValidatorIsNoPartOfTheGate(t *testing.T) {
	identities := map[string]bool{}
	for _, body := range []string{`return (await planApprove({b: 1, a: 2})).decision`, validated} {
		store := newStore(t)
		r := run(t, script(t, body), engine.Options{Store: store, Agent: critic(), Asker: says("true")})
		require.Equal(t, "completed", r.State)
		st := state(t, store, r.Run)
		identities[st.Gates[st.GateByKey["/planApprove#0"]].Identity] = true
	}
	require.Len(t, identities, 1)
}

// A validator that fails leaves the question as it is, and no mark on the run. A person's answer
// in this knowledge does not fall because it could be tried again.
func TestValidatorFails(t *testing.T) {
	store, ann := newStore(t), says("true")
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Label == planapprove.ValidatorLabel {
			return nil, errors.New("no such model")
		}
		return "done", nil
	}}
	o := engine.Options{Store: store, Agent: workers, Asker: ann}
	r := run(t, script(t, validated), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.Empty(t, r.Failures)
	require.Equal(t, &journal.Validation{Call: validatorKey, Model: "careful", Failure: "AGENT_FAILED: no such model"}, ann.take()[0].Gate.Validation)
	workers.take()
	for _, o.RetryFailed = range []bool{false, true} {
		again := resume(t, r.Run, nil, o)
		require.Equal(t, "completed", again.State)
		require.Empty(t, workers.take(), "retry failed: %v", o.RetryFailed)
		require.Empty(t, ann.take())
	}
	_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
}

// While nobody has answered, a failed validator can be tried again; the question is then a new
// one, with the verdict.
func TestFailedValidatorIsTriedAgain(t *testing.T) {
	store, broken := newStore(t), true
	workers := critic()
	verdict := workers.answer
	workers.answer = func(ctx context.Context, req agent.Request) (any, error) {
		if broken && req.Label == planapprove.ValidatorLabel {
			return nil, errors.New("it broke")
		}
		return verdict(ctx, req)
	}
	r := run(t, script(t, validated), engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend})
	require.Equal(t, "waiting", r.State)
	require.Equal(t, "AGENT_FAILED: it broke", r.Waiting[0].Asked.Validation.Failure)
	workers.take()
	same := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.Equal(t, r.Waiting[0].Asked.Nonce, same.Waiting[0].Asked.Nonce)
	require.Empty(t, workers.take())
	broken = false
	ann := says("true")
	done := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ann, RetryFailed: true})
	require.Equal(t, "completed", done.State)
	require.Equal(t, []string{"validate plan", "worker"}, workers.take())
	require.Equal(t, doubts, ann.take()[0].Gate.Validation)
	require.Equal(t, journal.Superseded, state(t, store, r.Run).Gates[r.Waiting[0].Asked.Gate].State)
}

// A run that is cut off at any point goes on from there, and pays for one verdict.
func TestValidatorIsPaidForOnce(t *testing.T) {
	for _, cut := range []engine.EventType{engine.CallBegan, engine.CallEnded, engine.GateOpened} {
		t.Run(string(cut), func(t *testing.T) {
			store, workers := newStore(t), critic()
			ctx, stop := context.WithCancel(t.Context())
			r, err := engine.Run(ctx, script(t, validated), engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend, Observe: func(e engine.Event) {
				if e.Type == cut {
					stop()
				}
			}})
			require.NoError(t, err)
			require.Equal(t, "interrupted", r.State)
			finished := state(t, store, r.Run).Calls[validatorKey] != nil
			require.Equal(t, cut != engine.CallBegan, finished)
			workers.take()
			ann := says("true")
			done := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ann})
			require.Equal(t, "completed", done.State, "%v", done.Err)
			require.Equal(t, doubts, ann.take()[0].Gate.Validation)
			want := []string{"worker"}
			if !finished {
				want = []string{"validate plan", "worker"}
			}
			require.Equal(t, want, workers.take())
		})
	}
}

// An edited script is asked again, with the verdict that was paid for.
func TestValidatorOfAnEditedScript(t *testing.T) {
	store, workers, ann := newStore(t), critic(), says("true")
	o := engine.Options{Store: store, Agent: workers, Asker: ann}
	r := run(t, script(t, validated), o)
	require.Equal(t, "completed", r.State)
	workers.take()
	ann.take()
	edited := script(t, validated+"\n// another end")
	f, err := engine.DryRun(t.Context(), r.Run, edited, o)
	require.NoError(t, err)
	require.Empty(t, f.New)
	require.Len(t, f.Falling, 1)
	o.RerunChanged = true
	require.Equal(t, "completed", resume(t, r.Run, edited, o).State)
	require.Equal(t, []string{"worker"}, workers.take())
	shown := ann.take()
	require.Len(t, shown, 1)
	require.Equal(t, doubts, shown[0].Gate.Validation)
	require.NotNil(t, shown[0].Earlier)

	// Another question is another validation.
	asks := script(t, `return (await planApprove({b: 1, a: 2}, {planModel: "careful", prompt: "Sure?"})).decision`)
	require.Equal(t, "completed", resume(t, r.Run, asks, o).State)
	require.Equal(t, []string{"validate plan"}, workers.take())
}

// A validator that is added to a script costs the approval, and a forecast says both.
func TestValidatorIsAdded(t *testing.T) {
	store, workers, ann := newStore(t), critic(), says("true")
	o := engine.Options{Store: store, Agent: workers, Asker: ann}
	r := run(t, script(t, `return (await planApprove({b: 1, a: 2})).decision`), o)
	require.Equal(t, "completed", r.State)
	added := script(t, `return (await planApprove({b: 1, a: 2}, {planModel: "careful"})).decision`)
	f, err := engine.DryRun(t.Context(), r.Run, added, o)
	require.NoError(t, err)
	require.Len(t, f.New, 1)
	require.Equal(t, validatorKey, f.New[0].Key)
	require.Len(t, f.Falling, 1)
	require.Equal(t, "/planApprove#0", f.Falling[0].Key)
	require.Equal(t, "completed", resume(t, r.Run, added, o).State)
	require.Len(t, ann.take(), 2)
}

// The verdict belongs to the plan as it was when the script asked, wherever it asked.
func TestValidatorsSideBySide(t *testing.T) {
	store, workers, ann := newStore(t), critic(), says("true")
	o := engine.Options{Store: store, Agent: workers, Asker: ann}
	r := run(t, script(t, `
const plan = {n: 0};
const ask = n => { plan.n = n; const p = planApprove(plan, {planModel: "careful"}); plan.n = -1; return p };
const both = await Promise.all([ask(1), ask(2)]);
const more = await parallel([3, 4].map(n => () => ask(n)));
const last = await pipeline([5], n => ask(n), (a, n) => a.plan.n === n && agent("own", {readOnly: true}));
return [...both, ...more].map(a => a.plan.n);`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, `[1,2,3,4]`, string(r.Value))
	st := state(t, store, r.Run)
	require.Contains(t, st.Calls, "/pipeline#0[0]/agent#0", "the script's own agent is the first of its frame")
	shown := ann.take()
	require.Len(t, shown, 5)
	for _, q := range shown {
		require.Equal(t, q.Key+"/agent#0", q.Gate.Validation.Call)
		require.Contains(t, string(st.Calls[q.Gate.Validation.Call].Call.Args[0]), q.Gate.Checksum)
	}
	workers.take()
	require.Zero(t, resume(t, r.Run, nil, o).Live)
	_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
}

// A script that does not wait for its question has not got an answer to it.
func TestValidatorNobodyWaitsFor(t *testing.T) {
	r := run(t, script(t, `planApprove({a: 1}, {planModel: "m"}); return 1`), engine.Options{Store: newStore(t), Agent: critic(), Asker: says("true")})
	require.Equal(t, "stopped", r.State)
	require.Equal(t, "PLAN_NOT_APPROVED", r.Code)
	require.Equal(t, []string{validatorKey}, r.Outstanding)
}

// A plan that differs although nothing else does is noticed before anybody is paid.
func TestValidatorOfAPlanThatDiffers(t *testing.T) {
	store, workers, says := newStore(t), critic(), "first"
	o := engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend, Primitives: []engine.Primitive{refuser{&says}}}
	r := run(t, script(t, `let n; try { await outside() } catch (e) { n = e.message } await planApprove({n}, {planModel: "m"})`), o)
	require.Equal(t, "waiting", r.State)
	require.Equal(t, []string{"validate plan"}, workers.take())
	says = "second"
	again := resume(t, r.Run, nil, o)
	require.Equal(t, "failed", again.State)
	require.Equal(t, "NONDETERMINISTIC_SCRIPT", again.Code)
	require.ErrorContains(t, again.Err, validatorKey)
	require.Empty(t, workers.take())
}

// refuser is a primitive that refuses every call in words that no function of its arguments
// gives, which no primitive should do.
type refuser struct{ says *string }

func (r refuser) Name() string { return "outside" }

func (r refuser) Parse([]json.RawMessage) (engine.Request, error) {
	return engine.Request{}, errors.New(*r.says)
}

func (r refuser) Answer(context.Context, engine.Request, *journal.Step) (json.RawMessage, error) {
	return nil, errors.New(*r.says)
}

func TestValidatorInAReadOnlyRun(t *testing.T) {
	r := run(t, script(t, `return (await planApprove({a: 1}, {planModel: "m"})).decision`),
		engine.Options{Store: newStore(t), Agent: critic(), Asker: says("true"), Settings: journal.Settings{ReadOnly: true}})
	require.Equal(t, "completed", r.State)
}
