package worktree

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// patternLimit caps a file of sparse patterns.
const patternLimit = 8 << 20

// sparse gives the tree the same part of the files as the user's has. Newer versions of git do it by
// themselves when they make a tree; older ones do not.
func (t *Tree) sparse(ctx context.Context, admin string) error {
	get := func(repo *git.Repo, name string) string {
		out, _ := t.do(ctx, repo, git.Command{Step: "config", Args: []string{"config", "--type=bool", name}})
		return strings.TrimSpace(string(out))
	}
	if get(t.repo, "core.sparseCheckout") != "true" {
		return ctx.Err()
	}
	out, err := t.do(ctx, t.repo, git.Command{Step: "rev-parse", Args: []string{"rev-parse", "--git-path", "info/sparse-checkout"}})
	if err != nil {
		return err
	}
	from := strings.TrimRight(string(out), "\r\n")
	if !filepath.IsAbs(from) {
		from = filepath.Join(t.repo.Top, from)
	}
	patterns, err := regular.Read(from, patternLimit)
	if missing(err) {
		return nil // without patterns git takes every file
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(admin, "info"), 0o700); err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(admin, "info", "sparse-checkout"), patterns, 0o600); err != nil {
		return err
	}
	for _, name := range []string{"core.sparseCheckout", "core.sparseCheckoutCone"} {
		if value := get(t.repo, name); value != "" && get(t.tree, name) != value {
			if _, err := t.do(ctx, t.tree, git.Command{Step: "config", Args: []string{"config", "--worktree", name, value}}); err != nil {
				return err
			}
		}
	}
	return nil
}
