//go:build unix

package planapprove_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// A pipe that nobody writes to holds nothing up.
func TestArtifactThatIsAPipe(t *testing.T) {
	run := newRun(t)
	g := kept(t, run, "a", `{"title":"T","markdown":"x"}`)
	require.NoError(t, os.Remove(at(run, g)))
	require.NoError(t, syscall.Mkfifo(at(run, g), 0o600))
	err := answerTo(run, g, "true")
	require.True(t, fault.Is(err, fault.PlanArtifactMismatch), "%v", err)
	require.ErrorContains(t, err, "a pipe")
	require.Contains(t, planapprove.Present(run.State(), g, 1, 1).Copy, "a pipe")
	require.NoError(t, answerTo(run, g, "false"))
}

// A workspace that nobody may write to keeps the plan from being asked about, and says what to mend.
func TestArtifactInAReadOnlyWorkspace(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	run := newRun(t)
	workspace := filepath.Join(t.TempDir(), "w")
	require.NoError(t, os.Mkdir(workspace, 0o500))
	run.State().Workspace = workspace
	_, err := keep(t, run, "a", `{"title":"T","markdown":"x"}`)
	require.True(t, fault.Is(err, fault.PlanArtifactUnwritable), "%v", err)
	require.ErrorContains(t, err, workspace)
	require.Empty(t, run.State().GateOrder)
}

// The umask of the user does not matter.
func TestArtifactPermissions(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	run := newRun(t)
	g := kept(t, run, "a", `{"title":"T","markdown":"x"}`)
	for path, mode := range map[string]os.FileMode{at(run, g): 0o600, filepath.Dir(at(run, g)): os.ModeDir | 0o700, filepath.Dir(filepath.Dir(at(run, g))): os.ModeDir | 0o700} {
		info, err := os.Lstat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), path)
	}
}
