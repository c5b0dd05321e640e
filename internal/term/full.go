package term

import (
	"fmt"
	"strconv"
	"strings"
)

// jsonLine is one line of the text in full: Text is bytes of the text as they are.
type jsonLine struct {
	level int
	text  string
}

// maxInline is how long a list or an object of plain values may be to stay on one line.
const maxInline = 60

// fullLines breaks a JSON text into lines behind its commas and brackets. The texts of the
// lines, joined, are the JSON text, byte for byte.
func fullLines(text string) []jsonLine {
	var lines []jsonLine
	start, level := 0, 0
	flush := func(end int) {
		if end > start {
			lines = append(lines, jsonLine{level, text[start:end]})
			start = end
		}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			if end := inlineEnd(text, i); end > 0 {
				i = end
				continue
			}
			flush(i + 1)
			level++
		case '}', ']':
			flush(i)
			level = max(0, level-1)
		case ',':
			flush(i + 1)
		}
	}
	flush(len(text))
	return lines
}

// stringEnd gives the index of the quote that ends the string that begins at i.
func stringEnd(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// inlineEnd gives the index of the bracket that closes the one at i, if there is nothing
// nested between them and not much at all; else 0.
func inlineEnd(text string, i int) int {
	for j := i + 1; j < len(text) && j-i < maxInline; j++ {
		switch text[j] {
		case '"':
			j = stringEnd(text, j)
		case '{', '[':
			return 0
		case '}', ']':
			return j
		}
	}
	return 0
}

// full adds the text in full, its lines numbered in the gutter.
func (c *canvas) full(text string) {
	lines := fullLines(text)
	digits := len(strconv.Itoa(len(lines)))
	for i, line := range lines {
		indent, marker := c.depth(line.level)
		lead := fmt.Sprintf("%*d %s", digits, i+1, gutter)
		pad := strings.Repeat(" ", indent)
		body := marker + squeeze(Escape(line.text))
		for _, row := range wrap(body, c.width-digits-3-indent, false) {
			c.row(c.st.paint(dim, lead) + pad + c.st.marks(row))
			lead = strings.Repeat(" ", digits+1) + gutterWrap
		}
	}
}
