//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// At the terminal the yes names its permission mode; the screen says what the plain word gives.
func TestTerminalApprovesInAMode(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("approve alone gives the work under this plan the mode:")
	s.sees("approve accept-edits: ")
	s.sees("approve auto: ")
	s.sees("> ")
	for _, typed := range []string{"approve ask", "approve bypass", "accept-edits"} { // B59
		s.types(typed)
		s.sees("is not an answer here")
		s.sees("> ")
	}
	s.types("approve accept-edits")
	s.sees("is approved by")
	require.Equal(t, 0, s.ends(), s.shown())
	gate := u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)
	require.Equal(t, "accept-edits", gate["mode"])
	u.wants(0, "verify")
}

// A hint behind an error is a command that is never cut; what it is for goes below it where the
// terminal is too narrow for both.
func TestNarrowErrorHints(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript)
	u.wants(3, "run", "gate.js")
	s := u.terminalOf(50, "show", "0123")
	require.Equal(t, 2, s.ends())
	for row := range strings.SplitSeq(s.shown(), "\r\n") {
		require.LessOrEqual(t, len(row), 50, row)
	}
	require.Contains(t, s.shown(), "next: assent ls --all")
}
