package tests_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// link matches the target of a Markdown link or picture.
var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

var codeSpan = regexp.MustCompile("`[^`\n]*`")

// Every link of the documentation that stays in the project leads to a file that is there, and
// to a heading that the file has.
func TestDocumentationLinks(t *testing.T) {
	pages := markdown(t)
	require.NotEmpty(t, pages)
	for page, text := range pages {
		for _, match := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(withoutFences(text), ""), -1) {
			target, heading, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			to := page
			if target != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, match[1])
				continue
			}
			if heading != "" && !headings(pages[to])[heading] {
				t.Errorf("%s: the link %s leads to no heading of %s", page, match[1], to)
			}
		}
	}
}

// Every page of docs is in the index, so that a reader who starts there can find it.
func TestDocumentationIndexIsWhole(t *testing.T) {
	pages := markdown(t)
	index := filepath.Join("..", "docs", "README.md")
	listed := map[string]bool{index: true, filepath.Join("..", "README.md"): true}
	for _, match := range link.FindAllStringSubmatch(pages[index], -1) {
		target, _, _ := strings.Cut(match[1], "#")
		listed[filepath.Join(filepath.Dir(index), filepath.FromSlash(target))] = true
	}
	for page := range pages {
		require.True(t, listed[page], "docs/README.md does not list %s", page)
	}
}

// The checker itself: a heading becomes an anchor as Markdown hosts make it.
func TestHeadings(t *testing.T) {
	require.Equal(t, map[string]bool{"what-replays-and-why": true, "plan_not_json": true, "a--b-c": true},
		headings("# What replays, and why?\n\ntext\n## `PLAN_NOT_JSON`\n```\n# no heading\n```\n### A — b-c\n"))
}

// markdown returns the text of README.md and of all pages below docs, by path.
func markdown(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	paths, err := filepath.Glob(filepath.Join("..", "*.md"))
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(filepath.Join("..", "docs"), func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			paths = append(paths, path)
		}
		return err
	}))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		pages[path] = string(text)
	}
	return pages
}

// withoutFences leaves out fenced code.
func withoutFences(text string) string {
	var kept []string
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)

// headings returns the anchors of a page's headings.
func headings(text string) map[string]bool {
	anchors := map[string]bool{}
	for line := range strings.Lines(withoutFences(text)) {
		title := strings.TrimLeft(line, "#")
		if title == line || !strings.HasPrefix(title, " ") {
			continue
		}
		title = notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		anchors[strings.ReplaceAll(title, " ", "-")] = true
	}
	return anchors
}
