package journal

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"
	"time"
	"unicode/utf8"
)

var errEncoding = errors.New("it is not written as an entry is")

// parseEntry reads the one encoding, and nothing else: whatever it accepts, Bytes gives back.
// The data keeps pointing into stored. That it is valid JSON, Decode finds out.
func parseEntry(stored []byte) (Entry, error) {
	if !utf8.Valid(stored) {
		return Entry{}, errEncoding
	}
	var e Entry
	p := parser{rest: stored}
	p.literal(`{"seq":`)
	e.Seq = p.number()
	p.literal(`,"prev":`)
	e.Prev = p.text()
	p.literal(`,"at":`)
	e.At = p.time()
	p.literal(`,"kind":`)
	e.Kind = Kind(p.text())
	if p.has(`,"key":`) {
		e.Key = p.notEmpty()
	}
	if p.has(`,"identity":`) {
		e.Identity = p.notEmpty()
	}
	p.literal(`,"data":`)
	if sealed(e.Kind) {
		e.Seal = p.seal()
	}
	if !bytes.HasSuffix(p.rest, []byte("}")) || p.bad {
		return e, errEncoding
	}
	e.Data = json.RawMessage(p.rest[:len(p.rest)-1])
	if !bytes.HasPrefix(e.Data, []byte("{")) || !compact(e.Data) {
		return e, errEncoding
	}
	return e, nil
}

// parser eats an entry from its front. After the first thing that does not fit it is bad, and
// eats nothing more.
type parser struct {
	rest []byte
	bad  bool
}

func (p *parser) has(literal string) bool {
	rest, ok := bytes.CutPrefix(p.rest, []byte(literal))
	p.rest = rest
	return ok
}

func (p *parser) literal(literal string) { p.bad = !p.has(literal) || p.bad }

func (p *parser) number() uint64 {
	digits := 0
	for digits < len(p.rest) && p.rest[digits] >= '0' && p.rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseUint(string(p.rest[:digits]), 10, 64)
	p.bad = p.bad || err != nil || p.rest[0] == '0'
	p.rest = p.rest[digits:]
	return n
}

// text reads a JSON string in the spelling that appendString gives.
func (p *parser) text() string {
	if len(p.rest) == 0 || p.rest[0] != '"' {
		p.bad = true
		return ""
	}
	plain := true
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\\':
			plain = false
			i++
		case c < 0x20:
			p.bad = true
			return ""
		case c == '"':
			quoted := p.rest[:i+1]
			p.rest = p.rest[i+1:]
			if plain {
				return string(quoted[1:i])
			}
			var s string
			if json.Unmarshal(quoted, &s) != nil || !bytes.Equal(appendString(nil, s), quoted) {
				p.bad = true
			}
			return s
		}
	}
	p.bad = true
	return ""
}

func (p *parser) notEmpty() string {
	s := p.text()
	p.bad = p.bad || s == ""
	return s
}

func (p *parser) time() time.Time {
	text := p.text()
	at, err := time.Parse(timeFormat, text)
	p.bad = p.bad || err != nil || at.Format(timeFormat) != text
	return at
}

// seal takes the seal off the end: it is base64, so the last quote but one begins it.
func (p *parser) seal() string {
	const name = `,"seal":"`
	at := bytes.LastIndex(p.rest, []byte(name))
	if at < 0 || !bytes.HasSuffix(p.rest, []byte(`"}`)) || at+len(name) > len(p.rest)-2 {
		p.bad = true
		return ""
	}
	text := p.rest[at+len(name) : len(p.rest)-2]
	signature, err := base64.RawStdEncoding.Strict().DecodeString(string(text))
	if err != nil || len(signature) != ed25519.SignatureSize || base64.RawStdEncoding.EncodeToString(signature) != string(text) {
		p.bad = true // the last, because decoding passes over line ends
	}
	p.rest = append(p.rest[:at:at], '}')
	return string(text)
}

// compact says that a JSON text has no white space between its parts.
func compact(text []byte) bool {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			return false
		}
	}
	return true
}
