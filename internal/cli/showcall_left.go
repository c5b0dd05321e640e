package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// filesShown is how many files of a worktree show --call names.
const filesShown = 20

// outside shows what answered, as far as that comes from outside of the script: an object of parts, each
// an object with a name, or anything else.
func (c *card) outside(raw json.RawMessage) {
	var parts map[string]json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		if len(raw) > 0 {
			c.fact("outside", string(raw))
		}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		// A key may be of another version: it is no word of ours.
		c.fact(term.Escape(key), partText(parts[key]))
	}
}

// partText is a part in one line: its name first, and then its other members.
func partText(raw json.RawMessage) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return readable(raw)
	}
	var words []string
	for _, key := range slices.Sorted(maps.Keys(members)) {
		value := readable(members[key])
		switch {
		case key == "name":
			words = slices.Insert(words, 0, value)
		case key == "sha256" && len(value) > 12:
			words = append(words, "sha256 "+value[:12]+"…")
		default:
			words = append(words, key+" "+value)
		}
	}
	return strings.Join(words, ", ")
}

// worktree shows what a call left in a working tree of its own.
func (c *card) worktree(w *journal.Worktree) {
	if w == nil {
		return
	}
	c.line()
	c.fact("worktree", w.Path)
	c.fact("branch", w.Branch)
	if w.Commit == w.Base {
		c.fact("commit", w.Commit+", where it began: nothing was changed")
		return
	}
	c.fact("commit", w.Commit)
	c.fact("base", w.Base)
	shown := w.Files[:min(len(w.Files), filesShown)]
	for i, f := range shown {
		label := ""
		if i == 0 {
			label = "files"
		}
		c.fact(label, f.Kind+" "+f.Path)
	}
	if more := len(w.Files) - len(shown) + w.More; more > 0 {
		c.fact("", fmt.Sprintf("and %d more", more))
	}
}

// attachment shows where a file beside the journal is, and how it stands.
func (c *card) attachment(label string, r *attachmentRow) {
	if r == nil {
		return
	}
	switch r.State {
	case attachmentGone:
		c.fact(label, r.Name+" is gone; its sha256 was "+r.SHA256)
	case attachmentChanged:
		c.fact(label, r.Path)
		c.fact("", "it is NOT what it was when the answer was recorded")
	default:
		c.fact(label, r.Path)
	}
}

// leftHints are the commands that show, or take back, what a call left.
func (a *app) leftHints(workspace string, c *journal.CallState, patch *attachmentRow) []string {
	var list []string
	f := c.Finish
	if f == nil || c.Unfinished() {
		return nil
	}
	if w := f.Worktree; w != nil && w.Commit != w.Base {
		list = append(list, quoteCommand([]string{"git", "diff", w.Base + ".." + w.Branch})+"   # shows its work, in the repository that it belongs to")
	}
	if patch != nil && patch.State == attachmentKept {
		list = append(list, undoing(topOf(workspace), patch.Path)...)
	}
	return list
}

// undoing are the commands that take back what a call changed which was to change nothing: the patch,
// as far as it holds files, and where the rest is told.
func undoing(top, patch string) []string {
	text, err := regular.Read(patch, maxPatchRead)
	if err != nil {
		return nil
	}
	read := quoteCommand([]string{"less", patch}) + "   # its first lines tell what is to be undone by hand: branches, hooks, the index, configuration"
	if !strings.Contains("\n"+string(text), "\ndiff --git ") {
		return []string{read}
	}
	return []string{quoteCommand([]string{"git", "-C", top, "apply", "-R", patch}) + "   # takes back what it changed in files", read}
}

// maxPatchRead is more than a patch that is kept may have.
const maxPatchRead = 32 << 20

// topOf is the top of the repository that a workspace is in, or else the workspace.
func topOf(workspace string) string {
	for at := workspace; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return workspace
		}
	}
}
