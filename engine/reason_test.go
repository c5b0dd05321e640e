package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
)

// What a call is said to follow from is what became new: the plan that was asked again, or work
// that ran again.
func TestWhyACallWouldRunAgain(t *testing.T) {
	store, workers, ann := newStore(t), &team{}, says("true")
	r := run(t, script(t, `
const a = await planApprove({b: 1});
await agent("worker", {under: a});
return await agent("then");`), engine.Options{Store: store, Agent: workers, Asker: ann})
	require.Equal(t, "completed", r.State)
	require.NoError(t, revoke(store, r.Run, ""))
	var reasons []string
	again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ann, Recover: func(_ context.Context, q engine.Recovery) (engine.Choice, error) {
		for _, c := range q.Changed {
			reasons = append(reasons, c.Key+": "+c.Reason)
		}
		return engine.ChooseRerun, nil
	}})
	require.Equal(t, "completed", again.State, "%v", again.Err)
	require.Equal(t, []string{"/agent#0: the plan before it was asked again"}, reasons)

	edited := resume(t, r.Run, script(t, `
const a = await planApprove({b: 1});
await agent("another worker", {under: a});
return await agent("then");`), engine.Options{Store: store, Agent: workers, Asker: ann, RerunChanged: true})
	require.Equal(t, "completed", edited.State, "%v", edited.Err)
}

// A plan whose answer the script did not wait for is named, with its place.
func TestPlanWithoutAwait(t *testing.T) {
	r := run(t, script(t, `
const a = planApprove({b: 1});
return a.decision;`), engine.Options{Store: newStore(t), Agent: &team{}, Asker: says("true")})
	require.Equal(t, "stopped", r.State)
	require.Equal(t, "PLAN_NOT_APPROVED", r.Code)
	require.ErrorContains(t, r.Err, "was called without await: the script ended before it was answered")
	require.Regexp(t, `planApprove at \S+:[0-9]+ was`, r.Err.Error())

	r = run(t, script(t, `const a = await planApprove({b: 1});
return a.decision;`), engine.Options{Store: newStore(t), Agent: &team{}, Asker: says("false")})
	require.ErrorContains(t, r.Err, "the plan asked about last was not approved")
}
