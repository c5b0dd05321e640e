//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// copyOf is the only copy of a plan in the workspace.
func (u *user) copyOf() string {
	u.t.Helper()
	found, err := filepath.Glob(filepath.Join(u.dir, ".assent", "plans", "*.md"))
	require.NoError(u.t, err)
	require.Len(u.t, found, 1)
	return found[0]
}

// S08: what was done to the copy while a terminal shows the question keeps the yes from being
// recorded there, in the terminal of the run and in that of review alike.
func TestS08TerminalTakesNoYesBesideAnotherCopy(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees(".assent/plans/gate-")
	s.sees("> ")
	path := u.copyOf()
	require.NoError(t, os.WriteFile(path, []byte("another plan\n"), 0o600))
	s.types("approve")
	s.sees("PLAN_ARTIFACT_HASH_MISMATCH")
	require.Equal(t, 4, s.ends(), s.shown())

	s = u.terminal("review")
	s.sees("An approval will be refused, a no will not: PLAN_ARTIFACT_HASH_MISMATCH")
	s.sees("> ")
	s.types("approve")
	s.sees("PLAN_ARTIFACT_HASH_MISMATCH")
	require.Equal(t, 3, s.ends(), s.shown())
	gate := u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)
	require.Equal(t, "pending", gate["state"])
	require.NoFileExists(t, u.dir+"/worked")

	require.NoError(t, os.Remove(path))
	s = u.terminal("review")
	s.sees("> ")
	s.types("approve")
	s.sees("is approved")
	require.Equal(t, 0, s.ends(), s.shown())
	require.NotContains(t, s.shown(), "An approval will be refused")
	u.wants(0, "verify")
}
