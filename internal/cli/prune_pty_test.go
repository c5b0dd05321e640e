//go:build unix

package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// At a terminal prune asks first, and only the whole word removes anything.
func TestPruneAsks(t *testing.T) {
	t.Parallel()
	u := newUser(t, "plain.js", shortScript)
	run := runOf(u.object(0, "run", "plain.js", "--json"))
	for _, answer := range []string{"y", "no"} {
		s := u.terminal("prune")
		s.sees("Remove 1 run (")
		s.sees("> ")
		s.types(answer)
		if answer != "no" {
			s.sees("yes, no")
			s.types("no")
		}
		require.Equal(t, 0, s.ends(), s.shown())
		require.Contains(t, s.shown(), "nothing was removed")
		require.FileExists(t, u.store("runs", run+".db"))
	}
	s := u.terminal("prune", run)
	s.sees("> ")
	s.types("yes")
	require.Equal(t, 0, s.ends(), s.shown())
	require.NoFileExists(t, u.store("runs", run+".db"))
}
