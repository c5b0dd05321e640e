package watch

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// headMoved compares HEAD, which each working tree has for itself.
func (d *differences) headMoved(before, after *state, where string) {
	if before.head != after.head {
		d.tell(fmt.Sprintf("HEAD moved from %s to %s%s", headName(before.head), headName(after.head), where), before.head, after.head)
	}
}

// references compares what references lead to.
func (d *differences) references(before, after *state, where string) {
	for _, ref := range names(before.refs, after.refs) {
		from, was := before.refs[ref]
		to, is := after.refs[ref]
		kind := cameOrWent(was, is, from == to)
		if kind == "" || background(ref) || d.ofRuns(ref, kind, after) {
			continue
		}
		text := refName(ref) + " was " + kind
		switch kind {
		case "added":
			text = "new " + refName(ref) + " at " + short(to)
		case "changed":
			text = fmt.Sprintf("%s moved from %s to %s", refName(ref), short(from), short(to))
		}
		d.tell(text+where, from, to)
	}
}

// ofRuns reports whether a change of a reference is one that runs of Assent make for calls that work in
// trees of their own: a new branch, a branch of a tree that is there, work that is kept. None removes
// one while it is at work.
func (d *differences) ofRuns(ref, kind string, after *state) bool {
	switch {
	case strings.HasPrefix(ref, "refs/assent/"):
		return kind == "added"
	case strings.HasPrefix(ref, "refs/heads/assent/"):
		return kind == "added" || kind == "changed" && slices.ContainsFunc(slices.Collect(maps.Keys(after.worktrees)), func(name string) bool {
			return after.checkedOut[name] == ref && d.isOwn(after.worktrees[name])
		})
	}
	return false
}

// isOwn reports whether a working tree lies in a folder in which runs make them.
func (d *differences) isOwn(tree string) bool {
	return slices.ContainsFunc(d.own, func(folder string) bool { return inside(folder, tree) })
}

// worktrees compares which working trees are registered.
func (d *differences) worktrees(before, after *state, where string) {
	for _, name := range names(before.worktrees, after.worktrees) {
		old, known := before.worktrees[name]
		now, is := after.worktrees[name]
		if d.isOwn(cmp.Or(now, old)) {
			continue
		}
		if kind := cameOrWent(known, is, old == now); kind != "" {
			d.tell("worktree "+named(name)+" was "+kind+where, old, now)
		}
	}
}

// headName is what HEAD leads to: a branch or a commit.
func headName(text string) string {
	if ref, ok := strings.CutPrefix(text, "ref: "); ok {
		return named(strings.TrimPrefix(ref, "refs/heads/"))
	}
	return short(text)
}

// refName calls a reference as people do.
func refName(ref string) string {
	if ref == "refs/stash" {
		return "stash"
	}
	for prefix, kind := range map[string]string{"refs/heads/": "branch ", "refs/tags/": "tag "} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return kind + named(name)
		}
	}
	return "reference " + named(ref)
}
