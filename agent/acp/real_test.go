//go:build unix

package acp_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// adapter is a real adapter with a home of its own, and a model that a script stands in for.
type adapter struct {
	options acp.Options
	home    string
	repo    string
	model   *modeltest.Server
}

func realAdapter(t *testing.T, name string, play func(repo string) modeltest.Play) adapter {
	t.Helper()
	folder := os.Getenv("ASSENT_REAL_AGENTS")
	if folder == "" {
		t.Skip("ASSENT_REAL_AGENTS names no folder with the agents' programs")
	}
	program := filepath.Join(folder, name)
	if _, err := os.Stat(program); err != nil {
		t.Skip(err)
	}
	a := adapter{repo: repository(t)}
	a.model = modeltest.Start(t, play(a.repo).Script())
	var err error
	a.home, err = os.MkdirTemp("/var/tmp", "assent-home-") //nolint:usetesting // codex wants no home below /tmp
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(a.home) })
	a.options = acp.Options{
		Command: []string{program},
		Env: []string{
			"PATH=" + folder + ":" + os.Getenv("PATH"), "HOME=" + a.home, "ANTHROPIC_BASE_URL=" + a.model.URL, "ANTHROPIC_API_KEY=sk-ant-none",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CODEX_HOME=" + filepath.Join(a.home, ".codex"), "PI_CODING_AGENT_DIR=" + filepath.Join(a.home, ".pi", "agent"), "PI_OFFLINE=1", "IS_SANDBOX=yes",
		},
	}
	write(t, `model = "gpt-5.4"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "`+a.model.URL+`/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`, a.home, ".codex", "config.toml")
	write(t, `{"providers":{"local":{"baseUrl":"`+a.model.URL+`/v1","api":"openai-completions","apiKey":"k","models":[{"id":"stand-in","contextWindow":100000,"maxTokens":4096}]}}}`,
		a.home, ".pi", "agent", "models.json")
	write(t, `{"defaultProvider":"local","defaultModel":"stand-in"}`, a.home, ".pi", "agent", "settings.json")
	return a
}

func write(t *testing.T, content string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
}

// repository is a git repository with one commit of a.txt.
func repository(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/var/tmp", "assent-test-") //nolint:usetesting // sandboxes may have /tmp writable
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	write(t, "first\n", folder, "a.txt")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = folder
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", text)
	}
	return folder
}

// run makes a call in the adapter's repository.
func (a adapter) run(t *testing.T, adjust func(*agent.Request)) *called {
	t.Helper()
	return attempt(t, acp.New(a.options), func(r *agent.Request) {
		r.Cwd = a.repo
		adjust(r)
	})
}

// status is what changed in the adapter's repository.
func (a adapter) status(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("git", "status", "--porcelain", "--ignored")
	cmd.Dir = a.repo
	text, err := cmd.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(text))
}

// did are the uses of tools that were told, with those that were not let.
func did(c *called) (tools []string, refused int) {
	for _, e := range c.events {
		switch {
		case e.Type == agent.EventTool:
			tools = append(tools, e.Tool)
		case e.Type == agent.EventPermission && e.Failed:
			refused++
		}
	}
	return tools, refused
}

func TestRealClaudeAdapter(t *testing.T) {
	play := func(repo string) modeltest.Play {
		return modeltest.Play{{Prompt: "look and change", Turns: []modeltest.Turn{
			{Text: "I look.", Uses: modeltest.Uses("Read", map[string]any{"file_path": filepath.Join(repo, "a.txt")}).Uses, Input: 100, Output: 10},
			modeltest.Uses("Bash", map[string]any{"command": "git log --oneline"}),
			modeltest.Uses("Bash", map[string]any{"command": "echo more > b.txt"}),
			{Text: "It is done."},
		}}}
	}
	for _, row := range []struct {
		name   string
		adjust func(*agent.Request)
		after  string
	}{
		{"reads", func(r *agent.Request) { r.ReadOnly = true }, ""},
		{"asks nobody", func(r *agent.Request) { r.PermissionMode = "ask" }, ""},
		{"writes", func(r *agent.Request) { r.PermissionMode = "auto" }, "?? b.txt"},
		{"asks a person", func(r *agent.Request) {
			r.PermissionMode = "ask"
			r.Ask = func(_ context.Context, p agent.Permission) (bool, error) {
				return strings.Contains(p.Input, "b.txt"), nil
			}
		}, "?? b.txt"},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := realAdapter(t, "claude-agent-acp", play)
			c := a.run(t, func(r *agent.Request) {
				r.Prompt = "look and change"
				row.adjust(r)
			})
			require.Equal(t, "It is done.", c.text(t))
			require.Equal(t, row.after, a.status(t))
			tools, refused := did(c)
			require.Equal(t, []string{"Read", "Bash", "Bash"}, tools)
			require.Equal(t, row.after == "", refused > 0, "%+v", c.events)
			require.Positive(t, c.resp.Usage.Input)
			require.Positive(t, c.resp.Usage.Output)
			require.Len(t, c.told(agent.EventSession), 1)
			require.Equal(t, "I look.", c.told(agent.EventText)[0].Text)
		})
	}
}

// Codex is made to ask, and the rules answer. Its own sandbox, which commands need, may not be there.
func TestRealCodexAdapter(t *testing.T) {
	const patch = "apply_patch <<'END'\n*** Begin Patch\n*** Add File: b.txt\n+more\n*** End Patch\nEND"
	play := func(string) modeltest.Play {
		return modeltest.Play{{Prompt: "change it", Turns: []modeltest.Turn{
			{Text: "I change it.", Uses: modeltest.Uses("exec_command", map[string]any{"cmd": patch}).Uses}, {Text: "It is done."},
		}}}
	}
	a := realAdapter(t, "codex-acp", play)
	c := a.run(t, func(r *agent.Request) { r.Prompt, r.PermissionMode = "change it", "accept-edits" })
	require.Equal(t, "It is done.", c.text(t))
	require.Equal(t, "?? b.txt", a.status(t))
	tools, _ := did(c)
	require.Equal(t, []string{"edit"}, tools)
	require.Positive(t, c.resp.Usage.Input)

	a = realAdapter(t, "codex-acp", play)
	c = a.run(t, func(r *agent.Request) { r.Prompt, r.ReadOnly = "change it", true })
	require.ErrorContains(t, c.err, "it was not let use edit", "it takes a refusal for the end")
	require.Empty(t, a.status(t))
	_, refused := did(c)
	require.Equal(t, 1, refused)
}

func TestRealProbes(t *testing.T) {
	signedIn := func(name string, drop ...string) (string, *bool, string) {
		a := realAdapter(t, name, func(string) modeltest.Play { return nil })
		a.options.Env = slices.DeleteFunc(a.options.Env, func(v string) bool {
			return slices.ContainsFunc(drop, func(d string) bool { return strings.HasPrefix(v, d) })
		})
		for _, d := range drop {
			require.NoError(t, os.RemoveAll(filepath.Join(a.home, d)))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		p := acp.Probe(ctx, a.options)
		require.Equal(t, a.options.Command[0], p.Path)
		return p.Version, p.SignedIn, p.Problem
	}
	version, _, problem := signedIn("claude-agent-acp")
	require.Regexp(t, `claude-agent-acp \d`, version)
	require.Empty(t, problem)
	if _, err := os.Stat(filepath.Join(os.Getenv("ASSENT_REAL_AGENTS"), "pi-acp")); err == nil {
		// What pi-acp needs of pi differs from version to version; that it is there and speaks the protocol
		// can be told of each.
		version, _, _ = signedIn("pi-acp")
		require.Regexp(t, `pi-acp \d`, version)
	}
	version, in, problem := signedIn("codex-acp", ".codex/config.toml")
	require.Regexp(t, `codex-acp \d`, version)
	require.NotNil(t, in, problem)
	require.False(t, *in)
	require.Contains(t, problem, "not signed in")
}
