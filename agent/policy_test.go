//go:build unix

package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// What a person chose wins over the script, and stands in what the agent reads; what nobody
// chose is not there.
func TestPolicyReachesTheAgent(t *testing.T) {
	call, err := agent.Parse([]json.RawMessage{json.RawMessage(`"x"`), json.RawMessage(`{"model":"small","effort":"low"}`)})
	require.NoError(t, err)
	for _, c := range []struct {
		base agent.Request
		want string
	}{
		{agent.Request{}, `"model":"small","effort":"low","readOnly"`},
		{agent.Request{PermissionMode: "ask"}, `"model":"small","effort":"low","permissionMode":"ask","readOnly"`},
		{agent.Request{PermissionMode: "auto", Model: "big"}, `"model":"big","effort":"low","permissionMode":"auto","readOnly"`},
		{agent.Request{PermissionMode: "auto", Effort: "high"}, `"model":"small","effort":"high","permissionMode":"auto","readOnly"`},
	} {
		_, err := agent.Do(t.Context(), runnerFunc(func(_ context.Context, req agent.Request) (agent.Response, error) {
			text, err := json.Marshal(req)
			require.NoError(t, err)
			require.Contains(t, string(text), c.want)
			return agent.Response{Value: json.RawMessage(`"done"`)}, nil
		}), call, c.base, nil)
		require.NoError(t, err)
	}
}

// An agent that has not got what it was asked to work with says so, with any exit code, and is
// not asked again.
func TestUnableIsNotTriedAgain(t *testing.T) {
	call, err := agent.Parse([]json.RawMessage{json.RawMessage(`"x"`), json.RawMessage(`{"retries":3}`)})
	require.NoError(t, err)
	for said, what := range map[string]string{
		"model_unavailable": "model", "Effort_Unavailable": "effort", "mode_unavailable": "mode",
		"model_gone": "", "unavailable": "", "schema_unavailable": "",
	} {
		for _, exit := range []string{"0", "3"} {
			command := &agent.Command{Argv: []string{"/bin/sh", "-c", `cat >/dev/null; echo '{"assent":1,"error":{"code":"` + said + `","message":"not here"},"usage":{"input":2}}'; exit ` + exit}}
			tries := 0
			r, err := agent.Do(t.Context(), runnerFunc(func(_ context.Context, req agent.Request) (agent.Response, error) {
				tries++
				return command.Run(t.Context(), req, nil)
			}), call, agent.Request{Run: "r", Call: "/agent#0"}, nil)
			require.Error(t, err)
			require.Equal(t, "ordinary", agent.Class(err))
			if what == "" {
				require.True(t, fault.Is(err, fault.AgentFailed), "%v", err)
				require.Equal(t, 4, tries)
				continue
			}
			require.True(t, fault.Is(err, fault.AgentUnable), "%s: %v", said, err)
			require.ErrorContains(t, err, "the agent does not have the "+what+" that was asked for: not here")
			require.Equal(t, 1, tries)
			require.Equal(t, int64(2), r.Usage.Input)
		}
	}
	scripted, err := agent.ParseScripted([]byte("[[answer]]\nlabel = \"*\"\nerror = { code = \"model_unavailable\", message = \"not here\" }\n"), "answers.toml")
	require.NoError(t, err)
	_, err = scripted.Run(t.Context(), agent.Request{}, nil)
	require.True(t, fault.Is(err, fault.AgentUnable), "%v", err)
	require.Equal(t, 1, strings.Count(err.Error(), "not here"))
}
