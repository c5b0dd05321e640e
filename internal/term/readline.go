package term

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// readLine asks for one line, behind a prompt of ours. What was typed before the prompt is
// dropped, unless more is true: the line is the next one of a text. It returns the line to
// the byte, and why it cannot be an answer, or "".
func (s *session) readLine(prompt string, more bool) (line, bad string, err error) {
	if !more {
		s.discard()
	}
	if s.midLine {
		s.write("\n")
	}
	s.control(pasteOn)
	defer s.control(pasteOff)
	s.write(prompt)
	tail := prompt[strings.LastIndexByte(prompt, '\n')+1:]
	e, drawn := &editor{}, ""
	for {
		for len(s.typed) == 0 {
			again, err := s.fill()
			if err != nil {
				return "", "", err
			}
			if again { // from a suspension, and others have written meanwhile
				s.control(pasteOn)
				s.write("\n" + tail)
				drawn = s.echo(tail, "", e, false)
			}
		}
		redraw := false
		for len(s.typed) > 0 {
			b := s.typed[0]
			s.typed = s.typed[1:]
			switch e.key(b) {
			case evInterrupt:
				s.write("^C\n")
				return "", "", ErrInterrupted
			case evEnd:
				if len(e.text) == 0 {
					s.write("\n")
					return "", "", errEnd
				}
			case evEnter:
				s.echo(tail, drawn, e, redraw)
				s.write("\n")
				return string(e.text), e.unusable(), nil
			case evRedraw:
				redraw = true
			case evNone:
			}
		}
		drawn = s.echo(tail, drawn, e, redraw)
	}
}

// echo brings the line on the screen from the text drawn to the editor's text, and returns
// what is drawn. What was typed is escaped like all else: it may have been pasted.
func (s *session) echo(tail, drawn string, e *editor, redraw bool) string {
	text := Escape(string(e.text[:settled(e.text)]))
	if !redraw && strings.HasPrefix(text, drawn) {
		s.write(text[len(drawn):])
		return text
	}
	if s.options.Dumb {
		s.write("\n" + tail + text)
		return text
	}
	columns, _ := s.Size()
	if up := len(wrap(tail+drawn, columns, false)) - 1; up > 0 {
		s.control(fmt.Sprintf("\x1b[%dA", up))
	}
	s.control("\r\x1b[J")
	s.write(tail + text)
	return text
}

// settled is the length of text without a last character whose bytes have not all arrived.
func settled(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		at := len(text) - n
		if utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}
