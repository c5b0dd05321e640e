package cli_test

import (
	"bytes"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/cli"
)

// The XDG base directory specification: defaults, variables, and relative values that do not
// count.
func TestFolders(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have other habits")
	}
	for _, c := range []struct{ env, store, keys, config string }{
		{"", "/home/anna/.local/state/assent", "/home/anna/.local/share/assent/keys", "/home/anna/.config/assent/config.toml"},
		{"XDG_STATE_HOME=/s XDG_DATA_HOME=/d XDG_CONFIG_HOME=/c", "/s/assent", "/d/assent/keys", "/c/assent/config.toml"},
		{"XDG_STATE_HOME=s XDG_DATA_HOME=./d XDG_CONFIG_HOME=c", "/home/anna/.local/state/assent", "/home/anna/.local/share/assent/keys", "/home/anna/.config/assent/config.toml"},
		{"XDG_STATE_HOME=/s ASSENT_HOME=/own", "/own", "/home/anna/.local/share/assent/keys", "/home/anna/.config/assent/config.toml"},
		{"XDG_DATA_HOME=/d ASSENT_KEYS=/own", "/home/anna/.local/state/assent", "/own", "/home/anna/.config/assent/config.toml"},
		{"ASSENT_HOME=rel ASSENT_KEYS=../k", "/work/rel", "/k", "/home/anna/.config/assent/config.toml"},
		{"ASSENT_HOME=rel", "/work/rel", "/home/anna/.local/share/assent/keys", "/home/anna/.config/assent/config.toml"},
	} {
		s := cli.System{Env: append([]string{"HOME=/home/anna"}, strings.Fields(c.env)...), Dir: "/work"}
		store, keys, config, err := cli.Folders(s)
		require.NoError(t, err)
		require.Equal(t, []string{c.store, c.keys, c.config}, []string{store, keys, config}, c.env)
	}
}

// The command line needs no process: everything comes in with a System.
func TestRunInProcess(t *testing.T) {
	t.Parallel()
	var out, trouble bytes.Buffer
	dir := t.TempDir()
	s := cli.System{
		Args: []string{"ls", "--json"}, Env: home(dir), Dir: dir, In: strings.NewReader(""), Out: &out, Err: &trouble, Now: time.Now,
		Exit: func(int) { t.Error("it left the process") },
	}
	require.Zero(t, cli.Run(s))
	require.Empty(t, trouble.String())
	require.Equal(t, []any{}, parsed(t, out.String())["runs"])
	out.Reset()
	s.Args = []string{"approve"}
	require.Equal(t, 2, cli.Run(s))
	require.Empty(t, out.String())
	require.Equal(t, "assent: USAGE: approve needs the checksum of what you approve\nnext: assent review\n", trouble.String())
}

// A run that came to its waiting leaves no goroutine behind.
func TestRunLeavesNothingBehind(t *testing.T) {
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	before := goleak.IgnoreCurrent()
	var out, trouble bytes.Buffer
	s := cli.System{
		Args: []string{"run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend"}, Env: u.env, Dir: u.dir,
		In: strings.NewReader("yes\n"), Out: &out, Err: &trouble, Now: time.Now,
	}
	require.Equal(t, 4, cli.Run(s), trouble.String())
	require.Empty(t, out.String())
	goleak.VerifyNone(t, before)
}

// B57, S10: JSON on an output carries no character that a screen should not get, and means the
// same. The escapes are those of RFC 8259, section 7.
func TestB57SafeJSON(t *testing.T) {
	t.Parallel()
	require.Equal(t, `{"a":"\u009b\u202e\u200b\u007f\ud83c\udff4\udb40\udc67 äé漢😀"}`,
		cli.SafeJSON("{\"a\":\"\u009b\u202e\u200b\u007f\\ud83c\\udff4\U000E0067 äé漢😀\"}"))
}

// A command line that is kept in the journal is read back as the same words.
func TestQuoteCommand(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{
		{"a"}, {"/bin/my agent", "--x", ""}, {"sh", "-c", `echo "$HOME" | tr 'a' "b" \; done`}, {"a", "it's", `"q"`, "`x`", "ä\n"},
	} {
		got, err := agent.ParseCommand(cli.QuoteCommand(argv))
		require.NoError(t, err)
		require.Equal(t, argv, got)
	}
}

// A place is named as far as it is known.
func TestPlace(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"", "", "l.js", "l.js:2", "l.js:2:7"}, []string{
		cli.Place("", 0, 0), cli.Place("", 2, 7), cli.Place("l.js", 0, 0), cli.Place("l.js", 2, 0), cli.Place("l.js", 2, 7),
	})
}

// A hint that repeats what was typed is read by a shell as the same words, with the run behind
// the command; a word that no line can show is to be filled in.
func TestNamedRun(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs a Unix shell")
	}
	for _, args := range [][]string{
		{"answer", `it's "a" $HOME`}, {"reject", "--changes", "#1 * ? [a] {b,c} ~ !x `id` \\ ;&|<>()"}, {"answer", "~"}, {"answer", "--", "-x", ""},
	} {
		words, err := exec.CommandContext(t.Context(), sh, "-c", `for w in `+cli.Named(args, "RUN")+`; do printf '%s\n' "$w"; done`).Output()
		require.NoError(t, err)
		require.Equal(t, strings.Join(append([]string{"assent", args[0], "RUN"}, args[1:]...), "\n")+"\n", string(words))
	}
	require.Equal(t, "assent --json reject RUN --changes TEXT --gate=TEXT",
		cli.Named([]string{"--json", "reject", "--changes", "one\ntwo", "--gate=\x1b"}, "RUN"))
}
