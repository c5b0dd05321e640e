package agenttest

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// ends are those that are not the program's own, and what it leaves behind.
func ends(t *testing.T, s Subject) {
	late := fault.New(fault.AgentTimeout, "the agent did not answer within 1s", "")
	for name, b := range map[string]Behaviour{
		"at work": {Wait: true},
		"deaf":    {Wait: true, Deaf: true},
		"with a grandchild that holds its output":   {Wait: true, Grandchild: InGroup},
		"with a grandchild in a session of its own": {Wait: true, Deaf: true, Grandchild: InSession},
	} {
		if b.Grandchild == InSession && runtime.GOOS != "linux" {
			continue // what left the group is found on Linux alone
		}
		for _, cause := range []error{nil, late} {
			t.Run(name, func(t *testing.T) {
				c := s.call(t, b)
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				go WhenWritten(func() { cancel(cause) }, AtWorkFile(c.program))
				_, err := c.run(ctx, t)
				if cause == nil {
					require.Equal(t, journal.FailureCancelled, agent.Class(err), "%v", err)
				} else {
					require.Equal(t, fault.AgentTimeout, fault.CodeOf(err), "%v", err)
				}
				RequireGone(t, PidIn(t, AtWorkFile(c.program)))
				if b.Grandchild != "" {
					RequireGone(t, PidIn(t, GrandchildFile(c.program)))
				}
			})
		}
	}
	t.Run("over before it began", func(t *testing.T) {
		c := s.call(t, Behaviour{Text: "done"})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.runner.Run(ctx, c.req, c.step)
		require.Equal(t, journal.FailureCancelled, agent.Class(err), "%v", err)
		require.Empty(t, c.step.began, "nothing is started")
	})
	for _, where := range []string{InGroup, InSession} {
		if where == InSession && runtime.GOOS != "linux" {
			continue
		}
		t.Run("a grandchild that holds the pipes after the answer, in a "+where, func(t *testing.T) {
			c := s.call(t, Behaviour{Text: "done", Grandchild: where})
			resp, err := c.run(t.Context(), t)
			require.NoError(t, err)
			require.Equal(t, json.RawMessage(`"done"`), resp.Value)
			RequireGone(t, PidIn(t, GrandchildFile(c.program)))
		})
	}
}
