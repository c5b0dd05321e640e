package planapprove

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-8d4a6081/assent/internal/markdown"
)

const (
	// maxLevels is how deep a plan is laid out; what is deeper stands as JSON on one line.
	maxLevels = 12
	// maxRendered is how many bytes the part for reading may have: a list of half a million
	// numbers is read by nobody.
	maxRendered = 4 << 20
)

// rendering gives a plan that is no document as Markdown, for reading, and its canonical text
// in full. It is a pure function, and the same in every version: a copy that is lost is made
// again from the journal and has to have the same bytes.
func rendering(run, title, prompt, checksum, plan string) ([]byte, error) {
	root, err := parse(plan)
	if err != nil {
		return nil, err
	}
	var r rendered
	r.line(0, "# "+markdown.Text(visible(title)))
	r.line(0, "")
	r.line(0, "The question, in the words of the script:")
	r.line(0, "")
	r.block(0, prompt)
	r.line(0, "")
	r.line(0, "Run `"+run+"`. Checksum, the SHA-256 of the canonical text below: `"+checksum+"`.")
	r.line(0, "")
	r.line(0, "This is a copy for reading. What counts is the journal of the run; while the copy is not as it was written, the plan cannot be approved.")
	r.line(0, "")
	r.line(0, "## For reading")
	r.line(0, "")
	r.value(0, "", root)
	if r.full {
		r.b.WriteString("\nThe rest stands in the canonical text.\n")
	}
	fmt.Fprintf(&r.b, "\n## Canonical text\n\n%s\n", strings.Join(markdown.Fence("json", plan), "\n"))
	return []byte(r.b.String()), nil
}

// rendered collects the lines of a rendering.
type rendered struct {
	b strings.Builder
	// full is set when there is no room for more lines.
	full bool
}

func (r *rendered) line(level int, text string) {
	if r.full = r.full || r.b.Len()+len(text) > maxRendered; r.full {
		return
	}
	if text != "" {
		r.b.WriteString(strings.Repeat("  ", level))
	}
	r.b.WriteString(text + "\n")
}

// block adds a text of any length as it is, in a fence, or nothing of it if there is no room.
func (r *rendered) block(level int, text string) {
	lines := strings.Split(text, "\n")
	size := 0
	for i, line := range lines {
		lines[i] = visible(line)
		size += len(lines[i]) + 2*level + 1
	}
	if r.full = r.full || r.b.Len()+size > maxRendered; r.full {
		return
	}
	for _, line := range markdown.Fence("text", strings.Join(lines, "\n")) {
		if line != "" {
			r.b.WriteString(strings.Repeat("  ", level))
		}
		r.b.WriteString(line + "\n")
	}
}

// value adds a value behind its label, and what it holds one level deeper.
func (r *rendered) value(level int, label string, v any) {
	if r.full {
		return
	}
	lead := ""
	if label != "" {
		lead = "- **" + label + "**"
	}
	inside := level
	if label != "" {
		inside++
	}
	switch v := v.(type) {
	case map[string]any:
		switch {
		case len(v) == 0:
			r.scalar(level, lead, "an empty object")
		case level >= maxLevels:
			r.scalar(level, lead, code(v))
		default:
			if lead != "" {
				r.line(level, lead)
			}
			for _, name := range ordered(v) {
				r.value(inside, markdown.Text(visible(name)), v[name])
			}
		}
	case []any:
		switch {
		case len(v) == 0:
			r.scalar(level, lead, "an empty list")
		case level >= maxLevels:
			r.scalar(level, lead, code(v))
		default:
			if lead != "" {
				r.line(level, fmt.Sprintf("%s (%d)", lead, len(v)))
			}
			for i, element := range v {
				r.value(inside, strconv.Itoa(i+1), element)
			}
		}
	case string:
		switch {
		case v == "":
			r.scalar(level, lead, "an empty text")
		case strings.Contains(v, "\n"):
			if lead != "" {
				r.line(level, lead)
			}
			r.block(inside, v)
		case lead == "":
			r.scalar(level, lead, markdown.Line(visible(v)))
		default:
			r.scalar(level, lead, markdown.Text(visible(v)))
		}
	default: // a number, true, false, null
		r.scalar(level, lead, code(v))
	}
}

func (r *rendered) scalar(level int, lead, text string) {
	if lead == "" {
		lead = "-"
	}
	r.line(level, lead+" "+text)
}

// ordered gives the names of an object's members: those first that a reader wants first.
func ordered(object map[string]any) []string {
	names := slices.Sorted(maps.Keys(object))
	rank := func(name string) int {
		if i := slices.Index([]string{"id", "title", "name", "goal", "destination", "summary"}, name); i >= 0 {
			return i
		}
		return len(names) + 6
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// code gives a value as JSON, its members sorted, that Markdown leaves as it is.
func code(v any) string { return markdown.Span(visible(string(encode(v)))) }

// visible writes characters that have no shape, or change the order of others, by their number.
func visible(text string) string {
	var b strings.Builder
	for _, c := range text {
		if unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
			fmt.Fprintf(&b, "‹U+%04X›", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}
