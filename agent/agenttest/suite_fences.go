package agenttest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/glob"
)

// ofTheScript are variables that the fake's own script, and its shell, set.
var ofTheScript = []string{"GORACE", "PWD", "OLDPWD", "SHLVL", "_"}

// barred are variables that no agent gets by itself; each would be seen if it passed.
var barred = []string{
	"ASSENT_HOME=/store", "ASSENT_KEYS=/keys", "ASSENT_AGENT=forged", "SSH_AUTH_SOCK=/s", "NODE_OPTIONS=--no-warnings", "GIT_SSH_COMMAND=false",
	"DISPLAY=:9", "MY_OWN=1",
}

// fences are what keeps an agent away from what is not its own.
func fences(t *testing.T, s Subject) {
	t.Run("environment", func(t *testing.T) {
		c := s.call(t, Behaviour{Text: "done"}, func(start *Start) { start.Env = append(slices.Clone(start.Env), append(barred, "LC_TIME=C")...) })
		require.Equal(t, "done", c.answer(t))
		got := c.report(t).Env
		for _, variable := range barred {
			require.NotContains(t, got, variable)
		}
		allowed := slices.Concat(process.Passing(), ofTheScript, s.Sets, []string{process.Marker, process.Marker + "_ATTEMPT"})
		for _, variable := range process.Quiet() {
			name, _, _ := strings.Cut(variable, "=")
			allowed = append(allowed, name)
			require.Contains(t, got, variable)
		}
		for _, variable := range got {
			name, _, _ := strings.Cut(variable, "=")
			require.True(t, slices.ContainsFunc(allowed, func(pattern string) bool { return glob.Match(pattern, name) }), "%s", name)
		}
		require.Contains(t, got, "LC_TIME=C")
		require.Contains(t, got, process.Marker+"=01RUN/agent#0")
	})
	t.Run("folder and terminal", func(t *testing.T) {
		c := s.call(t, Behaviour{Text: "done"})
		require.Equal(t, "done", c.answer(t))
		require.Equal(t, c.req.Cwd, resolved(t, c.report(t).Cwd))
		require.False(t, c.report(t).Terminal, "a terminal can be opened")
	})
	t.Run("input", func(t *testing.T) {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		_, err = w.WriteString("yes\n")
		require.NoError(t, err)
		own := os.Stdin
		os.Stdin = r
		defer func() { os.Stdin = own; _ = r.Close(); _ = w.Close() }()

		c := s.call(t, Behaviour{Text: "done"})
		require.Equal(t, "done", c.answer(t))
		if s.has(t, Inputs) {
			require.Empty(t, c.report(t).Rest, "nothing follows what was handed over")
		}
		left := make([]byte, 10)
		n, err := r.Read(left)
		require.NoError(t, err)
		require.Equal(t, "yes\n", string(left[:n]), "what a person types is not the agent's")
	})
}

// resolved is a path without links.
func resolved(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	require.NoError(t, err)
	return path
}
