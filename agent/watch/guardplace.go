package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// place is a repository and where it keeps what.
type place struct {
	repo *git.Repo
	// prefix is before its paths, as they are seen from the first repository: "" or "sub/".
	prefix string
	// unguarded tells of paths that do not count.
	unguarded func(name string) bool
	// dir is the folder of its working tree, common that of all its working trees.
	dir, common string
	// sha256 says that its objects are named by that; tables that its references are kept in tables.
	sha256, tables bool
}

// placeOf finds where a repository keeps what, as git does.
func placeOf(repo *git.Repo, prefix string) (*place, error) {
	dir, err := gitFolder(repo.Top)
	if err != nil {
		return nil, err
	}
	p := &place{repo: repo, prefix: prefix, dir: dir, common: dir}
	if text, err := regular.Read(filepath.Join(dir, "commondir"), smallFile); err == nil {
		p.common = from(dir, strings.TrimSpace(string(text)))
	}
	config, err := regular.Read(filepath.Join(p.common, "config"), contentSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(p.common, "HEAD")); err != nil {
		return nil, err
	}
	p.sha256 = strings.Contains(strings.ReplaceAll(strings.ToLower(string(config)), " ", ""), "objectformat=sha256")
	_, err = os.Stat(filepath.Join(p.common, "reftable"))
	p.tables = err == nil
	return p, nil
}

// gitFolder is the folder that the .git of a working tree is or leads to.
func gitFolder(top string) (string, error) {
	path := filepath.Join(top, ".git")
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return path, err
	}
	text, err := regular.Read(path, smallFile)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(text), "gitdir:")
	if !ok {
		return "", git.ErrNone
	}
	return from(top, strings.TrimSpace(target)), nil
}

func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// look runs git to read in this repository and this working tree, wherever its configuration, which
// may have been changed meanwhile, would lead it.
func (p *place) look(ctx context.Context, input string, args ...string) ([]byte, error) {
	return p.repo.Look(ctx, input, append([]string{"--git-dir=" + p.dir, "--work-tree=" + p.repo.Top}, args...)...)
}

// path is where a file of the working tree is.
func (p *place) path(name string) string { return filepath.Join(p.repo.Top, filepath.FromSlash(name)) }

// references reads HEAD and what every reference leads to: a commit, or the text of a symbolic one.
func (p *place) references(ctx context.Context) (head string, refs map[string]string, err error) {
	refs = map[string]string{}
	if p.tables {
		return p.listReferences(ctx)
	}
	if text, err := regular.Read(filepath.Join(p.dir, "HEAD"), smallFile); err == nil {
		head = strings.TrimSpace(string(text))
	} else {
		return "", nil, err
	}
	// Those in files of their own come first: meanwhile they may be packed.
	loose := func(dir string) error {
		return filepath.WalkDir(filepath.Join(dir, "refs"), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
				return err
			}
			if len(refs) > refsRead {
				return errTooLarge
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			// What cannot be read is being replaced, or no reference.
			if text, err := regular.Read(path, smallFile); err == nil {
				refs[filepath.ToSlash(name)] = strings.TrimSpace(string(text))
			}
			return ctx.Err()
		})
	}
	if err := loose(p.common); err != nil {
		return "", nil, err
	}
	if p.dir != p.common {
		if err := loose(p.dir); err != nil {
			return "", nil, err
		}
	}
	packed, err := regular.Read(filepath.Join(p.common, "packed-refs"), indexSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	for line := range strings.Lines(string(packed)) {
		id, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if _, known := refs[name]; ok && !known && strings.HasPrefix(name, "refs/") {
			refs[name] = id
		}
	}
	return head, refs, nil
}

// listReferences has git read references that are kept in tables.
func (p *place) listReferences(ctx context.Context) (head string, refs map[string]string, err error) {
	text, err := p.look(ctx, "", "for-each-ref", "--format=%(refname) %(objectname)")
	if err != nil {
		return "", nil, err
	}
	refs = map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, id, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			refs[name] = id
		}
	}
	name, err := p.look(ctx, "", "rev-parse", "--symbolic-full-name", "HEAD")
	if head = strings.TrimSpace(string(name)); head != "HEAD" {
		return "ref: " + head, refs, err
	}
	id, err := p.look(ctx, "", "rev-parse", "HEAD")
	return strings.TrimSpace(string(id)), refs, err
}

// background reports whether a reference is one that fetches in the background move.
func background(ref string) bool {
	for _, prefix := range []string{"refs/remotes/", "refs/prefetch/"} {
		if strings.HasPrefix(ref, prefix) {
			return true
		}
	}
	return false
}
