package vm

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// cook gives the value of a string literal or of a template without substitutions, quotes
// included in raw, as ECMA-262 12.9.4 and 12.9.6 say. wrong says why there is none.
func cook(raw string) (value, wrong string) {
	quote := raw[0]
	body := raw[1 : len(raw)-1]
	if !strings.ContainsAny(body, "\\\r") {
		return body, ""
	}
	var out strings.Builder
	high := rune(-1) // the first half of a surrogate pair that waits for its second
	put := func(r rune) {
		switch {
		case high >= 0 && utf16.IsSurrogate(r):
			r = utf16.DecodeRune(high, r)
			high = -1
			if r == utf8.RuneError {
				wrong = loneSurrogate
			}
		case high >= 0:
			wrong = loneSurrogate
		case utf16.IsSurrogate(r):
			high = r
			return
		}
		out.WriteRune(r)
	}
	for i := 0; i < len(body) && wrong == ""; {
		c := body[i]
		if c == '\r' && quote == '`' {
			// A template's line ends are all \n.
			put('\n')
			i++
			if i < len(body) && body[i] == '\n' {
				i++
			}
			continue
		}
		if c != '\\' {
			r, size := utf8.DecodeRuneInString(body[i:])
			put(r)
			i += size
			continue
		}
		r, size, bad := escape(body[i+1:])
		if bad != "" {
			return "", bad
		}
		if r >= 0 {
			put(r)
		}
		i += 1 + size
	}
	if high >= 0 {
		wrong = loneSurrogate
	}
	return out.String(), wrong
}

const loneSurrogate = "half of a surrogate pair is not text"

// escape reads what follows a backslash: a character, or -1 for a line continuation.
func escape(s string) (r rune, size int, wrong string) {
	switch c := s[0]; c {
	case 'n':
		return '\n', 1, ""
	case 't':
		return '\t', 1, ""
	case 'r':
		return '\r', 1, ""
	case 'b':
		return '\b', 1, ""
	case 'f':
		return '\f', 1, ""
	case 'v':
		return '\v', 1, ""
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if c == '0' && (len(s) == 1 || !digit(s[1])) {
			return 0, 1, ""
		}
		return 0, 0, "octal escapes are not allowed; write \\x and two digits"
	case 'x':
		return hexEscape(s, 1, 3)
	case 'u':
		if strings.HasPrefix(s, "u{") {
			end := strings.IndexByte(s, '}')
			if end < 0 {
				return 0, 0, badEscape
			}
			r, _, wrong = hexEscape(s, 2, end)
			return r, end + 1, wrong
		}
		return hexEscape(s, 1, 5)
	case '\r':
		if strings.HasPrefix(s, "\r\n") {
			return -1, 2, ""
		}
		return -1, 1, ""
	case '\n':
		return -1, 1, ""
	}
	r, size = utf8.DecodeRuneInString(s)
	if r == '\u2028' || r == '\u2029' {
		return -1, size, ""
	}
	return r, size, ""
}

const badEscape = "this escape is not complete"

func hexEscape(s string, from, to int) (rune, int, string) {
	if len(s) < to || to == from {
		return 0, 0, badEscape
	}
	for i := from; i < to; i++ {
		if !hexDigit(s[i]) {
			return 0, 0, badEscape
		}
	}
	n, err := strconv.ParseUint(s[from:to], 16, 64)
	if err != nil || n > unicode.MaxRune {
		return 0, 0, badEscape
	}
	return rune(n), to, ""
}

// plainWord says whether a word is an identifier without escapes.
func plainWord(word string) bool {
	for i, r := range word {
		start := r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)
		part := start || unicode.IsDigit(r) || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Pc) || r == '\u200C' || r == '\u200D'
		if !start && (i == 0 || !part) {
			return false
		}
	}
	return word != ""
}
