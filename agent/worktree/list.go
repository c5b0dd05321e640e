package worktree

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// Listed is the worktree of a call, as it is now.
type Listed struct {
	// Run is the id of the run, Call the name of the folder, by which it is named on a command line;
	// Key and Label are those of the call.
	Run, Call, Key, Label string
	// Repository is the user's tree that it belongs to. Base is where the branch began, Tip where it is,
	// "" if it is gone.
	Repository, Branch, Base, Tip, Path string
	// Finished says that the call has ended. Since is when the tree was first made.
	Finished bool
	Since    time.Time
	// Exists says that the folder is there, and Dirty what in it is on no branch: "uncommitted work",
	// commits, another repository.
	Exists bool
	Dirty  string
	// Ahead counts the commits after Base. Merged is a branch of the user's that has them all.
	Ahead  int
	Merged string
	// Moved says that the branch is not where the call left it. Locked says that the tree is locked.
	Moved, Locked bool
	// Kept are the names under which the work of attempts that were cut off is kept, Aside the folders
	// that were put aside.
	Kept, Aside []string
	// Problem says why nothing can be said of it.
	Problem string

	// lost says that this is so for good.
	lost bool
}

// Name is RUN/CALL.
func (l Listed) Name() string { return l.Run + "/" + l.Call }

// unmerged says that the branch has something to lose.
func (l Listed) unmerged() bool { return l.Ahead > 0 && l.Merged == "" }

// List gives the worktrees of all runs, the newest run first; those of a run in the order of their
// making. Nothing is changed.
func List(ctx context.Context, root string) ([]Listed, error) { return list(ctx, root, "") }

// ListRun is List for one run.
func ListRun(ctx context.Context, root, run string) ([]Listed, error) { return list(ctx, root, run) }

func list(ctx context.Context, root, run string) ([]Listed, error) {
	var list []Listed
	err := walk(ctx, root, func(h home) error {
		if run != "" && h.run != run {
			return nil
		}
		l, _, _ := listed(ctx, h)
		list = append(list, l)
		return ctx.Err()
	})
	slices.SortStableFunc(list, func(a, b Listed) int {
		return cmp.Or(strings.Compare(b.Run, a.Run), a.Since.Compare(b.Since), strings.Compare(a.Call, b.Call))
	})
	return list, err
}

// Runs are the ids of the runs that have worktrees below root.
func Runs(root string) ([]string, error) {
	var runs []string
	err := walk(context.Background(), root, func(h home) error {
		if !slices.Contains(runs, h.run) {
			runs = append(runs, h.run)
		}
		return nil
	})
	return runs, err
}

// walk calls fn for the folder of each call.
func walk(ctx context.Context, root string, fn func(h home) error) error {
	root, err := filepath.EvalSymlinks(root)
	if missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	runs, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, run := range runs {
		calls, err := os.ReadDir(filepath.Join(root, run.Name()))
		if err != nil || !run.IsDir() {
			continue // a file of somebody's
		}
		for _, call := range calls {
			if !call.IsDir() || !isSlug(call.Name()) {
				continue // another folder of the run's
			}
			if err := fn(home{root, run.Name(), call.Name()}); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// listed looks at the worktree of a call. Where it has a problem, the tree is nil.
func listed(ctx context.Context, h home) (Listed, *Tree, standing) {
	l := Listed{Run: h.run, Call: h.slug, Branch: h.branch(), Path: h.tree()}
	l.Aside, _ = filepath.Glob(filepath.Join(escapeGlob(h.dir()), "aside-*"))
	if _, err := os.Lstat(h.tree()); err == nil {
		l.Exists = true
	}
	rec, err := readRecord(h)
	if err != nil {
		l.Problem, l.lost = err.Error(), true
		return l, nil, standing{}
	}
	l.Key, l.Label, l.Repository, l.Base, l.Since, l.Finished = rec.Key, rec.Label, rec.Top, rec.Base, rec.Since, rec.State == stateFinished
	if _, err := os.Stat(filepath.Join(rec.Common, "HEAD")); err != nil {
		l.Problem, l.lost = "its repository "+rec.Top+" is gone", true
		return l, nil, standing{}
	}
	repo, err := git.At(h.dir(), rec.Common, h.run+"/worktrees", nil)
	if err != nil {
		l.Problem = "git is not on the PATH"
		return l, nil, standing{}
	}
	t := &Tree{home: h, repo: repo, rec: rec, mark: h.run + "/worktrees"}
	s, err := t.look(ctx)
	if err == nil {
		err = t.fill(ctx, &l, s)
	}
	if err != nil {
		l.Problem = err.Error()
		return l, nil, s
	}
	return l, t, s
}

// escapeGlob makes a path one that filepath.Glob takes for itself.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // there it has no escapes
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// fill says what git has of a tree.
func (t *Tree) fill(ctx context.Context, l *Listed, s standing) error {
	l.Tip, l.Locked = s.tip, s.locked && s.lockedFor != initializing
	l.Moved = s.tip != "" && s.tip != cmp.Or(t.rec.Commit, t.rec.Base)
	out, err := t.do(ctx, t.repo, git.Command{Step: "for-each-ref", Args: []string{"for-each-ref", "--format=%(refname)", t.kept()}})
	if err != nil {
		return err
	}
	l.Kept = strings.Fields(string(out))
	if s.tip != "" {
		out, err := t.do(ctx, t.repo, git.Command{Step: "rev-list", Args: []string{"rev-list", "--count", t.rec.Base + ".." + s.tip, "--"}})
		if err != nil {
			return err
		}
		if l.Ahead, err = strconv.Atoi(strings.TrimSpace(string(out))); err != nil {
			return err
		}
		if l.Merged, err = t.inUsers(ctx, s.tip); err != nil {
			return err
		}
	}
	if !s.there || s.admin == "" {
		if s.there {
			l.Dirty = "a folder that git does not know"
		}
		return nil
	}
	if t.tree, err = t.at(s); err != nil {
		return err
	}
	t.missingFilters(ctx)
	out, err = t.do(ctx, t.tree, git.Command{Step: "status", Limit: checkoutTime, Env: t.filters, Args: []string{"--no-optional-locks", "status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=dirty"}})
	if err != nil {
		return err
	}
	own, err := t.ownRepositories(ctx, "")
	switch {
	case err != nil:
		return err
	case len(out) > 0 && t.rec.State != stateMaking: // nobody worked in one that is being made
		l.Dirty = "uncommitted work"
	case own != "":
		l.Dirty = "work in a repository of its own (" + own + ")"
	case s.head != "" && s.head != s.tip:
		within, err := t.contains(ctx, cmp.Or(s.tip, t.rec.Base), s.head)
		if err == nil && !within {
			var in string
			if in, err = t.inUsers(ctx, s.head); in == "" {
				l.Dirty = "commits that are on no branch"
			}
		}
		return err
	}
	return nil
}

// inUsers names a branch, none of ours, that has a commit; "" if there is none.
func (t *Tree) inUsers(ctx context.Context, commit string) (string, error) {
	out, err := t.do(ctx, t.repo, git.Command{Step: "for-each-ref", Args: []string{"for-each-ref", "--contains", commit, "--format=%(refname)", "refs/heads/", "refs/remotes/"}})
	if err != nil {
		return "", err
	}
	for ref := range strings.Lines(string(out)) {
		if ref = strings.TrimRight(ref, "\r\n"); !strings.Contains(ref, "/"+branchPrefix) {
			return strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/remotes/"), nil
		}
	}
	return "", nil
}
