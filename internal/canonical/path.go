package canonical

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// pathOf writes the first segments of pointer as a path. RFC 6901 writes the index 1 and the
// name "1" alike; which of them it is, the decoder knows from the containers it stands in.
func pathOf(d *jsontext.Decoder, pointer jsontext.Pointer, segments int) string {
	var path strings.Builder
	path.WriteByte('$')
	level := 0
	for name := range pointer.Tokens() {
		if level++; level > segments {
			break
		}
		if path.Len() > maxPath {
			path.WriteString("…")
			break
		}
		name = shorten(name, maxPath/4)
		switch kind, _ := d.StackIndex(level); {
		case kind == jsontext.KindBeginArray:
			path.WriteString("[" + name + "]")
		case isIdentifier(name):
			path.WriteString("." + name)
		default:
			path.WriteString("[" + strconv.Quote(name) + "]")
		}
	}
	return path.String()
}

// isIdentifier reports whether name can stand behind a dot: ASCII only, so that two names that
// look alike do not.
func isIdentifier(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || c == '$' || 'a' <= c|0x20 && c|0x20 <= 'z'
		digit := '0' <= c && c <= '9'
		if !letter && (!digit || i == 0) {
			return false
		}
	}
	return name != ""
}

// shorten cuts text to at most limit bytes, at a character, and marks the cut.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
