package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

const (
	// slugBytes is the longest part of a file's name that is made of a call's key.
	slugBytes = 80
	// redactMargin is how much more of a long text than is kept is looked at for secrets, and edgeMargin
	// how much of its end is dropped then: a secret that the cut went through has lost its shape, and
	// its beginning must not stay.
	redactMargin = 32 << 10
	edgeMargin   = 8 << 10
	// wordBytes caps what is a word or an id.
	wordBytes = 256
)

// transcriptLine is a line of a transcript.
type transcriptLine struct {
	At      string `json:"t"`
	Attempt int    `json:"attempt"`
	agent.Event
}

// transcriptTime is UTC to the millisecond.
const transcriptTime = "2006-01-02T15:04:05.000Z07:00"

// clean is an event without secrets, and cut.
func (r *recorder) clean(e agent.Event) agent.Event {
	e.Text, e.Input = r.kept(e.Text, eventBytes), r.kept(e.Input, eventBytes)
	e.Type, e.Tool, e.ID = r.kept(e.Type, wordBytes), r.kept(e.Tool, wordBytes), r.kept(e.ID, wordBytes)
	return e
}

// line is an event as it is kept, with nothing in it that a terminal would obey.
func (r *recorder) line(e agent.Event) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(transcriptLine{r.now().UTC().Format(transcriptTime), r.attempt, e}); err != nil {
		return nil, err
	}
	return escapeControls(b.Bytes()), nil
}

// kept is a text without secrets, and with no more than so many bytes of it.
func (r *recorder) kept(text string, most int) string {
	whole := len(text)
	edge := 0
	if whole > most+redactMargin {
		text, edge = text[:most+redactMargin], edgeMargin
	}
	text = redact.Text(text, r.environ)
	if edge == 0 && len(text) <= most {
		return text
	}
	text = text[:min(most, max(0, len(text)-edge))]
	for len(text) > 0 { // not through the middle of a character
		if last, size := utf8.DecodeLastRuneInString(text); last != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return text + fmt.Sprintf("\n[cut: %d bytes in all]", whole)
}

// escapeControls writes control and format characters of a JSON text, which stand in its strings
// only, as escapes. The end of the line is left.
func escapeControls(text []byte) []byte {
	if bytes.IndexFunc(text[:len(text)-1], hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, c := range string(text[:len(text)-1]) {
		switch {
		case !hidden(c):
			b.WriteRune(c)
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return append([]byte(b.String()), '\n')
}

func hidden(c rune) bool { return unicode.In(c, unicode.Cc, unicode.Cf) }

// slugOf is the key of a call as a part of a file's name. What a name cannot show, and a long key, has
// a hash in its place, so that hardly two keys are one.
func slugOf(key string) string {
	var b strings.Builder
	lost := false
	for _, c := range key {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteRune(c)
		case strings.ContainsRune("/#[]:_- ", c):
			if n := b.Len(); n > 0 && b.String()[n-1] != '-' {
				b.WriteByte('-')
			}
		default:
			lost = true
		}
	}
	slug := strings.Trim(b.String(), "-")
	if !lost && slug != "" && len(slug) <= slugBytes {
		return slug
	}
	sum := sha256.Sum256([]byte(key))
	return strings.Trim(slug[:min(len(slug), slugBytes-9)]+"-"+hex.EncodeToString(sum[:4]), "-")
}
