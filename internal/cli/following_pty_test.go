//go:build unix

package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Leave to run a call again may let finished calls behind it run again too. They are named before
// the leave is given: where nobody can be asked, in JSON, and in the question.
func TestCallsThatMayFollowAreNamed(t *testing.T) {
	t.Parallel()
	u := newUser(t, "three.js", `export const meta = { name: "three", description: "x" };
const out = [];
for (const label of ["one", "two", "three"]) out.push(await agent("do " + label, { label }));
return out;
`, "fails.toml", "[[answer]]\nlabel = \"two\"\nerror = \"no\"\n[[answer]]\nlabel = \"*\"\ntext = \"done\"\n",
		"slow.toml", "[[answer]]\nlabel = \"*\"\ndelay = \"30s\"\ntext = \"late\"\n", "answers.toml", answers)
	u.wants(8, "run", "three.js", "--agent", "script:fails.toml")
	run := runID.FindString(u.wants(0, "ls").out)
	s := u.terminal("resume", run, "--agent", "script:slow.toml")
	s.sees("two") // in the live list
	s.sends("\x03")
	require.Equal(t, 5, s.ends(), s.shown())

	refused := u.wants(5, "resume", run, "--agent", "script:answers.toml").errors
	require.Contains(t, refused, "CALLS_INTERRUPTED")
	require.Contains(t, refused, "assent: finished calls that may follow, and run again too: three (/agent#2)\n")
	require.Contains(t, refused, "next: assent resume "+shortID(run)+" --rerun-interrupted   # runs them again\n")
	require.Contains(t, refused, "next: assent resume "+shortID(run)+" --rerun-interrupted --rerun-changed   # and those that follow, where they have to\n")
	recovery := u.object(5, "resume", run, "--json")["recovery"].(map[string]any)
	require.Len(t, recovery["interrupted"], 1)
	require.Empty(t, recovery["changed"])
	require.Equal(t, []any{map[string]any{"key": "/agent#2", "name": "agent", "label": "three", "reason": "it comes after one of them"}}, recovery["following"])

	s = u.terminal("resume", run)
	s.sees("1 call would run again")
	s.sees("may follow   three (/agent#2): it comes after one of them")
	s.sees("those that may follow where they have to")
	s.sees("> ")
	s.types("rerun")
	s.sees(`["done","done","done"]`)
	require.Equal(t, 0, s.ends(), s.shown())
	u.wants(0, "verify")
}
