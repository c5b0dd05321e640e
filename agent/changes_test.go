package agent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// repository is a git repository with one commit on main, and a shell in it.
type repository struct {
	t   testing.TB
	dir string
}

func newRepository(t testing.TB) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	r := &repository{t, dir}
	r.git("init", "-q", "-b", "main")
	r.write("a.txt", "a\n")
	r.write("b.txt", "b\n")
	r.git("add", ".")
	r.git("commit", "-q", "-m", "first")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgSign=false"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.t, os.WriteFile(path, []byte(text), 0o644))
}

// changes are those that work makes.
func (r *repository) changes(work func()) *journal.Changes {
	r.t.Helper()
	w := agent.Watch(context.Background(), r.dir, "", "RUN", "/agent#0", nil)
	require.NotNil(r.t, w)
	work()
	c, note := w.Changes(context.Background())
	require.Empty(r.t, note)
	require.NotNil(r.t, c)
	return c
}

func TestChangesOfNothing(t *testing.T) {
	r := newRepository(t)
	r.write("dirty.txt", "was there before\n")
	require.Equal(t, &journal.Changes{}, r.changes(func() {}))
}

func TestChangesOfTheWorkingTree(t *testing.T) {
	r := newRepository(t)
	r.write("dirty.txt", "before\n")
	r.write("gone.txt", "before\n")
	r.write("same.txt", "before\n")
	c := r.changes(func() {
		r.write("a.txt", "changed\n")
		r.write("dirty.txt", "changed again, and longer\n")
		r.write("deep/er/new file.txt", "x")
		r.write(".assent/plans/p.md", "ours")
		require.NoError(t, os.Remove(filepath.Join(r.dir, "b.txt")))
		require.NoError(t, os.Remove(filepath.Join(r.dir, "gone.txt")))
		r.git("add", "same.txt") // the same file all the same
	})
	require.Equal(t, &journal.Changes{Files: []journal.FileChange{
		{Path: "a.txt", Kind: "changed"},
		{Path: "b.txt", Kind: "removed"},
		{Path: "deep/er/new file.txt", Kind: "added"},
		{Path: "dirty.txt", Kind: "changed"},
		{Path: "gone.txt", Kind: "removed"},
	}}, c)
}

func TestChangesOfBranchesAndCommits(t *testing.T) {
	r := newRepository(t)
	r.git("branch", "old")
	first := r.git("rev-parse", "HEAD")
	c := r.changes(func() {
		r.git("checkout", "-q", "-b", "topic")
		r.write("a.txt", "2\n")
		r.git("commit", "-q", "-a", "-m", "second")
		r.write("a.txt", "3\n")
		r.git("commit", "-q", "-a", "-m", "third\n\nwith a body")
		r.git("branch", "-q", "-D", "old")
	})
	second, third := r.git("rev-parse", "topic~1"), r.git("rev-parse", "topic")
	require.Equal(t, &journal.Changes{
		Branches: []journal.BranchChange{{Name: "old", From: first}, {Name: "topic", To: third}},
		Commits:  []journal.Commit{{ID: second, Subject: "second"}, {ID: third, Subject: "third"}},
	}, c)
	// A branch that is moved back has no new commits.
	c = r.changes(func() { r.git("reset", "-q", "--hard", first) })
	require.Equal(t, &journal.Changes{Branches: []journal.BranchChange{{Name: "topic", From: third, To: first}}}, c)
}

// A commit that no branch holds is found by HEAD; so is one in a linked working tree.
func TestChangesOfADetachedHeadAndALinkedTree(t *testing.T) {
	r := newRepository(t)
	r.git("checkout", "-q", "--detach")
	c := r.changes(func() { r.git("commit", "-q", "--allow-empty", "-m", "loose") })
	require.Empty(t, c.Branches)
	require.Equal(t, []journal.Commit{{ID: r.git("rev-parse", "HEAD"), Subject: "loose"}}, c.Commits)
	linked := &repository{t, filepath.Join(t.TempDir(), "linked")}
	r.git("worktree", "add", "-q", "-b", "side", linked.dir)
	c = linked.changes(func() {
		linked.write("new.txt", "x")
		linked.git("commit", "-q", "--allow-empty", "-m", "aside")
	})
	require.Equal(t, []journal.Commit{{ID: linked.git("rev-parse", "HEAD"), Subject: "aside"}}, c.Commits)
	require.Equal(t, "side", c.Branches[0].Name)
	require.Equal(t, []journal.FileChange{{Path: "new.txt", Kind: "added"}}, c.Files)
}

func TestChangesOfARepositoryWithoutCommits(t *testing.T) {
	r := newRepository(t)
	empty := &repository{t, filepath.Join(r.dir, "empty")}
	require.NoError(t, os.Mkdir(empty.dir, 0o755))
	empty.git("init", "-q", "-b", "main")
	c := empty.changes(func() {
		empty.write("a", "1")
		empty.git("add", "a")
		empty.git("commit", "-q", "-m", "the first")
		empty.write("b", "1")
	})
	head := empty.git("rev-parse", "HEAD")
	require.Equal(t, &journal.Changes{
		Branches: []journal.BranchChange{{Name: "main", To: head}},
		Commits:  []journal.Commit{{ID: head, Subject: "the first"}},
		Files:    []journal.FileChange{{Path: "b", Kind: "added"}},
	}, c)
}

// What is too much is cut, and counted.
func TestChangesAreBounded(t *testing.T) {
	r := newRepository(t)
	c := r.changes(func() {
		for i := range 503 {
			r.write("many/"+strings.Repeat("x", 1+i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26), "")
		}
		r.git("commit", "-q", "--allow-empty", "-m", strings.Repeat("ä", 300))
	})
	require.Len(t, c.Files, 500)
	require.Equal(t, 3, c.More)
	require.Equal(t, strings.Repeat("ä", 200)+"…", c.Commits[0].Subject)
}

// Where there is nothing to look at, nothing is told, and nothing fails.
func TestChangesWithoutARepository(t *testing.T) {
	dir := t.TempDir()
	require.Nil(t, agent.Watch(context.Background(), dir, "", "RUN", "/agent#0", nil))
	require.Nil(t, agent.Watch(context.Background(), "", "", "RUN", "/agent#0", nil))
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755)) // looks like one
	require.Nil(t, agent.Watch(context.Background(), dir, "", "RUN", "/agent#0", nil))
	c, note := (*agent.Watched)(nil).Changes(context.Background())
	require.Nil(t, c)
	require.Empty(t, note)
}

func TestChangesWithoutGit(t *testing.T) {
	r := newRepository(t)
	t.Setenv("PATH", t.TempDir())
	require.Nil(t, agent.Watch(context.Background(), r.dir, "", "RUN", "/agent#0", nil))
}

// A repository that is gone afterwards is not known, and no failure.
func TestChangesOfARepositoryThatIsGone(t *testing.T) {
	r := newRepository(t)
	w := agent.Watch(context.Background(), r.dir, "", "RUN", "/agent#0", nil)
	require.NoError(t, os.RemoveAll(filepath.Join(r.dir, ".git")))
	c, note := w.Changes(context.Background())
	require.Nil(t, c)
	require.Empty(t, note)
}

// No program that the repository's configuration names for looking at it is started, and the
// user's own variables lead nowhere else.
func TestChangesStartNothingOfTheRepositorys(t *testing.T) {
	r := newRepository(t)
	trap := filepath.Join(t.TempDir(), "trap")
	ran := trap + ".ran"
	require.NoError(t, os.WriteFile(trap, []byte("#!/bin/sh\ntouch '"+ran+"'\n"), 0o755))
	for _, key := range []string{"core.fsmonitor", "gpg.program", "core.pager", "diff.external", "core.editor"} {
		r.git("config", key, trap)
	}
	r.git("config", "log.showSignature", "true")
	hooks := filepath.Join(r.dir, ".git", "hooks")
	require.NoError(t, os.MkdirAll(hooks, 0o755))
	other := newRepository(t)
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_TRACE", ran)
	w := agent.Watch(context.Background(), r.dir, "", "RUN", "/agent#0", nil)
	require.NoError(t, os.Unsetenv("GIT_DIR"))
	require.NoError(t, os.Unsetenv("GIT_TRACE"))
	require.NotNil(t, w)
	require.NoError(t, os.WriteFile(filepath.Join(hooks, "post-index-change"), []byte("#!/bin/sh\ntouch '"+ran+"'\n"), 0o755))
	r.write("a.txt", "changed")
	r.git("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "commit", "-q", "-a", "-m", "x")
	c, _ := w.Changes(context.Background())
	require.Len(t, c.Commits, 1)
	require.NoFileExists(t, ran)
}

// The time for a look is limited, and that it ran out is said.
func TestChangesThatTakeTooLong(t *testing.T) {
	r := newRepository(t)
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	w := agent.Watch(ctx, r.dir, "", "RUN", "/agent#0", nil)
	require.NotNil(t, w)
	c, note := w.Changes(context.Background())
	require.Nil(t, c)
	require.Equal(t, "what it changed in the repository is not known: git took too long", note)
}

func BenchmarkWatch(b *testing.B) {
	r := newRepository(b)
	for b.Loop() {
		w := agent.Watch(context.Background(), r.dir, "", "RUN", "/agent#0", nil)
		if c, _ := w.Changes(context.Background()); c == nil {
			b.Fatal("not known")
		}
	}
}
