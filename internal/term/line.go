package term

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// maxLine is how long one typed or pasted text may be; a plan's change request is shorter.
const maxLine = 64 << 10

// Keys that the editor knows. All others stand for themselves.
const (
	keyInterrupt = 0x03
	keyEnd       = 0x04
	keyBackspace = 0x08
	keyRedraw    = 0x0C
	keyKillLine  = 0x15
	keyKillWord  = 0x17
	keyEscape    = 0x1B
	keyDelete    = 0x7F
)

const (
	pasteOn   = "\x1b[?2004h" // ask the terminal to mark pasted text
	pasteOff  = "\x1b[?2004l"
	pasteEnd  = "\x1b[201~"
	pasteMark = "200~"
)

// editor collects one line from keys. It keeps the bytes as they were typed: what is not
// UTF-8 stays so, and is then no answer.
type editor struct {
	text    []byte
	escape  []byte // an escape sequence that has begun
	pasting bool
	over    bool // longer than maxLine
}

// event is what a key leads to.
type event int

const (
	evNone event = iota
	evEnter
	evInterrupt
	evEnd
	evRedraw
)

// key takes one byte. Keys that send escape sequences (arrows and the like) do nothing.
// Pasted text is taken as it is: a newline in it does not press Enter.
func (e *editor) key(b byte) event {
	switch {
	case e.pasting:
		e.paste(b)
	case len(e.escape) > 0:
		e.sequence(b)
	case b == keyInterrupt:
		return evInterrupt
	case b == keyEnd:
		return evEnd
	case b == '\r' || b == '\n':
		return evEnter
	case b == keyBackspace || b == keyDelete:
		_, size := utf8.DecodeLastRune(e.text)
		e.text = e.text[:len(e.text)-size]
	case b == keyKillLine:
		e.text, e.over = e.text[:0], false
	case b == keyKillWord:
		e.text = bytes.TrimRight(e.text, " ")
		e.text = e.text[:bytes.LastIndexByte(e.text, ' ')+1]
	case b == keyRedraw:
		return evRedraw
	case b == keyEscape:
		e.escape = append(e.escape, b)
	default:
		e.add(b)
	}
	return evNone
}

func (e *editor) add(b byte) {
	if len(e.text) >= maxLine {
		e.over = true
		return
	}
	e.text = append(e.text, b)
}

// sequence takes a byte of an escape sequence (ECMA-48, 5.4: CSI, parameters, a final byte
// from 0x40 to 0x7E).
func (e *editor) sequence(b byte) {
	e.escape = append(e.escape, b)
	switch {
	case len(e.escape) == 2 && (b == '[' || b == 'O'):
		return
	case len(e.escape) > 2 && e.escape[1] == '[' && (b < 0x40 || b > 0x7E) && len(e.escape) < 32:
		return
	}
	e.pasting = string(e.escape[1:]) == "["+pasteMark
	e.escape = e.escape[:0]
}

func (e *editor) paste(b byte) {
	if b == '\r' {
		b = '\n'
	}
	e.add(b)
	if cut, ended := bytes.CutSuffix(e.text, []byte(pasteEnd)); ended {
		e.text, e.pasting = cut, false
	}
	if e.over { // the end mark can no longer be seen whole in the text
		e.escape = append(e.escape, b)
		if bytes.HasSuffix(e.escape, []byte(pasteEnd)) {
			e.pasting, e.escape = false, e.escape[:0]
		}
	}
}

// unusable says why a typed line cannot be an answer, or "".
func (e *editor) unusable() string {
	switch {
	case e.over:
		return fmt.Sprintf("that is longer than %d bytes", maxLine)
	case !utf8.Valid(e.text):
		return "that is not valid UTF-8"
	case bytes.ContainsFunc(e.text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		return "that holds control characters"
	}
	return ""
}
