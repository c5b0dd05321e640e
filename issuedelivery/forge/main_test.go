package forge_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// real is a forge, and the real gh that reaches it.
func real(t *testing.T, more ...string) (*forgetest.Forge, *forge.Forge) {
	t.Helper()
	gh := forgetest.RealGH(t, os.Getenv("ASSENT_REAL_GH"))
	f := forgetest.New(t)
	at, ok := forge.Parse(f.URL())
	require.True(t, ok)
	environ := append([]string{"HOME=" + t.TempDir(), "PATH=" + gh + string(os.PathListSeparator) + os.Getenv("PATH")}, f.Environ()...)
	return f, open(t, at, append(environ, more...))
}

func open(t *testing.T, at forge.Address, environ []string) *forge.Forge {
	t.Helper()
	f, err := forge.New(t.Context(), at, forge.Options{Folder: t.TempDir(), Mark: "01RUN/publish#0", Environ: environ})
	require.NoError(t, err)
	return f
}

// bare is a bare repository with one commit on main and on assent/x; it gives the commit.
func bare(t *testing.T) (folder, commit string) {
	t.Helper()
	folder = t.TempDir()
	git(t, folder, "init", "-q", "--bare", "-b", "main")
	tree := git(t, folder, "hash-object", "-t", "tree", "-w", "--stdin")
	commit = git(t, folder, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit-tree", "-m", "one", tree)
	git(t, folder, "update-ref", "refs/heads/main", commit)
	git(t, folder, "update-ref", "refs/heads/assent/x", commit)
	return folder, commit
}

func git(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}
