package worktree_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// commitIn commits everything in a tree, with a file of that name.
func commitIn(t *testing.T, path, name string) {
	t.Helper()
	put(t, filepath.Join(path, name), name+"\n")
	in(t, path, "add", "-A")
	in(t, path, "commit", "-q", "-m", name)
}

// Wherever an agent went in its tree, the call's branch has what it did.
func TestAgentWentElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		agent func(t *testing.T, tree *worktree.Tree)
		files string // that the branch adds
		log   string // subjects that it has, by the alphabet
		note  string
	}{
		"another branch": {
			agent: func(t *testing.T, tree *worktree.Tree) {
				commitIn(t, tree.Path(), "one")
				in(t, tree.Path(), "switch", "-q", "-c", "feature")
				commitIn(t, tree.Path(), "two")
				put(t, filepath.Join(tree.Path(), "left"), "x")
			},
			files: "left one two", log: "one,two,uncommitted", note: "had gone to the branch feature",
		},
		"no branch": {
			agent: func(t *testing.T, tree *worktree.Tree) {
				in(t, tree.Path(), "checkout", "-q", "--detach")
				commitIn(t, tree.Path(), "one")
			},
			files: "one", log: "one", note: "had gone to no branch",
		},
		"another line": {
			agent: func(t *testing.T, tree *worktree.Tree) {
				commitIn(t, tree.Path(), "one")
				in(t, tree.Path(), "checkout", "-q", "--detach", tree.Base())
				commitIn(t, tree.Path(), "two")
			},
			files: "two", log: "joins,one,two", note: "on two lines",
		},
		"back to look": {
			agent: func(t *testing.T, tree *worktree.Tree) {
				commitIn(t, tree.Path(), "one")
				in(t, tree.Path(), "checkout", "-q", tree.Base())
			},
			files: "one", log: "one", note: "had gone to no branch",
		},
		"the branch renamed": {
			agent: func(t *testing.T, tree *worktree.Tree) {
				in(t, tree.Path(), "branch", "-m", "better")
				commitIn(t, tree.Path(), "one")
			},
			files: "one", log: "one", note: "had gone to the branch better",
		},
		"a branch without a past": {
			agent: func(t *testing.T, tree *worktree.Tree) {
				in(t, tree.Path(), "switch", "-q", "--orphan", "new")
				put(t, filepath.Join(tree.Path(), "one"), "x")
			},
			files: "one", log: "uncommitted", note: "had gone to the branch new",
		},
		"commits taken back": {
			agent: func(t *testing.T, tree *worktree.Tree) {
				commitIn(t, tree.Path(), "one")
				in(t, tree.Path(), "reset", "-q", "--soft", "HEAD^")
			},
			files: "one", log: "uncommitted",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			before := r.state()
			tree := r.open()
			c.agent(t, tree)
			w, note := finish(t, tree)
			if c.note == "" {
				require.Empty(t, note)
			}
			require.Contains(t, note, c.note)
			var added, subjects []string
			for _, f := range w.Files {
				if f.Kind == "added" {
					added = append(added, f.Path)
				}
			}
			require.Equal(t, c.files, strings.Join(added, " "))
			for s := range strings.Lines(r.git("log", "--format=%s", w.Base+".."+w.Branch)) {
				s = strings.TrimPrefix(strings.TrimSpace(s), "fix it: ")
				s = strings.TrimPrefix(s, "what the agent left ")
				subjects = append(subjects, strings.Fields(s)[0])
			}
			require.ElementsMatch(t, strings.Split(c.log, ","), subjects)
			require.Empty(t, in(t, tree.Path(), "status", "--porcelain"))
			require.Equal(t, tree.Branch(), in(t, tree.Path(), "branch", "--show-current"))
			for line := range strings.Lines(before) {
				require.Contains(t, r.state(), line)
			}
			again, _ := finish(t, r.open())
			require.Equal(t, w, again, "and again, from what is there")
		})
	}
}

// What is under way in a tree is committed as it stands, and said.
func TestUnfinishedOperations(t *testing.T) {
	start := func(t *testing.T) (*repository, *worktree.Tree) {
		r := newRepository(t)
		r.git("switch", "-q", "-c", "other")
		r.write("a.txt", "theirs\n")
		commitIn(t, r.dir, "theirs")
		r.git("switch", "-q", "main")
		tree := r.open()
		put(t, filepath.Join(tree.Path(), "a.txt"), "ours\n")
		commitIn(t, tree.Path(), "ours")
		return r, tree
	}
	fails := func(t *testing.T, tree *worktree.Tree, args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org"}, args...)...)
		cmd.Dir = tree.Path()
		require.Error(t, cmd.Run(), "there is a conflict")
	}
	for _, args := range [][]string{{"merge", "other"}, {"rebase", "other"}, {"cherry-pick", "other"}} {
		t.Run(args[0], func(t *testing.T) {
			r, tree := start(t)
			fails(t, tree, args...)
			put(t, filepath.Join(tree.Path(), "left"), "x")
			w, note := finish(t, tree)
			require.Contains(t, note, "a "+args[0]+" was not through, with conflicts in 1 of its files")
			require.Contains(t, r.git("show", w.Commit+":a.txt"), "<<<<<<<")
			require.Contains(t, r.git("show", w.Commit+":a.txt"), "theirs")
			require.Equal(t, "x", r.git("show", w.Commit+":left"))
			require.Contains(t, r.git("log", "--format=%s", w.Commit), "ours")
			require.NotContains(t, in(t, tree.Path(), "status"), args[0])
			require.Empty(t, in(t, tree.Path(), "status", "--porcelain"))
			_, note = finish(t, r.open())
			require.NotContains(t, note, "not through")
		})
	}
	t.Run("a merge without a conflict left", func(t *testing.T) {
		r, tree := start(t)
		fails(t, tree, "merge", "other")
		put(t, filepath.Join(tree.Path(), "a.txt"), "both\n")
		in(t, tree.Path(), "add", "a.txt")
		w, note := finish(t, tree)
		require.Equal(t, "a merge was not through", note)
		require.Equal(t, r.git("rev-parse", "other"), r.git("rev-parse", w.Commit+"^2"))
		require.Equal(t, "both", r.git("show", w.Commit+":a.txt"))
	})
	t.Run("interrupted", func(t *testing.T) {
		r, tree := start(t)
		fails(t, tree, "rebase", "other")
		tree = r.open(interrupted)
		require.NotContains(t, in(t, tree.Path(), "status"), "rebase")
		require.Contains(t, r.git("show", r.keptRefs()[0]+":a.txt"), "<<<<<<<")
	})
}

// What the branch cannot hold is said, and the tree that has it stays.
func TestNotAllCommitted(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	in(t, tree.Path(), "init", "-q", "inner")
	commitIn(t, filepath.Join(tree.Path(), "inner"), "precious")
	in(t, tree.Path(), "init", "-q", "empty")
	put(t, filepath.Join(tree.Path(), "empty", "file"), "x")
	put(t, filepath.Join(tree.Path(), "other"), "x")
	w, note := finish(t, tree)
	require.Contains(t, note, "not all could be committed")
	require.Contains(t, note, "in a repository of its own (inner)")
	require.Contains(t, r.git("ls-tree", "--name-only", w.Commit), "other")
	r.git("merge", "-q", w.Branch)
	require.False(t, r.clean().Removed)
	r.open(interrupted)
	require.FileExists(t, filepath.Join(filepath.Dir(tree.Path()), "aside-1", "inner", "precious"))
}

// An agent that removes or replaces the .git of its tree changes nothing for its work.
func TestAgentReplacesGit(t *testing.T) {
	for name, c := range map[string]func(tree *worktree.Tree){
		"removed": func(*worktree.Tree) {},
		"replaced": func(tree *worktree.Tree) {
			in(t, tree.Path(), "init", "-q")
			commitIn(t, tree.Path(), "elsewhere")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			before := r.state()
			tree := r.open()
			put(t, filepath.Join(tree.Path(), "x"), "x")
			require.NoError(t, os.Remove(filepath.Join(tree.Path(), ".git")))
			c(tree)
			w, _, err := tree.Finish(t.Context())
			require.NoError(t, err)
			require.Equal(t, "x", r.git("show", w.Branch+":x"))
			tree = r.open(fresh)
			require.NoFileExists(t, filepath.Join(tree.Path(), "x"))
			_, _ = finish(t, tree)
			require.Equal(t, before, r.state())
		})
	}
}

// A tree that is gone leaves what was committed; one that git forgot is an error that says where it is.
func TestTreeIsGone(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	commitIn(t, tree.Path(), "one")
	require.NoError(t, os.RemoveAll(tree.Path()))
	w, note, err := tree.Finish(t.Context())
	require.NoError(t, err)
	require.Contains(t, note, "the worktree is gone")
	require.Equal(t, "one", r.git("show", w.Branch+":one"))

	tree = r.open(func(q *worktree.Request) { q.Key = "/agent#1" })
	require.NoError(t, os.RemoveAll(in(t, tree.Path(), "rev-parse", "--absolute-git-dir")))
	_, _, err = tree.Finish(t.Context())
	require.True(t, fault.Is(err, fault.WorktreeUnavailable), err)
	require.ErrorContains(t, err, tree.Path())
}

// The journal names so many files and counts the rest.
func TestManyFiles(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	for n := range 512 {
		put(t, filepath.Join(tree.Path(), fmt.Sprintf("f%03d", n)), "x")
	}
	w, _ := finish(t, tree)
	require.Len(t, w.Files, 500)
	require.Equal(t, 12, w.More)
}

// What is ignored is not committed, and files that nobody may write to or read are no obstacle.
func TestModesAndIgnored(t *testing.T) {
	r := newRepository(t)
	r.write(".gitignore", "*.log\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "ignore")
	tree := r.open()
	put(t, filepath.Join(tree.Path(), "build.log"), "x")
	put(t, filepath.Join(tree.Path(), "ro", "file"), "x")
	require.NoError(t, os.Chmod(filepath.Join(tree.Path(), "ro", "file"), 0o400))
	require.NoError(t, os.Chmod(filepath.Join(tree.Path(), "ro"), 0o500))
	w, note := finish(t, tree)
	require.Empty(t, note)
	require.Len(t, w.Files, 1)
	tree = r.open(fresh)
	require.NoFileExists(t, filepath.Join(tree.Path(), "ro", "file"))
}

// What an agent writes in the same tick of the clock in which the tree was made, and of the same size, is
// not lost: git tells such a file by the time of its index.
func TestWorkOfTheSameTickAndSize(t *testing.T) {
	r := newRepository(t)
	r.git("config", "core.trustctime", "false")
	tree := r.open()
	file := filepath.Join(tree.Path(), "a.txt")
	tick := time.Now().Add(-time.Hour).Truncate(time.Second)
	require.NoError(t, os.Chtimes(file, tick, tick))
	in(t, tree.Path(), "update-index", "--refresh")
	require.NoError(t, os.Chtimes(in(t, tree.Path(), "rev-parse", "--git-path", "index"), tick, tick))
	put(t, file, "b\n") // as long as a\n
	require.NoError(t, os.Chtimes(file, tick, tick))
	w, _ := finish(t, tree)
	require.Equal(t, "b", in(t, tree.Path(), "show", w.Commit+":a.txt"))
}
