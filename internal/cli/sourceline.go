package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// sourceWidth is how much of a long line of a script is shown around the place.
const sourceWidth = 80

// sourceLine is the line of the script that an error names, as the journal has it, with a caret
// below the column; "" if it is not known. Files may have changed on disk since.
func sourceLine(p problem, program journal.Program) string {
	for _, s := range program.Sources {
		if s.Path != p.File || p.Line < 1 {
			continue
		}
		lines := strings.Split(s.Text, "\n")
		if p.Line > len(lines) {
			return ""
		}
		line := []rune(strings.ReplaceAll(strings.TrimRight(lines[p.Line-1], "\r"), "\t", " "))
		at := max(0, min(p.Column-1, len(line)))
		from := max(0, at-sourceWidth*3/4)
		line, at = line[from:min(len(line), from+sourceWidth)], at-from
		head := fmt.Sprintf("%d ", p.Line)
		text := head + string(line)
		if p.Column > 0 {
			text += "\n" + strings.Repeat(" ", len(head)+term.Width(term.Escape(string(line[:at])))) + "^"
		}
		return text
	}
	return ""
}
