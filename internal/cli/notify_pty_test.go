//go:build unix

package cli_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// The codes of xterm's control sequences: the bell, OSC 2, and XTWINOPS 22 and 23.
const (
	bel   = "\x07"
	keep  = "\x1b[22;2t"
	title = "\x1b]2;"
	blank = title + bel
	prior = "\x1b[23;2t"
)

// A question at the run's own terminal rings, and the title says how many wait until none does. The
// command is not called: somebody is being asked right here.
func TestQuestionRings(t *testing.T) {
	t.Parallel()
	u := told(t, keeps, "gate.js", gateScript, "answers.toml", answers)
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("> ")
	run := runID.FindString(s.shown())
	require.Equal(t, 1, strings.Count(s.shown(), keep+title+"assent "+strings.ToLower(run[20:])+": 1 question waits"+bel))
	require.Equal(t, 2, strings.Count(s.shown(), bel), "the bell, and the end of the title")
	s.types("approve")
	require.Equal(t, 0, s.ends(), s.shown())
	_, after, found := strings.Cut(s.shown(), "1 question waits"+bel)
	require.True(t, found)
	require.Contains(t, after, blank+prior)
	require.Nil(t, u.told())
}

// What a script calls itself is not in the title, and the title is given back however the run ends.
func TestTitleIsGivenBack(t *testing.T) {
	t.Parallel()
	for key, code := range map[string]int{"\x03": 5, "\x04": 4} {
		u := told(t, keeps, "two.js", twoGates)
		s := u.terminal("run", "two.js")
		s.sees("> ")
		require.Contains(t, s.shown(), ": 2 questions wait"+bel)
		require.NotContains(t, s.shown(), title+"x")
		s.sends(key)
		if code == 4 {
			s.sees("> ") // the other question
			s.sends(key)
		}
		require.Equal(t, code, s.ends(), s.shown())
		require.Equal(t, 1, strings.Count(s.shown(), keep))
		require.Equal(t, 1, strings.Count(s.shown(), blank+prior))
		if code == 4 {
			require.Len(t, u.told(), 2, "the run is left waiting")
		} else {
			require.Nil(t, u.told(), "whoever interrupts it knows")
		}
	}
}

// The configuration switches either off; a terminal that understands nothing gets neither.
func TestSignsAreSwitchedOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ config, env, rings, entitles string }{
		"both":     {"", "TERM=xterm-256color", "yes", "yes"},
		"no bell":  {"[notify]\nbell = false\n", "TERM=xterm-256color", "", "yes"},
		"no title": {"[notify]\ntitle = false\n", "TERM=xterm-256color", "yes", ""},
		"neither":  {"[notify]\nbell = false\ntitle = false\n", "TERM=xterm-256color", "", ""},
		"dumb":     {"", "TERM=dumb", "", ""},
		"console":  {"", "TERM=linux", "yes", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t, "gate.js", gateScript)
			u.configures(c.config)
			u.env = append(u.env, c.env)
			s := u.terminal("run", "gate.js")
			s.sees("> ")
			s.types("later")
			require.Equal(t, 4, s.ends(), s.shown())
			entitles := strings.Contains(s.shown(), title)
			require.Equal(t, c.entitles == "yes", entitles)
			require.Equal(t, c.entitles == "yes", strings.Contains(s.shown(), keep) && strings.Contains(s.shown(), prior))
			bells := strings.Count(s.shown(), bel) - strings.Count(s.shown(), title) // each title ends with one
			require.Equal(t, c.rings == "yes", bells == 1, "%q", s.shown())
			require.Equal(t, c.rings == "", bells == 0)
		})
	}
}

// A run that asks nobody, with a terminal to talk to, rings there and calls the command.
func TestHeadlessRunRings(t *testing.T) {
	t.Parallel()
	u := told(t, keeps, "gate.js", gateScript)
	s := u.terminal("run", "gate.js", "--headless", "--on-gate", "suspend")
	require.Equal(t, 4, s.ends(), s.shown())
	require.Contains(t, s.shown(), "1 question waits"+bel)
	require.Len(t, u.told(), 1)
}

// With a program to ask, the terminal still asks by itself; with half a terminal the program does.
func TestTerminalBeforeTheAsker(t *testing.T) {
	t.Parallel()
	u := asked(t, "touch \"$0.ran\"; answer true\n", "")
	s := u.terminal("run", "gate.js", "--agent", "script:answers.toml")
	s.sees("> ")
	s.types("reject")
	require.Equal(t, 3, s.ends(), s.shown())
	require.NoFileExists(t, u.dir+"/worked")
	require.Equal(t, "terminal", u.gate()["who"].(map[string]any)["way"])

	cmd := u.command("run", "gate.js", "--agent", "script:answers.toml")
	tty, theirs, err := pty.Open()
	require.NoError(t, err)
	defer tty.Close()
	cmd.Stderr = theirs
	require.NoError(t, cmd.Start())
	require.NoError(t, theirs.Close())
	shown := make(chan string)
	go func() {
		var all strings.Builder
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			all.Write(buf[:n])
			if err != nil { // EIO when the process has ended
				shown <- all.String()
				return
			}
		}
	}()
	require.NoError(t, cmd.Wait())
	require.Contains(t, <-shown, "questions go to the asker: standard input is no terminal")
	require.FileExists(t, u.dir+"/worked")
	require.FileExists(t, strings.TrimSuffix(u.dir, "/work")+"/config/assent/asker.ran")
}

// number is the number in a file.
func number(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return n
}
