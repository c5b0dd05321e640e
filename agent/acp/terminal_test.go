//go:build unix

package acp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
)

// useTerminals runs the terminals that the prompt has as JSON, and answers with what came of each.
func useTerminals(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error) {
	var all []sdk.CreateTerminalRequest
	if err := json.Unmarshal([]byte(prompt), &all); err != nil {
		return sdk.PromptResponse{}, err
	}
	got := map[string]string{}
	for _, p := range all {
		name := strings.Join(append([]string{p.Command}, p.Args...), " ")
		got[name] = useTerminal(ctx, a, p)
	}
	return a.answers(ctx, got)
}

func useTerminal(ctx context.Context, a *fake, p sdk.CreateTerminalRequest) string {
	p.SessionId = a.session
	made, err := a.conn.CreateTerminal(ctx, p)
	if err != nil {
		return "no"
	}
	id := made.TerminalId
	switch {
	case strings.HasSuffix(p.Command, "#leave"): // for the end of the attempt
		for {
			if out, err := a.conn.TerminalOutput(ctx, sdk.TerminalOutputRequest{SessionId: a.session, TerminalId: id}); err != nil || out.Output != "" {
				return "left"
			}
		}
	case strings.HasSuffix(p.Command, "#kill"):
		if _, err := a.conn.KillTerminal(ctx, sdk.KillTerminalRequest{SessionId: a.session, TerminalId: id}); err != nil {
			return "cannot be killed"
		}
	}
	exit, err := a.conn.WaitForTerminalExit(ctx, sdk.WaitForTerminalExitRequest{SessionId: a.session, TerminalId: id})
	if err != nil {
		return "cannot be waited for"
	}
	out, err := a.conn.TerminalOutput(ctx, sdk.TerminalOutputRequest{SessionId: a.session, TerminalId: id})
	if err != nil {
		return "no output"
	}
	if out.ExitStatus == nil {
		return "no exit status"
	}
	if _, err := a.conn.ReleaseTerminal(ctx, sdk.ReleaseTerminalRequest{SessionId: a.session, TerminalId: id}); err != nil {
		return "cannot be released"
	}
	if _, err := a.conn.TerminalOutput(ctx, sdk.TerminalOutputRequest{SessionId: a.session, TerminalId: id}); err == nil {
		return "is still there"
	}
	text := out.Output
	if out.Truncated {
		text = "…" + text
	}
	if exit.ExitCode != nil && *exit.ExitCode != 0 {
		text += "exit code " + string(rune('0'+*exit.ExitCode%10))
	}
	if exit.Signal != nil {
		text += "by a signal"
	}
	return text
}

func runs(t *testing.T, adjust func(*agent.Request), terminals ...sdk.CreateTerminalRequest) *called {
	t.Helper()
	prompt, err := json.Marshal(terminals)
	require.NoError(t, err)
	return attempt(t, made("turn", "terminals"), func(r *agent.Request) {
		r.Prompt = string(prompt)
		adjust(r)
	})
}

func TestTerminals(t *testing.T) {
	dir, scratch, other := tree(t)
	auto := func(r *agent.Request) { r.Cwd, r.Scratch, r.PermissionMode = dir, scratch, "auto" }
	long := 10
	c := runs(t, auto,
		sdk.CreateTerminalRequest{Command: "echo", Args: []string{"a b", "$HOME", "c"}},
		sdk.CreateTerminalRequest{Command: "echo out; echo err >&2; exit 3"},
		sdk.CreateTerminalRequest{Command: "cat"},
		sdk.CreateTerminalRequest{Command: "pwd", Cwd: &scratch},
		sdk.CreateTerminalRequest{Command: "printf '0123456789é\\n'", OutputByteLimit: &long},
		sdk.CreateTerminalRequest{Command: `echo "$MINE|$ASSENT_HOME|$ASSENT_AGENT|${SSH_AUTH_SOCK-none}"`, Env: []sdk.EnvVariable{{Name: "MINE", Value: "x y"}, {Name: "ASSENT_HOME", Value: "z"}, {Name: "assent_agent", Value: "z"}}},
		sdk.CreateTerminalRequest{Command: "no-such-program-here", Args: []string{"x"}},
		sdk.CreateTerminalRequest{Command: "true", Cwd: &other},
		sdk.CreateTerminalRequest{Command: "false", Cwd: sdk.Ptr("out")},
		sdk.CreateTerminalRequest{Command: "pwd ", Env: []sdk.EnvVariable{{Name: "A=B", Value: "x"}}},
		sdk.CreateTerminalRequest{Command: "sleep 300 #kill"},
	)
	got := c.object(t)
	require.Contains(t, got["no-such-program-here x"], "exit code 7", "as a shell says it: 127")
	delete(got, "no-such-program-here x")
	require.Equal(t, map[string]string{
		"echo a b $HOME c": "a b $HOME c\n", "echo out; echo err >&2; exit 3": "out\nerr\nexit code 3", "cat": "", "pwd": scratch + "\n", "printf '0123456789é\\n'": "…3456789é\n",
		`echo "$MINE|$ASSENT_HOME|$ASSENT_AGENT|${SSH_AUTH_SOCK-none}"`: "x y||01RUN/agent#0|none\n", "true": "no", "false": "no", "pwd ": "no", "sleep 300 #kill": "by a signal",
	}, got)
}

func TestS19_TerminalsOfACallThatReads(t *testing.T) {
	dir, scratch, _ := tree(t)
	c := runs(t, func(r *agent.Request) {
		r.Cwd, r.Scratch, r.ReadOnly, r.PermissionMode, r.Isolated = dir, scratch, true, "auto", true
	},
		sdk.CreateTerminalRequest{Command: "cat", Args: []string{"a.txt"}},
		sdk.CreateTerminalRequest{Command: "cat a.txt | wc -l"},
		sdk.CreateTerminalRequest{Command: "touch", Args: []string{"made"}},
		sdk.CreateTerminalRequest{Command: "cat a.txt > made"},
		sdk.CreateTerminalRequest{Command: "sh", Args: []string{"-c", "touch made"}},
		sdk.CreateTerminalRequest{Command: "ls", Cwd: &scratch},
		sdk.CreateTerminalRequest{Command: "ls empty", Env: []sdk.EnvVariable{{Name: "PATH", Value: dir}, {Name: "LD_PRELOAD", Value: "x"}}},
	)
	got := c.object(t)
	require.Equal(t, "2", strings.TrimSpace(strings.TrimSuffix(got["cat a.txt | wc -l"], "\n")))
	delete(got, "cat a.txt | wc -l")
	require.Equal(t, map[string]string{"cat a.txt": "one\ntwo\nthree\n", "touch made": "no", "cat a.txt > made": "no", "sh -c touch made": "no", "ls": "no", "ls empty": "empty\n"}, got)
	require.NoFileExists(t, filepath.Join(dir, "made"))
	require.Equal(t, map[string]string{"touch made": "no", "pwd": "" + dir + "\n"}, runs(t, func(r *agent.Request) { r.Cwd, r.PermissionMode = dir, "ask" },
		sdk.CreateTerminalRequest{Command: "touch", Args: []string{"made"}}, sdk.CreateTerminalRequest{Command: "pwd"}).object(t), "nobody can be asked")
}

func TestTerminalsEndWithTheAttempt(t *testing.T) {
	dir := t.TempDir()
	c := runs(t, func(r *agent.Request) { r.Cwd, r.PermissionMode = dir, "auto" },
		sdk.CreateTerminalRequest{Command: "echo $$ >pid; echo here; trap '' TERM; sleep 300; sleep 300 #leave"})
	require.Equal(t, "left", c.object(t)["echo $$ >pid; echo here; trap '' TERM; sleep 300; sleep 300 #leave"])
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	require.NotEmpty(t, text)
	agenttest.RequireGone(t, agenttest.PidIn(t, filepath.Join(dir, "pid")))

	var many []sdk.CreateTerminalRequest
	for range acp.MaxTerminals + 1 {
		many = append(many, sdk.CreateTerminalRequest{Command: "echo x; sleep 300 #leave"})
	}
	got := runs(t, func(r *agent.Request) { r.Cwd, r.PermissionMode = dir, "auto" }, many...)
	require.Equal(t, "no", got.object(t)["echo x; sleep 300 #leave"], "the last one")
}
