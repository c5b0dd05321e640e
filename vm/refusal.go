package vm

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// refusal says what was wrong with a value, and where in it. Its path grows from the inside out
// while the walk unwinds, so that a walk without a fault pays nothing for it.
type refusal struct {
	code string
	what string
	path []step // innermost first
	// shallow keeps only the outermost step of the path: a thousand steps help nobody.
	shallow bool
}

type step struct {
	key   string
	index int // if key does not count
	isKey bool
}

func refuse(code, format string, args ...any) *refusal {
	return &refusal{code: code, what: fmt.Sprintf(format, args...)}
}

func (f *refusal) under(key string) *refusal {
	f.push(step{key: key, isKey: true})
	return f
}

func (f *refusal) at(index int) *refusal {
	f.push(step{index: index})
	return f
}

func (f *refusal) push(s step) {
	if f.shallow {
		f.path = f.path[:0]
	}
	f.path = append(f.path, s)
}

// where gives the path, such as $.steps[2].file; $ is the value itself.
func (f *refusal) where() string {
	text := "$"
	for i := len(f.path) - 1; i >= 0; i-- {
		switch s := f.path[i]; {
		case !s.isKey:
			text += "[" + strconv.Itoa(s.index) + "]"
		case plainName(s.key):
			text += "." + s.key
		default:
			text += "[" + quoteJSON(s.key) + "]"
		}
	}
	return text
}

func plainName(key string) bool {
	for i, c := range key {
		letter := c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return key != ""
}

func (f *refusal) Error() string { return f.code + ": " + f.where() + ": " + f.what }

// quoteJSON writes s as a JSON string. Only what JSON demands is escaped.
func quoteJSON(s string) string { return string(appendQuoted(nil, s)) }

func appendQuoted(out []byte, s string) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	clean := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			if c < utf8.RuneSelf || c != 0xED || i+1 >= len(s) || s[i+1] < 0xA0 {
				continue
			}
			// Half of a surrogate pair in WTF-8: only an escape can carry it.
			unit := uint16(c&0x0F)<<12 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F)
			out = append(out, s[clean:i]...)
			out = append(out, fmt.Sprintf(`\u%04x`, unit)...)
			i += 2
			clean = i + 1
			continue
		}
		out = append(out, s[clean:i]...)
		clean = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, `\b`...)
		case '\t':
			out = append(out, `\t`...)
		case '\n':
			out = append(out, `\n`...)
		case '\f':
			out = append(out, `\f`...)
		case '\r':
			out = append(out, `\r`...)
		default:
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xF])
		}
	}
	return append(append(out, s[clean:]...), '"')
}
