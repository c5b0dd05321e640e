package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// What ends every agent() ends the validator, and no question is asked.
func TestValidatorFatal(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `try { await planApprove({a: 1}, {planModel: "m"}) } catch (e) { throw e }`), engine.Options{Store: store, Asker: says("true")})
	require.Equal(t, "failed", r.State)
	require.Equal(t, "AGENT_NOT_CONFIGURED", r.Code)
	require.Empty(t, state(t, store, r.Run).GateOrder)
	fixed := resume(t, r.Run, nil, engine.Options{Store: store, Agent: critic(), Asker: says("true")})
	require.Equal(t, "completed", fixed.State, "%v", fixed.Err)

	limited := true
	workers := critic()
	verdict := workers.answer
	workers.answer = func(ctx context.Context, req agent.Request) (any, error) {
		if limited {
			return nil, fault.New(fault.UsageLimit, "the limit resets at 18:00", "")
		}
		return verdict(ctx, req)
	}
	o := engine.Options{Store: store, Agent: workers, Asker: says("true")}
	r = run(t, script(t, validated), o)
	require.Equal(t, "paused", r.State)
	limited = false
	require.Equal(t, "completed", resume(t, r.Run, nil, o).State)
	require.Equal(t, []string{"validate plan", "validate plan", "worker"}, workers.take())

	r = run(t, script(t, `return parallel([() => planApprove({a: 1}, {planModel: "m"})])`),
		engine.Options{Store: store, Agent: critic(), Asker: says("true"), Settings: journal.Settings{MaxCalls: 1}})
	require.Equal(t, "failed", r.State)
	require.Equal(t, "CALL_LIMIT", r.Code)

	// A budget that is spent: the validator is an agent like any other.
	costly := &team{answer: critic().answer}
	r = run(t, script(t, `await agent("x", {readOnly: true}); await planApprove({a: 1}, {planModel: "m"})`), engine.Options{
		Store: store, Agent: spender{costly}, Asker: says("true"), Settings: journal.Settings{Budget: journal.Usage{Tokens: 10}},
	})
	require.Equal(t, "paused", r.State)
	require.Equal(t, "BUDGET_EXCEEDED", r.Code)
	require.Equal(t, []string{"x"}, costly.take())
}

// spender is a team of which every call costs ten tokens.
type spender struct{ *team }

func (s spender) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	r, err := s.team.Run(ctx, req, step)
	r.Usage = journal.Usage{Input: 10}
	return r, err
}

// Nobody is here, and the question would end the run: no validator is paid for it.
func TestHeadlessAbortComesBeforeTheValidator(t *testing.T) {
	store, workers, ann := newStore(t), critic(), says("true")
	r := run(t, script(t, validated), engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Abort})
	require.Equal(t, "stopped", r.State)
	require.Equal(t, "HUMAN_INPUT_REQUIRED", r.Code)
	require.Empty(t, workers.take())
	_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
	done := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ann})
	require.Equal(t, "completed", done.State)
	require.Equal(t, []string{"validate plan", "worker"}, workers.take())
	require.Len(t, ann.take(), 1)
}

// What nobody answered is asked anew with the verdict that is there already.
func TestDefaultedKeepsItsVerdict(t *testing.T) {
	store, workers, ann := newStore(t), critic(), says("true")
	r := run(t, script(t, validated), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "stopped", r.State)
	require.Equal(t, []string{"validate plan"}, workers.take())
	done := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ann})
	require.Equal(t, "completed", done.State)
	require.Equal(t, []string{"worker"}, workers.take())
	require.Equal(t, doubts, ann.take()[0].Gate.Validation)
}

func TestPlanModelIsChecked(t *testing.T) {
	for option, code := range map[string]fault.Code{
		`planModel: ""`:         fault.OptionInvalid,
		`planModel: 1`:          fault.OptionInvalid,
		`planModel: null`:       fault.OptionInvalid,
		`planAgentType: ""`:     fault.OptionInvalid,
		`planModell: "careful"`: fault.OptionUnknown,
	} {
		workers := critic()
		r := run(t, script(t, `try { await planApprove({a: 1}, {`+option+`}) } catch (e) { return e.code }`), engine.Options{Store: newStore(t), Agent: workers})
		require.Equal(t, `"`+string(code)+`"`, string(r.Value), option)
		require.Empty(t, workers.take())
	}
}

// A verdict that no schema has seen, of an agent that answers as it likes, is none.
func TestVerdictIsHeldToItsForm(t *testing.T) {
	ann := says("true")
	workers := &team{answer: func(context.Context, agent.Request) (any, error) { return map[string]any{"verdict": "approve it"}, nil }}
	r := run(t, script(t, `return (await planApprove({a: 1}, {planModel: "m"})).decision`), engine.Options{Store: newStore(t), Agent: workers, Asker: ann})
	require.Equal(t, "completed", r.State)
	v := ann.take()[0].Gate.Validation
	require.Empty(t, v.Verdict)
	require.Contains(t, v.Failure, "SCHEMA_NONCOMPLIANCE")
	require.Len(t, workers.take(), 3, "two repair rounds")
}
