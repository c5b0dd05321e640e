package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/markdown"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// markdownText is a document whose structure is ours alone: what scripts and models wrote is escaped
// for a screen, and then for Markdown.
type markdownText struct{ b strings.Builder }

func (m *markdownText) heading(level int, text string) {
	fmt.Fprintf(&m.b, "\n%s %s\n\n", strings.Repeat("#", level), plainMarkdown(text))
}

// fact is a line of a list; value is Markdown already.
func (m *markdownText) fact(label, value string) {
	if value != "" {
		fmt.Fprintf(&m.b, "- %s: %s\n", label, value)
	}
}

// row is one of a table; its cells are Markdown already.
func (m *markdownText) row(cells []string) {
	fmt.Fprintf(&m.b, "| %s |\n", strings.Join(cells, " | "))
}

// cellMarkdown is plainMarkdown for a table, whose cells end at a bar also within a span of code.
func cellMarkdown(text string) string {
	cell := plainMarkdown(text)
	if strings.HasPrefix(cell, "`") {
		return strings.ReplaceAll(cell, "|", `\|`)
	}
	return cell
}

// line is a paragraph of our own words; it is Markdown already.
func (m *markdownText) line(text string) { fmt.Fprintf(&m.b, "\n%s\n", text) }

// fence is a block of text that stays as it is. language is our own word.
func (m *markdownText) fence(language, text string) {
	text = term.EscapeBlock(strings.TrimSuffix(text, "\n"))
	fmt.Fprintf(&m.b, "\n%s\n", strings.Join(markdown.Fence(language, text), "\n"))
}

// code is a text of one line as it is, in a span of code.
func code(text string) string { return markdown.Span(term.Escape(text)) }

// plainMarkdown is a text of one line in which nothing is markup, behind words of our own.
func plainMarkdown(text string) string { return markdown.Text(term.Escape(text)) }
