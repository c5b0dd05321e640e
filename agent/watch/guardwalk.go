package watch

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
)

// walk takes the files below a folder that no repository tells of. It follows no link, and ends in
// errTooLarge where there are too many.
func walk(ctx context.Context, folder string, unguarded func(string) bool, contents bool) (map[string]held, error) {
	files := map[string]held{}
	r := &room{read: contentRead}
	count := 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if d != nil && path != folder {
				return nil // it went meanwhile, or may not be read: then nobody like us writes to it
			}
			return err
		}
		if count++; count > walkedEntries {
			return errTooLarge
		}
		name, err := filepath.Rel(folder, path)
		if err != nil || name == "." {
			return err
		}
		if name = filepath.ToSlash(name); unguarded(name) {
			if d.IsDir() {
				return enter(name)
			}
			return nil
		}
		h := held{stamp: stampOf(path)}
		if d.IsDir() {
			// A folder's size and times tell of what is in it, which is compared itself.
			h.stamp = stamp{fileStat: fileStat{there: true, mode: h.mode}}
		} else if contents && h.size <= contentSize {
			h.fill(ctx, path, r)
		}
		files[name] = h
		return ctx.Err()
	})
	return files, err
}

// enter says whether a folder that does not count itself is gone into: in one of a workspace may be its
// configuration, which does.
func enter(name string) error {
	if path.Base(name) == ".assent" || path.Base(path.Dir(name)) == ".assent" {
		return nil
	}
	return fs.SkipDir
}

// compareTree adds what differs between two walks.
func (d *differences) compareTree(ctx context.Context, folder string, before, after map[string]held) {
	for _, name := range names(before, after) {
		old, now := before[name], after[name]
		kind := old.became(ctx, filepath.Join(folder, filepath.FromSlash(name)), now.stamp)
		switch {
		case kind == "":
		case kind == "mode":
			d.line("mode: " + named(name) + " was " + old.mode.Perm().String() + ", is " + now.mode.Perm().String())
		case now.mode.IsDir() || !now.there && old.mode.IsDir():
			d.line(kind + ": " + named(name) + "/")
		default:
			d.line(kind + ": " + named(name))
		}
	}
}
