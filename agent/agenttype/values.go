package agenttype

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// wrong refuses a value of a key.
func (r *reader) wrong(e entry, n *yaml.Node, want, next string) error {
	return r.at(line(n), fmt.Sprintf("%s takes %s, not %s", e.key.Value, want, describe(n)), next)
}

// describe names what stands in place of something else.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "keys and values"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.Tag == "!!null":
		return "nothing"
	}
	return shown(n.Value)
}

// shown is a value for a message, cut if it is long.
func shown(text string) string {
	if len(text) > maxShown {
		cut := maxShown
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return strconv.Quote(text)
}

// text gives a value that is a text. A number or a date is what its letters say.
func (r *reader) text(e entry) (string, error) {
	text, ok := scalar(e.value)
	if !ok || text == "" {
		return "", r.wrong(e, e.value, "a text", "write a text, or take the key out")
	}
	return text, nil
}

// scalar gives the text of a value that is neither a list, nor nothing, nor a truth value.
func scalar(n *yaml.Node) (string, bool) {
	ok := n.Kind == yaml.ScalarNode && n.Tag != "!!null" && n.Tag != "!!bool"
	return strings.TrimSpace(n.Value), ok
}

// truth gives a value that is true or false, and no other word for it: what one program takes for
// true, such as yes, another takes for a text.
func (r *reader) truth(e entry) (bool, error) {
	if e.value.Kind == yaml.ScalarNode && e.value.Tag == "!!bool" {
		switch strings.ToLower(e.value.Value) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return false, r.wrong(e, e.value, "true or false", "write "+e.key.Value+": true")
}

// list gives a list of names: a list of texts, or one text with commas. [] is the empty list; an
// empty text says nothing, neither all nor none.
func (r *reader) list(e entry) ([]string, error) {
	const want = "a list of names, or a text with commas between them"
	next := "write " + e.key.Value + ": [] for none, or take the key out for what the agent has by itself"
	list := []string{}
	if e.value.Kind == yaml.SequenceNode {
		for _, n := range e.value.Content {
			text, ok := scalar(n)
			if !ok || text == "" {
				return nil, r.wrong(e, n, want, "put each name into quotes")
			}
			list = append(list, text)
		}
		return list, nil
	}
	text, ok := scalar(e.value)
	if !ok || text == "" {
		return nil, r.wrong(e, e.value, want, next)
	}
	for _, name := range commas(strings.TrimSuffix(text, ",")) {
		if name == "" {
			return nil, r.at(line(e.value), e.key.Value+": there is a comma with no name beside it", next)
		}
		list = append(list, name)
	}
	return list, nil
}

// commas splits a text at its commas, but not at those in parentheses: Bash(git add:*, git log:*) is
// one name.
func commas(text string) []string {
	var list []string
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				list, from = append(list, strings.TrimSpace(text[from:i])), i+1
			}
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}
