package agent

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/journal"
)

// compare makes what differs between the snapshot before the call and after.
func (w *Watched) compare(ctx context.Context, after snapshot) (*journal.Changes, error) {
	c := &journal.Changes{}
	for _, name := range names(w.before.heads, after.heads) {
		if from, to := w.before.heads[name], after.heads[name]; from != to {
			c.Branches = append(c.Branches, journal.BranchChange{Name: keptText(name), From: from, To: to})
		}
	}
	for _, path := range names(w.before.files, after.files) {
		if kind := w.fileChange(path, after); kind != "" {
			c.Files = append(c.Files, journal.FileChange{Path: keptText(path), Kind: kind})
		}
	}
	commits, err := w.commits(ctx, after)
	if err != nil {
		return nil, err
	}
	if more := len(commits) - commitsKept; more > 0 {
		commits, c.More = commits[more:], more
	}
	c.Commits = commits
	c.Branches, c.More = atMost(c.Branches, branchesKept, c.More)
	c.Files, c.More = atMost(c.Files, filesKept, c.More)
	return c, nil
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

// fileChange says what became of a file in the working tree, "" if nothing did. A file that was
// only committed, or only staged, is the same file.
func (w *Watched) fileChange(path string, after snapshot) string {
	old, listed := w.before.files[path]
	now, lists := after.files[path]
	if !listed {
		switch now.status {
		case '?', 'A':
			return "added"
		case 'D':
			return "removed"
		default:
			return "changed"
		}
	}
	if !lists {
		now.stat = w.stat(path) // it is as the commit has it, or not there
	}
	switch {
	case old.stat == now.stat:
		return ""
	case !old.stat.there:
		return "added"
	case !now.stat.there:
		return "removed"
	default:
		return "changed"
	}
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
	printed, err := w.run(ctx, input.String(), "log", "--stdin", "-z", "--format=%H %s", "--no-color", "--no-show-signature", "--topo-order", "--max-count="+strconv.Itoa(commitsCounted))
	if err != nil {
		return nil, err
	}
	var list []journal.Commit
	for record := range strings.SplitSeq(strings.TrimSuffix(string(printed), "\x00"), "\x00") {
		if id, subject, ok := strings.Cut(record, " "); ok {
			list = append(list, journal.Commit{ID: id, Subject: keptText(subject)})
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

// keptText is a name or a subject as the journal keeps it: any bytes become UTF-8, and are cut.
func keptText(s string) string {
	runes := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(runes) > textKept {
		return string(runes[:textKept]) + "…"
	}
	return string(runes)
}
