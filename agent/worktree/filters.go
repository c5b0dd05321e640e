package worktree

import (
	"context"
	"maps"
	"slices"
)

// missingFilters has git leave out the filters whose programs are not installed, and says so.
func (t *Tree) missingFilters(ctx context.Context) {
	var gone map[string]string
	t.filters, gone = t.repo.MissingFilters(ctx)
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		t.note("the filter " + name + " was left out, since " + gone[name] + " is not installed: its files are as git stores them")
	}
}

// note adds a note, once.
func (t *Tree) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}
