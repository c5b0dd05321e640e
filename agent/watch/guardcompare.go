package watch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// differences are what is not as it was: lines for people, and what a patch is made of.
type differences struct {
	lines []string
	files []changedFile
	// told are comments for the patch: what was where before.
	told []string
	// shared counts the lines about what all working trees of a repository share.
	shared int
	// own are the folders in which runs make working trees.
	own []string
}

// changedFile is a file of a working tree that is not as it was.
type changedFile struct {
	place  *place
	name   string // in its repository
	before held
	after  stamp
}

func (d *differences) line(text string) { d.lines = append(d.lines, text) }

// tell adds a line, and for the patch what was before and is now.
func (d *differences) tell(text, before, after string) {
	d.line(text)
	d.told = append(d.told, fmt.Sprintf("%s: %s -> %s", text, cmp.Or(before, "nothing"), cmp.Or(after, "nothing")))
}

// compare adds what differs between the states of one repository.
func (d *differences) compare(ctx context.Context, p *guardedPlace, after *state) {
	where := ""
	if p.prefix != "" {
		where = " in " + named(p.prefix)
	}
	d.sharing(func() {
		d.references(p.before, after, where)
		d.fixtures(ctx, p.before, after, where)
		d.settings(p.before.settings, after.settings, where)
		d.worktrees(p.before, after, where)
	})
	d.headMoved(p.before, after, where)
	d.index(p.before, after, where)
	for _, name := range after.inner {
		if !slices.Contains(p.before.inner, name) {
			d.line("added: " + named(p.prefix+name) + "/ (a repository of its own)")
		}
	}
	d.workingTree(ctx, p, after)
}

// sharing counts what compare adds as changes of what all working trees of a repository share.
func (d *differences) sharing(compare func()) {
	before := len(d.lines)
	compare()
	d.shared += len(d.lines) - before
}

// addQuick adds what can be compared without git.
func (d *differences) addQuick(ctx context.Context, p *guardedPlace) error {
	after := &state{settings: p.before.settings}
	head, refs, err := p.references(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	after.head, after.refs = head, refs
	after.fixtures = p.fixtures(context.WithoutCancel(ctx), p.before.settings, &room{contentRead, 0})
	after.settings = nil
	where := ""
	if p.prefix != "" {
		where = " in " + named(p.prefix)
	}
	d.sharing(func() {
		d.references(p.before, after, where)
		d.fixtures(ctx, p.before, after, where)
	})
	d.headMoved(p.before, after, where)
	return nil
}

func cameOrWent(was, is, same bool) string {
	switch {
	case !was && is:
		return "added"
	case was && !is:
		return "removed"
	case !same:
		return "changed"
	}
	return ""
}

// differing are the keys of both that are not in both, or with values that are not the same.
func differing[V any](a, b map[string]V, same func(a, b V) bool) []string {
	var keys []string
	for key, x := range a {
		if y, ok := b[key]; !ok || !same(x, y) {
			keys = append(keys, key)
		}
	}
	for key := range b {
		if _, ok := a[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// short is an id as people see it.
func short(id string) string {
	if len(id) == 40 || len(id) == 64 {
		return id[:10]
	}
	return named(id)
}

// named is a name or a path with every byte visible, and cut if it is very long.
func named(s string) string {
	kept, ok := keptName(s)
	if !ok {
		kept = kept[:nameKept] + "…"
	}
	return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(strings.ToValidUTF8(kept, "\uFFFD"))
}

// index compares what is staged, not when git last looked.
func (d *differences) index(before, after *state, where string) {
	same := func(a, b staged) bool { return a.object == b.object && a.mode == b.mode && a.hidden == b.hidden }
	for _, key := range differing(before.index, after.index, same) {
		old, was := before.index[key]
		now, is := after.index[key]
		name := named(cmp.Or(now.path, old.path))
		switch {
		case was && !is:
			d.tell("index: removed "+name+where, old.object, "")
		case !was || old.object != now.object || old.mode != now.mode:
			d.tell("index: staged "+name+where, old.object, now.object)
		}
		if now.hidden != old.hidden && is {
			flag := cmp.Or(now.hidden, "no longer "+old.hidden)
			d.line("index: marked " + name + " as " + flag + where)
		}
	}
}

// fixtures compares hooks and the small files by which git behaves differently.
func (d *differences) fixtures(ctx context.Context, before, after *state, where string) {
	for _, name := range names(before.fixtures, after.fixtures) {
		if strings.HasPrefix(name, rawConfig) && after.settings != nil {
			continue
		}
		old, was := before.fixtures[name]
		now, is := after.fixtures[name]
		if !is {
			now = fixture{held{stamp: stampOf(old.path)}, old.path}
		}
		if !was {
			old.path = now.path
		}
		kind := old.became(ctx, now.path, now.stamp)
		switch kind {
		case "":
			continue
		case "mode":
			d.tell(fmt.Sprintf("%s has another mode%s", named(name), where), old.mode.String(), now.mode.String())
			continue
		}
		text := named(name) + " was " + kind
		if name == ".git/logs/refs/stash" {
			text = "stash was changed"
		}
		d.tell(text+where, excerpt(old.data), excerpt(content(now.path)))
	}
}

// content is the beginning of a small file.
func content(path string) []byte {
	data, _ := regular.Read(path, contentSize) // what cannot be read is shown as nothing
	return data
}

// settings compares git's configuration.
func (d *differences) settings(before, after map[string]string, where string) {
	if after == nil {
		return // the files themselves were compared
	}
	for _, key := range names(before, after) {
		old, was := before[key]
		now, is := after[key]
		switch cameOrWent(was, is, old == now) {
		case "added":
			d.tell("config "+named(key)+" was set"+where, "", excerpt([]byte(now)))
		case "removed":
			d.tell("config "+named(key)+" was removed"+where, excerpt([]byte(old)), "")
		case "changed":
			d.tell("config "+named(key)+" was changed"+where, excerpt([]byte(old)), excerpt([]byte(now)))
		}
	}
}

// excerptKept caps what the patch shows of a setting or a small file, in bytes.
const excerptKept = 16 << 10

func excerpt(data []byte) string {
	if len(data) > excerptKept {
		return string(data[:excerptKept]) + "…"
	}
	return strings.TrimSpace(string(data))
}

// workingTree compares the files.
func (d *differences) workingTree(ctx context.Context, p *guardedPlace, after *state) {
	same := func(a, b held) bool { return a.untouched(b.stamp) }
	for _, name := range differing(p.before.files, after.files, same) {
		old, was := p.before.files[name]
		now, is := after.files[name]
		if !is {
			now = held{stamp: stampOf(p.path(name))}
		}
		if !was && p.before.ignores(name) && !configures(name) {
			continue // it was there, ignored, or is as good as that: the rule that changed is told
		}
		d.file(ctx, p.place, name, old, now.stamp)
	}
	d.hidden(ctx, p, after)
}

func (d *differences) file(ctx context.Context, p *place, name string, old held, now stamp) {
	if now.mode.IsDir() && old.there && !old.mode.IsDir() {
		now = stamp{} // what is in the folder is told by itself
	}
	kind := old.became(ctx, p.path(name), now)
	switch kind {
	case "":
		return
	case "mode":
		d.line(fmt.Sprintf("mode: %s was %s, is %s", named(p.prefix+name), old.mode.Perm(), now.mode.Perm()))
	default:
		d.line(kind + ": " + named(p.prefix+name))
	}
	if !now.mode.IsDir() && !old.mode.IsDir() {
		d.files = append(d.files, changedFile{p, name, old, now})
	}
}

// hidden finds files that came with the rule that hides them: git ignores them by a .gitignore that it
// ignores too. A folder that is marked as a cache (https://bford.info/cachedir) is what test runners
// leave, and no more than any other file that is ignored.
func (d *differences) hidden(ctx context.Context, p *guardedPlace, after *state) {
	var fresh []string
	for _, rules := range slices.Sorted(maps.Keys(after.ignoring)) {
		if !p.before.ignoring[rules] && !p.before.ignores(rules) {
			fresh = append(fresh, rules)
		}
	}
	if len(fresh) == 0 {
		return
	}
	text, err := p.look(ctx, strings.Join(fresh, "\x00")+"\x00", "check-ignore", "--verbose", "--stdin", "-z")
	if err != nil {
		return
	}
	words := strings.Split(string(text), "\x00") // source, line, pattern, path
	for i := 0; i+3 < len(words); i += 4 {
		rules := words[i+3]
		if words[i] != rules || isCache(filepath.Dir(p.path(rules))) {
			continue
		}
		d.file(ctx, p.place, rules, held{}, stampOf(p.path(rules)))
		for _, name := range after.ignored {
			if folder := path.Dir(rules) + "/"; folder == "./" || strings.HasPrefix(name, folder) {
				if name != rules && !p.before.ignores(name) {
					d.line("added: " + named(p.prefix+name) + " (ignored by a rule that came with it)")
				}
			}
		}
	}
}

// isCache reports whether a folder is marked as a cache.
func isCache(folder string) bool {
	text, err := regular.Read(filepath.Join(folder, "CACHEDIR.TAG"), smallFile)
	return err == nil && strings.HasPrefix(string(text), "Signature: 8a477f597d28d172789f06886806bc55")
}

// ignores reports whether git ignored a path, or a folder that it is in.
func (s *state) ignores(name string) bool {
	return slices.ContainsFunc(s.ignored, func(ignored string) bool {
		return name == ignored || strings.HasSuffix(ignored, "/") && strings.HasPrefix(name, ignored)
	})
}

// ignores reports whether a folder is one of which a repository tells nothing.
func ignores(s *state, p *place, folder string) bool {
	rel, err := filepath.Rel(p.repo.Top, folder)
	return err == nil && rel != "." && s.ignores(filepath.ToSlash(rel)+"/")
}

// configures reports whether a path is one of those that configuring lists.
func configures(name string) bool {
	for _, folder := range []string{".assent/", ".claude/", ".pi/"} {
		if strings.HasPrefix(name, folder) || strings.Contains(name, "/"+folder) {
			return true
		}
	}
	return path.Base(name) == ".mcp.json"
}
