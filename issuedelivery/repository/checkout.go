package repository

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// Checkout makes a fresh working tree of a commit at a folder of the run's own, on no branch. What is left
// there of an earlier attempt is removed first. Call remove when it is not needed any more.
func (r *Repository) Checkout(ctx context.Context, commit, folder string) (remove func(context.Context) error, err error) {
	if err := r.known(ctx, commit); err != nil {
		return nil, err
	}
	if err := r.keep(ctx, commit); err != nil {
		return nil, err
	}
	if err := r.dropTree(ctx, folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return nil, err
	}
	if err = r.addTree(ctx, "--detach", "--force", folder, commit); err != nil {
		_ = r.dropTree(context.WithoutCancel(ctx), folder) // what git left is removed before the next attempt too
		return nil, err
	}
	return func(ctx context.Context) error { return r.dropTree(ctx, folder) }, nil
}

// addTree has git make a working tree, without the filters whose programs are not installed.
func (r *Repository) addTree(ctx context.Context, args ...string) error {
	filters, _ := r.git.MissingFilters(ctx)
	_, err := r.do(ctx, git.Command{Step: "worktree add", Limit: treeTime, Env: filters, Args: append([]string{"-c", "core.sparseCheckout=false", "worktree", "add", "--quiet"}, args...)})
	return err
}

// dropTree removes a working tree of the run's own, whatever is in it, and what git knows of it.
func (r *Repository) dropTree(ctx context.Context, folder string) error {
	if info, err := os.Lstat(folder); err == nil && info.Mode()&os.ModeSymlink != 0 {
		if err := os.Remove(folder); err != nil { // git would remove what it leads to
			return err
		}
	} else if err == nil {
		_, _ = r.do(ctx, git.Command{Step: "worktree remove", Limit: treeTime, Args: []string{"worktree", "remove", "--force", "--force", folder}})
		_ = filepath.WalkDir(folder, func(path string, d os.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(path, 0o700) //nolint:gosec // a folder has to be entered to be emptied
			}
			return nil
		})
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	at, err := r.registered(ctx, folder)
	if err != nil || !at {
		return err
	}
	_, err = r.do(ctx, git.Command{Step: "worktree remove", Args: []string{"worktree", "remove", "--force", "--force", folder}})
	return err
}

// registered reports whether git knows a working tree at a folder.
func (r *Repository) registered(ctx context.Context, folder string) (bool, error) {
	known, _, err := r.registration(ctx, folder)
	return known, err
}

// registration reports whether git knows a working tree at a folder, and whether the making of it was cut
// off: git locks it meanwhile.
func (r *Repository) registration(ctx context.Context, folder string) (known, begun bool, err error) {
	out, err := r.do(ctx, git.Command{Step: "worktree list", Args: []string{"worktree", "list", "--porcelain", "-z"}})
	if err != nil {
		return false, false, err
	}
	real := folder
	if above, err := filepath.EvalSymlinks(filepath.Dir(folder)); err == nil {
		real = filepath.Join(above, filepath.Base(folder))
	}
	for block := range strings.SplitSeq(out, "\x00\x00") {
		lines := strings.Split(block, "\x00")
		if path, ok := strings.CutPrefix(lines[0], "worktree "); ok && (path == folder || path == real) {
			return true, slices.Contains(lines, "locked initializing"), nil
		}
	}
	return false, false, nil
}
