package vm

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// decoder turns one JSON text into values of the realm. Nothing passes through a Go map, so keys keep
// their order, and properties are defined, never assigned, so no setter of the script sees them.
//
// It has two voices. At the border it is strict: valid UTF-8, no key twice, no half of a surrogate
// pair, no number that a double cannot hold. Behind JSON.parse it is as ECMAScript
// says: the last of two equal keys wins, and halves stay halves.
type decoder struct {
	realm  *realm
	text   string
	pos    int
	depth  int
	max    int // depth
	strict bool
	frozen bool
	open   bool // with frozen: leave the outermost object as it is
}

// decode reads a strict text. The values are frozen through and through if frozen says so.
func (r *realm) decode(text []byte, frozen bool) (goja.Value, *refusal) {
	return r.decodeStrict(text, r.limits.JSONBytes, decoder{frozen: frozen})
}

// decodeOpen reads a strict text and freezes all but the outermost object, which is for the caller to complete.
func (r *realm) decodeOpen(text []byte) (goja.Value, *refusal) {
	return r.decodeStrict(text, r.limits.JSONBytes, decoder{frozen: true, open: true})
}

// decodeMeta reads a program's header, whose size the limit on source text bounds already.
func (r *realm) decodeMeta(text []byte) (goja.Value, *refusal) {
	return r.decodeStrict(text, len(text), decoder{frozen: true})
}

func (r *realm) decodeStrict(text []byte, limit int, d decoder) (goja.Value, *refusal) {
	if len(text) > limit {
		return nil, refuse(codeJSONSize, "the JSON text has %d bytes; at most %d may cross", len(text), limit)
	}
	if !utf8.Valid(text) {
		return nil, refuse(codeJSONText, "the JSON text is not valid UTF-8")
	}
	d.realm, d.text, d.max, d.strict = r, string(text), r.limits.JSONDepth, true
	return d.whole()
}

// parse is JSON.parse without its reviver.
func (r *realm) parse(text goja.String) (goja.Value, *refusal) {
	d := &decoder{realm: r, text: wtf8(text), max: r.limits.JSONDepth}
	return d.whole()
}

func (d *decoder) whole() (goja.Value, *refusal) {
	v, bad := d.value()
	if bad != nil {
		return nil, bad
	}
	if d.space(); d.pos < len(d.text) {
		return nil, d.malformed()
	}
	return v, nil
}

func (d *decoder) value() (goja.Value, *refusal) {
	d.space()
	switch c := d.peek(); {
	case c == '{':
		return d.nested((*decoder).object)
	case c == '[':
		return d.nested((*decoder).array)
	case c == '"':
		s, bad := d.str()
		if bad != nil {
			return nil, bad
		}
		return d.realm.stringValue(s), nil
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case d.literal("null"):
		return goja.Null(), nil
	case d.literal("true"):
		return d.realm.vm.ToValue(true), nil
	case d.literal("false"):
		return d.realm.vm.ToValue(false), nil
	}
	return nil, d.malformed()
}

func (d *decoder) nested(read func(*decoder) (goja.Value, *refusal)) (goja.Value, *refusal) {
	if d.depth++; d.depth > d.max {
		return nil, refuse(codeJSONDepth, "the JSON text nests deeper than %d", d.max)
	}
	defer func() { d.depth-- }()
	d.pos++
	v, bad := read(d)
	if bad == nil && d.frozen && !(d.open && d.depth == 1) {
		d.realm.freeze(v)
	}
	return v, bad
}

func (d *decoder) object() (goja.Value, *refusal) {
	o := d.realm.vm.NewObject()
	var seen map[string]bool
	if d.strict {
		seen = map[string]bool{}
	}
	if d.space(); d.peek() == '}' {
		d.pos++
		return o, nil
	}
	for {
		if d.space(); d.peek() != '"' {
			return nil, d.malformed()
		}
		key, bad := d.str()
		if bad != nil {
			return nil, bad
		}
		if d.strict {
			if seen[key] {
				return nil, refuse(codeJSONText, "the key %s stands twice in one object", quoteJSON(key))
			}
			seen[key] = true
		}
		if d.space(); d.peek() != ':' {
			return nil, d.malformed()
		}
		d.pos++
		v, bad := d.value()
		if bad != nil {
			return nil, bad.under(key)
		}
		d.realm.define(o, key, v)
		d.space()
		switch d.peek() {
		case ',':
			d.pos++
		case '}':
			d.pos++
			return o, nil
		default:
			return nil, d.malformed()
		}
	}
}

func (d *decoder) array() (goja.Value, *refusal) {
	var items []any
	if d.space(); d.peek() == ']' {
		d.pos++
		return d.realm.vm.NewArray(), nil
	}
	for {
		v, bad := d.value()
		if bad != nil {
			return nil, bad.at(len(items))
		}
		items = append(items, v)
		d.space()
		switch d.peek() {
		case ',':
			d.pos++
		case ']':
			d.pos++
			return d.realm.vm.NewArray(items...), nil
		default:
			return nil, d.malformed()
		}
	}
}

func (d *decoder) number() (goja.Value, *refusal) {
	start := d.pos
	if d.peek() == '-' {
		d.pos++
	}
	switch c := d.peek(); {
	case c == '0':
		d.pos++
	case c >= '1' && c <= '9':
		d.digits()
	default:
		return nil, d.malformed()
	}
	whole := d.pos
	if d.peek() == '.' {
		d.pos++
		if !d.digits() {
			return nil, d.malformed()
		}
	}
	if c := d.peek(); c == 'e' || c == 'E' {
		d.pos++
		if c := d.peek(); c == '+' || c == '-' {
			d.pos++
		}
		if !d.digits() {
			return nil, d.malformed()
		}
	}
	text := d.text[start:d.pos]
	if d.pos == whole && len(text) <= 15 && text != "-0" {
		n, _ := strconv.ParseInt(text, 10, 64)
		return d.realm.vm.ToValue(n), nil
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range gives an infinity, as ECMAScript has it
	if d.strict && math.IsInf(f, 0) {
		return nil, refuse(codeJSONText, "the number %s is larger than a double can hold", text)
	}
	return d.realm.vm.ToValue(f), nil
}

func (d *decoder) digits() bool {
	start := d.pos
	for c := d.peek(); c >= '0' && c <= '9'; c = d.peek() {
		d.pos++
	}
	return d.pos > start
}

// str reads a string; halves of surrogate pairs come out in WTF-8 (see wtf8).
func (d *decoder) str() (string, *refusal) {
	d.pos++
	start := d.pos
	for d.pos < len(d.text) && d.text[d.pos] != '"' && d.text[d.pos] != '\\' && d.text[d.pos] >= ' ' {
		d.pos++
	}
	if d.peek() == '"' {
		s := d.text[start:d.pos]
		d.pos++
		return s, nil
	}
	out := []byte(d.text[start:d.pos])
	for {
		c := d.peek()
		switch {
		case c == '"':
			d.pos++
			return string(out), nil
		case c == '\\':
			var bad *refusal
			if out, bad = d.escape(out); bad != nil {
				return "", bad
			}
		case c < ' ':
			return "", d.malformed()
		default:
			out = append(out, c)
			d.pos++
		}
	}
}

var simpleEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (d *decoder) escape(out []byte) ([]byte, *refusal) {
	d.pos++
	c := d.peek()
	if simple, ok := simpleEscapes[c]; ok {
		d.pos++
		return append(out, simple), nil
	}
	if c != 'u' {
		return nil, d.malformed()
	}
	unit, ok := d.hex(d.pos + 1)
	if !ok {
		return nil, d.malformed()
	}
	d.pos += 5
	if unit < 0xD800 || unit > 0xDFFF {
		return utf8.AppendRune(out, rune(unit)), nil
	}
	if unit <= 0xDBFF && strings.HasPrefix(d.text[d.pos:], `\u`) {
		if low, ok := d.hex(d.pos + 2); ok && low >= 0xDC00 && low <= 0xDFFF {
			d.pos += 6
			return utf8.AppendRune(out, (rune(unit)-0xD800)<<10+(rune(low)-0xDC00)+0x10000), nil
		}
	}
	if d.strict {
		return nil, refuse(codeJSONText, "a string holds half of a surrogate pair (\\u%04x)", unit)
	}
	return appendHalf(out, unit), nil
}

func (d *decoder) hex(at int) (uint16, bool) {
	if at+4 > len(d.text) {
		return 0, false
	}
	for _, c := range []byte(d.text[at : at+4]) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(d.text[at:at+4], 16, 16)
	return uint16(n), err == nil
}

// peek gives the next byte, or 0 at the end; a 0 in the text is malformed wherever it is looked at.
func (d *decoder) peek() byte {
	if d.pos < len(d.text) {
		return d.text[d.pos]
	}
	return 0
}

func (d *decoder) space() {
	for c := d.peek(); c == ' ' || c == '\n' || c == '\t' || c == '\r'; c = d.peek() {
		d.pos++
	}
}

func (d *decoder) literal(word string) bool {
	if !strings.HasPrefix(d.text[d.pos:], word) {
		return false
	}
	d.pos += len(word)
	return true
}

func (d *decoder) malformed() *refusal {
	if d.pos >= len(d.text) {
		return refuse(codeJSONText, "the JSON text ends too early")
	}
	c, _ := utf8.DecodeRuneInString(d.text[d.pos:])
	return refuse(codeJSONText, "unexpected %q at byte %d of the JSON text", c, d.pos)
}
