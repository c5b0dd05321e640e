//go:build unix

package worktree_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/worktree"
)

// breaker is a git that does not do its nth step that writes, or does it and seems to fail: so whoever
// called it stands where a kill before or after that step would leave them.
type breaker struct {
	t   *testing.T
	dir string
}

func newBreaker(t *testing.T) *breaker {
	t.Helper()
	real, err := exec.LookPath("git")
	require.NoError(t, err)
	b := &breaker{t, t.TempDir()}
	put(t, filepath.Join(b.dir, "git"), fmt.Sprintf(`#!/bin/sh
n=1
case " $* " in
*" update-ref "* | *" worktree "* | *" reset "* | *" symbolic-ref "* | *" commit-tree "* | *" write-tree "* | *" add "*)
	n=$(cat '%[1]s/n' 2>/dev/null || echo 0)
	n=$((n - 1))
	echo $n >'%[1]s/n'
	;;
esac
if [ $n -eq 0 ]; then
	if [ -e '%[1]s/after' ]; then '%[2]s' "$@"; fi
	exit 77
fi
exec '%[2]s' "$@"
`, b.dir, real))
	require.NoError(t, os.Chmod(filepath.Join(b.dir, "git"), 0o755))
	return b
}

// at has the nth step fail, done or not.
func (b *breaker) at(n int, done bool, fn func() error) error {
	b.t.Helper()
	put(b.t, filepath.Join(b.dir, "n"), strconv.Itoa(n))
	_ = os.Remove(filepath.Join(b.dir, "after"))
	if done {
		put(b.t, filepath.Join(b.dir, "after"), "")
	}
	path := os.Getenv("PATH")
	b.t.Setenv("PATH", b.dir+string(os.PathListSeparator)+path)
	defer b.t.Setenv("PATH", path)
	return fn()
}

// left says how many steps there are still to come: below 0, the nth never came.
func (b *breaker) left() int {
	text, err := os.ReadFile(filepath.Join(b.dir, "n"))
	require.NoError(b.t, err)
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(b.t, err)
	return n
}

// After a kill before or after any step of git, the call is opened again and its work comes onto the
// branch; nothing of an earlier attempt is lost, and the user's tree is as it was.
func TestCrashAtEveryStep(t *testing.T) {
	for name, c := range map[string]struct {
		// worked prepares the tree; broken is what is broken off.
		worked func(r *repository, tree *worktree.Tree)
		broken func(r *repository) error
		lost   string
	}{
		"first opening": {broken: func(r *repository) error { _, err := r.try(); return err }},
		"opening after an interruption": {
			worked: func(r *repository, tree *worktree.Tree) {
				in(t, tree.Path(), "commit", "-q", "--allow-empty", "-m", "half")
				put(t, filepath.Join(tree.Path(), "left"), "precious")
			},
			broken: func(r *repository) error { _, err := r.try(interrupted); return err },
			lost:   "left",
		},
		"finishing": {
			worked: func(r *repository, tree *worktree.Tree) {
				in(t, tree.Path(), "commit", "-q", "--allow-empty", "-m", "on the branch")
				in(t, tree.Path(), "checkout", "-q", "--detach", tree.Base())
				put(t, filepath.Join(tree.Path(), "left"), "precious")
			},
			broken: func(r *repository) error {
				tree, err := r.try()
				if err == nil {
					_, _, err = tree.Finish(t.Context())
				}
				return err
			},
			lost: "left",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBreaker(t)
			apart := 5 // each run of git is a step, and every step is broken off in the long form
			if os.Getenv("ASSENT_LONG") != "" {
				apart = 1
			}
			for n, over := 1, false; !over; n += apart {
				for _, done := range []bool{false, true} {
					r := newRepository(t)
					before := r.state()
					if c.worked != nil {
						c.worked(r, r.open())
					}
					_ = b.at(n, done, func() error { return c.broken(r) })
					over = b.left() > 0
					require.Equal(t, before, r.state(), "step %d", n)
					tree := r.open(interrupted)
					require.NoFileExists(t, filepath.Join(tree.Path(), "left"))
					if c.lost != "" {
						found := false
						for _, ref := range r.keptRefs() {
							found = found || r.git("ls-tree", "-r", ref, "--", c.lost) != ""
						}
						aside, err := filepath.Glob(filepath.Join(filepath.Dir(tree.Path()), "aside-*", c.lost))
						require.NoError(t, err)
						found = found || len(aside) > 0
						require.True(t, found, "step %d: %s is lost", n, c.lost)
					}
					put(t, filepath.Join(tree.Path(), "x"), "1")
					w, _ := finish(t, tree)
					require.Len(t, w.Files, 1)
					require.Equal(t, before, r.state(), "step %d", n)
					require.NotContains(t, r.git("worktree", "list"), "prunable")
				}
				require.Less(t, n, 200)
			}
		})
	}
}

// Git itself may be killed while it makes a tree: it leaves parts, and locks.
func TestKilledGit(t *testing.T) {
	for name, spoil := range map[string]func(admin, path string){
		"initializing": func(admin, _ string) { put(t, filepath.Join(admin, "locked"), "initializing") },
		"index lock":   func(admin, _ string) { put(t, filepath.Join(admin, "index.lock"), "") },
		"no files":     func(_, path string) { require.NoError(t, os.Remove(filepath.Join(path, "a.txt"))) },
		"no .git":      func(_, path string) { require.NoError(t, os.Remove(filepath.Join(path, ".git"))) },
		"nothing but gitdir": func(admin, path string) {
			put(t, filepath.Join(admin, "locked"), "initializing")
			for _, file := range []string{"HEAD", "commondir", "index", "logs"} {
				require.NoError(t, os.RemoveAll(filepath.Join(admin, file)))
			}
			require.NoError(t, os.RemoveAll(path))
		},
		"no gitdir": func(admin, path string) {
			put(t, filepath.Join(admin, "locked"), "initializing")
			require.NoError(t, os.Remove(filepath.Join(admin, "gitdir")))
			require.NoError(t, os.RemoveAll(path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			tree := r.open()
			admin := in(t, tree.Path(), "rev-parse", "--absolute-git-dir")
			setRecord(t, filepath.Dir(tree.Path()), map[string]any{"state": "making"})
			spoil(admin, tree.Path())
			tree = r.open(interrupted)
			require.FileExists(t, filepath.Join(tree.Path(), "a.txt"))
			w, _ := finish(t, tree)
			require.Empty(t, w.Files)
		})
	}
}

// What an agent's git left when it was ended is no obstacle to committing its work.
func TestLocksOfTheAgent(t *testing.T) {
	r := newRepository(t)
	tree := r.open()
	admin := in(t, tree.Path(), "rev-parse", "--absolute-git-dir")
	put(t, filepath.Join(tree.Path(), "x"), "1")
	for _, path := range []string{filepath.Join(admin, "index.lock"), filepath.Join(admin, "HEAD.lock"), filepath.Join(r.dir, ".git", "refs", "heads", tree.Branch()+".lock")} {
		put(t, path, "")
	}
	w, _ := finish(t, tree)
	require.Len(t, w.Files, 1)
}

// Several calls of two runs at once in one repository.
func TestAtOnce(t *testing.T) {
	r := newRepository(t)
	before := r.state()
	errs := make(chan error)
	for _, run := range []string{run, "01JDZX5V9Y3K8Q2M7N4P6REFGH"} {
		for n := range 6 {
			go func() {
				errs <- func() error {
					tree, err := worktree.Open(t.Context(), worktree.Place{Root: r.root, Run: run}, worktree.Request{Key: fmt.Sprintf("/agent#%d", n), Folder: r.dir, Mark: run})
					if err != nil {
						return err
					}
					if err := os.WriteFile(filepath.Join(tree.Folder(), "x"), []byte(tree.Branch()), 0o600); err != nil {
						return err
					}
					w, _, err := tree.Finish(t.Context())
					if err == nil && len(w.Files) != 1 {
						err = fmt.Errorf("%d files", len(w.Files))
					}
					return err
				}()
			}()
		}
	}
	for range 12 {
		require.NoError(t, <-errs)
	}
	require.Equal(t, before, r.state())
	list, err := worktree.List(t.Context(), r.root)
	require.NoError(t, err)
	require.Len(t, list, 12)
}
