package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// maxLinks is how many links a way may have, as systems have such a limit.
const maxLinks = 40

// wayTo are the folders in which a name is looked up on the way to a file, links followed one by
// one: whoever may write in any of them decides what stands at its end.
func wayTo(path string) []string {
	root := filepath.VolumeName(path) + string(filepath.Separator)
	split := func(path string) []string {
		return strings.FieldsFunc(strings.TrimPrefix(path, filepath.VolumeName(path)), func(r rune) bool { return r == filepath.Separator || r == '/' })
	}
	at, left, links := root, split(path), 0
	var way []string
	for len(left) > 0 {
		if !slices.Contains(way, at) {
			way = append(way, at)
		}
		name := left[0]
		left = left[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		info, err := os.Lstat(next)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		target, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			break
		}
		if filepath.IsAbs(target) {
			at = root
		}
		left = append(split(target), left...)
	}
	return way
}

// passes says that a path leads into a folder or through it: by its own name, by where links lead,
// or by a link that stands in it.
func passes(folder, path string) bool {
	return insideOf(folder, path) || slices.ContainsFunc(wayTo(path), func(at string) bool { return insideOf(folder, at) })
}

// insideOf says that a file lies in a folder, by its own name or by where links lead.
func insideOf(folder, file string) bool {
	for _, f := range []string{folder, unlinked(folder)} {
		for _, at := range []string{file, unlinked(file)} {
			if rel, err := filepath.Rel(f, at); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// unlinked is a path without links; as it is if that cannot be found out.
func unlinked(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}

// othersWrite says that the group or everybody may write a file, or what is in a folder. In a
// folder with the sticky bit, such as /tmp, nobody can replace what is another's. Windows keeps
// that elsewhere.
func othersWrite(path string) bool {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" || info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		return false
	}
	return info.Mode().Perm()&0o022 != 0
}
