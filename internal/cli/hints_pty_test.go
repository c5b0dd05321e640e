//go:build unix

package cli_test

import (
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// A call that a person took as failed stays failed; no command is printed that would try it
// again, neither then nor later.
func TestTakenAsFailedGivesNoHint(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", `export const meta = { name: "slow", description: "x" };
return await agent("work", { label: "w" });
`, "slow.toml", "[[answer]]\nlabel = \"*\"\ndelay = \"30s\"\ntext = \"never\"\n")
	s := u.terminal("run", "slow.js", "--agent", "script:slow.toml")
	s.sees("⠋")
	s.sends("\x03")
	require.Equal(t, 5, s.ends(), s.shown())
	s = u.terminal("resume")
	s.sees("1 call would run again")
	s.sees("> ")
	s.types("fail")
	require.Equal(t, 8, s.ends(), s.shown())
	require.NotContains(t, s.shown(), "tries the failed calls again")
	require.NotContains(t, u.wants(0, "show").errors, "next:")
	require.Empty(t, u.object(0, "show", "--json")["next"])
}

// What only looks does not offer to approve a plan whose screen is gone.
func TestKilledAtThePromptOffersNoAnswer(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("> ")
	require.NoError(t, s.cmd.Process.Kill())
	s.ends()
	for _, looking := range [][]string{{"show"}, {"review"}, {}} {
		e := u.assent(looking...)
		all := e.out + e.errors
		require.Contains(t, all, "takes no answer any more: it was being shown when its process ended", "%v", looking)
		require.NotContains(t, all, "assent approve", "%v", looking)
		require.Regexp(t, `next: assent resume [0-9a-z]{6}`, all, "%v", looking)
	}
	gate := u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)
	require.Equal(t, "interrupted", gate["unanswerable"])
}

// A run whose talk goes to a file asks nobody, and says why.
func TestHalfATerminal(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	master, slave, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	defer slave.Close()
	cmd := u.command("run", "gate.js", "--agent", "script:answers.toml")
	cmd.Stdin = slave
	e := u.run(cmd)
	require.Equal(t, 3, e.code)
	require.Contains(t, e.errors, "assent: headless: standard error is no terminal\n")
	require.NotContains(t, u.wants(3, "run", "gate.js", "--agent", "script:answers.toml").errors, "headless: standard")
}

// controls are what moves a cursor, colours a text or names the window.
var controls = regexp.MustCompile(`\r|\a|\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\a\x1b]*(?:\a|\x1b\\)`)

// On a narrow screen our own words are wrapped between words, and a command is never cut by us.
func TestNarrowScreen(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminalOf(60, "run", "gate.js", "--agent", "script:answers.toml")
	s.sees("> ")
	s.types("later")
	require.Equal(t, 4, s.ends(), s.shown())
	var words, commands int
	for line := range strings.SplitSeq(controls.ReplaceAllString(s.shown(), ""), "\n") {
		if !strings.HasPrefix(line, "next: ") {
			require.LessOrEqual(t, term.Width(line), 60, line)
		}
		switch {
		case strings.HasPrefix(line, "next: assent approve "):
			require.Regexp(t, `^next: assent approve \S+ --gate \S+ --checksum [0-9a-f]{64}$`, line)
			commands++
		case strings.Contains(line, "# once you have read the plan"):
			require.Equal(t, "      # once you have read the plan, also at", line)
			words++
		}
	}
	require.Equal(t, []int{1, 1}, []int{words, commands}, s.shown())
}

// review right after --detach says that the run is at work; --wait waits for its question.
func TestReviewWaits(t *testing.T) {
	t.Parallel()
	u := newUser(t, "late.js", `export const meta = { name: "late", description: "x" };
await agent("look", { label: "look" });
return (await planApprove({ steps: ["write"] })).decision;
`, "look.sh", "cat >/dev/null\nwhile ! test -e go; do sleep 0.05; done\necho seen\n")
	started := u.object(0, "run", "late.js", "--agent", "sh look.sh", "--detach", "--json")
	run := started["run"].(string)
	early := u.wants(0, "review", run)
	require.Contains(t, early.errors, "is still at work, no question yet")
	require.Contains(t, early.errors, "next: assent review "+shortID(run)+" --wait   # waits for the next question")
	cmd := u.command("review", "--wait")
	waited := make(chan ended, 1)
	go func() { waited <- u.run(cmd) }()
	select {
	case e := <-waited:
		require.Fail(t, "it did not wait", "%v", e)
	case <-time.After(300 * time.Millisecond):
	}
	u.write("go", "")
	e := <-waited
	require.Equal(t, 4, e.code, e.errors)
	require.Contains(t, e.out, planSum)
	u.wants(0, "reject")

	// A run that is killed at work asks nothing any more.
	require.NoError(t, os.Remove(u.dir+"/go"))
	started = u.object(0, "run", "late.js", "--agent", "sh look.sh", "--detach", "--json")
	go func() { waited <- u.run(u.command("review", started["run"].(string), "--wait")) }()
	time.Sleep(200 * time.Millisecond)
	require.NoError(t, syscall.Kill(int(started["pid"].(float64)), syscall.SIGKILL))
	e = <-waited
	require.Equal(t, 0, e.code, e.errors)
	require.Contains(t, e.errors, "which is interrupted")
	u.wants(0, "cancel", started["run"].(string))
}
