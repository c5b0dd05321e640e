//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// terminal starts assent in a terminal of its own, 100 columns wide.
func (u *user) terminal(args ...string) *screen {
	u.t.Helper()
	return u.terminalOf(100, args...)
}

// terminalOf has so many columns.
func (u *user) terminalOf(columns uint16, args ...string) *screen {
	u.t.Helper()
	s := &screen{t: u.t, cmd: u.command(args...), done: make(chan error, 1)}
	var err error
	s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 60, Cols: columns})
	require.NoError(u.t, err)
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := s.tty.Read(buf)
			s.mu.Lock()
			s.text.Write(buf[:n])
			s.mu.Unlock()
			if err != nil { // EIO when the process has ended
				break
			}
		}
		s.done <- s.cmd.Wait()
	}()
	u.t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // it has ended already if the test went well
		_ = s.tty.Close()
	})
	return s
}

// A person at the terminal is asked by the run itself, sees the checksum, types approve, and the
// run goes on.
func TestTerminalApproves(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("A plan waits for your decision")
	s.sees(planSum)
	s.sees("> ")
	s.types("yes please") // B59: not a word that approves
	s.sees("is not an answer here")
	s.sees("> ")
	s.types("approve")
	s.sees("is approved by")
	s.sees(`{"decision":true}`)
	require.Equal(t, 0, s.ends())
	require.FileExists(t, u.dir+"/worked")
	require.Contains(t, u.wants(0, "verify").out, "(terminal)")
}

// B59: Ctrl-C, Ctrl-D, an empty line and three unusable ones approve nothing; the gate waits.
func TestB59TerminalDoesNotApprove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		keys []string // each at a prompt of its own
		code int
	}{
		{"ctrl-c", []string{"\x03"}, 5},
		{"ctrl-d", []string{"\x04"}, 4},
		{"later", []string{"later\r"}, 4},
		{"unusable", []string{"\r", " Y \r", "yes | cmd\r", "\uff59\r"}, 4},
		{"reject", []string{"reject\r"}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
			s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
			for _, keys := range c.keys {
				s.sees("> ")
				s.sends(keys)
			}
			require.Equal(t, c.code, s.ends(), s.shown())
			require.NoFileExists(t, u.dir+"/worked")
			gate := u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)
			if c.name == "reject" {
				require.Equal(t, "rejected", gate["state"])
				return
			}
			require.Equal(t, "pending", gate["state"])
			require.Equal(t, true, gate["suspended"])
			u.wants(0, "approve", "--checksum", planSum, "--resume")
			require.FileExists(t, u.dir+"/worked")
			u.wants(0, "verify")
		})
	}
}

// S19: a terminal below an agent is no person's: nobody is asked there.
func TestS19AgentsTerminal(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.env = append(u.env, "ASSENT_AGENT=01JDZX/agent#0")
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	require.Equal(t, 3, s.ends(), s.shown())
	require.NotContains(t, s.shown(), "waits for your decision")
	u.wants(4, "resume", "--on-gate", "suspend")
	s = u.terminal("review")
	require.Equal(t, 4, s.ends(), s.shown())
	require.NotContains(t, s.shown(), "> ")
	require.NoFileExists(t, u.dir+"/worked")
}

// B27: while a run waits in one terminal, every command works in another, at once; what is
// approved there lets the first go on.
func TestB27TwoTerminals(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("> ")
	require.Contains(t, u.wants(0, "ls").out, "running")
	require.Contains(t, u.wants(0).out, "Approve this plan?")
	require.Contains(t, u.wants(0, "show").out, planSum)
	require.Contains(t, u.wants(0, "verify").out, "OK")
	require.Contains(t, u.wants(4, "review").out, "Approve this plan?")
	require.Contains(t, u.wants(6, "resume", runID.FindString(s.shown())).errors, "RUN_BUSY")
	u.wants(0, "approve", "--checksum", planSum, "--resume") // somebody executes it: no resume
	s.sees("this question is over")
	s.sees("is approved by")
	s.sees(`{"decision":true}`)
	require.Equal(t, 0, s.ends())
	require.Contains(t, u.wants(0, "verify").out, "(command)")
}

// A run that waits in one terminal is rejected, or cancelled, in another.
func TestB27OthersEndIt(t *testing.T) {
	t.Parallel()
	for command, code := range map[string]int{"reject": 3, "cancel": 1} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
			s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
			s.sees("> ")
			u.wants(0, command)
			require.Equal(t, code, s.ends(), s.shown())
			require.NoFileExists(t, u.dir+"/worked")
			u.wants(0, "verify")
		})
	}
}

// Two terminals: assent review answers what waits, one gate after the other, and --resume goes
// on with the run, which asks the rest in the same terminal.
func TestReview(t *testing.T) {
	t.Parallel()
	u := newUser(t, "two.js", `export const meta = { name: "two", description: "x" };
const answers = await parallel([
  () => checkpoint("Delete A?", { default: false }),
  () => checkpoint("Which?", { kind: "select", choices: ["red", "green"], default: "red" }),
]);
answers.push((await planApprove({ answers })).decision);
return answers;
`)
	u.wants(4, "run", "two.js", "--on-gate", "suspend")
	s := u.terminal("review", "--resume")
	s.sees("(1 of 2)")
	s.sees("Delete A?")
	s.sees("> ")
	s.types("later")
	s.sees("(2 of 2)")
	s.sees("> ")
	s.types("#2")
	s.sees("is answered")
	s.sees("Delete A?") // the resumed run asks what was put off
	s.sees("> ")
	s.types("yes")
	s.sees("A plan waits")
	s.sees("> ")
	s.types("changes")
	s.sees("What should change?")
	s.sees("> ")
	s.types("Name C")
	s.sees("> ")
	s.types("")
	s.sees(`[true,"green","Name C"]`)
	require.Equal(t, 3, s.ends(), s.shown())
	u.wants(0, "verify")
}

// What another process answers ends the review of it.
func TestReviewIsSettledElsewhere(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	s := u.terminal("review")
	s.sees("> ")
	u.wants(0, "reject")
	s.sees("is rejected by")
	require.Equal(t, 0, s.ends(), s.shown())
}

// B47: a gate that was being shown when its process was killed takes no answer any more; review
// says so, and with --resume it is asked again: the same checksum, a new gate.
func TestB47Killed(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("> ")
	require.NoError(t, s.cmd.Process.Kill())
	s.ends()
	require.Equal(t, "interrupted", u.state(""))
	refused := u.wants(3, "approve", "--checksum", planSum)
	require.Contains(t, refused.errors, "PLAN_APPROVAL_INTERRUPTED")
	require.Contains(t, u.wants(4, "review").errors, "was being shown when its process ended")

	s = u.terminal("review")
	require.Equal(t, 3, s.ends(), s.shown())
	require.Contains(t, s.shown(), "--resume   # asks again")

	s = u.terminal("review", "--resume")
	s.sees("was being shown when its process ended.")
	s.sees(planSum)
	s.sees("> ")
	s.types("approve")
	require.Equal(t, 0, s.ends(), s.shown())
	gates := u.object(0, "show", "--json")["gates"].([]any)
	require.Equal(t, "interrupted", gates[0].(map[string]any)["state"])
	require.Equal(t, "approved", gates[1].(map[string]any)["state"])
	u.wants(0, "verify")
}

// A run whose anchor is gone takes no answer, so the terminal asks for none.
func TestUnprovenRunIsNotAsked(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	run := runID.FindString(u.wants(0, "ls").out)
	require.NoError(t, os.Remove(filepath.Join(filepath.Dir(u.dir), "home", ".local", "share", "assent", "keys", "anchors", run)))
	for command, code := range map[string]int{"review": 3, "resume": 4} {
		s := u.terminal(command, run)
		require.Equal(t, code, s.ends(), s.shown())
		require.Contains(t, s.shown(), "anchor is missing")
		require.Contains(t, s.shown(), "next: assent verify "+shortID(run))
		require.NotContains(t, s.shown(), "A plan waits for your decision")
	}
}

// Interrupted calls are listed in one question, once; and Ctrl-C while agents work ends them,
// journals and says how to go on.
func TestInterruptedCallsAreAskedAbout(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", `export const meta = { name: "slow", description: "x" };
phase("work");
return await parallel([1, 2].map((n) => () => agent("work " + n, { label: "w" + n })));
`, "slow.toml", "[[answer]]\nlabel = \"*\"\ndelay = \"30s\"\ntext = \"never\"\n", "answers.toml", answers)
	s := u.terminal("run", "slow.js", "--agent", "script:slow.toml")
	s.sees("w2") // in the live list
	s.sends("\x03")
	s.sees("once more leaves at once")
	require.Equal(t, 5, s.ends(), s.shown())
	require.Contains(t, s.shown(), "--rerun-interrupted   # runs them again")

	s = u.terminal("resume", "--agent", "script:answers.toml")
	s.sees("2 calls would run again")
	s.sees("w1")
	s.sees("w2")
	s.sees("> ")
	s.types("stop")
	require.Equal(t, 5, s.ends(), s.shown())
	s = u.terminal("resume", "--agent", "script:answers.toml")
	s.sees("> ")
	s.types("rerun")
	s.sees(`["done","done"]`)
	require.Equal(t, 0, s.ends(), s.shown())
	u.wants(0, "verify")
}

// The second Ctrl-C leaves at once, whatever an agent does.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	u := newUser(t, "one.js", `export const meta = { name: "one", description: "x" };
return await agent("work");
`, "deaf.sh", "trap '' TERM INT\ntouch started\nsleep 30 &\nwait\nsleep 30\n")
	s := u.terminal("run", "one.js", "--agent", "sh deaf.sh")
	eventually(t, "the agent starts", func() bool { return exists(u.dir + "/started") })
	s.sends("\x03")
	s.sees("once more leaves at once")
	s.sends("\x03")
	require.Equal(t, 130, s.ends(), s.shown())
	require.Equal(t, "interrupted", u.state(""))
	u.wants(0, "verify")
}

// A closed terminal (SIGHUP) leaves the gate waiting; so does SIGTERM.
func TestHangup(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
		s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
		s.sees("> ")
		require.NoError(t, s.cmd.Process.Signal(signal))
		require.Equal(t, 5, s.ends(), s.shown())
		gate := u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)
		require.Equal(t, "pending", gate["state"])
		require.Equal(t, true, gate["suspended"])
		u.wants(0, "verify")
	}
}

// A dumb terminal gets no escape sequence at all, NO_COLOR no colour (https://no-color.org).
func TestPlainTerminals(t *testing.T) {
	t.Parallel()
	colour := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for variable, barred := range map[string]*regexp.Regexp{
		"TERM=dumb": regexp.MustCompile("\x1b"), "NO_COLOR=1": colour, "TERM=xterm-256color": nil,
	} {
		u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
		u.env = append(u.env, variable)
		s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
		s.sees("> ")
		s.types("approve")
		require.Equal(t, 0, s.ends(), s.shown())
		if barred == nil {
			require.Regexp(t, colour, s.shown())
		} else {
			require.NotRegexp(t, barred, s.shown(), variable)
		}
	}
}

// B56, S12: of a plan longer than the screen, approve is refused until its end was shown.
func TestB56LongPlan(t *testing.T) {
	t.Parallel()
	u := newUser(t, "long.js", `export const meta = { name: "long", description: "x" };
const steps = [];
for (let i = 0; i < 400; i++) steps.push({ title: "step " + i });
steps.push({ title: "rm -rf" });
return (await planApprove({ steps })).decision;
`)
	s := u.terminal("run", "long.js")
	s.sees("still hidden")
	s.sees("> ")
	s.types("approve")
	s.sees("not yet")
	s.sees("> ")
	require.NotContains(t, s.shown(), "rm -rf")
	require.Equal(t, "running", u.state(""))
	s.types("all")
	s.sees("rm -rf")
	s.sees("End of the plan.")
	s.sees("> ")
	s.types("approve")
	require.Equal(t, 0, s.ends(), s.shown())
	u.wants(0, "verify")
}

// A question whose time is over while it is shown ends by itself, and declines.
func TestDeadlinePassesAtThePrompt(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml", "--timeout", "1s")
	s.sees("> ")
	require.Equal(t, 3, s.ends(), s.shown())
	gate := u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)
	require.Equal(t, "expired", gate["state"])
	require.NoFileExists(t, u.dir+"/worked")
	u.wants(0, "verify")
}
