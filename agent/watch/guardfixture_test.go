package watch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// template is the folder of the repository that guarded copies, "" before it is needed.
var template struct {
	sync.Once
	folder string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if template.folder != "" {
		_ = os.RemoveAll(template.folder)
	}
	os.Exit(code)
}

// guarded is a repository with something of everything, in a home of its own.
func guarded(t testing.TB) *repository {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("what is done here is written for a Unix shell")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	newRepository(t) // skips without git
	template.Do(func() { makeTemplate(t) })
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	out, err := exec.Command("cp", "-a", template.folder+"/.", folder).CombinedOutput()
	require.NoError(t, err, "%s", out)
	r := &repository{t, filepath.Join(folder, "repo")}
	r.write(".git/worktrees/repo-tree/gitdir", r.dir+"-tree/.git\n")
	r.write("../repo-tree/.git", "gitdir: "+r.dir+"/.git/worktrees/repo-tree\n")
	return r
}

func makeTemplate(t testing.TB) {
	t.Helper()
	var err error
	template.folder, err = os.MkdirTemp("", "assent-guard-test-") //nolint:usetesting // it outlives this test
	require.NoError(t, err)
	inner := newRepository(t)
	r := &repository{t, filepath.Join(template.folder, "repo")}
	require.NoError(t, os.Mkdir(r.dir, 0o755))
	r.git("init", "-q", "-b", "main")
	r.sh(`
		echo a > a.txt; echo b > b.txt; git add . && git commit -qm first
		mkdir -p src node_modules .assent/plans .git/hooks; echo off > .git/hooks/pre-push.off; chmod 600 .git/hooks/pre-push.off; rm -f .git/info/attributes
		echo 'node_modules/' > .gitignore; echo '*.log' >> .gitignore
		echo 1 > src/a.go; echo old > hidden.txt; ln -s a.txt link
		git add . && git commit -qm second
		git -c protocol.file.allow=always submodule --quiet add ` + inner.dir + ` sub && git commit -qm third
		git branch other; git tag v1
		echo dirty > dirty.txt; echo changed >> b.txt; echo x > node_modules/x
		git update-index --assume-unchanged hidden.txt
		git worktree add -q ../repo-tree -b elsewhere
	`)
}
