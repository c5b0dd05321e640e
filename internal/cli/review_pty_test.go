//go:build unix

package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const reviseScript = `export const meta = { name: "revise", description: "x" };
let plan = { goal: "small", steps: ["one"] };
let approval = await planApprove(plan);
while (typeof approval.decision === "string") {
  plan = { ...plan, steps: [...plan.steps, "two"] };
  approval = await planApprove(plan);
}
return approval.decision;
`

// After a person has asked for changes, the review shows what they asked for and what is different
// from the plan that they sent back; a plan that is the same is called that.
func TestReviewShowsTheRevision(t *testing.T) {
	t.Parallel()
	u := newUser(t, "revise.js", reviseScript, "same.js", strings.Replace(reviseScript, `[...plan.steps, "two"]`, "plan.steps", 1))
	for script, shown := range map[string][]string{
		"revise.js": {"You asked for a change before:", "a second one", "Changed since the plan that you sent back (see also: assent diff ", "$.steps[1]", "The plan, for reading:"},
		"same.js":   {"a second one", "It is the plan that you sent back, unchanged.", "The plan, for reading:"},
	} {
		s := u.terminal("run", script)
		s.sees("> ")
		s.types("changes")
		s.sees("  > ")
		s.types("a second one")
		s.sees("  > ")
		s.types("")
		for _, text := range shown {
			s.sees(text)
		}
		s.sees("\n> ")
		s.types("approve")
		require.Equal(t, 0, s.ends(), s.shown())
		require.Equal(t, script == "revise.js", strings.Contains(s.shown(), "Changed since the plan that you sent back"))
	}
}

// An answer says which mode it gave; then the run can go on in the same terminal, if the person
// says so in full.
func TestReviewOffersToGoOn(t *testing.T) {
	t.Parallel()
	for _, last := range []string{"yes", "no", "\x03", "\x04"} {
		u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
		run := runID.FindString(u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend").errors)
		s := u.terminal("review")
		s.sees("\n> ")
		s.types("approve auto")
		s.sees("is approved (mode auto)")
		s.sees("Nothing executes the run now. Go on with it?")
		s.sees("\n> ")
		s.types("") // no default
		s.sees("an empty line is not an answer")
		s.sees("\n> ")
		if len(last) == 1 {
			s.sends(last)
		} else {
			s.types(last)
		}
		if last == "yes" {
			s.sees(`{"decision":true}`)
			require.Equal(t, 0, s.ends(), s.shown())
			require.FileExists(t, u.dir+"/worked")
			continue
		}
		require.Equal(t, map[string]int{"\x03": 5}[last], s.ends(), s.shown())
		require.Contains(t, s.shown(), "next: assent resume "+strings.ToLower(run[20:])+"\r\n")
		require.NoFileExists(t, u.dir+"/worked")
		u.wants(0, "resume", strings.ToLower(run[20:]))
		u.wants(0, "verify")
	}
}

// A person's own no is told to them as that; the code stays.
func TestOwnNoIsToldAsThat(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("\n> ")
	s.types("reject")
	require.Equal(t, 3, s.ends(), s.shown())
	require.Contains(t, s.shown(), "assent: You rejected the plan (PLAN_NOT_APPROVED)\r\n")
	require.NotContains(t, s.shown(), "PLAN_NOT_APPROVED: ")

	s = u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("\n> ")
	s.types("changes")
	s.sees("  > ")
	s.types("less\r")
	s.sees("asked about no other plan (PLAN_NOT_APPROVED)\r\n")
	require.Equal(t, 3, s.ends(), s.shown())
	require.Contains(t, u.wants(3, "run", "gate.js").errors, "PLAN_NOT_APPROVED: ", "nobody said no there")
}

// What ends a question from elsewhere is told in one clause.
func TestSettledElsewhereInOneClause(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("\n> ")
	u.wants(0, "reject", "--changes", "less")
	s.sees("this question is over: it was sent back for changes elsewhere.")
	require.Equal(t, 3, s.ends(), s.shown())
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	s = u.terminal("review")
	s.sees("\n> ")
	u.wants(0, "reject")
	s.sees("this question is over: it was rejected by ")
	require.Equal(t, 0, s.ends(), s.shown())
}

// A result that a terminal would break inside words is laid out; in a file it stays one line.
func TestResultIsLaidOutWhereItWouldNotFit(t *testing.T) {
	t.Parallel()
	u := newUser(t, "long.js", `export const meta = { name: "long", description: "x" };
return { first: "a text of some length", second: "another text of some length", third: true };
`)
	s := u.terminalOf(60, "run", "long.js")
	s.sees("{\r\n  \"first\": \"a text of some length\",\r\n  \"second\": \"another text of some length\",\r\n  \"third\": true\r\n}\r\n")
	require.Equal(t, 0, s.ends())
	require.Equal(t, `{"first":"a text of some length","second":"another text of some length","third":true}`+"\n", u.wants(0, "run", "long.js").out)
}

// While a run is watched, what is typed does not show, and the mode of the terminal comes back.
func TestWatchEchoesNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t, "fan.js", fanScript, "answers.toml", "[[answer]]\nlabel = \"w8\"\nrun = \"until test -e go; do sleep 0.02; done\"\ntext = \"x\"\n[[answer]]\nlabel = \"*\"\ntext = \"x\"\n")
	run := strings.TrimSpace(u.wants(0, "run", "fan.js", "--agent", "script:answers.toml", "--detach").out)
	s := u.terminalOf(100, "watch", run)
	s.sees("[7] w8")
	s.types("zzz\r")
	require.NoError(t, os.WriteFile(u.dir+"/go", nil, 0o600))
	require.Equal(t, 4, s.ends(), s.shown())
	require.NotContains(t, s.shown(), "zzz")
}
