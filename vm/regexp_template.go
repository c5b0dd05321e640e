package vm

import "github.com/dop251/goja"

// piece is a part of what a match is replaced by (GetSubstitution, ECMA-262 22.1.3.19.1).
type piece struct {
	kind  pieceKind
	text  goja.Value // as it is, or a group's name
	group int
}

type pieceKind int

const (
	pieceText   pieceKind = iota
	pieceBefore           // $`
	pieceAfter            // $'
	pieceGroup            // $1, and $& as group 0
	pieceNamed            // $<name>
)

// readTemplate divides a template for an expression with that many groups, the whole match among them. Without named groups, $< is text.
// more is told before another piece is made.
func readTemplate(s goja.String, groups int, named bool, more func()) (pieces []piece) {
	size, done := s.Length(), 0
	at := func(i int) rune {
		if i < size {
			return rune(s.CharAt(i))
		}
		return -1
	}
	digit := func(i int) int {
		if c := at(i); c >= '0' && c <= '9' {
			return int(c - '0')
		}
		return -1
	}
	// put ends the text before i, and goes on behind next.
	put := func(i, next int, p piece) {
		more()
		if i > done {
			pieces = append(pieces, piece{kind: pieceText, text: s.Substring(done, i)})
		}
		if done = next; p.kind != pieceText {
			pieces = append(pieces, p)
		}
	}
	noName := false // there is no > any more
	for i := 0; i < size; i++ {
		if s.CharAt(i) != '$' {
			continue
		}
		switch c := at(i + 1); {
		case c == '$':
			put(i+1, i+2, piece{})
		case c == '&':
			put(i, i+2, piece{kind: pieceGroup})
		case c == '`':
			put(i, i+2, piece{kind: pieceBefore})
		case c == '\'':
			put(i, i+2, piece{kind: pieceAfter})
		case c == '<' && named && !noName:
			end := i + 2
			for end < size && s.CharAt(end) != '>' {
				end++
			}
			if noName = end == size; noName {
				continue
			}
			put(i, end+1, piece{kind: pieceNamed, text: s.Substring(i+2, end)})
		case digit(i+1) >= 0:
			number, next := digit(i+1), i+2
			if two := 10*number + digit(i+2); digit(i+2) >= 0 && two > 0 && two < groups {
				number, next = two, i+3
			}
			if number == 0 || number >= groups {
				continue
			}
			put(i, next, piece{kind: pieceGroup, group: number})
		default:
			continue
		}
		i = done - 1
	}
	put(size, size, piece{})
	return pieces
}
