package term

import (
	"slices"
	"strconv"
	"strings"
)

// known are the keys that plans commonly use, in the order in which a reader wants them, and
// what they are called. All other keys follow, under their own names: nothing is left out.
var known = []struct{ key, label string }{
	{"id", "id"},
	{"title", "title"},
	{"name", "name"},
	{"goal", "goal"},
	{"destination", "destination"},
	{"summary", "summary"},
	{"overview", "overview"},
	{"file", "file"},
	{"path", "path"},
	{"instructions", "instructions"},
	{"description", "description"},
	{"expectedOutput", "expected output"},
	{"expected", "expected"},
	{"acceptanceCriteria", "acceptance criteria"},
	{"notes", "notes"},
	{"decisionsSoFar", "decisions so far"},
	{"steps", "steps"},
	{"openTickets", "open tickets"},
	{"blockedBy", "blocked by"},
	{"files", "files"},
	{"filesTouched", "files touched"},
	{"openQuestions", "open questions"},
	{"questions", "questions"},
	{"notYetSpecified", "not yet specified"},
	{"outOfScope", "out of scope"},
}

// headings are the keys whose short text stands behind the number of a list's item.
var headings = []string{"title", "name", "id", "file", "path", "summary"}

// ordered gives the indexes of an object's members in reading order.
func (n *node) ordered() []int {
	rank := func(key string) int {
		for i, k := range known {
			if k.key == key {
				return i
			}
		}
		return len(known)
	}
	order := make([]int, len(n.keys))
	ranks := make([]int, len(n.keys))
	for i, key := range n.keys {
		order[i], ranks[i] = i, rank(key)
	}
	slices.SortStableFunc(order, func(a, b int) int { return ranks[a] - ranks[b] })
	return order
}

// labelOf names a key: a known one by its words, another one by itself, in quotes if it is
// no identifier.
func labelOf(key string) string {
	for _, k := range known {
		if k.key == key {
			return k.label + ":"
		}
	}
	if identifier(key) {
		return key + ":"
	}
	return squeeze(Escape(strconv.Quote(key))) + ":"
}

// outline adds a value for reading. Every key and every scalar below it is shown.
func (c *canvas) outline(level int, label string, n *node) {
	indent, marker := c.depth(level)
	label = marker + label
	switch {
	case n.kind == '[' && len(n.kids) > 0:
		c.label(indent, counted(label, len(n.kids)))
		for i, kid := range n.kids {
			c.item(level+1, strconv.Itoa(i+1)+".", kid)
		}
	case n.kind == '{' && len(n.keys) > 0:
		if label != "" {
			c.label(indent, label)
			level++
		}
		for _, i := range n.ordered() {
			c.outline(level, labelOf(n.keys[i]), n.kids[i])
		}
	case n.kind == '"' && n.text != "":
		if label == "" {
			c.quote(indent, n.text)
			return
		}
		c.field(indent, label, n.text)
	default:
		text := strings.TrimSpace(c.st.paint(dim, label) + " " + c.st.marks(n.scalar()))
		c.row(strings.Repeat(" ", indent) + text)
	}
}

// counted puts the length of a list into its label: "steps (3):", "1. (3)", "(3)".
func counted(label string, items int) string {
	count := "(" + Count(int64(items)) + ")"
	if key, ok := strings.CutSuffix(label, ":"); ok {
		return key + " " + count + ":"
	}
	return strings.TrimSpace(label + " " + count)
}

// scalar is the text of what has no text of its own. Numbers and booleans are as written.
func (n *node) scalar() string {
	switch n.kind {
	case '{':
		return "‹empty object›"
	case '[':
		return "‹empty list›"
	case '"':
		return "‹empty text›"
	case 'n':
		return "‹null›"
	}
	return n.text
}

// item adds one value of a list. An object with a short title shows it behind the number.
func (c *canvas) item(level int, number string, n *node) {
	if n.kind != '{' {
		c.outline(level, number, n)
		return
	}
	for _, key := range headings {
		title := n.field(key)
		if title == nil || title.kind != '"' || title.text == "" || len(title.text) > 200 || strings.Contains(title.text, "\n") {
			continue
		}
		rest := &node{kind: '{'}
		for i, k := range n.keys {
			if k != key {
				rest.keys, rest.kids = append(rest.keys, k), append(rest.kids, n.kids[i])
			}
		}
		c.outline(level, number+" "+labelOf(key), title)
		if len(rest.keys) > 0 {
			c.outline(level+1, "", rest)
		}
		return
	}
	c.outline(level, number, n)
}

// named collects the files that the steps of a plan name, in order of first mention.
func named(root *node) []string {
	var files []string
	seen := map[string]bool{}
	add := func(n *node) {
		if n.kind == '"' && n.text != "" && !seen[n.text] {
			seen[n.text] = true
			files = append(files, n.text)
		}
	}
	for _, list := range []string{"steps", "openTickets"} {
		steps := root.field(list)
		if steps == nil {
			continue
		}
		for _, step := range steps.kids {
			for i, key := range step.keys {
				switch key {
				case "file", "path":
					add(step.kids[i])
				case "files", "filesTouched":
					for _, f := range step.kids[i].kids {
						add(f)
					}
				}
			}
		}
	}
	return files
}
