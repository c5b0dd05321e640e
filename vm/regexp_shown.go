package vm

import "strings"

// shownPattern is what source shows: a text that could stand between slashes (EscapeRegExpPattern).
func shownPattern(source string) string {
	if source == "" {
		return "(?:)"
	}
	if !strings.ContainsAny(source, "/\n\r\u2028\u2029") {
		return source
	}
	var out strings.Builder
	class, escaped := false, false
	names := map[rune]string{'\n': "n", '\r': "r", '\u2028': "u2028", '\u2029': "u2029"}
	for at := 0; at < len(source); {
		c, size := decodeWTF8(source[at:])
		name, ends := names[c]
		switch {
		case ends && escaped:
			out.WriteString(name)
		case ends:
			out.WriteString(`\` + name)
		case c == '/' && !class && !escaped:
			out.WriteString(`\/`)
		default:
			out.WriteString(source[at : at+size])
		}
		if !escaped {
			class = c == '[' || class && c != ']'
		}
		escaped = c == '\\' && !escaped
		at += size
	}
	return out.String()
}
