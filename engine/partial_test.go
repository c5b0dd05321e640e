//go:build unix

package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// misfits is an agent that fails in the way that its prompt asks for.
const misfits = `read request
case $request in
*'"prompt":"exit"'*) echo "disk full" >&2; exit 1 ;;
*'"prompt":"hang"'*) exec sleep 300 ;;
*'"prompt":"shape'*) echo '{"n":"one"}' ;;
*'"prompt":"signal"'*) kill -KILL $$ ;;
*) echo ;;
esac`

// misfitScript runs five at once, of which four fail in four ways; the fifth has nothing to say.
const misfitScript = `
const found = await parallel([
  () => agent("exit", {label: "exit"}),
  () => agent("hang", {label: "hang", timeoutMs: 300}),
  () => agent("shape", {label: "shape", schema: {type: "object", properties: {n: {type: "integer"}}}}),
  () => agent("signal", {label: "signal", readOnly: true}),
  () => agent("nothing", {label: "nothing"}),
]);
return {found, empty: found.filter(a => a === "").length, failed: found.filter(a => a === null).length};`

// B44: of five, four fail: each in its own way, none silently.
func TestB44_FourKindsOfFailure(t *testing.T) {
	store := newStore(t)
	stub := &agent.Command{Name: "stub", Argv: []string{"/bin/sh", "-c", misfits}, Grace: 300 * time.Millisecond}
	// All five at once: the one that hangs must not keep the others from ending.
	o := engine.Options{Store: store, Agent: stub, Workspace: t.TempDir(), Settings: journal.Settings{Concurrency: 5}}
	r := run(t, script(t, misfitScript), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, `{"found":[null,null,null,null,""],"empty":1,"failed":4}`, string(r.Value))

	want := []struct {
		label string
		code  fault.Code
		cause string
	}{
		{"exit", fault.AgentFailed, "disk full"},
		{"hang", fault.AgentTimeout, "within 300ms"},
		{"shape", fault.SchemaNoncompliance, "$.n: "},
		{"signal", fault.AgentFailed, "killed"},
	}
	st := state(t, store, r.Run)
	require.Equal(t, 4, st.Finished.FailedCalls)
	require.Len(t, r.Failures, 4)
	for i, w := range want {
		f := r.Failures[i]
		require.Equal(t, w.label, f.Label)
		require.Equal(t, string(w.code), f.Failure.Code)
		require.Contains(t, f.Failure.Message, w.cause)

		c := st.Calls[f.Key]
		require.False(t, c.Unfinished(), "%s: its last entry is an end", w.label)
		require.Equal(t, f.Failure, *c.Finish.Failure)
		require.Nil(t, c.Finish.Value)
	}
	require.Len(t, st.Calls[r.Failures[2].Key].Finish.Attempts, 3, "the answer of the wrong shape had its two repair rounds")
	empty := st.Calls["/parallel#0[4]/agent#0"].Finish
	require.Nil(t, empty.Failure)
	require.Equal(t, `""`, string(empty.Value))
	require.Equal(t, "the agent's answer is empty", empty.Note)

	proved, err := engine.Replay(context.Background(), r.Run, o)
	require.NoError(t, err)
	require.Equal(t, r.Value, proved.Value)
	require.Len(t, proved.Failures, 4, "a replay tells them as well")

	// A resume tries the four again, and no other.
	again := resume(t, r.Run, nil, o)
	require.Equal(t, 4, again.Live)
	require.Equal(t, 1, again.Replayed)
	require.Len(t, again.Failures, 4)
}
