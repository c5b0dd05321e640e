package issuedelivery

import (
	"regexp"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// gap is a space of no width, as a forge shows it: what stands on both sides of it is no mention of a
// person, no reference to an issue and no link. By its name, since by its number it looks like a reference itself.
const gap = "&ZeroWidthSpace;"

// significant are the signs that Markdown reads, and how each is written so that it does not.
var significant = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@"+gap, "#", "#"+gap, "://", ":"+gap+"//",
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "(", `\(`, ")", `\)`, "|", `\|`, "~", `\~`, "!", `\!`, "$", `\$`,
)

// beginning is what makes a line a list, a rule or the underline of a heading; joined are words that a
// forge reads as a reference or a link.
var (
	beginning = regexp.MustCompile(`^(\s*)([-+=]|([0-9]+)([.)]))`)
	joined    = regexp.MustCompile(`(?i)\b(GH-|www)([0-9.])`)
)

// line is untrusted text as one line of Markdown in which nothing of it is more than text: it mentions
// nobody, closes no issue, links nowhere, opens no tag and no comment, and makes no heading. It has at
// most limit characters of the text.
func line(text string, limit int) string {
	text = cutText(strings.Join(strings.Fields(text), " "), limit)
	text = significant.Replace(term.Escape(text))
	text = joined.ReplaceAllString(text, "${1}"+gap+"${2}")
	if m := beginning.FindStringSubmatchIndex(text); m != nil {
		at := m[4] // the sign, or the one behind the number
		if m[8] >= 0 {
			at = m[8]
		}
		text = text[:at] + `\` + strings.TrimPrefix(text[at:], `\`)
	}
	return text
}

// quote is untrusted text of several lines as a quotation, in which its lines stay lines.
func quote(text string, limit int) string {
	var b strings.Builder
	for part := range strings.Lines(cutText(strings.TrimSpace(text), limit)) {
		b.WriteString(strings.TrimRight("> "+line(part, limit), " "))
		b.WriteString("\n")
	}
	return b.String()
}

// cutText is at most limit characters of a text, and says if there was more.
func cutText(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return string(runes[:limit]) + " …"
}
