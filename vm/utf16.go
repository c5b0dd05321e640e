package vm

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// JavaScript strings are sequences of 16-bit units, and may hold halves of surrogate pairs, which Go's
// UTF-8 cannot. Where such a string has to live in a Go string for a moment, a half is written as the
// three bytes that UTF-8 would use if it were a character (WTF-8); utf8.Valid refuses these.

// appendHalf appends one half in WTF-8.
func appendHalf(out []byte, unit uint16) []byte {
	return append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
}

// wtf8 gives the whole of s. It is valid UTF-8 exactly if s is well formed.
func wtf8(s goja.String) string {
	text := s.String()
	if len(text) == s.Length() || !strings.ContainsRune(text, utf8.RuneError) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i, n := 0, s.Length(); i < n; i++ {
		unit := s.CharAt(i)
		if !utf16.IsSurrogate(rune(unit)) {
			out = utf8.AppendRune(out, rune(unit))
			continue
		}
		if i+1 < n {
			if c := utf16.DecodeRune(rune(unit), rune(s.CharAt(i+1))); c != utf8.RuneError {
				out = utf8.AppendRune(out, c)
				i++
				continue
			}
		}
		out = appendHalf(out, unit)
	}
	return string(out)
}

// stringValue makes the JavaScript string of a Go string that may be WTF-8.
func (r *realm) stringValue(s string) goja.Value {
	if utf8.ValidString(s) {
		return r.vm.ToValue(s)
	}
	units := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		c, size := decodeWTF8(s[i:])
		if utf16.IsSurrogate(c) {
			units = append(units, uint16(c))
		} else {
			units = utf16.AppendRune(units, c)
		}
		i += size
	}
	return goja.StringFromUTF16(units)
}

// wellFormed gives s with U+FFFD in the place of every half of a pair that stands alone.
func wellFormed(s goja.String) goja.Value {
	n := s.Length()
	units := make([]uint16, n)
	changed := false
	for i := 0; i < n; i++ {
		units[i] = s.CharAt(i)
		if !utf16.IsSurrogate(rune(units[i])) {
			continue
		}
		if i+1 < n && utf16.DecodeRune(rune(units[i]), rune(s.CharAt(i+1))) != utf8.RuneError {
			i++
			units[i] = s.CharAt(i)
			continue
		}
		units[i] = utf8.RuneError
		changed = true
	}
	if !changed {
		return s
	}
	return goja.StringFromUTF16(units)
}

// decodeWTF8 reads one character, or half of one, of a text in WTF-8 that is not empty.
func decodeWTF8(s string) (c rune, size int) {
	c, size = utf8.DecodeRuneInString(s)
	if c == utf8.RuneError && size == 1 && len(s) > 2 {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return c, size
}
