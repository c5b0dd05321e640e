package term

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// cells measures characters. It is made here, because the library's own instance looks at
// the environment: ambiguous characters are one cell wide.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// Width is the number of columns that escaped text takes.
func Width(s string) int {
	width := 0
	for i := 0; i < len(s); {
		if s[i] >= ' ' && s[i] < 0x7F {
			width++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		width += cells.RuneWidth(r)
		i += size
	}
	return width
}

// Pad fills s with spaces to a width, on the right.
func Pad(s string, width int) string { return s + strings.Repeat(" ", max(0, width-Width(s))) }

// PadLeft fills s with spaces to a width, on the left.
func PadLeft(s string, width int) string { return strings.Repeat(" ", max(0, width-Width(s))) + s }

// Truncate cuts escaped text to a width and says so with an ellipsis. It is for lists and
// status lines; what a person decides on is wrapped, never cut.
func Truncate(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for _, u := range units(s) {
		w := Width(u)
		if used+w > width-1 {
			break
		}
		b.WriteString(u)
		used += w
	}
	if width > 0 {
		b.WriteString("…")
	}
	return b.String()
}

// units cuts escaped text into what must stay on one row: a marker, or a character with the
// combining marks on it.
func units(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		end := i + size
		if r == markOpen {
			if n := strings.IndexRune(s[i:], markClose); n >= 0 {
				end = i + n + utf8.RuneLen(markClose)
			}
		} else {
			for end < len(s) && s[end] >= 0x80 {
				next, n := utf8.DecodeRuneInString(s[end:])
				if cells.RuneWidth(next) != 0 {
					break
				}
				end += n
			}
		}
		out = append(out, s[i:end])
		i = end
	}
	return out
}

// wrap cuts one escaped line into rows of at most width columns. Nothing is lost: the rows
// joined are the line. With words it prefers to cut behind a space.
func wrap(line string, width int, words bool) []string {
	width = max(width, 8)
	if Width(line) <= width {
		return []string{line}
	}
	var rows []string
	start, pos, used, space := 0, 0, 0, 0 // space: where the row could be cut behind a space
	for _, u := range units(line) {
		w := Width(u)
		for used+w > width && pos > start {
			cut := pos
			if words && space > start && u != " " {
				cut = space
			}
			rows = append(rows, line[start:cut])
			start, space = cut, cut
			used = Width(line[start:pos])
		}
		pos += len(u)
		used += w
		if u == " " {
			space = pos
		}
	}
	return append(rows, line[start:])
}
