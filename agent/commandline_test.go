package agent_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

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
