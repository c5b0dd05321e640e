package vm

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The codes that Compile gives. The names are a contract (docs/reference/errors.md).
const (
	codeSyntax      = "SCRIPT_SYNTAX"      // the text is not JavaScript or TypeScript
	codeUnsupported = "SCRIPT_UNSUPPORTED" // it is, and uses something that this machine cannot do right
	codeMeta        = "META_INVALID"       // the header is missing, or not a pure literal, or has a wrong field
	codeImport      = "IMPORT_REFUSED"     // something is imported that may not be
	codeImportLost  = "IMPORT_NOT_FOUND"   // a local file is imported that is not there
	codeUnreadable  = "SOURCE_UNREADABLE"  // a file cannot be read
	codeSourceText  = "SOURCE_NOT_UTF8"    // a file is not UTF-8 text
	codeSourceSize  = "SOURCE_TOO_LARGE"   // all files together are larger than MaxSource
	codeNesting     = "SOURCE_TOO_DEEP"    // a text nests deeper than a parser's stack should have to follow
	codeSourceName  = "SOURCE_NAME_INVALID"
)

// mistake is a refusal at a byte offset of a text. It becomes an *Error once file and text are known.
type mistake struct {
	code   string
	offset int
	what   string
}

func mistakeAt(code string, offset int, format string, args ...any) *mistake {
	return &mistake{code: code, offset: offset, what: fmt.Sprintf(format, args...)}
}

// in gives the refusal its place.
func (m *mistake) in(file, text string) *Error {
	line, column := placeOf(text, m.offset)
	return &Error{Code: m.code, Message: m.what, File: file, Line: line, Column: column}
}

// placeOf turns a byte offset into line and column. Lines end as ECMAScript says; columns count
// UTF-16 units from 1, as editors and source maps do.
func placeOf(text string, offset int) (line, column int) {
	offset = min(offset, len(text))
	line = 1
	start := 0
	for i := range offset {
		switch c := text[i]; {
		case c == '\n', c == '\r' && !strings.HasPrefix(text[i+1:], "\n"):
			line, start = line+1, i+1
		case c == 0xE2 && (strings.HasPrefix(text[i:], "\u2028") || strings.HasPrefix(text[i:], "\u2029")):
			line, start = line+1, i+3
		}
	}
	return line, 1 + units(text[min(start, offset):offset])
}

// units counts the UTF-16 units of s.
func units(s string) int {
	n := 0
	for _, c := range s {
		n++
		if c > 0xFFFF {
			n++
		}
	}
	return n
}

// quoted shows a short piece of source in a message.
func quoted(s string) string {
	const most = 40
	if len(s) > most {
		cut := most
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return fmt.Sprintf("%q", s)
}
