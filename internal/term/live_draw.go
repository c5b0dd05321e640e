package term

import (
	"fmt"
	"io"
	"strings"
)

// print writes a line above the list ("" for none) and draws the list anew, in one write,
// so that nothing can come between them. The caller holds the mutex.
func (l *Live) print(line string) {
	if l.paused > 0 {
		if line == "" {
			return
		}
		if len(l.held) >= maxHeld {
			l.lost++
			return
		}
		l.held = append(l.held, line)
		return
	}
	out := l.erase()
	if line != "" {
		out += line + "\n"
	}
	if l.o.Animate && !l.closed {
		rows := l.list()
		for _, row := range rows {
			out += row + "\n"
		}
		l.drawn = len(rows)
	}
	if out != "" {
		// There is nobody to tell that the screen is gone.
		_, _ = io.WriteString(l.o.Out, out)
	}
}

// list gives the rows of the list: at most a third of the screen, the longest at work first,
// none as wide as the screen, so that none wraps.
func (l *Live) list() []string {
	if len(l.jobs) == 0 {
		return nil
	}
	columns, height := l.o.Size()
	most := max(1, min(liveRows, height/3)-1)
	width := max(8, columns-1)
	now := l.o.Now()
	var rows []string
	for i, j := range l.jobs {
		if i == most {
			rows = append(rows, l.st.paint(dim, Truncate(fmt.Sprintf("  and %s more at work", Count(int64(len(l.jobs)-most))), width)))
			break
		}
		elapsed := Duration(now.Sub(j.started))
		room := width - 3 - Width(elapsed)
		name := Truncate(j.name(), room)
		row := l.st.paint(yellow, spinner[l.frame%len(spinner)]) + " " + l.st.marks(name) + " " + l.st.paint(dim, elapsed)
		if rest := room - Width(name) - 2; j.text != "" && rest >= 8 {
			row += "  " + l.st.paint(dim, Truncate(Escape(strings.TrimSpace(j.text)), rest))
		}
		rows = append(rows, row)
	}
	return rows
}
