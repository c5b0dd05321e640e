package checkpoint_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// An answer that names no gate, when nothing waits any more, is one to the gate answered last: the
// same is no news, another one is told who was first.
func TestSecondAnswerWithoutAGate(t *testing.T) {
	_, run := newRun(t)
	respond := func(decision string) (checkpoint.Recorded, error) {
		return checkpoint.Respond(ctx, run, yes, time.Now, checkpoint.Response{Decision: json.RawMessage(decision), Who: ann})
	}
	_, err := respond("false")
	require.True(t, fault.Is(err, fault.PlanApprovalStale), "nothing was ever asked: %v", err)
	first := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0"})
	second := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#1"})
	for _, asked := range []string{second.Gate, first.Gate} {
		_, err := checkpoint.Respond(ctx, run, yes, time.Now, checkpoint.Response{Gate: asked, Decision: json.RawMessage("false"), Who: ann})
		require.NoError(t, err)
	}
	head := run.State().Head
	again, err := respond("false")
	require.NoError(t, err)
	require.Equal(t, checkpoint.Recorded{Gate: first.Gate, State: "rejected", Already: true}, again)
	_, err = respond(`"split it"`)
	require.True(t, fault.Is(err, fault.PlanApprovalConflict), "%v", err)
	require.ErrorContains(t, err, "it was answered false (rejected) by ann at ")
	require.Equal(t, head, run.State().Head)
}
