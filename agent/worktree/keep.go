package worktree

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// keep puts what a tree and its branch have beyond the beginning under a name of its own, before the
// tree is made anew. Files that git ignores are not kept. What git cannot take is put aside as it is.
func (t *Tree) keep(ctx context.Context, s standing) error {
	ends, err := t.ends(ctx, s)
	if err != nil {
		return err
	}
	id := ""
	if s.there && s.admin != "" {
		repo, err := t.at(s)
		if err != nil {
			return err
		}
		t.tree = repo
		t.missingFilters(ctx)
		snap, err := t.snapshot(ctx, s)
		own := ""
		if err == nil {
			own, err = t.ownRepositories(ctx, snap.index)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil || snap.left != "" || own != "" {
			if err := t.putAside(); err != nil {
				return err
			}
		} else if of, err := t.treeOf(ctx, cmp.Or(s.head, s.tip, t.rec.Base)); err != nil {
			return err
		} else if snap.tree != of {
			if id, err = t.commitTree(ctx, snap.tree, "what a cut-off attempt left", append([]string{cmp.Or(s.head, s.tip, t.rec.Base)}, ends...)...); err != nil {
				return err
			}
		}
	}
	switch {
	case id != "":
	case len(ends) == 0:
		return nil
	case len(ends) == 1:
		id = ends[0]
	default:
		of, err := t.treeOf(ctx, ends[0])
		if err != nil {
			return err
		}
		if id, err = t.commitTree(ctx, of, "what a cut-off attempt left", ends...); err != nil {
			return err
		}
	}
	return t.keepAs(ctx, id)
}

// ends are the commits that the tree and its branch have led to, without those that another one, or
// the beginning, contains.
func (t *Tree) ends(ctx context.Context, s standing) ([]string, error) {
	var ends []string
	for _, pair := range [][]string{{s.head, s.tip, t.rec.Base}, {s.tip, t.rec.Base}} {
		id, contained := pair[0], pair[0] == ""
		for _, other := range pair[1:] {
			if contained || other == "" {
				continue
			}
			var err error
			if contained, err = t.contains(ctx, other, id); err != nil {
				return nil, err
			}
		}
		if contained {
			continue
		}
		if len(ends) > 0 {
			if within, err := t.contains(ctx, ends[0], id); err != nil {
				return nil, err
			} else if within {
				continue
			}
		}
		ends = append(ends, id)
	}
	return ends, nil
}

// contains reports whether a commit has another one, or is it.
func (t *Tree) contains(ctx context.Context, commit, other string) (bool, error) {
	if commit == other {
		return true, nil
	}
	_, err := t.do(ctx, t.repo, git.Command{Step: "merge-base", Args: []string{"merge-base", "--is-ancestor", other, commit}})
	if git.Exit(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// keepAs gives a commit the next name among those that are kept of this call, unless it has one.
func (t *Tree) keepAs(ctx context.Context, id string) error {
	out, err := t.do(ctx, t.repo, git.Command{Step: "for-each-ref", Args: []string{"for-each-ref", "--format=%(objectname) %(refname)", t.kept()}})
	if err != nil {
		return err
	}
	next := 1
	for line := range strings.Lines(string(out)) {
		at, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if at == id {
			return nil
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(name, t.kept())); err == nil {
			next = max(next, n+1)
		}
	}
	name := t.kept() + strconv.Itoa(next)
	if _, err := t.do(ctx, t.repo, git.Command{Step: "update-ref", Args: []string{"update-ref", name, id, ""}}); err != nil {
		return err
	}
	t.notes = append(t.notes, "what an earlier attempt had done is kept as "+name)
	return nil
}

// snapshot is what stands in a tree, as git would commit it.
type snapshot struct {
	tree string
	// index is the file that says the same as an index.
	index string
	// left is git's word about files that it could not take.
	left string
}

// snapshot adds all that stands in the tree and is not ignored to an index of its own, so that the
// tree's index, and a lock that an agent left on it, are not touched.
func (t *Tree) snapshot(ctx context.Context, s standing) (snapshot, error) {
	snap := snapshot{index: filepath.Join(s.admin, "assent-index")}
	env := append([]string{"GIT_INDEX_FILE=" + snap.index}, t.filters...)
	step := func(name string, args ...string) ([]byte, error) {
		return t.do(ctx, t.tree, git.Command{Step: name, Limit: checkoutTime, Env: env, Args: args})
	}
	_ = os.Remove(snap.index + ".lock")
	if err := copyFile(filepath.Join(s.admin, "index"), snap.index); err != nil {
		if _, err := step("read-tree", "read-tree", cmp.Or(s.head, s.tip, t.rec.Base)); err != nil {
			return snap, err
		}
	}
	add := []string{"-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false", "add", "--all", "--ignore-errors"}
	if on, _ := t.do(ctx, t.tree, git.Command{Step: "config", Args: []string{"config", "--type=bool", "core.sparseCheckout"}}); strings.TrimSpace(string(on)) == "true" {
		add = append(add, "--sparse")
	}
	if _, err := step("add", append(add, "--", ".")...); err != nil {
		if git.Exit(err) != 1 && git.Exit(err) != 128 {
			return snap, err
		}
		snap.left = err.Error()
	}
	out, err := step("write-tree", "write-tree")
	snap.tree = strings.TrimSpace(string(out))
	return snap, err
}

// copyFile copies a file with its time. By the time of an index git knows which files may have been changed
// after it was written, in the same tick of the clock and without another size: in a younger copy they would
// count as unchanged.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	info, err := in.Stat()
	if err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// treeOf is the tree of a commit.
func (t *Tree) treeOf(ctx context.Context, commit string) (string, error) {
	out, err := t.do(ctx, t.repo, git.Command{Step: "rev-parse", Args: []string{"rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{tree}"}})
	return strings.TrimSpace(string(out)), err
}
