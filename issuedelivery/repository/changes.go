package repository

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/glob"
)

// Change is a file that differs between two commits.
type Change struct {
	Path string `json:"path"`
	// Kind is added, changed or removed.
	Kind string `json:"kind"`

	oldMode, newMode, newID string
}

// The modes that git has for what is no plain file.
const (
	modeLink      = "120000"
	modeSubmodule = "160000"
	modeFolder    = "040000"
)

// Changes are the files that differ between two commits, renames as one removed and one added.
func (r *Repository) Changes(ctx context.Context, base, commit string) ([]Change, error) {
	out, err := r.do(ctx, git.Command{Step: "diff", Limit: treeTime, Args: []string{"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv", base, commit, "--"}})
	if err != nil {
		return nil, err
	}
	list := []Change{}
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(head) != 5 {
			return nil, fmt.Errorf("git told of a change in a form that is not known: %q", fields[i])
		}
		kind := map[string]string{"A": "added", "D": "removed"}[head[4]]
		if kind == "" {
			kind = "changed"
		}
		list = append(list, Change{Path: fields[i+1], Kind: kind, oldMode: head[0], newMode: head[1], newID: head[3]})
	}
	return list, nil
}

// Conformance is how changed files fit to those that were named.
type Conformance struct {
	OK      bool     `json:"ok"`
	Changed []Change `json:"changed"`
	// Extra were changed and are not named, Missing are named and were not changed. Forbidden may not be
	// changed at all, Markers hold the marks of a conflict.
	Extra     []string `json:"extra"`
	Missing   []string `json:"missing"`
	Forbidden []string `json:"forbidden"`
	Markers   []string `json:"markers"`
}

// Conform holds the files that differ between two commits against names of files. A name that ends in a
// slash is all below it, and one with * or ? a pattern.
func (r *Repository) Conform(ctx context.Context, files []string, base, commit string) (Conformance, error) {
	c := Conformance{Extra: []string{}, Missing: []string{}, Forbidden: []string{}, Markers: []string{}}
	if err := r.known(ctx, base, commit); err != nil {
		return c, err
	}
	var err error
	if c.Changed, err = r.Changes(ctx, base, commit); err != nil {
		return c, err
	}
	met := make([]bool, len(files))
	for _, change := range c.Changed {
		named := false
		for i, file := range files {
			if covers(file, change.Path) {
				met[i], named = true, true
			}
		}
		forbidden, err := r.forbidden(ctx, change, named)
		if err != nil {
			return c, err
		}
		switch {
		case forbidden:
			c.Forbidden = append(c.Forbidden, change.Path)
		case !named:
			c.Extra = append(c.Extra, change.Path)
		}
	}
	for i, file := range files {
		if !met[i] {
			c.Missing = append(c.Missing, file)
		}
	}
	if c.Markers, err = r.markers(ctx, c.Changed, files, commit); err != nil {
		return c, err
	}
	c.OK = len(c.Extra)+len(c.Missing)+len(c.Forbidden)+len(c.Markers) == 0
	return c, nil
}

// covers reports whether an entry of a plan stands for a path; package plan says what entries there are.
func covers(entry, file string) bool {
	entry = strings.TrimPrefix(entry, "./")
	folder := strings.HasSuffix(entry, "/")
	switch {
	case entry == file:
		return true
	case isPattern(entry):
		if folder {
			entry += "?*"
		}
		return glob.Match(strings.ReplaceAll(entry, `\`, `\\`), file)
	}
	return folder && strings.HasPrefix(file, entry)
}

func isPattern(entry string) bool { return strings.ContainsAny(entry, "*?") }

// forbidden reports whether a change is one that no plan can name: of git's and Assent's own, of a
// submodule that is not named, or a link that leads out of the repository.
func (r *Repository) forbidden(ctx context.Context, c Change, named bool) (bool, error) {
	if reserved(c.Path) {
		return true, nil
	}
	switch {
	case c.oldMode == modeSubmodule || c.newMode == modeSubmodule:
		return !named, nil
	case c.newMode == modeLink:
		target, err := r.git.Do(ctx, git.Command{Step: "cat-file", Args: []string{"cat-file", "blob", c.newID}})
		if e, ok := errors.AsType[*git.StepError](err); ok && e.TooMuch {
			return true, nil // no system has links as long as that
		}
		return err == nil && leadsOut(path.Dir(c.Path), string(target)), err
	}
	return false, nil
}

// reserved reports whether a path is one of git's or Assent's own, on any system: there are some that take
// .GIT, "git~1", ".git." and ".git:x" for .git, and characters that do not show for none.
func reserved(file string) bool {
	for i, part := range strings.Split(file, "/") {
		part = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return unicode.ToLower(r)
		}, part)
		part, _, _ = strings.Cut(part, ":")
		part = strings.TrimRight(part, " .")
		if part == ".git" || strings.HasPrefix(part, "git~") || i == 0 && part == ".assent" {
			return true
		}
	}
	return false
}

// leadsOut reports whether a link in a folder of the repository leads out of it, or to what is reserved.
// Other links on its way are held to the same, so what counts is that it goes up at its beginning only:
// there it goes through folders.
func leadsOut(folder, target string) bool {
	if path.IsAbs(target) || strings.ContainsAny(target, "\\\x00") || len(target) > 1 && target[1] == ':' {
		return true
	}
	down := false
	for part := range strings.SplitSeq(target, "/") {
		if part == ".." && down {
			return true
		}
		down = down || part != ".." && part != "." && part != ""
	}
	lead := path.Join(folder, target)
	return lead == ".." || strings.HasPrefix(lead, "../") || reserved(lead)
}

// grepped caps how many names git is given at once: a command line has an end.
const grepped = 200

// markers are the files, of those that were changed or named, in which lines begin with all three marks of
// a conflict.
func (r *Repository) markers(ctx context.Context, changed []Change, files []string, commit string) ([]string, error) {
	var look []string
	for _, c := range changed {
		if c.Kind != "removed" && c.newMode != modeSubmodule {
			look = append(look, c.Path)
		}
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "/") && !isPattern(file) {
			look = append(look, strings.TrimPrefix(file, "./"))
		}
	}
	found := []string{}
	for list := range slices.Chunk(unique(look), grepped) {
		out, err := r.do(ctx, git.Command{Step: "grep", Limit: treeTime, Args: append([]string{
			"--literal-pathspecs", "grep", "--no-color", "--no-textconv", "--full-name", "--text", "-z", "-l", "-E", "--all-match",
			"-e", "^<{7,} ", "-e", "^={7,}[[:space:]]*$", "-e", "^>{7,} ", commit, "--",
		}, list...)})
		if err != nil && git.Exit(err) != 1 {
			return nil, err
		}
		for name := range strings.SplitSeq(out, "\x00") {
			if name = strings.TrimPrefix(name, commit+":"); slices.Contains(list, name) {
				found = append(found, name)
			}
		}
	}
	return unique(found), nil
}
