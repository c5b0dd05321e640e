package runners_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/runners"
)

// speakers are how the programs are spoken to and speak.
var speakers = map[string]agenttest.Speaker{
	"claude": {Hear: hearClaude, Say: sayClaude},
	"codex":  {Hear: hearCodex, Say: sayCodex},
	"pi":     {Hear: hearPi, Say: sayPi},
}

func TestMain(m *testing.M) {
	agenttest.Main(speakers)
	goleak.VerifyTestMain(m)
}

// after is what follows the last of an option among arguments.
func after(args []string, option string) string {
	value := ""
	for i, arg := range args {
		if arg == option && i+1 < len(args) {
			value = args[i+1]
		}
	}
	return value
}

// shell makes a program of a shell script.
func shell(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700))
	return path
}

// prints makes a program that takes its input and prints lines.
func prints(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lines")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return shell(t, "cat >/dev/null; cat '"+path+"'\n")
}

// attempt is one attempt of a kind at a program, in a folder of its own, with what it told.
func attempt(t *testing.T, kind, program string, change ...func(*agent.Request, *runners.Options)) (agent.Response, []agent.Event, error) {
	t.Helper()
	k, ok := runners.KindOf(kind)
	require.True(t, ok)
	var mu sync.Mutex
	var told []agent.Event
	o := runners.Options{Program: program, Grace: 300 * time.Millisecond, Env: append(os.Environ(), "HOME="+t.TempDir(), "CLAUDE_CONFIG_DIR=", "CODEX_HOME=", "PI_CODING_AGENT_DIR=")}
	req := agent.Request{
		Version: agent.Version, Run: "01RUN", Call: "/agent#0", Prompt: "do it", Cwd: t.TempDir(), Attempt: 1,
		Tell: func(e agent.Event) { mu.Lock(); defer mu.Unlock(); told = append(told, e) },
	}
	for _, c := range change {
		c(&req, &o)
	}
	resp, err := k.New(o).Run(t.Context(), req, nil)
	mu.Lock()
	defer mu.Unlock()
	return resp, told, err
}

// arguments makes a program that answers, in its own way, and writes its arguments to a file, one a
// line; read gives them.
func arguments(t *testing.T, answer ...string) (program string, read func() []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "args")
	lines := filepath.Join(t.TempDir(), "lines")
	require.NoError(t, os.WriteFile(lines, []byte(strings.Join(answer, "\n")+"\n"), 0o600))
	program = shell(t, `for a; do printf '%s\n' "$a"; done >'`+path+`'; cat >/dev/null; cat '`+lines+"'\n")
	return program, func() []string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
}

// quoted is a text as JSON.
func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}
