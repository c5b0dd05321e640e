//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const gateTests = `answers = "answers.toml"
[[test]]
name = "approves the very plan that waits"
resilience = true
[[test.gate]]
decision = true
[test.expect]
result = {decision = true}
changed = ["worked"]
`

// Tests approve nothing of the user's, and change nothing: no journal, no anchor, no key, no file.
func TestWorkflowTestsTouchNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers, "gate.js.test.toml", gateTests)
	run := u.object(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	before := u.hashes()
	temporary := t.TempDir()
	u.env = append(u.env, "TMPDIR="+temporary)
	e := u.wants(0, "test", "gate.js")
	require.Equal(t, "ok    gate.js.test.toml  approves the very plan that waits\n1 test: 1 passed, 0 failed\n", e.out)
	require.Empty(t, e.errors)
	require.Equal(t, before, u.hashes())
	require.Equal(t, "waiting", u.state(run))
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoFileExists(t, filepath.Join(u.dir, "worked"))
}

// Ctrl-C ends the tests and what they have started, and clears away.
func TestWorkflowTestsCanBeInterrupted(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "gate.js.test.toml", `[[test]]
[[test.gate]]
decision = true
[[test.answer]]
label = "worker"
run = "echo $$ >begun; sleep 3600"
text = ""
[[test]]
name = "another, which waits for its turn"
[[test.gate]]
decision = true
[[test.answer]]
label = "worker"
text = ""
`)
	temporary := t.TempDir()
	u.env = append(u.env, "TMPDIR="+temporary)
	cmd := u.command("test", "gate.js", "--parallel", "1")
	require.NoError(t, cmd.Start())
	eventually(t, "the first test is at work", func() bool {
		begun, _ := filepath.Glob(filepath.Join(temporary, "*", "*", "run", "workspace", "begun"))
		return len(begun) == 1
	})
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.Error(t, cmd.Wait())
	require.Equal(t, 130, cmd.ProcessState.ExitCode())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}
