package tests_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// The agents' own programs, each started by the built command line in a real repository, with a
// stand-in for its model. ASSENT_REAL_AGENTS names the folder that they are in; without it these
// tests are skipped.

// realAgent is a program, and how a model has it do something.
type realAgent struct {
	// name is what --agent takes, and how the program is called.
	name string
	// settle writes its settings into a home; nil if the environment does.
	settle func(t *testing.T, home, url string)
	// try is a command of its own that fails where it cannot work; empty if there is none.
	try []string
	// read, write, edit and shell are turns that use its tools. Paths are relative to the call's folder.
	read  func(path string) modeltest.Turn
	write func(path, content string) modeltest.Turn
	edit  func(path, old, fresh string) modeltest.Turn
	shell func(line string) modeltest.Turn
	// value is how its model answers with a value.
	value func(text string) modeltest.Turn
	// limit is how its provider says that a plan is used up.
	limit modeltest.Turn
	// tellsFailed says that the program tells what an attempt used that failed.
	tellsFailed bool
}

// claudeAgent is Claude Code, by itself or through its adapter.
func claudeAgent(name string, value func(string) modeltest.Turn) realAgent {
	return realAgent{
		name:  name,
		read:  func(path string) modeltest.Turn { return modeltest.Uses("Read", map[string]any{"file_path": path}) },
		shell: func(line string) modeltest.Turn { return modeltest.Uses("Bash", map[string]any{"command": line}) },
		write: func(path, content string) modeltest.Turn {
			return modeltest.Uses("Write", map[string]any{"file_path": path, "content": content})
		},
		edit: func(path, old, fresh string) modeltest.Turn {
			return modeltest.Uses("Edit", map[string]any{"file_path": path, "old_string": old, "new_string": fresh})
		},
		value: value,
		limit: modeltest.Fails(429, "rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
	}
}

// realFolder is where the programs are. A program that is missing there is a failure.
func realFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("ASSENT_REAL_AGENTS")
	if folder == "" {
		t.Skip("ASSENT_REAL_AGENTS names no folder with the agents' programs")
	}
	return folder
}

// realAgents are all that are tried.
func realAgents(t *testing.T) []realAgent {
	t.Helper()
	realFolder(t)
	claude := claudeAgent("claude", func(text string) modeltest.Turn { return modeltest.Uses("StructuredOutput", json.RawMessage(text)) })
	claude.tellsFailed = true
	return []realAgent{
		claude,
		codexAgent(),
		piAgent(),
		claudeAgent("claude-agent-acp", modeltest.Says),
	}
}

// codexAgent is Codex, which does everything by commands.
func codexAgent() realAgent {
	shell := func(line string) modeltest.Turn { return modeltest.Uses("exec_command", map[string]any{"cmd": line}) }
	patch := func(lines ...string) modeltest.Turn {
		return shell("apply_patch <<'END'\n*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\nEND")
	}
	return realAgent{
		name: "codex", try: []string{"codex", "sandbox", "--", "true"},
		settle: func(t *testing.T, home, url string) {
			t.Helper()
			lay(t, `model = "stand-in"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "`+url+`/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`, home, ".codex", "config.toml")
		},
		read:  func(path string) modeltest.Turn { return shell("cat " + path) },
		write: func(path, content string) modeltest.Turn { return patch("*** Add File: "+path, "+"+content) },
		edit: func(path, old, fresh string) modeltest.Turn {
			return patch("*** Update File: "+path, "@@", "-"+old, "+"+fresh)
		},
		shell: shell, value: modeltest.Says,
		limit: modeltest.Turn{Failure: &modeltest.Failure{
			Status: 429, Body: `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":4102444800}}`,
		}},
	}
}

// piAgent is pi, with a provider that speaks as OpenAI's completions do.
func piAgent() realAgent {
	return realAgent{
		name: "pi",
		settle: func(t *testing.T, home, url string) {
			t.Helper()
			lay(t, `{"providers":{"local":{"baseUrl":"`+url+`/v1","api":"openai-completions","apiKey":"k","models":[
				{"id":"stand-in","contextWindow":100000,"maxTokens":4096,"cost":{"input":1,"output":2,"cacheRead":0,"cacheWrite":0}}]}}}`,
				home, ".pi", "agent", "models.json")
			lay(t, `{"defaultProvider":"local","defaultModel":"stand-in","retry":{"enabled":false,"provider":{"maxRetries":0}}}`, home, ".pi", "agent", "settings.json")
		},
		read:  func(path string) modeltest.Turn { return modeltest.Uses("read", map[string]any{"path": path}) },
		shell: func(line string) modeltest.Turn { return modeltest.Uses("bash", map[string]any{"command": line}) },
		write: func(path, content string) modeltest.Turn {
			return modeltest.Uses("write", map[string]any{"path": path, "content": content})
		},
		edit: func(path, old, fresh string) modeltest.Turn {
			return modeltest.Uses("edit", map[string]any{"path": path, "edits": []any{map[string]any{"oldText": old, "newText": fresh}}})
		},
		value:       modeltest.Says,
		limit:       modeltest.Fails(429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."),
		tellsFailed: true,
	}
}

// realVisitor is a person with agents' programs, an empty home and a repository in it.
type realVisitor struct {
	*visitor

	model *modeltest.Server

	mu     sync.Mutex
	script modeltest.Script // guarded by mu
}

// newRealVisitor has the model follow a play. A program that cannot work on this machine is left out,
// and the test says why.
func newRealVisitor(t *testing.T, a realAgent, play modeltest.Play) *realVisitor {
	t.Helper()
	folder := realFolder(t)
	require.NoError(t, program())
	// Not below /tmp, which Codex lets its commands write to.
	root, err := os.MkdirTemp("/var/tmp", "assent-test-") //nolint:usetesting // a test's own folder is below /tmp
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	v := &realVisitor{visitor: &visitor{home: filepath.Join(root, "home"), dir: filepath.Join(root, "project")}}
	v.play(play)
	v.model = modeltest.Start(t, func(c modeltest.Conversation) (modeltest.Turn, error) {
		v.mu.Lock()
		script := v.script
		v.mu.Unlock()
		return script(c)
	})
	list := string(os.PathListSeparator)
	v.env = []string{
		"HOME=" + v.home, "PATH=" + built + list + folder + list + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1",
		"ANTHROPIC_BASE_URL=" + v.model.URL, "ANTHROPIC_API_KEY=sk-ant-stand-in", "CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "PI_OFFLINE=1",
	}
	require.NoError(t, os.Mkdir(v.home, 0o700))
	if a.settle != nil {
		a.settle(t, v.home, v.model.URL)
	}
	if len(a.try) > 0 {
		cmd := exec.CommandContext(t.Context(), filepath.Join(folder, a.try[0]), a.try[1:]...)
		cmd.Dir, cmd.Env = v.home, v.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("%s does not work here: %v: %s", strings.Join(a.try, " "), err, out)
		}
	}
	lay(t, "Hello\n", v.dir, "greet.txt")
	lay(t, "as it was\n", v.dir, "other.txt")
	for _, args := range []string{"init -q -b main", "config user.name Ada", "config user.email ada@example.org", "add .", "commit -qm one"} {
		v.git(t, strings.Fields(args)...)
	}
	// What a person is in the middle of is nobody else's.
	lay(t, "half done\n", v.dir, "other.txt")
	lay(t, "a note\n", v.dir, "notes", "mine.txt")
	return v
}

// play has the model follow another play from now on.
func (v *realVisitor) play(p modeltest.Play) { v.follows(p.Script()) }

func (v *realVisitor) follows(s modeltest.Script) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.script = s
}

// lay writes a file and the folders above it.
func lay(t *testing.T, content string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
}

// git runs git in the repository, as its person.
func (v *realVisitor) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = v.dir, v.env
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %s: %s", args, out)
	return string(out)
}

// own is everything that is the person's: each file with its content and mode, but for Assent's own
// folder, and of the repository what git does not keep for other branches and trees.
func (v *realVisitor) own(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{"HEAD": v.git(t, "rev-parse", "HEAD", "main"), "refs": v.git(t, "for-each-ref", "refs/heads/main", "refs/tags", "refs/remotes", "refs/stash")}
	spared := map[string]bool{".assent": true, ".git/objects": true, ".git/worktrees": true, ".git/refs": true, ".git/logs": true, ".git/packed-refs": true}
	require.NoError(t, filepath.WalkDir(v.dir, func(path string, entry os.DirEntry, err error) error {
		name, _ := filepath.Rel(v.dir, path)
		if err == nil && spared[filepath.ToSlash(name)] {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		found[name] = info.Mode().String() + " " + string(text)
		return err
	}))
	return found
}

// ranRun is what run, resume and show print with --json, as far as it matters here.
type ranRun struct {
	Run, State string
	Exit       int
	Result     json.RawMessage
	Error      struct{ Code, What string }
	Live       int
	Replayed   int
	Waiting    []struct{ Gate, Checksum, State string }
	Gates      []struct{ Gate, Checksum, State, Mode string }
	Usage      struct{ Input, Output, CostMicroUSD *int64 }
	Calls      []realCall
}

// realCall is a call as show prints it.
type realCall struct {
	Key, Label, State string
	ReadOnly          bool
	Value             json.RawMessage
	Failure           *struct{ Code, Message string }
	Note              string
	Worktree          *struct {
		Path, Branch, Base, Commit string
		Files                      []struct{ Path, Kind string }
	}
	Transcript *struct{ State string }
	Patch      *struct{ Name, Path string }
	Events     []struct{ Type, Tool, Input, Text string }
}

// says runs assent and reads what it printed as JSON.
func (v *realVisitor) says(t *testing.T, exit int, args ...string) ranRun {
	t.Helper()
	stdout, stderr, code := v.run(t, append(args, "--json")...)
	require.Equal(t, exit, code, "assent %s:\n%s%s", strings.Join(args, " "), stdout, stderr)
	var said ranRun
	require.NoError(t, json.Unmarshal([]byte(stdout), &said), stdout)
	return said
}

// told is a call with what its agent told.
func (v *realVisitor) told(t *testing.T, run, key string) realCall {
	t.Helper()
	stdout, stderr, code := v.run(t, "show", run, "--call", key, "--transcript", "--json")
	require.Zero(t, code, stderr)
	var said realCall
	require.NoError(t, json.Unmarshal([]byte(stdout), &said), stdout)
	return said
}

// asked are the requests to the model whose conversation has a text.
func (v *realVisitor) asked(text string) []modeltest.Conversation {
	var found []modeltest.Conversation
	for _, c := range v.model.Asked() {
		if strings.Contains(strings.Join(c.Texts(), "\n"), text) {
			found = append(found, c)
		}
	}
	return found
}
