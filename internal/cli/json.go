package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// jsonFormat is the version of the objects of docs/reference/json.md. Fields are added, never
// renamed and never given another meaning; anything else would be another version.
const jsonFormat = 1

// emit prints one object on standard output.
func (a *app) emit(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return a.print(safeJSON(b.String()))
}

// print writes data.
func (a *app) print(text string) error {
	if _, err := io.WriteString(a.Out, text); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}

// safeJSON writes, in a JSON text, every character that a screen must not get as \uXXXX, which
// means the same. All of them can only stand inside strings.
func safeJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x7F || r > 0x7F && printable(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := (r-0x10000)>>10+0xD800, (r-0x10000)&0x3FF+0xDC00
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// printable says that a character is shown as itself.
func printable(r rune) bool {
	return r != utf8.RuneError && term.Escape("a"+string(r)) == "a"+string(r)
}
