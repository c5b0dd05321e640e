package acp

import (
	"path/filepath"
	"slices"
	"strings"
)

// place is where a path leads, with links followed.
type place int

const (
	outside place = iota
	inside
	inScratch
	// reserved is git's own folder inside the call's, or Assent's: what stands there says what runs later.
	reserved
)

// folder is where a call may reach: its folder, and its scratch folder if it has one.
type folder struct {
	dir           string // as the request has it
	real, scratch string // with links followed; scratch is "" if there is none
}

func openFolder(dir, scratch string) (folder, error) {
	f := folder{dir: dir}
	var err error
	if f.real, err = realDir(dir); err != nil {
		return folder{}, err
	}
	if scratch != "" {
		if f.scratch, err = realDir(scratch); err != nil {
			return folder{}, err
		}
	}
	return f, nil
}

func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// locate says where a path leads that an agent gives, and its real name below that root. One that
// others may read otherwise is outside.
func (f folder) locate(path string) (at place, root, name string) {
	if !wellGiven(path) {
		return outside, "", ""
	}
	return f.resolve(f.dir, path)
}

// resolve is locate for what the system gets as it is, such as an argument of a program that runs in dir.
// A name with .. in it is outside: what it means depends on who follows it.
func (f folder) resolve(dir, path string) (at place, root, name string) {
	if path == "" || strings.ContainsRune(path, 0) {
		return outside, "", ""
	}
	path = filepath.FromSlash(path)
	if slices.Contains(strings.Split(path, string(filepath.Separator)), "..") {
		return outside, "", ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	path, ok := follow(filepath.Clean(path))
	if !ok {
		return outside, "", ""
	}
	if name, ok := below(f.real, path); ok {
		at = inside
		if slices.ContainsFunc(strings.Split(name, string(filepath.Separator)), isReserved) {
			at = reserved
		}
		return at, f.real, name
	}
	if name, ok := below(f.scratch, path); ok && f.scratch != "" {
		return inScratch, f.scratch, name
	}
	return outside, "", ""
}

// isReserved reports whether a folder's name is one of those, as any system may have it: the case does
// not tell names apart on some, dots and spaces at the end or a short name on others.
func isReserved(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, ". "))
	return name == ".git" || name == ".assent" || strings.HasPrefix(name, "git~") || strings.HasPrefix(name, "assent~")
}

func below(root, path string) (string, bool) {
	name, err := filepath.Rel(root, path)
	return name, err == nil && filepath.IsLocal(name)
}
