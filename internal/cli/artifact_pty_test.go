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
// recorded there, in the terminal of the run and in that of review alike. The person is told what
// to do, and is asked again in the same terminal.
func TestS08TerminalTakesNoYesBesideAnotherCopy(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"run", "review"} {
		u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
		args := []string{"run", "gate.js", "--agent", "script:answers.toml"}
		if command == "review" {
			u.wants(4, append(args, "--on-gate", "suspend")...)
			args = []string{"review", "--resume"}
		}
		s := u.terminal(args...)
		s.sees(".assent/plans/gate-")
		s.sees("\n> ")
		path := u.copyOf()
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, append(whole, "more\n"...), 0o600))
		for range 2 {
			s.types("approve")
			s.sees("assent: the copy .assent/plans/" + filepath.Base(path) + " was changed since it was written\r\n")
			s.sees("next: rm .assent/plans/" + filepath.Base(path))
			s.sees("# it is written anew; the question follows again")
			s.sees("An approval is refused now, a no is not: ")
			s.sees("\n> ")
			require.Equal(t, "pending", u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)["state"])
		}
		require.NotContains(t, s.shown(), "PLAN_ARTIFACT")
		require.NoError(t, os.Remove(path)) // as the person was told
		s.types("approve")
		s.sees("is approved")
		require.Equal(t, 0, s.ends(), s.shown())
		again, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(whole), string(again), "it was written anew")
		u.wants(0, "verify")
	}
}

// S08: a copy that is gone, though nobody was told to remove it, may have been another one before.
func TestS08TerminalTakesNoYesWithoutTheCopy(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("\n> ")
	path := u.copyOf()
	require.NoError(t, os.Remove(path))
	s.types("approve")
	s.sees("gone; it was written again, and the question follows again")
	s.sees("A plan waits for your decision")
	s.sees("\n> ")
	require.FileExists(t, path)
	require.NotContains(t, s.shown(), "An approval is refused")
	s.types("approve")
	s.sees("is approved")
	require.Equal(t, 0, s.ends(), s.shown())
}
