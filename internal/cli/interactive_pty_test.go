//go:build unix

package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const needsPerson = `export const meta = { name: "needs", description: "x", interactive: true };
const first = await checkpoint("First?");
return [first, await checkpoint("Second?")];
`

// A script that needs a person starts in a terminal, and not in one that nobody is asked in.
func TestInteractive(t *testing.T) {
	t.Parallel()
	u := newUser(t, "needs.js", needsPerson)
	for _, flag := range []string{"--headless", "--detach"} {
		s := u.terminal("run", "needs.js", flag)
		require.Equal(t, 2, s.ends(), s.shown())
		require.Contains(t, s.shown(), "PLAN_REQUIRES_INTERACTIVE_SESSION")
	}
	s := u.terminal("run", "needs.js", "--on-gate", "suspend")
	s.sees("First?")
	s.sees("> ")
	s.types("yes")
	s.sees("Second?")
	s.sees("> ")
	s.types("later")
	require.Equal(t, 4, s.ends(), s.shown())

	// Its question can be answered from anywhere; what comes after needs a person again.
	u.wants(2, "answer", "yes", "--resume")
	run := u.object(0, "show", "--json")
	require.Equal(t, "answered", run["gates"].([]any)[1].(map[string]any)["state"])
	require.InDelta(t, 1, run["attempts"], 0)
	u.wants(2, "resume", "--on-gate", "suspend")
	s = u.terminal("resume")
	s.sees("[true,true]")
	require.Equal(t, 0, s.ends(), s.shown())
}
