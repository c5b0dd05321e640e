package repository_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

const (
	run  = "01JDZX5V9Y3K8Q2M7N4P6RABCD"
	mark = run + "/delivery#0"
)

// at is when commits of the tests are made.
var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// shared is where the fixture is made, once.
var shared string

// The user of the tests has a home of their own, and so no configuration of git's but what a test says.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "repository-home")
	if err != nil {
		panic(err)
	}
	shared = filepath.Join(home, "fixture")
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

// user is a repository of a person's, with one commit on main, and a folder for what runs need.
type user struct {
	t         testing.TB
	dir, work string
	*repository.Repository
}

// in runs git in a folder and gives what it prints, without its last end of line.
func in(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=@1700000000 +0000", "GIT_COMMITTER_DATE=@1700000000 +0000")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return strings.TrimSuffix(string(out), "\n")
}

func build(t testing.TB, dir string, format ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	in(t, dir, append([]string{"init", "-q", "-b", "main"}, format...)...)
	in(t, dir, "config", "user.name", "Ann Ünal")
	in(t, dir, "config", "user.email", "ann@example.org")
	put(t, filepath.Join(dir, "a.txt"), "1\n2\n3\n4\n5\n")
	put(t, filepath.Join(dir, "sub dir", "b.txt"), "b\n")
	put(t, filepath.Join(dir, "tool.sh"), "#!/bin/sh\n")
	in(t, dir, "add", ".")
	in(t, dir, "commit", "-q", "-m", "first")
}

// once guards the making of the fixture.
var once sync.Once

func newUser(t testing.TB) *user {
	t.Helper()
	once.Do(func() { build(t, shared) })
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	dir := filepath.Join(root, "Mein Projekt ü")
	out, err := exec.Command("cp", "-a", shared, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return open(t, dir, filepath.Join(root, "state of ä", run))
}

func open(t testing.TB, dir, work string) *user {
	t.Helper()
	r, err := repository.Open(dir, mark, nil)
	require.NoError(t, err)
	return &user{t, dir, work, r}
}

func (u *user) git(args ...string) string { u.t.Helper(); return in(u.t, u.dir, args...) }

func put(t testing.TB, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func (u *user) write(name, text string) { u.t.Helper(); put(u.t, filepath.Join(u.dir, name), text) }

func (u *user) head() string { u.t.Helper(); return u.git("rev-parse", "HEAD") }

// gone is the text of a file that is to be removed.
const gone = "\x00gone"

// files are texts by their names.
type files map[string]string

// commit makes a commit on another one, without the user's tree.
func (u *user) commit(on, message string, change files) string {
	u.t.Helper()
	return u.entries(on, message, change, nil)
}

// entries is commit with entries of other modes besides: MODE,ID,PATH, or MODE=TEXT,PATH.
func (u *user) entries(on, message string, change files, lines []string) string {
	u.t.Helper()
	index := filepath.Join(u.t.TempDir(), "index")
	git := func(input string, args ...string) string {
		u.t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = u.dir, strings.NewReader(input)
		cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+index, "GIT_AUTHOR_DATE=@1700000000 +0000", "GIT_COMMITTER_DATE=@1700000000 +0000")
		out, err := cmd.CombinedOutput()
		require.NoError(u.t, err, "git %v: %s", args, out)
		return strings.TrimSpace(string(out))
	}
	git("", "read-tree", on)
	var info strings.Builder
	for name, text := range change {
		if text == gone {
			fmt.Fprintf(&info, "0 %s\t%s\x00", strings.Repeat("0", len(on)), name)
			continue
		}
		fmt.Fprintf(&info, "100644 %s\t%s\x00", git(text, "hash-object", "-w", "--stdin"), name)
	}
	for _, line := range lines {
		mode, rest, _ := strings.Cut(line, ",")
		id, name, _ := strings.Cut(rest, ",")
		if plain, text, ok := strings.Cut(mode, "="); ok {
			mode, id, name = plain, git(text, "hash-object", "-w", "--stdin"), rest
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", mode, id, name)
	}
	git(info.String(), "update-index", "-z", "--index-info")
	return git(message, "commit-tree", git("", "write-tree"), "-p", on)
}

// mktree makes a tree of lines as ls-tree prints them.
func (u *user) mktree(lines string) string {
	u.t.Helper()
	cmd := exec.Command("git", "mktree")
	cmd.Dir, cmd.Stdin = u.dir, strings.NewReader(lines)
	out, err := cmd.Output()
	require.NoError(u.t, err)
	return strings.TrimSpace(string(out))
}

// show is a file of a commit.
func (u *user) show(commit, name string) string {
	u.t.Helper()
	return u.git("cat-file", "-p", commit+":"+name)
}

// names are the files of a commit.
func (u *user) names(commit string) []string {
	u.t.Helper()
	return strings.Split(strings.TrimSuffix(u.git("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit), "\x00"), "\x00")
}

// parents are those of a commit.
func (u *user) parents(commit string) []string {
	u.t.Helper()
	return strings.Fields(u.git("rev-list", "--parents", "-1", commit))[1:]
}

// state is all of the user's that may not change: the files, and what git has of them.
func (u *user) state() string {
	u.t.Helper()
	var b strings.Builder
	sum := func(path string) string {
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return "none"
		}
		require.NoError(u.t, err)
		return fmt.Sprintf("%x", sha256.Sum256(text))
	}
	require.NoError(u.t, filepath.WalkDir(u.dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(u.t, err)
		if d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		require.NoError(u.t, err)
		fmt.Fprintln(&b, path, info.Mode())
		if info.Mode().IsRegular() {
			fmt.Fprintln(&b, info.ModTime(), sum(path))
		}
		return nil
	}))
	for _, name := range []string{"HEAD", "index", "config", "ORIG_HEAD", "FETCH_HEAD", "config.worktree", "logs/HEAD", "COMMIT_EDITMSG"} {
		path := u.git("rev-parse", "--git-path", name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(u.dir, path)
		}
		fmt.Fprintln(&b, name, sum(path))
	}
	for line := range strings.SplitSeq(u.git("for-each-ref"), "\n") {
		if !strings.Contains(line, "assent/") {
			fmt.Fprintln(&b, line)
		}
	}
	return b.String()
}

// worktrees are the folders that git knows as working trees.
func (u *user) worktrees() []string {
	u.t.Helper()
	var list []string
	for line := range strings.Lines(u.git("worktree", "list", "--porcelain")) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree "); ok {
			list = append(list, path)
		}
	}
	return list
}

// stack is Stack, which has to go.
func (u *user) stack(onto string, parts ...repository.Part) repository.Stacked {
	u.t.Helper()
	s, err := u.Stack(context.Background(), onto, parts, at)
	require.NoError(u.t, err)
	return s
}

func part(id, base, commit string) repository.Part {
	return repository.Part{ID: id, Title: "Do " + id, Base: base, Commit: commit}
}

// paths are those of changes.
func paths(changes []repository.Change) []string {
	list := []string{}
	for _, c := range changes {
		list = append(list, c.Path)
	}
	return list
}
