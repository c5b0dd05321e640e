//go:build unix

package agent_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func scripted(t *testing.T, text string) *agent.Scripted {
	t.Helper()
	s, err := agent.ParseScripted([]byte(text), "answers.toml")
	require.NoError(t, err)
	return s
}

func TestScriptedAnswersInOrder(t *testing.T) {
	s := scripted(t, `
[[answer]]
label = "worker-?"
prompt = "Add *"
times = 1
text = "first\nline"
usage = {input = 1000, output = 20, cost = 0.5}

[[answer]]
label = "worker-*"
value = {z = 1, a = [true, 2.5, "x"]}

[[answer]]
prompt = "*fail*"
error = "it broke"

[[answer]]
label = ""
text = ""
`)
	run := func(label, prompt string) (agent.Response, error) {
		return s.Run(t.Context(), agent.Request{Label: label, Prompt: prompt}, nil)
	}
	resp, err := run("worker-1", "Add a\nb")
	require.NoError(t, err)
	require.Equal(t, agent.Response{Value: []byte(`"first\nline"`), Usage: journal.Usage{Input: 1000, Output: 20, CostMicroUSD: 500_000}}, resp)
	resp, err = run("worker-1", "Add a\nb")
	require.NoError(t, err, "the first is used up")
	require.Equal(t, agent.Response{Value: []byte(`{"a":[true,2.5,"x"],"z":1}`), Structured: true}, resp)
	_, err = run("planner", "please\nfail\nnow")
	require.EqualError(t, err, "AGENT_FAILED: it broke")
	resp, err = run("", "anything")
	require.NoError(t, err)
	require.Equal(t, `""`, string(resp.Value))
}

func TestScriptedNoMatchPrintsTheCall(t *testing.T) {
	_, err := scripted(t, "[[answer]]\nlabel = \"a\"\ntext = \"x\"").Run(t.Context(),
		agent.Request{Call: "/agent#7", Label: "planner", Phase: "Plan", Prompt: "Plan it\nwell"}, nil)
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, fault.AgentFailed, e.Code)
	require.Equal(t, `answers.toml has no answer (left) for the call "/agent#7", label "planner", phase "Plan", prompt "Plan it\nwell"`, e.What)
	require.Contains(t, e.Next, "[[answer]]\nlabel = \"planner\"\ntext = ")
	_, err = agent.ParseScripted([]byte(e.Next[len("add to it:\n"):]), "hint")
	require.NoError(t, err, "the hint can be pasted")
}

func TestScriptedTimesAreCountedOnceEach(t *testing.T) {
	s := scripted(t, "[[answer]]\nlabel = \"*\"\ntimes = 30\ntext = \"x\"")
	var given atomic.Int32
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if _, err := s.Run(context.Background(), agent.Request{}, nil); err == nil {
				given.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 30, given.Load())
}

func TestScriptedActsInTheFolder(t *testing.T) {
	dir := t.TempDir()
	s := scripted(t, `
[[answer]]
label = "*"
write = {"a/b.txt" = "one", "c" = "two"}
run = "cat a/b.txt c >both && cat >stdin && [ ! -t 0 ] && echo talk"
text = "done"
`)
	resp, err := s.Run(t.Context(), agent.Request{Cwd: dir}, nil)
	require.NoError(t, err)
	require.Equal(t, `"done"`, string(resp.Value))
	both, err := os.ReadFile(filepath.Join(dir, "both"))
	require.NoError(t, err)
	require.Equal(t, "onetwo", string(both))
	stdin, err := os.ReadFile(filepath.Join(dir, "stdin"))
	require.NoError(t, err)
	require.Empty(t, stdin)

	for _, req := range []agent.Request{{Cwd: dir, ReadOnly: true}} {
		_, err = s.Run(t.Context(), req, nil)
		require.ErrorContains(t, err, "the call is read-only")
	}
}

func TestScriptedStaysInTheFolder(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "out")))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "file"), []byte("mine"), 0o644))
	require.NoError(t, os.Symlink(filepath.Join(outside, "file"), filepath.Join(dir, "link")))
	for _, path := range []string{"out/new", "link", "out/sub/new"} {
		s := scripted(t, fmt.Sprintf("[[answer]]\nlabel = \"*\"\nwrite = {%q = \"x\"}\ntext = \"done\"", path))
		_, err := s.Run(t.Context(), agent.Request{Cwd: dir}, nil)
		require.True(t, fault.Is(err, fault.AgentFailed), "%s: %v", path, err)
	}
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, left, 1)
	content, err := os.ReadFile(filepath.Join(outside, "file"))
	require.NoError(t, err)
	require.Equal(t, "mine", string(content))
}

func TestScriptedCommandFailsAndEnds(t *testing.T) {
	dir := t.TempDir()
	s := scripted(t, `
[[answer]]
label = "fail"
run = "echo on-stdout; echo on-stderr >&2; exit 9"
text = "never"
[[answer]]
label = "hang"
run = "echo $$ >pid; sleep 300"
text = "never"
`)
	_, err := s.Run(t.Context(), agent.Request{Label: "fail", Cwd: dir}, nil)
	require.True(t, fault.Is(err, fault.AgentFailed), "%v", err)
	for _, want := range []string{"exit code 9", "on-stdout", "on-stderr"} {
		require.ErrorContains(t, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go agenttest.WhenWritten(cancel, dir+"/pid")
	_, err = s.Run(ctx, agent.Request{Label: "hang", Cwd: dir}, nil)
	require.ErrorIs(t, err, context.Canceled)
	agenttest.RequireGone(t, agenttest.PidIn(t, dir+"/pid"))
}

func TestScriptedDelay(t *testing.T) {
	s := scripted(t, "[[answer]]\nlabel = \"*\"\ndelay = \"90s\"\ntext = \"x\"")
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := s.Run(t.Context(), agent.Request{}, nil)
		require.NoError(t, err)
		require.Equal(t, 90*time.Second, time.Since(start))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = s.Run(ctx, agent.Request{}, nil)
		require.True(t, fault.Is(err, fault.AgentTimeout), "%v", err)
		require.Equal(t, 91*time.Second, time.Since(start))
	})
}

func TestScriptedUsageLimit(t *testing.T) {
	s := scripted(t, `[[answer]]
label = "*"
error = {code = "usage_limit", message = "later", resetAt = 2026-03-01T11:00:00Z}`)
	_, err := s.Run(t.Context(), agent.Request{}, nil)
	require.True(t, fault.Is(err, fault.UsageLimit), "%v", err)
	limit, ok := errors.AsType[*agent.LimitError](err)
	require.True(t, ok)
	require.Equal(t, "2026-03-01T11:00:00Z", limit.Reset.Format(time.RFC3339))
}

// A repair round asks the same thing: it is answered by what fits the script's own prompt.
func TestScriptedRepair(t *testing.T) {
	s := scripted(t, `
[[answer]]
prompt = "do it"
times = 1
text = "not yet"
[[answer]]
prompt = "do it"
value = {a = 1}
`)
	resp, err := agent.Do(t.Context(), s, parse(t, `{"schema":{"type":"object"}}`), agent.Request{}, nil)
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(resp.Value))
}

func TestScriptedFileIsStrict(t *testing.T) {
	for text, want := range map[string]string{
		"":             "no [[answer]]",
		"[[answer]]\n": "answers.toml:1: [[answer]]: it needs label or prompt",
		"\n[[answer]]\nlabel='a'\ntext='x'\n[[answer]]\nlabel='b'": "answers.toml:5: [[answer]]: it has 0 of text, value and error",
		"[[answer]]\nlabel='a'\ntext='x'\nerror='y'":               "it has 2 of",
		"[[answer]]\nlabel='a'\ntxt='x'":                           `answers.toml:3: unknown key "answer.txt"`,
		"[[answer]]\nlabel='a'\ntext='x'\nusage={inputs=1}":        `answers.toml:4: unknown key`,
		"[[anwser]]\nlabel='a'":                                    `answers.toml:1: unknown key "anwser"`,
		"[[answer]]\nlabel=5\ntext='x'":                            "answers.toml:2:",
		"[[answer]]\nlabel='a'\ntext='x":                           "answers.toml:3:",
		"[[answer]]\nlabel='a'\ntext='x'\ntimes=0":                 "times is 0",
		"[[answer]]\nlabel='a'\ntext='x'\ndelay='5'":               `delay is "5"`,
		"[[answer]]\nlabel='a'\ntext='x'\ndelay='-5s'":             `delay is "-5s"`,
		"[[answer]]\nlabel='a'\ntext='x'\nrun=' '":                 "run is empty",
		"[[answer]]\nlabel='a'\ntext='x'\nwrite={'../a'='x'}":      `write names "../a"`,
		"[[answer]]\nlabel='a'\ntext='x'\nwrite={'/a'='x'}":        `write names "/a"`,
		"[[answer]]\nlabel='a'\ntext='x'\nusage={cost=-1}":         "usage.cost is -1",
		"[[answer]]\nlabel='a'\nvalue=2026-01-01":                  "value is a date",
		"[[answer]]\nlabel='a'\nvalue={a=[nan]}":                   "value.a[0] is not a number",
		"[[answer]]\nlabel='a'\nvalue={id=9007199254740993}":       "9007199254740993",
		"[[answer]]\nlabel='a'\nerror=5":                           "error is",
		"[[answer]]\nlabel='a'\nerror={cod='x'}":                   `unknown key "cod"`,
	} {
		_, err := agent.ParseScripted([]byte(text), "answers.toml")
		require.True(t, fault.Is(err, fault.ConfigInvalid), "%q: %v", text, err)
		require.ErrorContains(t, err, want, "%q", text)
	}
	_, err := agent.LoadScripted(filepath.Join(t.TempDir(), "none.toml"))
	require.True(t, fault.Is(err, fault.ConfigInvalid), "%v", err)
}

// Tables of another kind of file make an agent too. What a call that was cut off took is there for it
// again, and what was kept is not.
func TestScriptedOfTables(t *testing.T) {
	once, text, label := 1, "first", "*"
	s, err := agent.ScriptedOf("t.toml", "test.answer", []agent.ScriptedTable{{Label: &label, Text: &text, Times: &once}}, []int{7})
	require.NoError(t, err)
	s.Then(scripted(t, "[[answer]]\nlabel = \"*\"\ntimes = 1\ntext = \"second\""))
	var missed []string
	s.Unanswered = func(req agent.Request) { missed = append(missed, req.Call) }
	says := func(call string) string {
		resp, err := s.Run(t.Context(), agent.Request{Call: call, Label: "x"}, nil)
		if err != nil {
			e, _ := errors.AsType[*fault.Error](err)
			return e.Next
		}
		return string(resp.Value)
	}
	require.Equal(t, `"first"`, says("a"))
	require.Equal(t, `"second"`, says("b"))
	require.Equal(t, "add to it:\n[[test.answer]]\nlabel = \"x\"\ntext = \"…\"", says("c"))
	require.Equal(t, []string{"c"}, missed)
	s.ForgetBut(map[string]bool{"a": true})
	require.Equal(t, `"second"`, says("b"))
	require.Contains(t, says("b"), "add to it")
	_, err = agent.ScriptedOf("t.toml", "test.answer", []agent.ScriptedTable{{Label: &label}}, []int{7})
	require.ErrorContains(t, err, "t.toml:7: [[test.answer]]: it has 0 of text, value and error")
}

// What an answer's error says is redacted, as what a command says is.
func TestB65_ScriptedErrorsAreRedacted(t *testing.T) {
	s, err := agent.ParseScripted([]byte("[[answer]]\nlabel = \"*\"\nerror = \"broke with ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n"), "answers.toml")
	require.NoError(t, err)
	_, err = s.Run(t.Context(), agent.Request{Label: "x", Cwd: t.TempDir()}, nil)
	require.ErrorContains(t, err, "broke with")
	require.NotContains(t, err.Error(), "ghp_0123456789")
}

// What an answer does, and what it says, is told as it comes.
func TestScriptedTells(t *testing.T) {
	s := scripted(t, `
[[answer]]
label = "writes"
write = { "b.txt" = "x", "a.txt" = "y" }
run = "echo hi"
text = "done"

[[answer]]
label = "counts"
value = { n = 1 }

[[answer]]
label = "fails"
error = "no"
`)
	for label, want := range map[string][]agent.Event{
		"writes": {
			{Type: "tool", Tool: "write", Input: "a.txt"},
			{Type: "tool", Tool: "write", Input: "b.txt"},
			{Type: "tool", Tool: "command", Input: "echo hi"},
			{Type: "text", Text: "done"},
		},
		"counts": {{Type: "text", Text: `{"n":1}`}},
		"fails":  nil,
	} {
		var told []agent.Event
		_, err := s.Run(t.Context(), agent.Request{Label: label, Cwd: t.TempDir(), Tell: func(e agent.Event) { told = append(told, e) }}, nil)
		require.Equal(t, label == "fails", err != nil)
		require.Equal(t, want, told)
	}
}
