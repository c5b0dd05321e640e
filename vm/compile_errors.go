package vm

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Scripts that are refused.
//
// Each names file, line and column in the author's own source.
const (
	// The text is neither JavaScript nor TypeScript.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: mend it at the place named.
	codeSyntax = "SCRIPT_SYNTAX"

	// The script uses a feature of the language that could not be honored exactly, so it is not tried.
	//
	// When: the script is loaded, as with `import()`, `require` or `import.meta`; no run is made.
	//
	// Do: the message names the feature and its place, and mostly what to write instead.
	codeUnsupported = "SCRIPT_UNSUPPORTED"

	// The script does not begin with `export const meta = {…}`, or the header is no pure literal, or a
	// field of it cannot be what it is, or is nearly named as one that has a meaning.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: the message names the field. The least header is `export const meta = {name: "…",
	// description: "…"}`.
	codeMeta = "META_INVALID"

	// The script imports something that may not be part of a program: a package, a file outside the
	// folder that it was loaded from, a link that leads out of there, itself, or a file that is
	// neither a script nor `.json` data.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: import files beside the script by a relative path, with `/`.
	codeImport = "IMPORT_REFUSED"

	// The script imports a file that is not there, or that has other upper and lower case in its name.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: the message lists what was tried.
	codeImportLost = "IMPORT_NOT_FOUND"

	// A file of the script cannot be read.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: the message has the system's reason.
	codeUnreadable = "SOURCE_UNREADABLE"

	// A file of the script has bytes that are not UTF-8.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: save the file as UTF-8.
	codeSourceText = "SOURCE_NOT_UTF8"

	// The script and all that it imports have more than 512 KiB together.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: keep data out of the script: pass it as arguments, or have an agent read it.
	codeSourceSize = "SOURCE_TOO_LARGE"

	// The script nests deeper than a parser should have to follow.
	//
	// When: the script is loaded; no run is made.
	//
	// Do: take it apart at the place named.
	codeNesting = "SOURCE_TOO_DEEP"

	// The name that a script goes by is not one that it can have, or two of its files have the same.
	//
	// When: a Go program loads a script from a file system of its own, or from texts.
	//
	// Do: use slash-separated paths below the root, each once, with the ending of a script.
	codeSourceName = "SOURCE_NAME_INVALID"
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
