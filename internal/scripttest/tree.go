package scripttest

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// The most that a workspace may have: a test that copies more than this would be slow each time.
const (
	maxFiles = 20_000
	maxBytes = 256 << 20
)

// copyTree copies a folder. Links are copied as links if they lead to something in it, so that no
// way leads back to the original; .git is left out, and so is what is neither a file nor a folder.
func copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil || !info.IsDir() {
		return fault.Wrap(err, fault.ConfigInvalid, "workspace names no folder: "+from, "give the path of a folder, from that of the test file")
	}
	files, size := 0, int64(0)
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("copy the workspace of a test: %w", err)
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return fmt.Errorf("copy the workspace of a test: %w", err)
		}
		target := filepath.Join(to, name)
		switch {
		case name == ".":
			return nil
		case entry.Name() == ".git":
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.Mkdir(target, 0o700)
		case entry.Type()&fs.ModeSymlink != 0:
			return copyLink(from, path, target)
		case !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return fmt.Errorf("copy the workspace of a test: %w", err)
		}
		files, size = files+1, size+info.Size()
		if files > maxFiles || size > maxBytes {
			return fault.New(fault.ConfigInvalid, fmt.Sprintf("the workspace of a test has more than %d files or %d MiB: %s", maxFiles, maxBytes>>20, from),
				"name a folder with what the test needs, or write that into [test.files]")
		}
		return copyFile(path, target, info.Mode().Perm()&0o111|0o644)
	})
}

// copyLink makes the same link again if it is relative and leads to something below root.
func copyLink(root, path, target string) error {
	to, err := os.Readlink(path)
	if err != nil {
		return fmt.Errorf("copy the workspace of a test: %w", err)
	}
	if filepath.IsAbs(to) || !leadsInto(root, path) {
		return nil // it would lead to the original, or to nothing
	}
	return os.Symlink(to, target)
}

// leadsInto reports whether what a link leads to is there, and below root.
func leadsInto(root, link string) bool {
	real, err := filepath.EvalSymlinks(link)
	if err != nil {
		return false
	}
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(top, real)
	return err == nil && filepath.IsLocal(rel)
}

func copyFile(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copy the workspace of a test: %w", err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("copy the workspace of a test: %w", err)
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// tree are the files of a workspace: path, with slashes, to what is in it.
type tree map[string][sha256.Size]byte

// plansFolder is where the copies of plans go; they belong to the run, not to its work.
const plansFolder = ".assent/plans/"

// treeOf reads a workspace. What cannot be read has no content.
func treeOf(folder string) (tree, error) {
	t := tree{}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("look at the workspace of a test: %w", err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || strings.HasPrefix(path, plansFolder):
			return nil //nolint:nilerr // a folder that an answer has closed: what is in it is not known
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		t[path] = sumOf(root, filepath.FromSlash(path))
		return nil
	})
	return t, err
}

// sumOf is the sum of a file, however large a run has made it; of one that cannot be read, that of none.
func sumOf(root *os.Root, name string) (sum [sha256.Size]byte) {
	hash := sha256.New()
	if file, err := root.Open(name); err == nil {
		_, _ = io.Copy(hash, file) // what cannot be read is left out
		_ = file.Close()           // it was only read
	}
	hash.Sum(sum[:0])
	return sum
}

// changed are the files that are not what they were, in order.
func (t tree) changed(before tree) []string {
	all := maps.Clone(t)
	maps.Copy(all, before)
	list := []string{}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		now, is := t[path]
		then, was := before[path]
		if is != was || now != then {
			list = append(list, path)
		}
	}
	return list
}
