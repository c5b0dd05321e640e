//go:build unix

package acp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// Claude Code's adapter trims paths and expands them before it follows them.
func TestRealClaudeAdapterStaysInside(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("the secret\n"), 0o600))
	play := func(repo string) modeltest.Play {
		use := func(tool, key, value string) modeltest.Turn {
			return modeltest.Uses(tool, map[string]any{key: value, "content": "x", "pattern": "secret"})
		}
		return modeltest.Play{{Prompt: "look", Turns: []modeltest.Turn{
			use("Write", "file_path", " ../escaped.txt"), use("Write", "file_path", "\u00a0"+filepath.Dir(repo)+"/escaped.txt"), use("Write", "file_path", "\t~/escaped.txt"), use("Write", "file_path", "~/escaped.txt"),
			use("Write", "file_path", filepath.Join(repo, ".assent", "config.toml")),
			use("Read", "file_path", " "+secret), use("Read", "file_path", secret), use("Bash", "command", "cat "+secret),
			{Text: "It is done."},
		}}}
	}
	for _, readOnly := range []bool{true, false} {
		a := realAdapter(t, "claude-agent-acp", play)
		c := a.run(t, func(r *agent.Request) { r.Prompt, r.ReadOnly = "look", readOnly })
		require.Equal(t, "It is done.", c.text(t))
		require.Empty(t, a.status(t))
		require.NoFileExists(t, filepath.Join(filepath.Dir(a.repo), "escaped.txt"))
		require.NoFileExists(t, filepath.Join(a.home, "escaped.txt"))
		for _, e := range c.told(agent.EventToolResult) {
			require.NotContains(t, e.Text, "the secret")
		}
	}
}

// A repository that its user trusts may bring Codex a configuration that starts programs.
func TestRealCodexAdapterStartsNothingOfARepository(t *testing.T) {
	a := realAdapter(t, "codex-acp", func(string) modeltest.Play {
		return modeltest.Play{{Prompt: "look", Turns: []modeltest.Turn{{Text: "It is done."}}}}
	})
	mark := filepath.Join(t.TempDir(), "ran")
	own, err := os.ReadFile(filepath.Join(a.home, ".codex", "config.toml"))
	require.NoError(t, err)
	server := fmt.Sprintf("[mcp_servers.x]\ncommand = \"touch\"\nargs = [%q]\n", mark)
	write(t, string(own)+fmt.Sprintf("\n[projects.%q]\ntrust_level = \"trusted\"\n", a.repo), a.home, ".codex", "config.toml")
	write(t, "notify = [\"touch\", \""+mark+"\"]\n"+server, a.repo, ".codex", "config.toml")
	look := func(readOnly bool) {
		c := a.run(t, func(r *agent.Request) { r.Prompt, r.ReadOnly, r.PermissionMode = "look", readOnly, "auto" })
		require.Equal(t, "It is done.", c.text(t))
	}
	look(true)
	require.NoFileExists(t, mark)
	look(false)
	require.FileExists(t, mark, "which it would start otherwise")
	require.NoError(t, os.Remove(mark))

	write(t, string(own)+"\n"+server, a.home, ".codex", "config.toml")
	require.NoError(t, os.RemoveAll(filepath.Join(a.repo, ".codex")))
	look(true)
	require.NoFileExists(t, mark, "nor a server of the user's")

	a.options.Command = append(a.options.Command, "-c", `mcp_servers.x.command="touch"`)
	c := a.run(t, func(r *agent.Request) { r.Prompt, r.ReadOnly = "look", true })
	require.ErrorContains(t, c.err, "mcp_servers")
}
