package runners_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// realProgram is an agent's own program, from the folder that ASSENT_REAL_AGENTS names.
func realProgram(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("ASSENT_REAL_AGENTS")
	if folder == "" {
		t.Skip("ASSENT_REAL_AGENTS names no folder with the agents' programs")
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	return path
}

// repository is a git repository with one commit of a.txt, outside of folders that a sandbox may have
// writable.
func repository(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/var/tmp", "assent-test-") //nolint:usetesting // a test's own folder is below /tmp
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	git(t, folder, "init", "-q", "-b", "main")
	git(t, folder, "config", "user.name", "A")
	git(t, folder, "config", "user.email", "a@example.org")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a.txt"), []byte("first\n"), 0o600))
	git(t, folder, "add", ".")
	git(t, folder, "commit", "-qm", "one")
	return folder
}

func git(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

// untouched sees that a repository is as repository made it.
func untouched(t *testing.T, folder, head string) {
	t.Helper()
	require.Empty(t, git(t, folder, "status", "--porcelain", "--ignored"))
	require.Equal(t, head, git(t, folder, "rev-parse", "HEAD"))
	require.Equal(t, "first\n", read(t, folder, "a.txt"))
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// real is a real program with its own home, and a model that a script stands in for.
type real struct {
	runner  agent.Runner
	options runners.Options
	home    string
	model   *modeltest.Server
	repo    string

	mu   sync.Mutex
	told []agent.Event // guarded by mu
}

func newReal(t *testing.T, kind string, play modeltest.Play, settle func(home, url string)) *real {
	t.Helper()
	program := realProgram(t, kind)
	r := &real{home: t.TempDir(), model: modeltest.Start(t, play.Script()), repo: repository(t)}
	settle(r.home, r.model.URL)
	r.options = runners.Options{
		Program: program,
		Env:     append(os.Environ(), "HOME="+r.home, "CODEX_HOME="+filepath.Join(r.home, ".codex"), "PI_CODING_AGENT_DIR="+filepath.Join(r.home, ".pi", "agent"), "OPENAI_API_KEY="),
	}
	k, ok := runners.KindOf(kind)
	require.True(t, ok)
	r.runner = k.New(r.options)
	return r
}

func (r *real) request(prompt string) agent.Request {
	return agent.Request{
		Version: agent.Version, Run: "01RUN", Call: "/agent#0", Prompt: prompt, Cwd: r.repo, Attempt: 1,
		Tell: func(e agent.Event) { r.mu.Lock(); defer r.mu.Unlock(); r.told = append(r.told, e) },
	}
}

func (r *real) run(t *testing.T, req agent.Request) (agent.Response, error) {
	t.Helper()
	return r.runner.Run(context.WithoutCancel(t.Context()), req, nil)
}

// say runs a request that gives a text.
func (r *real) say(t *testing.T, req agent.Request) (string, agent.Response) {
	t.Helper()
	resp, err := r.run(t, req)
	require.NoError(t, err)
	var text string
	require.NoError(t, json.Unmarshal(resp.Value, &text))
	return text, resp
}

// events are those of a type.
func (r *real) events(kind string) []agent.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []agent.Event
	for _, e := range r.told {
		if e.Type == kind {
			found = append(found, e)
		}
	}
	return found
}

// results are what the tools gave to the model.
func (r *real) results() string {
	var all []string
	asked := r.model.Asked()
	for _, result := range asked[len(asked)-1].Results() {
		all = append(all, result.Text)
	}
	return strings.Join(all, "\n")
}

// put writes a file and the folders above it.
func put(t *testing.T, content string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
}

// replace puts a word where text has a %.
func replace(text, word string) string { return strings.ReplaceAll(text, "%", word) }
