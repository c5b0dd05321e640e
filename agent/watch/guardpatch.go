package watch

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// patch is what undoes the changes of the working tree, behind comments that tell the rest. Git makes
// it of two folders of copies outside of the repository, where no configuration of that holds.
func (g *Guarded) patch(ctx context.Context, d *differences, commits []byte) []byte {
	var b bytes.Buffer
	remark := func(text string) {
		for line := range strings.Lines(strings.ToValidUTF8(text, "\uFFFD")) {
			b.WriteString("# " + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	remark("What a call that was to read only changed. At the top of the repository, git apply -R FILE undoes\nthe changes of files below; what these comments tell is to be undone by hand.\n")
	lines, _ := atMost(d.told, linesKept, 0)
	for _, text := range lines {
		remark(redact.Text(text, nil))
	}
	diff, missing := g.diff(ctx, d.files)
	for _, text := range missing {
		remark("not below: " + text)
	}
	if len(commits) > 0 {
		remark("\nThe commits that are new:\n")
		remark(string(commits))
	}
	if room := patchSize - b.Len(); len(diff) > room {
		remark("the changes of files are not below: they are too large")
		return b.Bytes()
	}
	return append(b.Bytes(), diff...)
}

// diff has git compare the files as they were and as they are. missing says what is not in it.
func (g *Guarded) diff(ctx context.Context, files []changedFile) (diff []byte, missing []string) {
	if len(files) == 0 {
		return nil, nil
	}
	failed := func(why string) ([]byte, []string) {
		return nil, append(missing, "the changes of files: "+why)
	}
	folder, err := os.MkdirTemp("", "assent-guard-")
	if err != nil {
		return failed("no folder could be made to compare them in")
	}
	defer os.RemoveAll(folder)
	if real, err := filepath.EvalSymlinks(folder); err != nil || inside(g.top, real) {
		return failed("the folder for temporary files is in the repository")
	}
	var total int64
	for i, f := range files {
		if i >= patchFiles || ctx.Err() != nil {
			missing = append(missing, fmt.Sprintf("%d more files: they are too many", len(files)-i))
			break
		}
		name := f.place.prefix + f.name
		if !applies(name) {
			missing = append(missing, named(name)+": git apply takes no such path")
			continue
		}
		before, ok := f.contentBefore(ctx)
		after, is := f.contentAfter()
		size := int64(len(before) + len(after))
		switch {
		case !ok:
			missing = append(missing, named(name)+": what it held before is not known")
			continue
		case !is:
			missing = append(missing, named(name)+": it is too large, or cannot be read")
			continue
		case total+size > patchSize:
			missing = append(missing, named(name)+": it is too much together")
			continue
		}
		total += size
		if f.before.there {
			err = put(folder, "a", name, f.before.mode, before)
		}
		if err == nil && f.after.there {
			err = put(folder, "b", name, f.after.mode, after)
		}
		if err != nil {
			missing = append(missing, named(name)+": it cannot be copied")
		}
	}
	for _, side := range []string{"a", "b"} {
		if err := os.MkdirAll(filepath.Join(folder, side), 0o700); err != nil {
			return failed("no folder could be made to compare them in")
		}
	}
	diff, err = g.places[0].repo.Apart(ctx, folder, patchSize, []int{0, 1}, "diff", "--no-index", "--binary", "--full-index", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-prefix", "a", "b")
	if err != nil {
		return failed("they are too large, or git took too long")
	}
	return diff, missing
}

// applies reports whether git apply takes a path at all: one that it refuses would spoil the rest.
func applies(name string) bool {
	return !slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }), func(part string) bool {
		part = strings.ToLower(strings.TrimRight(part, ". "))
		return part == ".git" || strings.HasPrefix(part, "git~") || strings.HasPrefix(part, ".git:") || part == ".gitmodules"
	})
}

// put writes a copy.
func put(folder, side, name string, mode fs.FileMode, data []byte) error {
	path := filepath.Join(folder, side, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if mode&fs.ModeSymlink != 0 {
		return os.Symlink(string(data), path)
	}
	perm := fs.FileMode(0o600)
	if mode&0o100 != 0 {
		perm = 0o700
	}
	return os.WriteFile(path, data, perm)
}

// inside reports whether a path is in a folder.
func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// contentBefore is what a file held before the call: what was kept of it, or the object that it was
// the same as.
func (f changedFile) contentBefore(ctx context.Context) ([]byte, bool) {
	switch {
	case !f.before.there:
		return nil, true
	case f.before.kept:
		return f.before.data, true
	case f.before.blob == "" || f.before.size > patchFile:
		return nil, false
	}
	data, err := f.place.look(ctx, "", "cat-file", "blob", f.before.blob)
	return data, err == nil && int64(len(data)) == f.before.size // or a filter had made another file of it
}

// contentAfter is what a file holds now.
func (f changedFile) contentAfter() ([]byte, bool) {
	path := f.place.path(f.name)
	switch {
	case !f.after.there:
		return nil, true
	case f.after.mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return []byte(target), err == nil
	}
	data, err := regular.Read(path, patchFile)
	return data, err == nil
}

// commits adds the commits that a reference or HEAD leads to now and none led to before, and gives
// them as a patch shows them. A commit that was made and taken back is in no reference: nothing is
// changed by it but that its objects lie in the repository until git clears them away.
func (d *differences) commits(ctx context.Context, p *guardedPlace, after *state) []byte {
	known := ids(p.before)
	var input strings.Builder
	fresh := false
	for _, ref := range append(slices.Sorted(maps.Keys(after.refs)), "HEAD") {
		id := after.refs[ref]
		if ref == "HEAD" {
			id = after.head
		}
		before, was := p.before.refs[ref]
		if ref == "refs/stash" || background(ref) || d.ofRuns(ref, cameOrWent(was, true, before == id), after) || !isID(id) || known[id] {
			continue
		}
		input.WriteString(ref + "\n")
		fresh = true
	}
	if !fresh {
		return nil
	}
	for id := range known {
		input.WriteString("^" + id + "\n")
	}
	most := "--max-count=" + strconv.Itoa(commitsKept)
	printed, err := p.look(ctx, input.String(), "log", "--stdin", "--ignore-missing", "-z", "--format=%H %S %s", "--no-color", "--topo-order", most)
	if err != nil {
		d.sharing(func() { d.line("new commits, which git cannot list") })
		return nil
	}
	var list []string
	for record := range strings.SplitSeq(strings.TrimSuffix(string(printed), "\x00"), "\x00") {
		if words := strings.SplitN(record, " ", 3); len(words) == 3 {
			list = append(list, fmt.Sprintf("new commit %s on %s: %s", short(words[0]), headName("ref: "+words[1]), named(keptSubject(words[2]))))
		}
	}
	slices.Reverse(list)
	d.sharing(func() { d.lines = append(d.lines, list...) })
	text, err := p.look(ctx, input.String(), "log", "--stdin", "--ignore-missing", "--patch", "--format=fuller", "--no-color", "--no-ext-diff", "--no-textconv", "--topo-order", "--reverse", most)
	switch {
	case err != nil:
		return []byte("they are too large to be shown\n")
	case len(text) > commitsShown:
		return append(text[:commitsShown:commitsShown], "\n… and more, which is too large to be shown\n"...)
	}
	return text
}

// ids are the objects that a state's references and HEAD lead to.
func ids(s *state) map[string]bool {
	all := map[string]bool{}
	for _, id := range s.refs {
		all[id] = isID(id)
	}
	all[s.head] = isID(s.head)
	for id, ok := range all {
		if !ok {
			delete(all, id)
		}
	}
	return all
}

// isID reports whether a text is the id of an object.
func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
