package runners_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/internal/modeltest"
	"github.com/seed-8d4a6081/assent/journal"
)

// B61: a call that is cancelled leaves nothing behind, also not a command that the program started in
// a session of its own.
func TestRealProgramsAreEndedB61(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what left its group is found on Linux only")
	}
	const line = "echo $$ >started; sleep 317"
	for kind, use := range map[string]modeltest.Turn{"codex": command(line), "pi": modeltest.Uses("bash", map[string]any{"command": line})} {
		t.Run(kind, func(t *testing.T) {
			play := modeltest.Play{{Prompt: "wait", Turns: []modeltest.Turn{use}}}
			r := map[string]func(*testing.T, modeltest.Play) *real{"codex": realCodex, "pi": realPi}[kind](t, play)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go agenttest.WhenWritten(cancel, filepath.Join(r.repo, "started"))
			_, err := r.runner.Run(ctx, r.request("wait"), nil)
			require.Equal(t, journal.FailureCancelled, agent.Class(err), "%v", err)
			require.FileExists(t, filepath.Join(r.repo, "started"))
			require.Eventually(t, func() bool { return !running("sleep\x00317", r.repo) }, 2*time.Second, 10*time.Millisecond)
		})
	}
}

// running says whether a process with this command line runs in a folder.
func running(line, folder string) bool {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range processes {
		text, err := os.ReadFile(filepath.Join(p, "cmdline"))
		cwd, _ := os.Readlink(filepath.Join(p, "cwd"))
		if err == nil && bytes.HasPrefix(text, []byte(line)) && strings.HasPrefix(cwd, folder) {
			return true
		}
	}
	return false
}
