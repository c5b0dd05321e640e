package watch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/journal"
)

// compare makes what differs between the snapshot before the call and after. Its note says what of
// it is not known.
func (w *Watched) compare(ctx context.Context, after snapshot) (c *journal.Changes, note string, err error) {
	c = &journal.Changes{}
	commits, err := w.commits(ctx, after)
	if err != nil {
		return nil, "", err
	}
	if more := len(commits) - commitsKept; more > 0 {
		commits, c.More = commits[more:], more
	}
	c.Commits = commits
	committed, err := w.committed(ctx, commits)
	if err != nil {
		note = "the files of its commits are not known: there are too many, or git took too long"
	}
	for _, name := range names(w.before.heads, after.heads) {
		from, to := w.before.heads[name], after.heads[name]
		switch kept, ok := keptName(name); {
		case from == to:
		case !ok:
			c.More++
		default:
			c.Branches = append(c.Branches, journal.BranchChange{Name: kept, From: from, To: to})
		}
	}
	all := maps.Clone(after.files)
	for path := range committed {
		all[path] = entry{}
	}
	for _, path := range names(w.before.files, all) {
		kind := w.fileChange(path, after, committed)
		switch kept, ok := keptName(path); {
		case kind == "":
		case !ok:
			c.More++
		default:
			c.Files = append(c.Files, journal.FileChange{Path: kept, Kind: kind})
		}
	}
	note = warned(note, c.Files)
	c.Branches, c.More = atMost(c.Branches, branchesKept, c.More)
	c.Files, c.More = atMost(c.Files, filesKept, c.More)
	return c, note, nil
}

// warnedOf caps the files that a warning names.
const warnedOf = 5

// warned adds to a note which files were changed that say what later runs start.
func warned(note string, files []journal.FileChange) string {
	var which []string
	for _, f := range files {
		if governs(f.Path) {
			which = append(which, f.Path)
		}
	}
	if len(which) == 0 {
		return note
	}
	more := ""
	if n := len(which) - warnedOf; n > 0 {
		which, more = which[:warnedOf], fmt.Sprintf(" and %d more", n)
	}
	says := "says"
	if len(which) > 1 {
		says = "say"
	}
	if note != "" {
		note += "; "
	}
	return note + "it changed " + strings.Join(which, ", ") + more + ", which " + says + " what later runs start"
}

func names[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func atMost[T any](list []T, most, more int) ([]T, int) {
	if len(list) <= most {
		return list, more
	}
	return list[:most:most], more + len(list) - most
}

// fileChange says what became of a file, in the working tree or by a commit; "" if nothing did. A
// file that was only staged, or written anew as it was, is the same file.
func (w *Watched) fileChange(path string, after snapshot, committed map[string]touched) string {
	old, listed := w.before.files[path]
	now, lists := after.files[path]
	by, commits := committed[path]
	switch {
	case commits:
		is := by.last != 'D'
		if lists {
			is = now.stat.there
		}
		return became(by.first != 'A', is)
	case !listed:
		switch now.status {
		case 0:
			return ""
		case '?', 'A':
			return "added"
		case 'D':
			return "removed"
		default:
			return "changed"
		}
	}
	if !lists { // it is as the commit has it, or not there
		now.stat = w.stat(path)
		now.content, _ = w.content(path, now.stat, contentSize)
	}
	same := old.stat == now.stat ||
		old.stat.mode == now.stat.mode && old.stat.size == now.stat.size && old.content != "" && old.content == now.content
	if same {
		return ""
	}
	return became(old.stat.there, now.stat.there)
}

// became names what happened to a file that was there, or was not.
func became(was, is bool) string {
	switch {
	case !was && !is:
		return ""
	case !was:
		return "added"
	case !is:
		return "removed"
	default:
		return "changed"
	}
}

// touched is what the first and the last commit did to a file: git's letters.
type touched struct{ first, last byte }

// committed are the files that commits touched, the oldest commit first.
func (w *Watched) committed(ctx context.Context, commits []journal.Commit) (map[string]touched, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	var input strings.Builder
	for _, c := range commits {
		input.WriteString(c.ID + "\n")
	}
	printed, err := w.repo.Look(ctx, input.String(), "diff-tree", "--stdin", "--root", "-r", "-z", "--no-commit-id", "--name-status", "--no-renames", "--ignore-submodules=none", "--no-ext-diff")
	if err != nil {
		return nil, err
	}
	files := map[string]touched{}
	words := strings.Split(string(printed), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		kind, path := words[i], words[i+1]
		if kind == "" || path == "" || ownUnguarded(path) {
			continue
		}
		f, known := files[path]
		if !known {
			f.first = kind[0]
		}
		f.last = kind[0]
		files[path] = f
	}
	return files, nil
}

// commits are those that a branch or HEAD leads to now and none led to before, the oldest first.
// If there are very many, the newest are kept.
func (w *Watched) commits(ctx context.Context, after snapshot) ([]journal.Commit, error) {
	known := tips(w.before)
	var input strings.Builder
	fresh := false
	for _, id := range tips(after) {
		if !slices.Contains(known, id) {
			input.WriteString(id + "\n")
			fresh = true
		}
	}
	if !fresh {
		return nil, nil
	}
	for _, id := range known {
		input.WriteString("^" + id + "\n")
	}
	printed, err := w.repo.Look(ctx, input.String(), "log", "--stdin", "-z", "--format=%H %s", "--no-color", "--no-show-signature", "--topo-order", "--max-count="+strconv.Itoa(commitsCounted))
	if err != nil {
		return nil, err
	}
	var list []journal.Commit
	for record := range strings.SplitSeq(strings.TrimSuffix(string(printed), "\x00"), "\x00") {
		if id, subject, ok := strings.Cut(record, " "); ok {
			list = append(list, journal.Commit{ID: id, Subject: keptSubject(subject)})
		}
	}
	slices.Reverse(list)
	return list, nil
}

// tips are the commits that a snapshot's branches and HEAD are at.
func tips(s snapshot) []string {
	ids := slices.Collect(maps.Values(s.heads))
	if s.head != "" {
		ids = append(ids, s.head)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// keptSubject is a subject as the journal keeps it: any bytes become UTF-8, and are cut.
func keptSubject(s string) string {
	runes := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(runes) > subjectKept {
		return string(runes[:subjectKept]) + "…"
	}
	return string(runes)
}

// keptName is a name or a path as the journal keeps it, whole: bytes that are no UTF-8 are written
// by their number. One that is too long is not kept.
func keptName(s string) (string, bool) {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String(), b.Len() <= nameKept
}
