//go:build unix

package acp_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
)

func TestProbe(t *testing.T) {
	probe := func(name string, env ...string) (string, *bool, string, string) {
		p := acp.Probe(t.Context(), acp.Options{
			Command: []string{os.Args[0], name}, Grace: 300 * time.Millisecond, Env: append(env, "PATH="+os.Getenv("PATH")), Keep: []string{"FAKE_API_KEY"},
		})
		require.Equal(t, os.Args[0], p.Path)
		return p.Version, p.SignedIn, p.Problem, p.Next
	}
	version, in, problem, _ := probe("turn:echo")
	require.Equal(t, "fake 7.1", version)
	require.True(t, *in)
	require.Empty(t, problem)

	version, in, problem, next := probe("turn:signin")
	require.Equal(t, "fake 7.1", version)
	require.False(t, *in)
	require.Contains(t, problem, "not signed in")
	require.Contains(t, next, "set FAKE_API_KEY")
	_, in, problem, _ = probe("turn:signin", "FAKE_API_KEY=k")
	require.True(t, *in)
	require.Empty(t, problem)

	_, in, problem, _ = probe("raw:null")
	require.Nil(t, in, "it names no way to sign in")
	require.Empty(t, problem)
	_, _, problem, _ = probe("raw:version")
	require.Contains(t, problem, "version 99")

	p := acp.Probe(t.Context(), acp.Options{Command: []string{filepath.Join(t.TempDir(), "codex-acp")}})
	require.Empty(t, p.Path)
	require.Contains(t, p.Problem, "cannot be started")
	require.Contains(t, p.Next, "npm install -g @zed-industries/codex-acp")
	require.NotEmpty(t, acp.Probe(t.Context(), acp.Options{}).Problem)
}

func TestKnown(t *testing.T) {
	var names []string
	for _, p := range acp.Known() {
		names = append(names, p.Name)
		require.Equal(t, p.Name != "pi-acp", p.Install != "", p.Name)
		require.NotEmpty(t, p.SignIn)
		found, ok := acp.KnownAs(p.Name)
		require.True(t, ok)
		require.Equal(t, append([]string{p.Program}, p.Args...), found.Command())
	}
	require.Equal(t, []string{"gemini", "opencode", "claude-agent-acp", "codex-acp", "pi-acp"}, names)
	_, ok := acp.KnownAs("else")
	require.False(t, ok)

	// What makes an agent ask is set for it, unless the environment says otherwise.
	program := agenttest.Fake(t, "acp", agenttest.Behaviour{Text: "done"})
	named := filepath.Join(filepath.Dir(program), "opencode")
	require.NoError(t, os.Rename(program, named))
	run := func(o acp.Options) []string {
		o.Command, o.Grace = []string{named, "acp"}, 300*time.Millisecond
		before := len(agenttest.Reports(t, named))
		require.Equal(t, "done", attempt(t, acp.New(o)).text(t))
		reports := agenttest.Reports(t, named)
		require.Len(t, reports, before+1)
		newest := reports[0]
		for _, r := range reports {
			if r.At.After(newest.At) {
				newest = r
			}
		}
		return newest.Env
	}
	require.Contains(t, run(acp.Options{}), `OPENCODE_PERMISSION={"edit":"ask","bash":"ask","webfetch":"ask"}`)
	own := run(acp.Options{Env: append(os.Environ(), "OPENCODE_PERMISSION={}"), Keep: []string{"OPENCODE_PERMISSION"}})
	require.Contains(t, own, "OPENCODE_PERMISSION={}")
}
