package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/cli"
)

func TestWorkFolder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have other habits")
	}
	for env, want := range map[string]string{
		"": "/home/anna/.local/state/assent-work", "XDG_STATE_HOME=/s": "/s/assent-work", "XDG_STATE_HOME=s": "/home/anna/.local/state/assent-work",
		"XDG_STATE_HOME=/s ASSENT_HOME=own": "/work/own/work",
	} {
		got, err := cli.WorkFolder(cli.System{Env: append([]string{"HOME=/home/anna"}, strings.Fields(env)...), Dir: "/work"})
		require.NoError(t, err)
		require.Equal(t, want, got, env)
	}
}

// isolating is a user with a repository, whose calls have worktrees.
type isolating struct {
	*user
	t *testing.T
}

func newIsolating(t *testing.T) isolating {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	u := isolating{newUser(t, "plain.js", shortScript, "gate.js", gateScript, "answers.toml", answers), t}
	u.git("init", "-q", "-b", "main")
	u.git("add", ".")
	u.git("commit", "-q", "-m", "first")
	return u
}

func (u isolating) git(args ...string) string {
	u.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", u.dir, "-c", "user.name=Ann", "-c", "user.email=ann@example.org"}, args...)...)
	out, err := cmd.CombinedOutput()
	require.NoError(u.t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// call makes a worktree, with a file in it if it is named.
func (u isolating) call(run, key, file string) *worktree.Tree {
	u.t.Helper()
	tree, err := worktree.Open(u.t.Context(), worktree.Place{Root: u.store("work"), Run: run}, worktree.Request{Key: key, Label: "does\x1b[2J" + key, Folder: u.dir, Mark: run})
	require.NoError(u.t, err)
	if file != "" {
		require.NoError(u.t, os.WriteFile(filepath.Join(tree.Folder(), file), []byte("x"), 0o600))
	}
	_, _, err = tree.Finish(u.t.Context())
	require.NoError(u.t, err)
	return tree
}

// rows are the worktrees of an object.
func rows(o map[string]any) []map[string]any {
	var all []map[string]any
	for _, r := range o["worktrees"].([]any) {
		all = append(all, r.(map[string]any))
	}
	return all
}

func TestWorktrees(t *testing.T) {
	t.Parallel()
	u := newIsolating(t)
	require.Contains(t, u.wants(0, "worktrees").errors, "no call has a worktree here")
	run := runOf(u.object(0, "run", "plain.js", "--json"))
	work, none := u.call(run, "/agent#0", "x"), u.call(run, "/agent#1", "")
	waiting := runOf(u.object(4, "run", "gate.js", "--on-gate", "suspend", "--json"))
	u.call(waiting, "/agent#0", "")

	before := u.hashes()
	e := u.wants(0, "worktrees", run)
	require.NotContains(t, e.out, "\x1b", "a label is a script's")
	for _, want := range []string{
		"does‹ESC›[2J/agent#0  1 commit on no branch of yours", "branch  " + work.Branch(), "folder  " + work.Path(),
		"next: git diff " + work.Base()[:12] + ".." + work.Branch(), "next: git merge " + work.Branch(), "no commits",
	} {
		require.Contains(t, e.out, want)
	}
	require.NotContains(t, e.out, "git merge "+none.Branch())
	require.Contains(t, e.errors, "assent worktrees "+shortID(run)+" --clean")
	got := rows(u.object(0, "worktrees", "--json"))
	require.Len(t, got, 3)
	require.Equal(t, before, u.hashes())

	elsewhere := isolating{newUser(t, "plain.js", shortScript), t}
	elsewhere.env = u.env
	require.Empty(t, rows(elsewhere.object(0, "worktrees", "--json")))
	require.Contains(t, elsewhere.wants(0, "worktrees", "--all").out, "git -C "+u.dir+" merge "+work.Branch())
	require.Empty(t, rows(elsewhere.object(0, "worktrees", "--clean", "--json")))

	cleaned := rows(u.object(0, "worktrees", "--clean", "--json"))
	require.Len(t, cleaned, 3)
	for _, row := range cleaned {
		why, removed := "its work is on no branch of yours", false
		switch {
		case row["run"] == waiting:
			why = "its run can go on"
		case row["branch"] == none.Branch():
			why, removed = "it has no work", true
		}
		require.Equal(t, why, row["why"])
		require.Equal(t, removed, row["removed"])
	}
	require.DirExists(t, work.Path())
	u.git("merge", "-q", work.Branch())
	e = u.wants(0, "worktrees", run, "--clean")
	require.Contains(t, e.out, "removed  ")
	require.Contains(t, e.out, "its work is on main")
	require.Contains(t, e.errors, "removed 1 worktree, kept 0")
	require.NoDirExists(t, work.Path())
	require.Empty(t, u.git("for-each-ref", "refs/heads/"+work.Branch()))
}

func TestWorktreesDiscard(t *testing.T) {
	t.Parallel()
	u := newIsolating(t)
	run := runOf(u.object(0, "run", "plain.js", "--json"))
	one, two, three := u.call(run, "/agent#0", "x"), u.call(run, "/agent#1", "x"), u.call(run, "/agent#2", "x")
	u.git("worktree", "lock", three.Path())
	for _, name := range []string{"x", run, run + "/", run + "/agent#9", "zzzzzz/agent#0"} {
		u.wants(2, "worktrees", "--discard", name)
	}
	u.wants(2, "worktrees", "zzzzzz")
	u.wants(2, "worktrees", run, run)
	// By the key and the short id, and by the folder: nothing but what was named.
	short := strings.ToLower(run[len(run)-6:])
	require.Contains(t, u.wants(0, "worktrees", "--discard", short+"/agent#0").out, "it was named")
	require.NoDirExists(t, one.Path())
	require.DirExists(t, two.Path())
	got := rows(u.object(1, "worktrees", "--discard", run+"/"+filepath.Base(filepath.Dir(two.Path())), "--discard", run+"/agent#2", "--json"))
	require.Len(t, got, 2)
	require.Contains(t, u.wants(1, "worktrees", "--discard", run+"/agent#2").out, "it is locked")
	require.NoDirExists(t, two.Path())
	require.DirExists(t, three.Path())
	require.NotContains(t, u.git("for-each-ref"), two.Branch())
}

// prune leaves worktrees with work that stands nowhere else, and says so; they can be listed and removed
// without the run.
func TestPruneAndWorktrees(t *testing.T) {
	t.Parallel()
	u := newIsolating(t)
	run := runOf(u.object(0, "run", "plain.js", "--json"))
	work, none := u.call(run, "/agent#0", "x"), u.call(run, "/agent#1", "")
	scratch := u.store("work", run, "scratch", "note")
	require.NoError(t, os.MkdirAll(filepath.Dir(scratch), 0o700))
	require.NoError(t, os.WriteFile(scratch, nil, 0o600))
	e := u.wants(0, "prune", run)
	require.Contains(t, e.errors, "1 worktree stays of run "+run)
	require.Contains(t, e.errors, "next: assent worktrees "+run)
	require.DirExists(t, work.Path())
	require.NoDirExists(t, none.Path())
	require.NoFileExists(t, scratch)
	require.Len(t, rows(u.object(0, "worktrees", run[:12], "--json")), 1)
	u.git("merge", "-q", work.Branch())
	u.wants(0, "worktrees", "--clean")
	require.NoDirExists(t, u.store("work", run))
}

// What --json prints of worktrees is in docs/reference/json.md.
func TestWorktreesJSON(t *testing.T) {
	t.Parallel()
	documented := examples(t)["worktrees"]
	u := newIsolating(t)
	run := runOf(u.object(0, "run", "plain.js", "--json"))
	tree := u.call(run, "/agent#0", "x")
	require.NoError(t, os.WriteFile(filepath.Join(tree.Path(), "y"), nil, 0o600))
	u.git("worktree", "lock", tree.Path())
	require.NoError(t, os.MkdirAll(u.store("work", run, "odd-0123456789"), 0o700))
	for _, args := range [][]string{{"worktrees"}, {"worktrees", "--clean"}} {
		found := map[string]bool{}
		keys(found, "", u.object(0, append(args, "--json")...))
		for name := range found {
			require.True(t, documented[name], "%s is not documented", name)
		}
		require.True(t, found[".worktrees[].dirty"])
		require.True(t, found[".worktrees[].problem"])
		require.True(t, found[".worktrees[].locked"])
	}
}
