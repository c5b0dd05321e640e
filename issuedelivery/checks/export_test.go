package checks

import "strings"

// Count is how many tests an output tells of, and whether some were seen.
func Count(output string) (n *int, some bool) {
	c := &counter{}
	for line := range strings.Lines(output) {
		c.see([]byte(line))
	}
	return c.count(), c.some()
}

// Kept is what is kept of an output that is written in parts.
func Kept(limit int, clean func(string) string, parts ...string) string {
	w := &window{limit: limit}
	for _, part := range parts {
		_, _ = w.Write([]byte(part))
	}
	if len(w.head)+cap(w.tail) > 8*(limit+margin)+(1<<16) {
		panic("more is kept than is bounded")
	}
	return w.text(limit, clean)
}

// FormOf is what a cause is known by.
var FormOf = formOf
