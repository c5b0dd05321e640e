package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// markdown is a document whose structure is ours alone: what scripts and models wrote is escaped
// for a screen, and then either stands in a fence that is longer than any in it, or has every
// character taken its meaning that has one in Markdown or HTML.
type markdown struct{ b strings.Builder }

func (m *markdown) heading(level int, text string) {
	fmt.Fprintf(&m.b, "\n%s %s\n\n", strings.Repeat("#", level), plainMarkdown(text))
}

// fact is a line of a list; value is Markdown already.
func (m *markdown) fact(label, value string) {
	if value != "" {
		fmt.Fprintf(&m.b, "- %s: %s\n", label, value)
	}
}

// line is a paragraph of our own words; it is Markdown already.
func (m *markdown) line(text string) { fmt.Fprintf(&m.b, "\n%s\n", text) }

// fence is a block of text that stays as it is. language is our own word.
func (m *markdown) fence(language, text string) {
	text = term.EscapeBlock(strings.TrimSuffix(text, "\n"))
	marks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	fmt.Fprintf(&m.b, "\n%s%s\n%s\n%s\n", marks, language, text, marks)
}

// code is a text of one line as it is, in a span of code.
func code(text string) string {
	text = term.Escape(text)
	if text == "" {
		return ""
	}
	marks := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return marks + text + marks
}

// plainMarkdown is a text of one line in which no character means anything: CommonMark takes a
// backslash before any mark of ASCII. Links that some renderers make of bare addresses and names
// are broken by it, too.
func plainMarkdown(text string) string {
	var b strings.Builder
	for _, r := range term.Escape(text) {
		if strings.ContainsRune("\\`*_{}[]()<>#+-.!|~&@:/$^=\"'", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// longestRun is the length of the longest run of a mark in a text.
func longestRun(text string, mark rune) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != mark {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
