package runners_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// answers are lines that are an answer of each kind.
var answers = map[string][]string{
	"claude": {claudeDone}, "codex": {codexThread, codexDone, codexCompleted}, "pi": {piSession, piStart, piSays("stop", "", "done"), piEnd},
}

// under is a program of a kind's own name.
func under(t *testing.T, kind string) (program string, read func() []string) {
	t.Helper()
	program, read = arguments(t, answers[kind]...)
	own := filepath.Join(filepath.Dir(program), kind)
	require.NoError(t, os.Rename(program, own))
	return own, read
}

// A call that only reads is started with no argument of the configuration's that is not known to leave
// its fence as it is, however it is spelled.
func TestArgumentsOfACallThatOnlyReads(t *testing.T) {
	refused := map[string][]string{
		"claude": {
			"--", "--verbose|--", "--permission-mode=acceptEdits", "--dangerously-skip-permissions", "--mcp-config|x.json", "--mcp-config=x.json", "--settings={}",
			"--setting-sources=project", "--tools=Bash", "--tools|Bash", "--debug-file|/tmp/x", "--debug-file=/tmp/x", "-d", "-d2e", "--debug", "--bg", "--background",
			"--tmux", "--worktree", "-w", "-wx", "--init", "--init-only", "--maintenance", "--plugin-dir-no-mcp=x", "--managed-settings={}", "--agents={}",
			"--no-such-argument", "-c", "mcp", "", "--model", "--append-system-prompt", "--model|--verbose", "--verbose=1", "--model|a|do this instead",
		},
		"codex": {
			"--", "--dangerously-bypass-approvals-and-sandbox", "--yolo", "--full-auto", "-c", "--config", "-c|mcp_servers.x.command=\"touch\"", "-cmcp_servers={}", "-c=notify=[\"x\"]",
			"--config=mcp_servers={}", "--config|sandbox_mode=\"danger-full-access\"", "-c|model", "-c|model_providers={x={auth={command=\"x\"}}}", "-c|model_providers.x.auth.command=\"x\"",
			"-c| mcp_servers={}", "-c|\"mcp_servers\"={}", "--enable|hooks", "--profile", "--profile|../x", "-p|", "-p/x", "--trust", "--add-dir|/", "-C|/", "-C/", "-sworkspace-write",
			"--approve-for-me", "--worktree", "exec", "review", "-o|/tmp/x", "--remote=x",
		},
		"pi": {
			"--", "-e|x.ts", "--extension|x.ts", "-e=x.ts", "--extension=x.ts", "--tools|bash", "-t|bash", "--export|x", "--session-dir|x", "--session|x", "--mode|text", "--print", "-p",
			"@file", "do this instead", "install", "--model", "--model=x", "--model|--offline", "--no-such=1", "--offline=1",
		},
	}
	taken := map[string][]string{
		"claude": {"--allowedTools=Bash(go test:*)", "--allowedTools|Bash|Edit|--verbose", "--model|opus", "--model=opus", "--add-dir|/a|/b", "--max-turns=3"},
		"codex":  {"-c|model=\"x\"", "-cmodel=x", "-c=model=x", "--config=model_provider=\"x\"", "-c|model_providers.x.base_url=\"http://x\"", "--oss|--local-provider=ollama", "-mx"},
		"pi":     {"--provider|x|--model|y", "--offline|-nc", "--api-key|k"},
	}
	for kind, list := range refused {
		program, _ := under(t, kind)
		for _, args := range list {
			_, _, err := attempt(t, kind, program, func(r *agent.Request, o *runners.Options) { r.ReadOnly, o.Args = true, strings.Split(args, "|") })
			require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%s %q: %v", kind, args, err)
			require.ErrorContains(t, err, "argument", "%s %q", kind, args)
		}
	}
	for kind, list := range taken {
		program, read := under(t, kind)
		for _, args := range list {
			words := strings.Split(args, "|")
			_, _, err := attempt(t, kind, program, func(r *agent.Request, o *runners.Options) { r.ReadOnly, o.Args = true, words })
			require.NoError(t, err, "%s %q", kind, args)
			require.Equal(t, words, read()[:len(words)])
		}
		_, _, err := attempt(t, kind, program, func(_ *agent.Request, o *runners.Options) { o.Args = []string{"--"} })
		require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "no call keeps its fence behind --: %v", err)

		// A program that starts the agent's has words of its own.
		program, read = arguments(t, answers[kind]...)
		for _, readOnly := range []bool{true, false} {
			_, _, err = attempt(t, kind, program, func(r *agent.Request, o *runners.Options) { r.ReadOnly, o.Args = readOnly, []string{"@own/" + kind} })
			require.NoError(t, err)
			require.Equal(t, "@own/"+kind, read()[0])
			_, _, err = attempt(t, kind, program, func(r *agent.Request, o *runners.Options) { r.ReadOnly, o.Args = readOnly, []string{kind, "--"} })
			require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
		}
		_, _, err = attempt(t, kind, program, func(_ *agent.Request, o *runners.Options) { o.Args = []string{"--", kind} })
		require.NoError(t, err)
	}
}

// The servers of a profile are taken away, however the profile is spelled.
func TestCodexProfiles(t *testing.T) {
	for _, args := range [][]string{{"--profile", "work"}, {"--profile=work"}, {"-p", "work"}, {"-pwork"}, {"-p=work"}} {
		program, read := under(t, "codex")
		home := t.TempDir()
		put(t, "[mcp_servers.own]\ncommand = \"x\"\n", home, ".codex", "config.toml")
		put(t, "[mcp_servers.theirs]\ncommand = \"x\"\n", home, ".codex", "work.config.toml")
		_, _, err := attempt(t, "codex", program, func(r *agent.Request, o *runners.Options) {
			r.ReadOnly, o.Args, o.Env = true, args, append(o.Env, "HOME="+home)
		})
		require.NoError(t, err, "%q", args)
		require.Contains(t, read(), `mcp_servers={"own"={enabled=false},"theirs"={enabled=false}}`, "%q", args)
	}
}

// What is no regular file at the name of one is not read: it may have no end.
func TestFilesWithoutAnEnd(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip(err)
	}
	at := func(parts ...string) {
		path := filepath.Join(parts...)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.Symlink(endless, path))
	}
	repo, home := t.TempDir(), t.TempDir()
	at(repo, ".pi", "settings.json")
	at(home, ".codex", "config.toml")
	at(home, ".claude", "settings.json")
	at(home, ".claude.json")
	at(home, ".pi", "agent", "auth.json")
	at(home, ".pi", "agent", "models.json")
	for _, kind := range []string{"pi", "codex"} {
		program, _ := under(t, kind)
		_, _, err := attempt(t, kind, program, func(r *agent.Request, o *runners.Options) {
			r.ReadOnly, r.Cwd, o.Env = true, repo, append(o.Env, "HOME="+home)
		})
		require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "not a regular file")
	}
	program := shell(t, "echo 1.2.3\n")
	for _, k := range runners.Kinds() {
		p := k.Probe(t.Context(), runners.Options{Program: program, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}})
		require.Equal(t, "1.2.3", p.Version)
		p = k.Probe(t.Context(), runners.Options{Program: program, Args: []string{"--"}})
		require.Empty(t, p.Version, "what follows would be a prompt")
		require.Contains(t, p.Problem, `"--"`)
	}
}

// Pi moves a folder of the repository when it starts, whatever it is told.
func TestPiReadOnlyRefusesWhatPiWouldMove(t *testing.T) {
	cwd := t.TempDir()
	put(t, "x", cwd, ".pi", "commands", "x.md")
	program, _ := under(t, "pi")
	in := func(readOnly bool) error {
		_, _, err := attempt(t, "pi", program, func(r *agent.Request, _ *runners.Options) { r.Cwd, r.ReadOnly = cwd, readOnly })
		return err
	}
	err := in(true)
	require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, filepath.Join(cwd, ".pi", "prompts"))
	require.NoError(t, in(false))
	put(t, "x", cwd, ".pi", "prompts", "x.md") // then it leaves the other as it is
	require.NoError(t, in(true))
}
