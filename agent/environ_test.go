package agent_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func TestS19_FilterEnv(t *testing.T) {
	in := []string{
		"PATH=/bin", "HOME=/h", "LANG=C", "LC_ALL=C", "EMPTY=", "ANTHROPIC_API_KEY=k", "PATH=/usr/bin", "broken", "=C:=C:\\", "TERM=xterm",
		"ASSENT_HOME=/s", "assent_key=/k", "SSH_AUTH_SOCK=/a", "SSH_TTY=/dev/pts/0", "TMUX=/tmp/x", "DISPLAY=:0", "APPROVER_KEY=x",
		"TEAM_APPROVER_KEY=x", "GIT_ASKPASS=/ask", "SSH_ASKPASS=/ask", "KITTY_LISTEN_ON=unix:x", "GIT_TERMINAL_PROMPT=1",
	}
	quiet := []string{
		"GIT_ASKPASS=true", "GCM_INTERACTIVE=never", "SSH_ASKPASS=true",
		"SSH_ASKPASS_REQUIRE=force", "SUDO_ASKPASS=true",
	}
	want := append([]string{
		"PATH=/usr/bin", "HOME=/h", "LANG=C", "LC_ALL=C", "EMPTY=", "ANTHROPIC_API_KEY=k", "=C:=C:\\", "TERM=dumb", "GIT_TERMINAL_PROMPT=0",
	}, quiet...)
	require.Equal(t, want, agent.FilterEnv(in, nil))

	kept := agent.FilterEnv(in, []string{"SSH_AUTH_SOCK", "ASSENT_HOME", "ASSENT_KEY", "GIT_ASKPASS"})
	require.Contains(t, kept, "SSH_AUTH_SOCK=/a")
	require.Contains(t, kept, "GIT_ASKPASS=true", "what asks a person never comes back")
	require.NotContains(t, strings.ToUpper(strings.Join(kept, "\n")), "ASSENT_", "nor does what is ours")
	require.ElementsMatch(t, kept, agent.FilterEnv(kept, []string{"SSH_AUTH_SOCK"}), "a filtered environment stays as it is")
}

func TestParseCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"agent":                      {"agent"},
		"  agent  --x\t-y\n":         {"agent", "--x", "-y"},
		`agent 'a b' "c d"`:          {"agent", "a b", "c d"},
		`agent ''  ""`:               {"agent", "", ""},
		`agent a'b'"c"\ d`:           {"agent", "abc d"},
		`agent "say \"hi\" \\ \n"`:   {"agent", `say "hi" \ \n`},
		`agent 'it'\''s $HOME | ok'`: {"agent", "it's $HOME | ok"},
		`agent \$HOME \| x=1 #y ~ *`: {"agent", "$HOME", "|", "x=1", "#y", "~", "*"},
		`"/opt/my agent/run" é`:      {"/opt/my agent/run", "é"},
	} {
		got, err := agent.SplitCommand(line, true)
		require.NoError(t, err, line)
		require.Equal(t, want, got, line)
	}
	got, err := agent.SplitCommand(`C:\bin\agent.exe "D:\a b\\c"`, false)
	require.NoError(t, err)
	require.Equal(t, []string{`C:\bin\agent.exe`, `D:\a b\c`}, got)

	for line, want := range map[string]string{
		"": "no program", " \n": "no program", `''`: "no program", `'a`: "never closed", `"a`: "never closed", "a | b": "'|'", "a && b": "'&'", "a; b": "';'",
		"a >x": "'>'", "a $HOME": "'$'", `a "$HOME"`: "'$'", "a `b`": "'`'", "(a)": "'('", "a\x00": "NUL",
	} {
		_, err := agent.ParseCommand(line)
		require.True(t, fault.Is(err, fault.ConfigInvalid), "%q: %v", line, err)
		require.ErrorContains(t, err, want, line)
	}
}

// Words quoted the way every shell manual says come back as they were.
func TestParseCommandRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return r != 0 }))
		words := append([]string{"agent"}, rapid.SliceOf(word).Draw(t, "words")...)
		var line strings.Builder
		for _, w := range words {
			line.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "' ")
		}
		got, err := agent.SplitCommand(line.String(), true)
		if err != nil {
			t.Fatal(err)
		}
		require.Equal(t, words, got)
	})
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b\nc", true},
		{"a*", "ab", true},
		{"a*", "ba", false},
		{"*b", "aab", true},
		{"a?c", "aéc", true},
		{"a?c", "ac", false},
		{"a*b*c", "a1b2b3c", true},
		{"a*b*c", "a1c2b", false},
		{`a\*`, "a*", true},
		{`a\*`, "ab", false},
		{`a\\b`, `a\b`, true},
		{`\?`, "x", false},
		{"[a]", "a", false},
		{"[a]", "[a]", true},
	} {
		require.Equal(t, c.want, agent.Glob(c.pattern, c.text), "%q %q", c.pattern, c.text)
	}
}

func TestB65_Redact(t *testing.T) {
	// Made up, of the published shapes; written in parts so that no scanner takes them for real.
	for text, want := range map[string]string{
		"key sk" + "-ant-api03-AbCdEf123456_xyz end":            "key [redacted] end",
		"ghp" + "_0123456789abcdefghij":                         "[redacted]",
		"AKIA" + "IOSFODNN7EXAMPLE":                             "[redacted]",
		"Authorization: Basic dXNlcjpwYXNz\nnext":               "Authorization: [redacted]\nnext",
		`{"authorization":"Bearer abc"}`:                        `{"authorization":"[redacted]"}`,
		"used Bearer abcdefgh.ijk":                              "used Bearer [redacted]",
		"https://me:hunter22@example.com/x":                     "https://me:[redacted]@example.com/x",
		"OPENAI_API_KEY=abcdef123":                              "OPENAI_API_KEY=[redacted]",
		`"password": "hunter22", "x": 1`:                        `"password": "[redacted]", "x": 1`,
		"a\n-----BEGIN PRIVATE KEY-----\nMII\nMIA\n":            "a\n[redacted]",
		"eyJ" + "hbGciOiJIUzI1.eyJzdWIiOiIx.SflKxwRJSMeKKF2QT4": "[redacted]",
		"the value is s3cr3t-value!":                            "the value is [redacted]",
		"nothing to hide: exit 1, 42 tokens":                    "nothing to hide: exit 1, 42 tokens",
	} {
		require.Equal(t, want, agent.Redact(text, []string{"DEPLOY_TOKEN=s3cr3t-value!", "AUTH=1", "HOME=nothing", "X_KEY=exit"}), text)
	}
}
