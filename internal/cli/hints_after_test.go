package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// answersAll is an agent whose every call comes to that.
func answersAll(line string) string { return "[[answer]]\nlabel = \"*\"\n" + line + "\n" }

// Two calls fail with one text: the error is that of the call that stands where it came up. Of several calls at
// one place none is named.
func TestErrorNamesTheCallAtItsPlace(t *testing.T) {
	t.Parallel()
	const head = "export const meta = { name: \"x\", description: \"x\" };\n"
	u := newUser(t, "answers.toml", answersAll(`error = "network"`),
		"two.js", head+`await parallel([() => agent("a", { label: "first", onError: "throw" })]);
await agent("b", { label: "second", onError: "throw" });
`,
		"loop.js", head+`for (const n of [1, 2]) {
  try {
    await agent("a" + n, { onError: "throw" });
  } catch (e) {
    if (n === 2) throw e;
  }
}
`,
		"caught.js", head+`const one = agent("a", { label: "first" });
await one;
throw new Error("network");
`)
	for range 10 { // what was shown is kept in a map
		said := u.wants(1, "run", "two.js", "--agent", "script:answers.toml").errors
		require.Contains(t, said, "AGENT_FAILED: two.js:3:7: the call /agent#0 failed, as said above\n")
	}
	require.Contains(t, u.wants(1, "run", "loop.js", "--agent", "script:answers.toml").errors, "AGENT_FAILED: loop.js:4:11: Error: network\n")
	require.NotContains(t, u.wants(1, "run", "caught.js", "--agent", "script:answers.toml").errors, "as said above")
}

// What a phase has no budget left for is refused again as long as the script is the same: only a script that gives
// more is named.
func TestHintsAfterAPhaseIsSpent(t *testing.T) {
	t.Parallel()
	const text = `export const meta = { name: "x", description: "x" };
phase("one", { budget: "10" });
await agent("a", { label: "a" });
`
	const caught = `try { await agent("b", { label: "b" }); } catch {}
`
	u := newUser(t, "answers.toml", answersAll("text = \"x\"\nusage = { input = 20, output = 10 }"),
		"thrown.js", text+`await agent("b", { label: "b" });`, "caught.js", text+caught, "stopped.js", text+caught+`return { success: false };`)
	for script, code := range map[string]int{"thrown.js": 1, "caught.js": 8, "stopped.js": 3} {
		said := u.wants(code, "run", script, "--agent", "script:answers.toml").errors
		require.Regexp(t, `next: assent resume \w+ --script `+script+`   # once the script gives the phase more\n$`, said)
		require.NotContains(t, said, "again")
	}
}

// A run that stopped because agents failed goes on as it is; a copy of a built-in script to edit comes after that.
func TestHintsAfterAgentsOfAStoppedRunFailed(t *testing.T) {
	t.Parallel()
	u := newUser(t, "answers.toml", answersAll(`error = "network"`))
	said := u.wants(3, "run", "code-review", "--agent", "script:answers.toml", "the", "change").errors
	require.Regexp(t, `next: assent resume \w+   # asks the failed agents again
next: assent workflows code-review --copy   # writes \S+, to be edited
next: assent resume \w+ --script \S+   # edit the rest, pay nothing twice\n$`, said)
	require.Contains(t, u.wants(3, "resume", "--agent", "script:answers.toml").errors, "5 live calls", "a resume does what the hint says")
}

// What would not run is not offered; a script beside it that is named without its path is.
func TestWhatAnUnknownNameMayMean(t *testing.T) {
	t.Parallel()
	u := newUser(t, "free.js", script(""))
	u.save("broken.js", "syntax(")
	u.save("whole.js", script(""))
	said := u.wants(2, "run", "free", "--arg", "a=b c").errors
	require.Contains(t, said, `there is no workflow "free"; there are adversarial-review, code-review, codebase-audit, deep-research, issue-delivery, multi-perspective, plan-then-do, whole`+"\n")
	require.Contains(t, said, "next: assent run ./free.js --arg 'a=b c'   # a script that is not saved is named by its path\n")
	require.Contains(t, u.wants(2, "run", "free.j").errors, "next: assent workflows   # lists them")
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "more"), 0o755))
	require.Regexp(t, `WORKFLOW_UNKNOWN: \S+ is not a script but a folder\nnext: name the files in it: more/NAME\.js\n$`, u.wants(2, "lint", "more").errors)
}

// A second object of arguments is refused, as a second --arg of one name is.
func TestArgsGivenTwice(t *testing.T) {
	t.Parallel()
	u := newUser(t, "echo.js", script(""))
	for _, more := range []string{`{"b":1}`, ""} {
		require.Contains(t, u.wants(2, "run", "echo.js", "--args", `{"a":1}`, "--args", more).errors, "ARGS_INVALID: --args is given twice")
	}
	require.Equal(t, `{"a":1}`+"\n", u.wants(0, "run", "echo.js", "--quiet", "--args", `{"a":1}`).out)
	require.Contains(t, u.wants(0, "run", "--help").out, "--args string ")
}
