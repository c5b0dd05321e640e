package markdown

import (
	"regexp"
	"strings"
	"unicode"
)

// linked finds what renderers make a link, a mention or a picture of although no mark stands
// around it. A backslash does not keep all of them from it; a span of code does.
var linked = regexp.MustCompile(`(?i)://|www\.|mailto:|xmpp:|@|:[a-z0-9_+-]+:`)

// Text is one line of text in which nothing is markup, behind something else on its line.
func Text(text string) string {
	if linked.MatchString(text) || strings.TrimSpace(text) != text {
		return Span(text) // white space at an end means something, too
	}
	var b strings.Builder
	runes := []rune(text)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	for i, r := range runes {
		if isMark(r, at(i-1), at(i+1)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isMark says that a character could mean something where it stands.
func isMark(r, before, after rune) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '~', '$', '|':
		return true
	case '_': // none within a word, such as in the name of a file
		return !isWord(before) || !isWord(after)
	case '&': // an entity begins
		return after == '#' || isWord(after)
	case '#': // the end of a heading, or the number of something
		return unicode.IsSpace(before)
	default:
		return false
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// opens finds what makes a line a heading, a quotation, a list, or a rule, or underlines the line
// before it: one mark in front of which a backslash has to stand.
var opens = regexp.MustCompile(`^(\d*)([-+=>#:]|[.)])`)

// Line is Text at the beginning of a block.
func Line(text string) string {
	escaped := Text(text)
	where := opens.FindStringSubmatchIndex(escaped)
	if where == nil {
		return escaped
	}
	digits, mark := escaped[where[2]:where[3]], escaped[where[4]:where[5]]
	if (digits == "") == strings.ContainsAny(mark, ".)") {
		return escaped // 1- and . begin nothing
	}
	return digits + `\` + escaped[where[4]:]
}

// Span is one line of text as a span of code. Nothing is an empty text.
func Span(text string) string {
	if text == "" {
		return ""
	}
	marks := strings.Repeat("`", Longest(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return marks + text + marks
}

// Fence gives the lines of a text within a block of code. language is the caller's own word.
func Fence(language, text string) []string {
	marks := strings.Repeat("`", max(3, Longest(text)+1))
	lines := append([]string{marks + language}, strings.Split(text, "\n")...)
	return append(lines, marks)
}

// Longest is the length of the longest run of backticks in a text.
func Longest(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
