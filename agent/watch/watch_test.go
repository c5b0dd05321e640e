package watch_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/watch"
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
	w := watch.Begin(context.Background(), r.dir, "RUN/agent#0", nil)
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

// What says what later runs start counts, also where git ignores it, and is warned of.
func TestChangesOfTheConfiguration(t *testing.T) {
	r := newRepository(t)
	r.write(".assent/agents/old.md", "x")
	r.write(".assent/agents/kept.md", "x")
	r.write(".assent/.gitignore", "*\n")
	w := watch.Begin(t.Context(), r.dir, "RUN/agent#0", nil)
	r.write(".assent/plans/p.md", "ours")
	r.write(".assent/config.toml", "agent = 'evil'\n")
	require.NoError(t, os.Remove(filepath.Join(r.dir, ".assent/agents/old.md")))
	c, note := w.Changes(t.Context())
	require.Equal(t, []journal.FileChange{{Path: ".assent/agents/old.md", Kind: "removed"}, {Path: ".assent/config.toml", Kind: "added"}}, c.Files)
	require.Equal(t, "it changed .assent/agents/old.md, .assent/config.toml, which say what later runs start", note)

	w = watch.Begin(t.Context(), r.dir, "RUN/agent#0", nil)
	r.write(".assent/workflows/x.js", "return 1\n")
	r.git("add", "-f", ".assent/workflows")
	r.git("commit", "-q", "-m", "workflow")
	c, note = w.Changes(t.Context())
	require.Equal(t, []journal.FileChange{{Path: ".assent/workflows/x.js", Kind: "added"}}, c.Files)
	require.Equal(t, "it changed .assent/workflows/x.js, which says what later runs start", note)
	require.Equal(t, &journal.Changes{}, r.changes(func() {}))
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
		Files:    []journal.FileChange{{Path: "a.txt", Kind: "changed"}},
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
		Files:    []journal.FileChange{{Path: "a", Kind: "added"}, {Path: "b", Kind: "added"}},
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
	require.Nil(t, watch.Begin(context.Background(), dir, "RUN/agent#0", nil))
	require.Nil(t, watch.Begin(context.Background(), "", "RUN/agent#0", nil))
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755)) // looks like one
	require.Nil(t, watch.Begin(context.Background(), dir, "RUN/agent#0", nil))
	c, note := (*watch.Watched)(nil).Changes(context.Background())
	require.Nil(t, c)
	require.Empty(t, note)
}

func TestChangesWithoutGit(t *testing.T) {
	r := newRepository(t)
	t.Setenv("PATH", t.TempDir())
	require.Nil(t, watch.Begin(context.Background(), r.dir, "RUN/agent#0", nil))
}

// A repository that is gone afterwards is not known, and no failure.
func TestChangesOfARepositoryThatIsGone(t *testing.T) {
	r := newRepository(t)
	w := watch.Begin(context.Background(), r.dir, "RUN/agent#0", nil)
	require.NoError(t, os.RemoveAll(filepath.Join(r.dir, ".git")))
	c, note := w.Changes(context.Background())
	require.Nil(t, c)
	require.Equal(t, "what it changed in the repository is not known: git could not look at it any more", note)
}

// A file that was staged is new, also if it was changed since; one that was written anew as it was is
// the same, whatever its time says.
func TestChangesOfStagedAndRewrittenFiles(t *testing.T) {
	r := newRepository(t)
	r.write("dirty.txt", "before\n")
	r.write("b.txt", "b, changed\n")
	require.NoError(t, os.Symlink("a.txt", filepath.Join(r.dir, "link")))
	large := strings.Repeat("x", 1<<20+1)
	r.write("large.txt", large)
	c := r.changes(func() {
		r.write("new.txt", "1\n")
		r.write("gone.txt", "1\n")
		r.git("add", "new.txt", "gone.txt")
		r.write("new.txt", "2\n") // AM
		require.NoError(t, os.Remove(filepath.Join(r.dir, "gone.txt")))
		again := time.Now().Add(time.Hour) // no clock is so coarse
		for name, text := range map[string]string{"dirty.txt": "before\n", "b.txt": "b, changed\n", "a.txt": "a\n", "large.txt": large} {
			r.write(name, text)
			require.NoError(t, os.Chtimes(filepath.Join(r.dir, name), again, again))
		}
		require.NoError(t, os.Remove(filepath.Join(r.dir, "link")))
		require.NoError(t, os.Symlink("a.txt", filepath.Join(r.dir, "link")))
	})
	require.Equal(t, []journal.FileChange{
		{Path: "large.txt", Kind: "changed"}, // what is large is not read
		{Path: "new.txt", Kind: "added"},
	}, c.Files)
	c = r.changes(func() {
		r.write("dirty.txt", "beforE\n") // as long as it was
		require.NoError(t, os.Remove(filepath.Join(r.dir, "link")))
		require.NoError(t, os.Symlink("b.txt", filepath.Join(r.dir, "link")))
	})
	require.Equal(t, []journal.FileChange{{Path: "dirty.txt", Kind: "changed"}, {Path: "link", Kind: "changed"}}, c.Files)
}

// What the call's commits touched is told, also where the working tree shows nothing of it.
func TestChangesOfCommittedFiles(t *testing.T) {
	r := newRepository(t)
	r.write("mine.txt", "mine\n")
	c := r.changes(func() {
		r.write("a.txt", "2\n")
		r.write("passing.txt", "x")
		r.write("new file\n.txt", "x")
		r.write(".assent/x", "theirs")
		r.write(".assent/plans/p.md", "ours")
		r.git("add", "-f", ".")
		r.git("commit", "-q", "-m", "one")
		r.git("rm", "-q", "b.txt", "passing.txt")
		r.write("new file\n.txt", "y")
		r.git("commit", "-q", "-a", "-m", "two")
		r.write("a.txt", "3\n")
	})
	require.Len(t, c.Commits, 2)
	require.Equal(t, []journal.FileChange{
		{Path: ".assent/x", Kind: "added"},
		{Path: "a.txt", Kind: "changed"},
		{Path: "b.txt", Kind: "removed"},
		{Path: "mine.txt", Kind: "added"},
		{Path: "new file\n.txt", Kind: "added"},
	}, c.Files)
	// On a branch that is not checked out, too.
	c = r.changes(func() {
		r.git("commit", "-q", "-a", "-m", "three")
		r.git("branch", "-q", "aside")
		r.git("reset", "-q", "--hard", "HEAD~1")
	})
	require.Equal(t, []journal.FileChange{{Path: "a.txt", Kind: "changed"}}, c.Files)
}

// Paths are not cut, for two would become one. What is too long is counted.
func TestChangesKeepPathsWhole(t *testing.T) {
	r := newRepository(t)
	deep := strings.Repeat("d/", 120)
	tooDeep := strings.Repeat(strings.Repeat("e", 200)+"/", 6)
	c := r.changes(func() {
		r.write(deep+"one.txt", "")
		r.write(deep+"two.txt", "")
		r.write(tooDeep+"three.txt", "")
	})
	require.Equal(t, []journal.FileChange{{Path: deep + "one.txt", Kind: "added"}, {Path: deep + "two.txt", Kind: "added"}}, c.Files)
	require.Equal(t, 1, c.More)
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
	w := watch.Begin(context.Background(), r.dir, "RUN/agent#0", nil)
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
	w := watch.Begin(ctx, r.dir, "RUN/agent#0", nil)
	require.NotNil(t, w)
	c, note := w.Changes(context.Background())
	require.Nil(t, c)
	require.Equal(t, "what it changed in the repository is not known: git took too long", note)
}

// counting is a step that holds several groups at once, as the journal's does.
type counting struct {
	mu         sync.Mutex
	begun, now int
	most       int
}

func (c *counting) Process(int, int) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun, c.now = c.begun+1, c.now+1
	c.most = max(c.most, c.now)
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.now--
	})
}

// Every process group is told to the step that its call has, from whatever goroutine starts it, and has
// ended when the look has.
func TestChangesTellTheStepOfEachGroup(t *testing.T) {
	r := newRepository(t)
	step := &counting{}
	var calls sync.WaitGroup
	for i := range 4 {
		calls.Go(func() {
			w := watch.Begin(context.Background(), r.dir, fmt.Sprintf("RUN/agent#%d", i), step)
			shell := &agent.Command{Argv: []string{"/bin/sh", "-c", "cat >/dev/null; echo done"}}
			_, err := shell.Run(context.Background(), agent.Request{Cwd: r.dir}, step)
			c, _ := w.Changes(context.Background())
			assert.NoError(t, err)
			assert.NotNil(t, c)
		})
	}
	calls.Wait()
	require.Equal(t, 4*(2+1+2), step.begun, "two looks of two programs each, and the agent")
	require.Zero(t, step.now)
	require.Greater(t, step.most, 1)
}

func BenchmarkWatch(b *testing.B) {
	r := newRepository(b)
	for b.Loop() {
		w := watch.Begin(context.Background(), r.dir, "RUN/agent#0", nil)
		if c, _ := w.Changes(context.Background()); c == nil {
			b.Fatal("not known")
		}
	}
}
