package issuedelivery

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxNote is how much of a file of guidance is handed to agents: some pages, more than such files should
// have.
const maxNote = 16 << 10

// guidance is a file in which the repository tells agents how to work in it.
type guidance struct {
	Path string `json:"path"`
	Text string `json:"text"`
	// Cut says that there is more of it.
	Cut bool `json:"cut"`
}

// notesOf are the files of guidance at the top of a tree. One that only repeats another, or leads to it, is
// told once.
func notesOf(tree fs.FS) []guidance {
	notes := []guidance{}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		text, err := fs.ReadFile(tree, name)
		if err != nil || strings.TrimSpace(string(text)) == "" {
			continue
		}
		n := guidance{Path: name, Text: strings.ToValidUTF8(string(text), "?"), Cut: len(text) > maxNote}
		if n.Cut {
			n.Text = strings.ToValidUTF8(n.Text[:maxNote], "")
		}
		reference := strings.TrimSpace(n.Text)
		if slices.ContainsFunc(notes, func(other guidance) bool {
			return other.Text == n.Text || reference == other.Path || reference == "@"+other.Path
		}) {
			continue
		}
		notes = append(notes, n)
	}
	return notes
}

// templateFolders are where a forge looks for the template of a pull request, in its order.
var templateFolders = []string{".github", ".", "docs"}

// templateOf is the text of the repository's template for pull requests, "" if it has none. Case does not
// count in its name. A folder of several is left to people: which one fits is theirs to say.
func templateOf(tree fs.FS) string {
	for _, folder := range templateFolders {
		entries, err := fs.ReadDir(tree, folder)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			name := strings.ToLower(entry.Name())
			if entry.IsDir() || !slices.Contains([]string{"pull_request_template.md", "pull_request_template.txt", "pull_request_template"}, name) {
				continue
			}
			if text := templateText(tree, path.Join(folder, entry.Name())); text != "" {
				return text
			}
		}
	}
	return ""
}

func templateText(tree fs.FS, name string) string {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(text[:min(len(text), maxNote)]), ""))
}

// hasWorkflows reports whether a forge runs something for a commit with this tree.
func hasWorkflows(tree fs.FS) (bool, error) {
	entries, err := fs.ReadDir(tree, ".github/workflows")
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return false, err
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !e.IsDir() && (strings.HasSuffix(e.Name(), ".yml") || strings.HasSuffix(e.Name(), ".yaml"))
	}), nil
}
