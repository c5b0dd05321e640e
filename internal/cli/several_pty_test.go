//go:build unix

package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// With several runs that wait, a terminal is asked about one after the other; what is put off
// keeps the exit code of one that waits.
func TestReviewOfSeveralRuns(t *testing.T) {
	t.Parallel()
	u := newUser(t, "ask.js", "export const meta = { name: \"ask\", description: \"x\" };\nreturn await checkpoint(\"Go with \" + args.for + \"?\");\n")
	u.wants(4, "run", "ask.js", "--arg", "for=ann", "--on-gate", "suspend")
	u.wants(4, "run", "ask.js", "--arg", "for=bob", "--on-gate", "suspend")
	s := u.terminal("review")
	s.sees("1 of 2 runs: ")
	s.sees("Go with bob?")
	s.sees("> ")
	s.types("later")
	s.sees("2 of 2 runs: ")
	s.sees("Go with ann?")
	s.sees("> ")
	s.types("yes")
	s.sees("is answered")
	s.sees("Go on with it?")
	s.sees("> ")
	s.types("no")
	require.Equal(t, 4, s.ends(), s.shown())
	require.NotContains(t, s.shown(), "RUN_AMBIGUOUS")
	waiting := u.object(0, "--json")["waiting"].([]any)
	require.Len(t, waiting, 1)
	require.Equal(t, "Go with bob?", waiting[0].(map[string]any)["waiting"].([]any)[0].(map[string]any)["prompt"])
	u.wants(0, "verify")
}
