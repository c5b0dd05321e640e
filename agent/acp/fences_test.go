//go:build unix

package acp_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
)

// gitIn runs git in a folder, with no configuration but the folder's own.
func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
}

// programs makes a program that marks that it ran, and gives its path and the mark's.
func programs(t *testing.T, dir, name string) (program, mark string) {
	t.Helper()
	mark = filepath.Join(t.TempDir(), "ran")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	program = filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n/usr/bin/touch "+mark+"\n"), 0o700))
	return program, mark
}

// What is recognised runs without the agent's variables, in every mode but auto.
func TestS19_NoVariablesForACommandThatReads(t *testing.T) {
	dir := repository(t)
	bin := filepath.Join(dir, "bin")
	program, mark := programs(t, bin, "ls")
	for _, readOnly := range []bool{true, false} {
		c := runs(t, func(r *agent.Request) { r.Cwd, r.ReadOnly, r.PermissionMode = dir, readOnly, "ask" },
			sdk.CreateTerminalRequest{Command: "ls a.txt", Env: []sdk.EnvVariable{{Name: "PATH", Value: bin}}},
			sdk.CreateTerminalRequest{Command: "git status --short a.txt", Env: []sdk.EnvVariable{
				{Name: "GIT_CONFIG_COUNT", Value: "1"}, {Name: "GIT_CONFIG_KEY_0", Value: "core.fsmonitor"}, {Name: "GIT_CONFIG_VALUE_0", Value: program},
			}})
		require.Equal(t, map[string]string{"ls a.txt": "a.txt\n", "git status --short a.txt": ""}, c.object(t))
		require.NoFileExists(t, mark)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	c := runs(t, func(r *agent.Request) { r.Cwd, r.ReadOnly = dir, true }, sdk.CreateTerminalRequest{Command: "ls a.txt"})
	require.Equal(t, map[string]string{"ls a.txt": "a.txt\n"}, c.object(t), "nor programs of the folder's")
	require.NoFileExists(t, mark)
}

// Leave for a command is for its folder and its variables, which are shown.
func TestS19_LeaveForACommandIsForWhatWasShown(t *testing.T) {
	dir := t.TempDir()
	var asked []string
	runs(t, func(r *agent.Request) {
		r.Cwd, r.PermissionMode = dir, "ask"
		r.Ask = func(_ context.Context, p agent.Permission) (bool, error) {
			asked = append(asked, p.Input)
			return false, nil
		}
	}, sdk.CreateTerminalRequest{Command: "make a>b", Env: []sdk.EnvVariable{{Name: "LD_PRELOAD", Value: "/evil.so"}}})
	real, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	require.Equal(t, []string{`{"command":"make a>b","cwd":"` + real + `","env":{"LD_PRELOAD":"/evil.so"}}`}, asked)

	turn := attempt(t, made("turn", "mode-leave"), func(r *agent.Request) {
		r.Cwd, r.PermissionMode = dir, "ask"
		first := true
		var mu sync.Mutex
		r.Ask = func(context.Context, agent.Permission) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			may := first
			first = false
			return may, nil
		}
	}).object(t)
	require.Equal(t, map[string]string{"leave": "allow_once", "with variables": "no", "elsewhere": "no", "as shown": "ok", "again": "no"}, turn)
}

// leave asks for leave to run a command, and has it run in other ways before it has it run so.
func leave(ctx context.Context, a *fake, _ string) (sdk.PromptResponse, error) {
	got := map[string]string{"leave": usePermission(ctx, a, `{"kind":"execute","rawInput":{"command":"touch made"}}`)}
	if err := os.MkdirAll("sub", 0o700); err != nil {
		return sdk.PromptResponse{}, err
	}
	for _, way := range []struct {
		name string
		cwd  *string
		env  []sdk.EnvVariable
	}{{"with variables", nil, []sdk.EnvVariable{{Name: "A", Value: "b"}}}, {"elsewhere", sdk.Ptr("sub"), nil}, {"as shown", nil, nil}, {"again", nil, nil}} {
		_, err := a.conn.CreateTerminal(ctx, sdk.CreateTerminalRequest{SessionId: a.session, Command: "touch", Args: []string{"made"}, Cwd: way.cwd, Env: way.env})
		got[way.name] = map[bool]string{true: "ok", false: "no"}[err == nil]
	}
	return a.answers(ctx, got)
}

// Git is let look into the call's own repository, and only where that names nothing that git would run.
func TestS19_GitRunsNothing(t *testing.T) {
	dir := repository(t)
	program, mark := programs(t, t.TempDir(), "program")
	gitIn(t, dir, "init", "-q", "--bare", "docs/sub")
	for _, set := range [][]string{{"core.bare", "false"}, {"core.worktree", "wt"}, {"core.fsmonitor", program}, {"diff.external", program}} {
		gitIn(t, dir, "config", "-f", "docs/sub/config", set[0], set[1])
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs", "sub", "wt"), 0o700))
	gitIn(t, dir, "init", "-q", "nested")
	sub, wt, nested := filepath.Join(dir, "docs", "sub"), filepath.Join(dir, "docs", "sub", "wt"), filepath.Join(dir, "nested")
	look := func(command string, cwd *string) (own, ours string) {
		ask, err := json.Marshal(map[string]any{"kind": "execute", "rawInput": map[string]any{"command": command, "cwd": deref(cwd)}})
		require.NoError(t, err)
		adjust := func(r *agent.Request) { r.Cwd, r.ReadOnly = dir, true }
		own = attempt(t, made("turn", "permissions"), adjust, func(r *agent.Request) { r.Prompt = string(ask) }).object(t)[string(ask)]
		ours = runs(t, adjust, sdk.CreateTerminalRequest{Command: command, Cwd: cwd}).object(t)[command]
		require.NoFileExists(t, mark, command)
		return own, ours
	}
	const yes, no = "allow_once", "reject_once"
	own, ours := look("git log --format=%s", nil)
	require.Equal(t, []string{yes, "one\n"}, []string{own, ours})
	own, ours = look("git ls-files", sdk.Ptr(filepath.Join(dir, "docs")))
	require.Equal(t, []string{yes, ""}, []string{own, ours})
	for _, cwd := range []string{sub, wt, nested} {
		own, ours = look("git status", &cwd)
		require.Equal(t, []string{no, "no"}, []string{own, ours}, cwd)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("other\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "info", "attributes"), []byte("* diff=d filter=d\n"), 0o600))
	for name, anyway := range map[string]bool{
		"diff.external": true, "diff.d.command": true, "diff.d.textconv": true, "filter.d.clean": true, "filter.d.process": true,
		"core.fsmonitor": false, "core.hooksPath": false, "core.pager": false, "gpg.program": false, "pager.status": false,
	} {
		gitIn(t, dir, "config", name, program)
		for _, command := range []string{"git status --short a.txt", "git diff --stat"} {
			own, ours = look(command, nil)
			require.Equal(t, no, own, name)
			require.Equal(t, anyway, ours == "no", "%s: %s", name, ours)
		}
		cmd := exec.Command("git", "config", "--unset", name)
		cmd.Dir = dir
		require.NoError(t, cmd.Run())
	}
	own, _ = look("git diff --stat", nil)
	require.Equal(t, yes, own)
}

func deref(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// A person is asked about what they see, all of it; an agent that said something else before is not
// believed.
func TestS19_OnlyWhatWasShownIsAllowed(t *testing.T) {
	dir := t.TempDir()
	var shown []string
	var mu sync.Mutex
	ask := func(lines ...string) map[string]string {
		return attempt(t, made("turn", "permissions"), func(r *agent.Request) {
			r.Cwd, r.PermissionMode, r.Prompt = dir, "ask", strings.Join(lines, "\n")
			r.Ask = func(_ context.Context, p agent.Permission) (bool, error) {
				mu.Lock()
				defer mu.Unlock()
				shown = append(shown, p.Input)
				return true, nil
			}
		}).object(t)
	}
	before := `+{"sessionUpdate":"tool_call","toolCallId":"known","title":"x","kind":"execute","rawInput":{"command":"touch evil"},"locations":[{"path":"a"}]}`
	for _, line := range []string{
		`{"toolCallId":"known","rawInput":{"command":"make"}}`,
		`{"toolCallId":"known","rawInput":["make"]}`,
		`{"toolCallId":"known","kind":"edit"}`,
		`{"toolCallId":"known","locations":[{"path":"b"}]}`,
		`{"toolCallId":"known","rawInput":{"command":"touch evil","description":"` + strings.Repeat("x", 64<<10) + `"}}`,
		`{"toolCallId":"other","kind":"edit","content":[{"type":"diff","path":"b","newText":"` + strings.Repeat("x", 64<<10) + `"}]}`,
	} {
		require.Equal(t, map[string]string{line: "reject_once"}, ask(before, line), "%.100s", line)
	}
	require.Empty(t, shown)
	line := `{"toolCallId":"known","rawInput":{"command":"touch evil","env":{"A":"b"}}}`
	require.Equal(t, map[string]string{line: "allow_once"}, ask(before, line))
	require.Equal(t, []string{`{"command":"touch evil","env":{"A":"b"}}` + "\na"}, shown, "with what was said before")

	many := make([]string, 0, 18)
	for i := range 17 {
		many = append(many, strings.Replace(before, `"command":"touch evil"`, `"n`+string(rune('a'+i))+`":1`, 1))
	}
	line = `{"toolCallId":"known","rawInput":{"command":"make"}}`
	require.Equal(t, map[string]string{line: "reject_once"}, ask(append(many, line)...), "more than is kept")

	c := attempt(t, made("turn", "mode-unseen"), func(r *agent.Request) {
		r.Cwd, r.PermissionMode = dir, "ask"
		r.Ask = func(_ context.Context, p agent.Permission) (bool, error) {
			return strings.Contains(p.Input, "part"), nil
		}
	})
	require.Equal(t, map[string]string{"leave": "allow_once", "part": "no", "whole": "ok"}, c.object(t))
	text, err := os.ReadFile(filepath.Join(dir, "f"))
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\nthree\n", string(text))
}

// unseen gets leave for a part of a file, and then for all of it.
func unseen(ctx context.Context, a *fake, _ string) (sdk.PromptResponse, error) {
	if err := os.WriteFile("f", []byte("one\nthree\n"), 0o600); err != nil {
		return sdk.PromptResponse{}, err
	}
	write := func(text string) string {
		_, err := a.conn.WriteTextFile(ctx, sdk.WriteTextFileRequest{SessionId: a.session, Path: "f", Content: text})
		return map[bool]string{true: "ok", false: "no"}[err == nil]
	}
	got := map[string]string{"leave": usePermission(ctx, a, `{"toolCallId":"1","kind":"edit","content":[{"type":"diff","path":"f","oldText":"one\n","newText":"a part\n"}]}`)}
	got["part"] = write("nothing of it\n")
	usePermission(ctx, a, `{"toolCallId":"2","kind":"edit","title":"part","content":[{"type":"diff","path":"f","oldText":"one\nthree\n","newText":"one\ntwo\nthree\n"}],"rawInput":{"why":"part"}}`)
	got["whole"] = write("one\ntwo\nthree\n")
	return a.answers(ctx, got)
}

func TestResetTimes(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"You've hit your session limit · resets 3pm (Europe/Berlin)":    time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC),
		"You're out of extra usage · resets Dec 4, 3:30pm (UTC)":        time.Date(2026, 12, 4, 15, 30, 0, 0, time.UTC),
		"Claude AI usage limit reached|1796085000":                      time.Unix(1796085000, 0),
		"You've hit your weekly limit until 2026-12-01T01:02:03+01:00.": time.Date(2026, 12, 1, 0, 2, 3, 0, time.UTC),
		"You've hit your limit":                                         {},
	} {
		require.True(t, want.Equal(acp.ResetIn(text, now)), "%s: %s", text, acp.ResetIn(text, now))
	}
}
