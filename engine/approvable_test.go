package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// effect is a function of an embedder that works under approvals and may be done again.
type effect struct {
	mu         sync.Mutex
	idempotent bool
	seen       []*engine.Approval
	// cut ends the attempt while the function works.
	cut context.CancelFunc
}

func (e *effect) Name() string        { return "depot.store" }
func (e *effect) TakesApproval() bool { return true }

func (e *effect) Parse(args []json.RawMessage) (engine.Request, error) {
	if len(args) != 1 {
		return engine.Request{}, errors.New("depot.store takes one object")
	}
	return engine.Request{Identity: args[0], Idempotent: e.idempotent}, nil
}

func (e *effect) Answer(ctx context.Context, req engine.Request, _ *journal.Step) (json.RawMessage, error) {
	e.mu.Lock()
	e.seen = append(e.seen, req.Approval)
	cut := e.cut
	e.cut = nil
	e.mu.Unlock()
	if cut != nil {
		cut()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return json.RawMessage(`"stored"`), nil
}

// A function gets the approval that it acts under as the journal has it; the approval is part of what the call is.
func TestFunctionUnderAnApproval(t *testing.T) {
	e := &effect{}
	o := engine.Options{Store: newStore(t), Asker: says("true"), Primitives: []engine.Primitive{e}}
	r := run(t, planFirst(t, `const a = await planApprove({p: 1});
return [await depot.store({under: a}), a.checksum]`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	var value []string
	require.NoError(t, json.Unmarshal(r.Value, &value))
	require.Len(t, e.seen, 1)
	require.Equal(t, value[1], e.seen[0].Checksum)
	require.True(t, e.seen[0].Approved())
	require.JSONEq(t, `{"p":1}`, string(e.seen[0].Plan))
	st := state(t, o.Store.(*journal.Store), r.Run)
	require.Equal(t, st.GateByKey["/planApprove#0"], e.seen[0].Gate)
	require.Equal(t, "/planApprove#0", st.Calls["/depot.store#0"].Call.Under)
}

func TestFunctionUnderADecline(t *testing.T) {
	e := &effect{}
	o := engine.Options{Store: newStore(t), Asker: says("false"), Primitives: []engine.Primitive{e}}
	r := run(t, script(t, `const a = await planApprove({p: 1});
try { await depot.store({under: a}) } catch (e) { return e.code }`), o)
	require.JSONEq(t, `"PLAN_NOT_APPROVED"`, string(r.Value))
	require.Empty(t, e.seen)
}

// What may be done again is done again after a crash without anybody's leave; anything else waits for it.
func TestInterruptedFunctions(t *testing.T) {
	for _, idempotent := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		e := &effect{idempotent: idempotent, cut: cancel}
		o := engine.Options{Store: newStore(t), Primitives: []engine.Primitive{e}}
		first, err := engine.Run(ctx, script(t, `return depot.store({n: 1})`), o)
		require.NoError(t, err)
		require.Equal(t, "interrupted", first.State)
		again := resume(t, first.Run, nil, o)
		if idempotent {
			require.Equal(t, "completed", again.State, "%v", again.Err)
			require.Len(t, e.seen, 2)
			require.True(t, state(t, o.Store.(*journal.Store), first.Run).Calls["/depot.store#0"].Call.Idempotent)
		} else {
			require.Equal(t, "interrupted", again.State)
			require.Len(t, e.seen, 1)
		}
	}
}

// In a run that only reads, agents are made to; what cannot be is refused.
func TestFunctionsInAReadOnlyRun(t *testing.T) {
	e := &effect{}
	o := engine.Options{Store: newStore(t), Primitives: []engine.Primitive{e}, Settings: journal.Settings{ReadOnly: true}}
	r := run(t, script(t, `try { await depot.store({}) } catch (e) { return e.code }`), o)
	require.JSONEq(t, `"READ_ONLY_RUN"`, string(r.Value))
	require.Empty(t, e.seen)
}

// A calculation is answered at once, and the journal knows nothing of it.
func TestCalculations(t *testing.T) {
	o := engine.Options{Store: newStore(t), OnGate: checkpoint.Suspend, Calculations: []engine.Calculation{{
		Name: "twice", Do: func(args []json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage("[" + string(args[0]) + "," + string(args[0]) + "]"), nil
		},
	}}}
	r := run(t, script(t, `const x = twice("a"); await checkpoint("?"); return [x, twice(1)]`), o)
	require.Equal(t, "waiting", r.State, "%v", r.Err)
	_, err := answer(t, o.Store, r.Run, checkpoint.Response{Decision: json.RawMessage("true")})
	require.NoError(t, err)
	r = resume(t, r.Run, nil, o)
	require.JSONEq(t, `[["a","a"],[1,1]]`, string(r.Value), "%v", r.Err)
	require.Empty(t, state(t, o.Store.(*journal.Store), r.Run).Calls)
}

func TestNamesOfFunctionsOfAnObject(t *testing.T) {
	for _, name := range []string{"agent.x", "planApprove.x", "a.b.c", "a-b", ""} {
		o := engine.Options{Store: newStore(t), Calculations: []engine.Calculation{{Name: name}}}
		_, err := engine.Run(t.Context(), script(t, `return 1`), o)
		require.ErrorContains(t, err, "cannot be named", name)
	}
}
