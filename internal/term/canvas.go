package term

import (
	"fmt"
	"strings"
)

// The gutters. Every row of untrusted text that is not a short value behind one of our
// labels stands behind one of them, and no row of ours does.
const (
	gutter     = "│ " // begins a line of the text
	gutterWrap = "┊ " // the same line goes on
)

const (
	// minWidth is the narrowest page: below it nothing can be laid out.
	minWidth = 40
	// maxIndent is how deep indentation goes before the level is written as a number.
	maxIndent = 12
	// blankRun is the run of spaces or of empty lines that is shown as a count.
	blankRun = 16
)

// canvas collects the rows of a page: escaped, wrapped, coloured, none wider than width.
type canvas struct {
	width int
	st    style
	rows  []string
}

func newCanvas(width int, color bool) *canvas {
	if width <= 0 {
		width = 80
	}
	return &canvas{width: max(width, minWidth), st: style{color}}
}

func (c *canvas) row(text string) { c.rows = append(c.rows, text) }

// gap adds one empty row between sections, never two.
func (c *canvas) gap() {
	if n := len(c.rows); n > 0 && c.rows[n-1] != "" {
		c.row("")
	}
}

// head adds a heading of ours.
func (c *canvas) head(text string) {
	c.gap()
	for _, row := range Wrap(text, c.width, "") {
		c.row(c.st.paint(bold, row))
	}
}

// say adds our own words. Further rows are as far in as the first.
func (c *canvas) say(text string) {
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	for _, row := range Wrap(text, c.width, indent) {
		c.row(c.st.marks(row))
	}
}

// warn adds our own words about something to look at.
func (c *canvas) warn(text string) {
	for i, row := range wrap(text, c.width-2, true) {
		lead := "! "
		if i > 0 {
			lead = "  "
		}
		c.row(c.st.paint(yellow, lead+row))
	}
}

// field adds a label of ours with a short untrusted value, or the value below it.
func (c *canvas) field(indent int, label, value string) {
	lead := strings.Repeat(" ", indent) + label
	text := squeeze(Escape(value))
	if !strings.Contains(value, "\n") && Width(lead)+1+Width(text) <= c.width {
		c.row(c.st.paint(dim, lead) + " " + c.st.marks(text))
		return
	}
	c.label(indent, strings.TrimRight(label, " "))
	c.quote(indent+2, value)
}

// label adds a row that holds nothing but a label. A label may hold a key of the plan.
func (c *canvas) label(indent int, label string) {
	if indent+Width(label) <= c.width {
		c.row(strings.Repeat(" ", indent) + c.st.paint(dim, label))
		return
	}
	c.gutted(indent, label)
}

// quote adds untrusted text of any length in the gutter. Runs of empty lines become their
// count.
func (c *canvas) quote(indent int, text string) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		n := 1
		for lines[i] == "" && i+n < len(lines) && lines[i+n] == "" {
			n++
		}
		if n >= 3 {
			c.gutted(indent, fmt.Sprintf("‹%s›", Plural(int64(n), "empty line", "empty lines")))
			i += n - 1
			continue
		}
		c.gutted(indent, squeeze(Escape(lines[i])))
	}
}

// gutted adds one escaped line in the gutter.
func (c *canvas) gutted(indent int, line string) {
	pad, mark := strings.Repeat(" ", indent), gutter
	for _, row := range wrap(line, c.width-indent-2, true) {
		c.row(pad + c.st.paint(dim, mark) + c.st.marks(row))
		mark = gutterWrap
	}
}

// squeeze replaces long runs of spaces in an escaped line, and a line of nothing but
// spaces, by their count. The count is a marker, so it cannot be confused with text.
func squeeze(line string) string {
	if line != "" && strings.Trim(line, " ") == "" {
		return spaces(len(line))
	}
	if !strings.Contains(line, strings.Repeat(" ", blankRun)) {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		n := 0
		for i+n < len(line) && line[i+n] == ' ' {
			n++
		}
		switch {
		case n >= blankRun:
			b.WriteString(spaces(n))
		case n > 0:
			b.WriteString(line[i : i+n])
		default:
			b.WriteByte(line[i])
			n = 1
		}
		i += n
	}
	return b.String()
}

func spaces(n int) string { return "‹" + Plural(int64(n), "space", "spaces") + "›" }

// depth gives the indentation of a level, and a marker where it would go too deep: beyond
// maxIndent, or a quarter of a narrow page.
func (c *canvas) depth(level int) (indent int, marker string) {
	deepest := min(maxIndent, c.width/8)
	if level <= deepest {
		return 2 * level, ""
	}
	return 2 * deepest, fmt.Sprintf("‹level %d› ", level)
}
