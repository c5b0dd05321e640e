package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes untrusted text safe to print as one line on any output: nothing in it can
// move the cursor, hide, reorder or imitate. What may not be printed becomes a visible
// marker (‹ESC›, ‹LF›, ‹U+202E›, ‹0xFF› for a byte that is no UTF-8), and a word that mixes
// look-alike scripts gets a remark behind it (‹!Cyrillic U+0430›). Nothing is dropped:
// different inputs give different outputs.
func Escape(s string) string { return escape(s, false) }

// EscapeBlock is Escape for text of several lines: newlines are kept, and nothing else that
// Escape would not keep.
func EscapeBlock(s string) string { return escape(s, true) }

func escape(s string, keepNewline bool) string {
	if plain(s, keepNewline) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	word, stack := 0, -1 // where the current word begins; marks on the last letter, -1: there is none
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			b.WriteString(remark(s[word:i]))
			word = i + size
		}
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "‹0x%02X›", s[i])
			stack = -1
		case r == '\n' && keepNewline:
			b.WriteByte('\n')
			stack = -1
		case unicode.IsMark(r) && shown(r):
			if stack < 0 || stack >= maxStack {
				writeMarker(&b, r)
			} else {
				b.WriteRune(r)
				stack++
			}
		case shown(r):
			b.WriteRune(r)
			stack = -1
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				stack = 0
			}
		default:
			writeMarker(&b, r)
			stack = -1
		}
		i += size
	}
	b.WriteString(remark(s[word:]))
	return b.String()
}

// writeMarker writes the visible stand-in of r.
func writeMarker(b *strings.Builder, r rune) {
	switch {
	case r < 0x20:
		b.WriteString("‹" + controlNames[r] + "›")
	case r == 0x7F:
		b.WriteString("‹DEL›")
	default:
		fmt.Fprintf(b, "‹U+%04X›", r)
	}
}

// plain reports whether s is printable ASCII, the common case.
func plain(s string, keepNewline bool) bool {
	for i := range len(s) {
		if (s[i] < ' ' || s[i] > '~') && (s[i] != '\n' || !keepNewline) {
			return false
		}
	}
	return true
}
