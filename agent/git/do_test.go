//go:build unix

package git_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent/git"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func repository(t *testing.T) *git.Repo {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	out, err := exec.Command("git", "init", "-q", "-b", "main", dir).CombinedOutput()
	require.NoError(t, err, string(out))
	r, err := git.Open(dir, "RUN/agent#0", nil)
	require.NoError(t, err)
	return r
}

func do(r *git.Repo, step string, args ...string) (string, error) {
	out, err := r.Do(context.Background(), git.Command{Step: step, Args: args, Env: []string{"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b"}})
	return strings.TrimSpace(string(out)), err
}

// A step that fails is named, with git's code and what it said, on one line.
func TestB60FailureNamesTheStep(t *testing.T) {
	r := repository(t)
	_, err := do(r, "commit", "commit", "-m", "x")
	require.EqualError(t, err, "git failed at the step commit (exit code 1)", "there is nothing to commit, which git says on its output")
	_, err = do(r, "look", "show", "nothing-of-that-name")
	require.ErrorContains(t, err, "git failed at the step look (exit code 128): fatal: ambiguous argument")
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, 128, git.Exit(err))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.Do(ctx, git.Command{Step: "commit", Args: []string{"status"}})
	require.True(t, err == nil || strings.Contains(err.Error(), "commit"), "%v", err)
}

// B60: a step that hangs is ended at its own limit, with what it started, and is named.
func TestB60StepHasItsOwnLimit(t *testing.T) {
	r := repository(t)
	_, err := r.Do(t.Context(), git.Command{Step: "push", Args: []string{"-c", "alias.hang=!sleep 300", "hang"}, Limit: 200 * time.Millisecond})
	require.EqualError(t, err, "git did not finish the step push in 200ms")
	require.Equal(t, -1, git.Exit(err))
}

// started is told of each git that starts.
type started func()

func (s started) Process(int, int) func() { s(); return func() {} }

// What another git holds is waited for; not for ever.
func TestLocksAreWaitedFor(t *testing.T) {
	r := repository(t)
	require.NoError(t, os.WriteFile(filepath.Join(r.Top, "a"), []byte("a"), 0o600))
	lock := filepath.Join(r.Top, ".git", "index.lock")
	require.NoError(t, os.WriteFile(lock, nil, 0o600))
	_, err := do(r, "add", "add", "a")
	require.ErrorContains(t, err, "at the step add")
	require.ErrorContains(t, err, "index.lock")
	// The first try is refused; when the second one starts, the lock is freed.
	tries := 0
	again, err := git.Open(r.Top, "RUN/agent#0", started(func() {
		if tries++; tries == 2 {
			require.NoError(t, os.Remove(lock))
		}
	}))
	require.NoError(t, err)
	_, err = do(again, "add", "add", "a")
	require.NoError(t, err)
	require.GreaterOrEqual(t, tries, 2)
	names, err := do(r, "ls-files", "ls-files")
	require.NoError(t, err)
	require.Equal(t, "a", names)
}

// A tree is worked on by its git folder, whatever stands in the place of its .git.
func TestAtIgnoresWhatIsInTheTree(t *testing.T) {
	r := repository(t)
	_, err := do(r, "commit", "commit", "-q", "--allow-empty", "-m", "first")
	require.NoError(t, err)
	elsewhere := t.TempDir()
	at, err := git.At(elsewhere, filepath.Join(r.Top, ".git"), "RUN/agent#0", nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, ".git"), []byte("gitdir: /nowhere\n"), 0o600))
	subject, err := do(at, "log", "log", "-1", "--format=%s")
	require.NoError(t, err)
	require.Equal(t, "first", subject)
	common, err := at.Common(t.Context())
	require.NoError(t, err)
	require.Equal(t, filepath.Join(r.Top, ".git"), common)
	seen, err := at.Look(t.Context(), "", "log", "-1", "--format=%s")
	require.NoError(t, err)
	require.Equal(t, "first\n", string(seen))
}
