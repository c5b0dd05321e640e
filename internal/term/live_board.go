package term

import (
	"fmt"
	"io"
	"strings"
)

// Frame is how often a Board is worth drawing while something moves on it.
const Frame = frameTime

// Board is a drawing at the bottom of a terminal, made anew whenever it is shown, and lines above
// it, which stay. It belongs to one goroutine. On the terminal nothing else may be written while
// a drawing is there.
type Board struct {
	out io.Writer
	bottom
}

// NewBoard draws on a terminal that can move its cursor.
func NewBoard(out io.Writer) *Board { return &Board{out: out} }

// Show prints lines, which stay, and below them the rows of a new drawing, in one write. No row
// may be wider than the terminal. Both are printed as they are.
func (b *Board) Show(lines, rows []string) {
	text := b.erase()
	for _, line := range lines {
		text += line + "\n"
	}
	if len(rows) > 0 {
		text += strings.Join(rows, "\n") + "\n"
	}
	b.drawn = len(rows)
	if text != "" {
		// There is nobody to tell that the screen is gone.
		_, _ = io.WriteString(b.out, text)
	}
}

// bottom is what is drawn at the bottom of a screen.
type bottom struct{ drawn int } // rows that are there

// erase is the code that takes it off the screen: up to its first row, and clear to the end.
func (b *bottom) erase() string {
	if b.drawn == 0 {
		return ""
	}
	up := fmt.Sprintf("\r\x1b[%dA\x1b[J", b.drawn)
	b.drawn = 0
	return up
}

// Quoted puts untrusted text of several lines behind the gutter, as the words of a script stand
// everywhere.
func Quoted(text string, color bool) []string {
	st := style{color}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = st.paint(dim, gutter) + st.marks(Escape(line))
	}
	return lines
}
