package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// What a path is in the tree that the work begins with.
const (
	KindNone      = ""
	KindFile      = "file"
	KindFolder    = "folder"
	KindLink      = "link"
	KindSubmodule = "submodule"
)

// Tree says what the work begins with.
type Tree interface {
	// Kind is what is at a path from the top of the repository, with slashes: one of the kinds above.
	// A path below a link or a submodule is nothing.
	Kind(path string) string
}

// file is an entry of a step that is written as it has to be.
type file struct {
	step, place int
	entry       string
}

func (e file) path() string { return fmt.Sprintf("$.steps[%d].files[%d]", e.step, e.place) }

// files holds each entry of each step against the rules, and gives those that a tree can have.
func (f *findings) files(steps []Step, tree Tree) (good []file) {
	for i, s := range steps {
		seen := map[string]bool{}
		for j, entry := range s.Files {
			e := file{i, j, entry}
			if code, what := pathFault(entry); code != "" {
				f.violate(code, s.ID, e.path(), "%s is no path that a step can change: %s", quoted(entry), what)
				continue
			}
			if seen[entry] {
				f.warn(PathTwice, s.ID, e.path(), "the step names %s twice", quoted(entry))
				continue
			}
			seen[entry] = true
			if code, what := odd(entry); code != "" {
				f.warn(code, s.ID, e.path(), "%s: %s", quoted(entry), what)
			}
			if tree != nil {
				f.standing(s, e, tree)
			}
			good = append(good, e)
		}
	}
	return good
}

// standing holds an entry against the tree.
func (f *findings) standing(s Step, e file, tree Tree) {
	name := literal(e.entry)
	if name == "" {
		return
	}
	for _, above := range append(parents(name), name) {
		switch kind := tree.Kind(above); {
		case kind == KindLink:
			f.violate(PathLink, s.ID, e.path(), "%s is or leads through the symbolic link %s: name the file that it leads to", quoted(e.entry), quoted(above))
			return
		case kind == KindSubmodule:
			f.violate(PathSubmodule, s.ID, e.path(), "%s is in the submodule %s, which is another repository: deliver to that one", quoted(e.entry), quoted(above))
			return
		case kind == KindFile && (above != name || isFolder(e.entry) || isPattern(e.entry)):
			if !slices.Contains(s.Files, above) { // else the step puts a folder in its place
				f.violate(PathKind, s.ID, e.path(), "%s is below %s, which is a file: name files, or name %s too if a folder takes its place", quoted(e.entry), quoted(above), quoted(above))
			}
			return
		case kind == KindFolder && above == name && !isFolder(e.entry) && !isPattern(e.entry):
			f.violate(PathKind, s.ID, e.path(), "%s is a folder: name its files, or write %s for everything below it", quoted(e.entry), quoted(name+"/"))
		}
	}
}

// parents are the folders that a path is in, from the top.
func parents(name string) (above []string) {
	for i, c := range name {
		if c == '/' {
			above = append(above, name[:i])
		}
	}
	return above
}

// twins finds paths that only the case tells apart: there are systems that take them for the same.
func (f *findings) twins(steps []Step, files []file) {
	first := map[string]string{}
	for _, e := range files {
		name := literal(e.entry)
		for _, part := range append(parents(name), name) {
			fold := strings.ToLower(strings.ToUpper(part)) // both ways: some letters have no other case in one
			switch other, known := first[fold]; {
			case part == "":
			case !known:
				first[fold] = part
			case other != part:
				f.violate(PathCase, steps[e.step].ID, e.path(), "%s and %s differ only in upper and lower case, and are one file on some systems: write the one that is meant", quoted(other), quoted(part))
				first[fold] = part // said once
			}
		}
	}
}

// shared finds files that two steps change which could run at the same time.
func (f *findings) shared(steps []Step, files []file, g graph) {
	patterns := 0
	for _, e := range files {
		if isPattern(e.entry) {
			patterns++
		}
	}
	if patterns > maxPatterns {
		f.violate(TooLong, "", "$.steps", "the steps name %d patterns together, and may name %d: name files or folders", patterns, maxPatterns)
		return
	}
	for i, a := range files {
		for _, b := range files[i+1:] {
			if !g.independent(a.step, b.step) || !meet(a.entry, b.entry) {
				continue
			}
			what := quoted(a.entry)
			if a.entry != b.entry {
				what += " and " + quoted(b.entry) + " name the same files, and"
			} else {
				what += " is changed by both, and"
			}
			f.violate(FilesShared, steps[b.step].ID, b.path(), "the steps %s and %s could run at the same time: %s neither waits for the other; let one depend on the other, or join them",
				quoted(steps[a.step].ID), quoted(steps[b.step].ID), what)
		}
	}
}

// Paths gives the paths that a plan's files name in a tree, each once, in the order of the plan: what
// [Check] asks a [Tree] for, but for the folders that they are in. What is written as no path should be
// is left out.
func Paths(raw json.RawMessage) []string {
	p, _ := Parse(raw)
	var names []string
	seen := map[string]bool{}
	for _, s := range p.Steps[:min(len(p.Steps), MostSteps)] {
		for _, entry := range s.Files {
			code, _ := pathFault(entry)
			if name := literal(entry); code == "" && name != "" && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}
