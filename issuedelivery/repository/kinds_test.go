package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

func TestKinds(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	for _, name := range []string{"src/deep/a.go", "src/*.go", "top", "-x", "päth/ü"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	git("add", "-A")
	blob := git("hash-object", "-w", "top")
	git("update-index", "--add", "--cacheinfo", "120000,"+blob+",link")
	git("commit", "-q", "-m", "first")
	first := git("rev-parse", "HEAD")
	git("update-index", "--add", "--cacheinfo", "160000,"+first+",lib/other")
	git("commit", "-q", "-m", "second")
	commit := git("rev-parse", "HEAD")

	r, err := repository.Open(filepath.Join(dir, "src"), "RUN/call", nil)
	require.NoError(t, err)
	kinds, err := r.Kinds(t.Context(), commit, []string{
		"src", "src/deep/a.go", "src/*.go", "src/b.go", "top", "top/below", "link", "link/x", "lib/other/x", "lib/other", "nothing/at/all", "-x", "päth/ü", "t*p",
	})
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"src": "folder", "src/deep": "folder", "src/deep/a.go": "file", "src/*.go": "file", "top": "file", "link": "link", "lib": "folder", "lib/other": "submodule",
		"-x": "file", "päth": "folder", "päth/ü": "file",
	}, kinds)

	many := []string{"top"}
	for i := range 1000 {
		many = append(many, strings.Repeat("x", 250)+strconv.Itoa(i))
	}
	kinds, err = r.Kinds(t.Context(), commit, append(many, "src/deep/a.go"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"top": "file", "src": "folder", "src/deep": "folder", "src/deep/a.go": "file"}, kinds)
	kinds, err = r.Kinds(t.Context(), commit, nil)
	require.NoError(t, err)
	require.Empty(t, kinds)
	for _, bad := range []string{"HEAD", "", "--help", strings.Repeat("0", 40)} {
		_, err = r.Kinds(t.Context(), bad, []string{"top"})
		require.Error(t, err, bad)
	}
}
