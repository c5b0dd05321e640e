package term

import "strings"

// style writes our own colour codes around text that is already escaped. They are the only
// control codes besides the newline that a rendering holds, and there are none without
// colour.
type style struct{ color bool }

const (
	reset  = "\x1b[0m"
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
)

func (st style) paint(code, text string) string {
	if !st.color || text == "" {
		return text
	}
	return code + text + reset
}

// marks paints the escape markers in a row, so that they stand out of the text.
func (st style) marks(row string) string {
	if !st.color || !strings.ContainsRune(row, markOpen) {
		return row
	}
	var b strings.Builder
	for _, u := range units(row) {
		if strings.HasPrefix(u, string(markOpen)) {
			u = yellow + u + reset
		}
		b.WriteString(u)
	}
	return b.String()
}

// diff paints a line of a difference by its first character that is no space.
func (st style) diff(line, row string) string {
	line = strings.TrimLeft(line, " ")
	switch {
	case strings.HasPrefix(line, "+"):
		return st.paint(green, row)
	case strings.HasPrefix(line, "-"):
		return st.paint(red, row)
	}
	return st.marks(row)
}
