//go:build unix

package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// text runs an agent once and gives its text.
func text(t *testing.T, c *agent.Command, req agent.Request) string {
	t.Helper()
	resp, err := c.Run(t.Context(), req, nil)
	require.NoError(t, err)
	var out string
	require.NoError(t, json.Unmarshal(resp.Value, &out))
	return out
}

// An agent that is started by a file which is not committed does not find it in its worktree: that is said
// where the file is, and of no other failure.
func TestUncommittedAgentIsHintedAt(t *testing.T) {
	workspace, tree := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(workspace, "agent.sh"), []byte("exit 3"), 0o600))
	next := func(isolated bool, file string) string {
		c := &agent.Command{Argv: []string{"sh", file}, Dir: workspace}
		_, err := c.Run(t.Context(), agent.Request{Version: 1, Run: "R", Call: "/agent#0", Prompt: "p", Cwd: tree, Isolated: isolated, Attempt: 1}, nil)
		e, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, fault.AgentFailed, e.Code)
		return e.Next
	}
	require.Equal(t, "agent.sh is not in the worktree, which has only what is committed: commit it, or give its whole path", next(true, "agent.sh"))
	require.Empty(t, next(false, "agent.sh"))
	require.Empty(t, next(true, "other.sh"))
	require.NoError(t, os.WriteFile(filepath.Join(tree, "agent.sh"), []byte("exit 3"), 0o600))
	require.Empty(t, next(true, "agent.sh"))
}

// B60: the agent gets the request and then the end, and nothing of its parent's input.
func TestB60_InputIsTheRequestAndNothingElse(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	_, err = w.WriteString("yes\n")
	require.NoError(t, err)
	own := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = own; _ = r.Close(); _ = w.Close() }()

	c := &agent.Command{Argv: child("echo")}
	req := agent.Request{Version: 1, Run: "R", Call: "/agent#0", Prompt: "p <&> \u2028", Cwd: t.TempDir(), Attempt: 1}
	resp, err := c.Run(t.Context(), req, nil)
	require.NoError(t, err)
	var got struct {
		Request agent.Request
		Failed  bool
	}
	require.NoError(t, json.Unmarshal(resp.Value, &got))
	require.False(t, got.Failed)
	require.Equal(t, req, got.Request)

	left := make([]byte, 10)
	n, err := r.Read(left)
	require.NoError(t, err)
	require.Equal(t, "yes\n", string(left[:n]))
}

// An agent that never reads a large request does not hold anything up.
func TestB60_UnreadInput(t *testing.T) {
	require.Equal(t, "ok", text(t, sh("echo ok"), agent.Request{Prompt: strings.Repeat("x", 8<<20)}))
}

func TestB60_NothingAsksAPerson(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	home := t.TempDir()
	c := sh(`printf 'protocol=https\nhost=example.com\n\n' | "` + git + `" -c core.askPass=/bin/false credential fill`)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_ASKPASS=" + filepath.Join(home, "ask"), "GIT_TERMINAL_PROMPT=1"}
	out := text(t, c, agent.Request{Cwd: home})
	require.Contains(t, out, "\npassword=", "git was told an empty password instead of asking")
}

// B60: a program that waits for a person is ended with the agent.
func TestB60_SleepingSignerEndsWithTheTimeout(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	gpg := filepath.Join(dir, "gpg")
	require.NoError(t, os.WriteFile(gpg, []byte("#!/bin/sh\necho $$ >"+dir+"/pid\nexec sleep 300\n"), 0o755))
	c := sh(`git init -q . && git -c user.name=n -c user.email=e -c commit.gpgsign=true -c gpg.program="$PWD/gpg" commit -q --allow-empty -m m`)
	ctx, cancel := context.WithCancelCause(t.Context())
	late := fault.New(fault.AgentTimeout, "the agent did not answer within 1s", "")
	go agenttest.WhenWritten(func() { cancel(late) }, dir+"/pid")
	_, err := c.Run(ctx, agent.Request{Cwd: dir}, nil)
	require.True(t, fault.Is(err, fault.AgentTimeout), "%v", err)
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/pid"))
}

func TestB61_HeldPipe(t *testing.T) {
	dir := t.TempDir()
	start := time.Now()
	c := sh(`sleep 300 & echo $! >pid; echo '{"ok":true}'`)
	resp, err := c.Run(t.Context(), agent.Request{Cwd: dir}, nil)
	require.NoError(t, err)
	require.Equal(t, `"{\"ok\":true}"`, string(resp.Value))
	require.Contains(t, resp.Note, "still held its output")
	require.Less(t, time.Since(start), 5*time.Second)
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/pid"))
}

func TestB61_HeldPipeWithTimeout(t *testing.T) {
	dir := t.TempDir()
	start := time.Now()
	c := sh(`(trap '' TERM; exec sleep 300) & echo $! >pid; echo '{"ok":true}'`)
	c.Grace = time.Second
	resp, err := agent.Do(t.Context(), c, parse(t, `{"timeoutMs":1000,"schema":{"type":"object"}}`), agent.Request{Cwd: dir}, nil)
	require.NoError(t, err)
	require.Equal(t, `{"ok":true}`, string(resp.Value))
	require.Less(t, time.Since(start), 5*time.Second)
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/pid"))
}

// What is left behind without holding a pipe is ended too, and is no reason to wait.
func TestB61_BackgroundProcessIsEnded(t *testing.T) {
	dir := t.TempDir()
	c := sh(`sleep 300 >/dev/null 2>&1 </dev/null & echo $! >pid; echo done`)
	c.Grace = time.Minute
	require.Equal(t, "done", text(t, c, agent.Request{Cwd: dir}))
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/pid"))
}

func TestB61_TimeoutEndsGrandchildrenThatIgnoreIt(t *testing.T) {
	dir := t.TempDir()
	c := sh(`trap '' TERM; sh -c 'trap "" TERM; echo $$ >inner; while :; do sleep 1; done' & echo $$ >outer; wait; wait; sleep 300`)
	ctx, cancel := context.WithCancelCause(t.Context())
	go agenttest.WhenWritten(func() { cancel(nil) }, dir+"/inner", dir+"/outer")
	_, err := c.Run(ctx, agent.Request{Cwd: dir}, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, journal.FailureCancelled, agent.Class(err))
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/inner"))
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/outer"))
}

// Tools start their commands in sessions of their own; those are ended too.
func TestB61_CancelEndsWhatLeftTheGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only where the environment of a process can be read")
	}
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid")
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go agenttest.WhenWritten(cancel, dir+"/pid")
	_, err := sh(`setsid sh -c 'echo $$ >pid; exec sleep 300' & wait`).Run(ctx, agent.Request{Cwd: dir}, nil)
	require.ErrorIs(t, err, context.Canceled)
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/pid"))
}

// A run's agents that outlived a killed executor are found by their marker; others are not.
func TestEndStrays(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only where the environment of a process can be read")
	}
	start := func(marker string) *exec.Cmd {
		cmd := exec.Command("sleep", "300")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "A=b", marker}
		require.NoError(t, cmd.Start())
		return cmd
	}
	mine, other := start("ASSENT_AGENT=01RUNSTRAY/agent#0"), start("ASSENT_AGENT=01RUNSTRAYER/agent#0")
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	require.Equal(t, 1, process.EndStrays("01RUNSTRAY"))
	require.ErrorContains(t, mine.Wait(), "killed")
	require.True(t, agenttest.Alive(other.Process.Pid))
}

func TestB63_B64_LongLineThenResult(t *testing.T) {
	require.Equal(t, "found", text(t, &agent.Command{Argv: child("longline")}, agent.Request{}))
}

func TestB31_B64_OutputStopsAtTheCap(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := &agent.Command{Argv: child("flood"), MaxOutput: 4 << 20, Grace: time.Second}
	resp, err := c.Run(t.Context(), agent.Request{}, nil)
	runtime.ReadMemStats(&after)
	require.True(t, fault.Is(err, fault.AgentOutputTooLarge), "%v", err)
	require.Equal(t, agent.Response{}, resp)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))

	c = sh("head -c 1000 /dev/zero | tr '\\0' x")
	c.MaxOutput = 1000
	require.Len(t, text(t, c, agent.Request{}), 1000, "the cap itself is allowed")
	c.MaxOutput = 999
	_, err = c.Run(t.Context(), agent.Request{}, nil)
	require.True(t, fault.Is(err, fault.AgentOutputTooLarge), "%v", err)
}

func TestB65_FailureSignals(t *testing.T) {
	for script, want := range map[string][]string{
		`echo '{"type":"result","subtype":"success","is_error":true,"result":"Provider error: quota used up"}'`: {"exit code 0", "Provider error: quota used up"},
		`echo '[{"type":"system"},{"type":"result","subtype":"success","is_error":true,"result":"no"}]'`:        {"exit code 0: no"},
		`printf '{\n"type":"result",\n"subtype":"error_max_turns",\n"is_error":false}\n'`:                       {"error_max_turns"},
		`echo partial; echo 'cannot reach the model' >&2; exit 1`:                                               {"exit code 1", "cannot reach the model"},
		`echo 'Authorization: Bearer abcdefgh12345' >&2; echo "$MY_API_KEY" >&2; exit 3`:                        {"exit code 3", "[redacted]"},
		`echo '{"assent":1,"text":"fine"}'; exit 4`:                                                             {"exit code 4"},
		`echo '{"assent":1,"error":"the reason"}'`:                                                              {"exit code 0: the reason"},
		`echo '{"assent":1,"error":{"code":"overloaded","message":"busy"}}'; exit 1`:                            {"exit code 1: overloaded busy"},
		`kill -9 $$`: {"signal: killed"},
	} {
		c := sh(script)
		c.Env, c.Keep = []string{"PATH=" + os.Getenv("PATH"), "MY_API_KEY=plain-looking-value"}, []string{"MY_API_KEY"}
		resp, err := c.Run(t.Context(), agent.Request{}, nil)
		require.True(t, fault.Is(err, fault.AgentFailed), "%s: %v", script, err)
		require.Equal(t, journal.FailureOrdinary, agent.Class(err))
		require.Nil(t, resp.Value)
		for _, part := range want {
			require.ErrorContains(t, err, part, script)
		}
		require.NotContains(t, err.Error(), "abcdefgh12345")
		require.NotContains(t, err.Error(), "plain-looking-value")
	}
}

func TestB65_OrdinaryResultObjectsAreText(t *testing.T) {
	for _, out := range []string{
		`{"type":"result","subtype":"success","is_error":false,"result":"ok"}`, `{"is_error":true}`, `{"type":"finding","is_error":true}`,
	} {
		require.Equal(t, out, text(t, sh("echo '"+out+"'"), agent.Request{}))
	}
}

func TestProtocol(t *testing.T) {
	for out, want := range map[string]agent.Response{
		"hello\\n\\n":                  {Value: json.RawMessage(`"hello"`)},
		" a <b>\\r\\n c \\r\\n":        {Value: json.RawMessage(`" a <b>\r\n c "`)},
		"\\357\\273\\277hi":            {Value: json.RawMessage(`"hi"`)},
		"":                             {Value: json.RawMessage(`""`)},
		`talk\n{"assent":1,"text":""}`: {Value: json.RawMessage(`""`)},
		`{"assent":1,"text":"no"}\n{"value":{"z":1,"a":2},"assent":1}\n\n`: {Value: json.RawMessage(`{"z":1,"a":2}`), Structured: true},
		`{"assent":1,"value":null}`:                                        {Value: json.RawMessage(`null`), Structured: true},
		`{"assent":1,"text":"x","usage":{"input":12,"output":3,"cost":0.0123456},"later":1}`: {
			Value: json.RawMessage(`"x"`), Usage: journal.Usage{Input: 12, Output: 3, CostMicroUSD: 12346},
		},
		`{"assent":1,"text":"x","usage":{},"error":null}`: {Value: json.RawMessage(`"x"`)},
		`{"assent":1,"text":"x"}\nmore`:                   {Value: json.RawMessage(`"{\"assent\":1,\"text\":\"x\"}\nmore"`)},
	} {
		resp, err := sh("printf '"+out+"'").Run(t.Context(), agent.Request{}, nil)
		require.NoError(t, err, out)
		require.Equal(t, want, resp, out)
	}
}

func TestB20_ProtocolRefuses(t *testing.T) {
	for out, want := range map[string]string{
		`{"a":"\377"}`:                                         "byte 6 is 0xff",
		`{"assent":1,"text":"cut`:                              "damaged",
		`{"assent":1,"text":"x","text":1}`:                     "damaged",
		`{"assent":1,"text":7}`:                                "cannot be read",
		`{"assent":2,"text":"x"}`:                              "another version",
		`{"text":"x","assent":"1"}`:                            "another version",
		`{"assent":1}`:                                         "needs one of",
		`{"assent":1,"text":"x","value":1}`:                    "needs one of",
		`{"assent":1,"text":"x","usage":{"input":-1}}`:         "usage.input is -1",
		`{"assent":1,"text":"x","usage":{"output":1.5}}`:       "usage.output is 1.5",
		`{"assent":1,"text":"x","usage":{"cost":-0.5}}`:        "usage.cost is -0.5",
		`{"assent":1,"text":"x","usage":{"cost":1e300}}`:       "usage.cost",
		`{"assent":1,"text":"x","usage":{"input":1e300}}`:      "usage.input",
		`{"assent":1,"text":"x","usage":"much"}`:               "not an object",
		`{"assent":1,"text":"x","usage":{"cost":"1"}}`:         "not an object",
		`{"assent":1,"text":"x","usage":{"cost":1e999}}`:       "damaged",
		`{"assent":1,"text":"\\ud800"}`:                        "damaged",
		`{"assent":1,"value":{"x":1,"x":2}}`:                   "$.value.x",
		`{"assent":1,"text":"x","error":"y","usage":{"x":-1}}`: "needs one of",
	} {
		resp, err := sh("printf '"+out+"'").Run(t.Context(), agent.Request{}, nil)
		require.True(t, fault.Is(err, fault.AgentAnswerInvalid), "%s: %v", out, err)
		require.ErrorContains(t, err, want, out)
		require.Nil(t, resp.Value)
	}
}

func TestUsageLimit(t *testing.T) {
	for out, want := range map[string]string{
		`"resetAt":"2026-03-01T12:00:00+01:00"`: "2026-03-01T11:00:00Z",
		`"resetAt":1772362800`:                  "2026-03-01T11:00:00Z",
		`"resetAt":"3pm"`:                       "",
		`"resetAt":null`:                        "",
	} {
		script := `echo '{"assent":1,"usage":{"output":7},"error":{"code":"usage_limit","message":"weekly limit",` + out + `}}'; exit 1`
		resp, err := sh(script).Run(t.Context(), agent.Request{}, nil)
		require.True(t, fault.Is(err, fault.UsageLimit), "%v", err)
		require.ErrorContains(t, err, "weekly limit")
		require.Equal(t, int64(7), resp.Usage.Output)
		limit, ok := errors.AsType[*agent.LimitError](err)
		require.True(t, ok)
		if want == "" {
			require.True(t, limit.Reset.IsZero())
		} else {
			require.Equal(t, want, limit.Reset.Format(time.RFC3339))
		}
	}
}

// recorder is a Step that looks at the process while it is told of it.
type recorder struct {
	t          *testing.T
	asked      string // a file that the agent makes once it has its request
	pid, group int
	told, done bool
}

func (r *recorder) Process(pid, group int) func() {
	r.pid, r.group, r.told = pid, group, true
	require.NoFileExists(r.t, r.asked)
	got, err := syscall.Getpgid(pid)
	require.NoError(r.t, err)
	require.Equal(r.t, group, got)
	return func() {
		require.FileExists(r.t, r.asked)
		require.False(r.t, agenttest.Alive(pid))
		r.done = true
	}
}

func TestStepIsToldFirstAndFreedLast(t *testing.T) {
	dir := t.TempDir()
	step := &recorder{t: t, asked: filepath.Join(dir, "asked")}
	_, err := sh(`cat >/dev/null; touch asked; echo $$`).Run(t.Context(), agent.Request{Cwd: dir}, step)
	require.NoError(t, err)
	require.True(t, step.told && step.done)
	require.Equal(t, step.pid, step.group)
	require.NotEqual(t, syscall.Getpgrp(), step.group)
}

func TestS19_AgentCannotReachTheTerminal(t *testing.T) {
	cmd := exec.Command(os.Args[0], "child:terminal")
	terminal, err := pty.Start(cmd)
	require.NoError(t, err)
	defer terminal.Close()
	var out bytes.Buffer
	_, _ = out.ReadFrom(terminal) // ends with EIO when the other side closes
	_ = cmd.Wait()
	require.Contains(t, out.String(), "own=true", "the control: the terminal was there to be reached")
	require.Contains(t, out.String(), `agent="closed" <nil>`)
}

func TestS19_AgentIsKnownAsOne(t *testing.T) {
	marker, under := process.UnderAgent()
	require.False(t, under, "the tests themselves run under no agent: %s", marker)
	req := agent.Request{Run: "01RUN", Call: "/parallel#0[3]/agent#1"}
	require.Equal(t, "01RUN/parallel#0[3]/agent#1 true", text(t, &agent.Command{Argv: child("under")}, req))
	if runtime.GOOS == "linux" {
		// A child that drops the variable still has a parent that was started with it.
		require.Equal(t, "01RUN/parallel#0[3]/agent#1 true", text(t, sh(`env -i "`+os.Args[0]+`" child:under; true`), req))
	}
}

func TestS19_EnvironmentOfAnAgent(t *testing.T) {
	c := sh("env")
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "ASSENT_HOME=/store", "ASSENT_AGENT=forged", "SSH_AUTH_SOCK=/s", "MODEL_KEY=k", "OTHER_KEY=k"}
	c.Keep = []string{"MODEL_*"}
	out := text(t, c, agent.Request{Run: "R", Call: "/agent#0"})
	require.NotContains(t, out, "ASSENT_HOME")
	require.NotContains(t, out, "SSH_AUTH_SOCK")
	require.Contains(t, out, "\nASSENT_AGENT=R/agent#0\n")
	require.Contains(t, out, "MODEL_KEY=k")
	require.NotContains(t, out, "OTHER_KEY")
}

func TestCommandThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	for _, argv := range [][]string{nil, {""}, {"no-such-program-here"}, {"./none"}, {dir}} {
		c := &agent.Command{Argv: argv, Dir: dir}
		require.True(t, fault.Is(c.Check(), fault.AgentNotConfigured), "%v", argv)
		_, err := c.Run(t.Context(), agent.Request{}, nil)
		require.Equal(t, journal.FailureFatal, agent.Class(err), "%v", argv)
	}
	_, err := sh("true").Run(t.Context(), agent.Request{Cwd: filepath.Join(dir, "none")}, nil)
	require.True(t, fault.Is(err, fault.AgentFailed), "%v", err)
	require.ErrorContains(t, err, "is not there")

	// A relative program is found from Dir, wherever the call works.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), []byte("#!/bin/sh\npwd\n"), 0o755))
	c := &agent.Command{Argv: []string{"./mine"}, Dir: dir}
	require.NoError(t, c.Check())
	sub, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.Equal(t, sub, text(t, c, agent.Request{Cwd: sub}))
}

func TestB44_FailuresAreToldApart(t *testing.T) {
	for script, code := range map[string]fault.Code{
		"exit 1": fault.AgentFailed, "sleep 300": fault.AgentTimeout, "echo nothing": fault.SchemaNoncompliance, "kill -9 $$": fault.AgentFailed,
	} {
		call := parse(t, `{"timeoutMs":300,"schema":{"type":"object"}}`)
		if code != fault.AgentTimeout {
			call.Options.Timeout = 0
		}
		_, err := agent.Do(t.Context(), sh(script), call, agent.Request{}, nil)
		require.Equal(t, code, fault.CodeOf(err), "%s: %v", script, err)
	}
}
