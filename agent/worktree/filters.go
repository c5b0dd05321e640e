package worktree

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// missingFilters finds the filters (gitattributes, filter) whose programs are not installed, such as
// git-lfs: with one that is required nothing could be checked out. They are left out, both ways, so
// that files stay as they are stored.
func (t *Tree) missingFilters(ctx context.Context) {
	t.filters = nil
	out, err := t.do(ctx, t.repo, git.Command{Step: "config", Args: []string{"config", "-z", "--get-regexp", `^filter\..*\.(clean|smudge|process)$`}})
	if err != nil {
		return
	}
	gone := map[string]string{} // by filter, the program
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, command, _ := strings.Cut(entry, "\n")
		name, ok := strings.CutPrefix(key[:max(0, strings.LastIndexByte(key, '.'))], "filter.")
		program, _, _ := strings.Cut(strings.TrimSpace(command), " ")
		if !ok || program == "" || strings.ContainsAny(program, `$"'`+"`;|&()\\") || !filepath.IsAbs(program) && strings.ContainsAny(program, "/") {
			continue // what a shell makes of that is not known here
		}
		if _, err := exec.LookPath(program); err != nil {
			gone[name] = program
		}
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		for _, setting := range []string{"clean=", "smudge=", "process=", "required=false"} {
			key, value, _ := strings.Cut(setting, "=")
			t.filters = append(t.filters, fmt.Sprintf("GIT_CONFIG_KEY_%d=filter.%s.%s", n, name, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
			n++
		}
		t.note("the filter " + name + " was left out, since " + gone[name] + " is not installed: its files are as git stores them")
	}
	if n > 0 {
		t.filters = append(t.filters, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n))
	}
}

// note adds a note, once.
func (t *Tree) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}
