package worktree_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/journal"
)

// The user of the tests has a home of their own, and so no configuration of git's but what a test says.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "worktree-home")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": "", "GIT_CONFIG_NOSYSTEM": "1"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(home)
		os.Exit(code)
	}))
}

const (
	run    = "01JDZX5V9Y3K8Q2M7N4P6RABCD"
	key    = "/parallel#0[3]/agent#1"
	prefix = "assent/6rabcd/"
)

// repository is a git repository of a user with one commit on main, and a folder for worktrees.
type repository struct {
	t         testing.TB
	dir, root string
}

func newRepository(t testing.TB) *repository {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	r := &repository{t, filepath.Join(dir, "Mein Projekt ü"), filepath.Join(dir, "state of ä", "work")}
	require.NoError(t, os.Mkdir(r.dir, 0o755))
	r.git("init", "-q", "-b", "main")
	r.write("a.txt", "a\n")
	r.write("sub dir/b.txt", "b\n")
	r.git("add", ".")
	r.git("commit", "-q", "-m", "first")
	return r
}

// in runs git in a folder and gives what it prints.
func in(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgSign=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

func (r *repository) git(args ...string) string { r.t.Helper(); return in(r.t, r.dir, args...) }

func put(t testing.TB, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	put(r.t, filepath.Join(r.dir, name), text)
}

func (r *repository) place() worktree.Place { return worktree.Place{Root: r.root, Run: run} }

func (r *repository) request() worktree.Request {
	return worktree.Request{Key: key, Label: "fix it", Folder: r.dir, Mark: run + key}
}

// open opens the tree of the call.
func (r *repository) open(change ...func(*worktree.Request)) *worktree.Tree {
	r.t.Helper()
	t, err := r.try(change...)
	require.NoError(r.t, err)
	return t
}

func (r *repository) try(change ...func(*worktree.Request)) (*worktree.Tree, error) {
	r.t.Helper()
	request := r.request()
	for _, c := range change {
		c(&request)
	}
	return worktree.Open(context.Background(), r.place(), request)
}

func interrupted(r *worktree.Request) { r.Interrupted = true }

func fresh(r *worktree.Request) { r.Fresh = true }

// finish ends the call.
func finish(t testing.TB, tree *worktree.Tree) (journal.Worktree, string) {
	t.Helper()
	w, note, err := tree.Finish(context.Background())
	require.NoError(t, err)
	require.Equal(t, tree.Branch(), w.Branch)
	require.Equal(t, w.Commit, in(t, tree.Path(), "rev-parse", tree.Branch()), "the branch is where the result says")
	require.Equal(t, w.Commit, in(t, tree.Path(), "rev-parse", "HEAD"), "and is checked out")
	return w, note
}

// state is all of the user's that may not change: the files, and what git has of them.
func (r *repository) state() string {
	r.t.Helper()
	var b strings.Builder
	require.NoError(r.t, filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(r.t, err)
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		info, err := d.Info()
		require.NoError(r.t, err)
		fmt.Fprintln(&b, path, info.Mode(), sum(r.t, path, info.Mode()))
		return nil
	}))
	for _, name := range []string{"HEAD", "index", "config", "ORIG_HEAD", "config.worktree", "info/sparse-checkout"} {
		fmt.Fprintln(&b, name, sum(r.t, filepath.Join(r.dir, ".git", name), 0))
	}
	for line := range strings.Lines(r.git("for-each-ref")) {
		if !strings.Contains(line, "assent/") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func sum(t testing.TB, path string, mode fs.FileMode) string {
	t.Helper()
	if !mode.IsRegular() {
		target, _ := os.Readlink(path)
		return target
	}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return "none"
	}
	require.NoError(t, err)
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// recordOf is the record beside a tree.
func recordOf(t testing.TB, tree *worktree.Tree) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(tree.Path()), "worktree.json"))
	require.NoError(t, err)
	var o map[string]any
	require.NoError(t, json.Unmarshal(text, &o))
	return o
}

// setRecord changes fields of it.
func setRecord(t testing.TB, dir string, fields map[string]any) {
	t.Helper()
	path := filepath.Join(dir, "worktree.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	o := map[string]any{}
	require.NoError(t, json.Unmarshal(text, &o))
	for name, value := range fields {
		o[name] = value
	}
	text, err = json.Marshal(o)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

// listed is the only worktree that there is.
func (r *repository) listed() worktree.Listed {
	r.t.Helper()
	list, err := worktree.List(context.Background(), r.root)
	require.NoError(r.t, err)
	require.Len(r.t, list, 1)
	return list[0]
}

// clean cleans it.
func (r *repository) clean(discard ...string) worktree.Cleaned {
	r.t.Helper()
	cleaned, err := worktree.Clean(context.Background(), r.root, worktree.CleanOptions{Discard: discard})
	require.NoError(r.t, err)
	require.Len(r.t, cleaned, 1)
	return cleaned[0]
}

// soon is a limit for steps that hang.
const soon = 2 * time.Second
