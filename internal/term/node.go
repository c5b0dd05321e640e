package term

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxNodeDepth bounds recursion over a JSON text; the border of the machine refuses deeper
// ones (1,000) long before.
const maxNodeDepth = 2000

var errNotJSON = errors.New("not one JSON text")

// node is a JSON value with its keys in the order of the text.
type node struct {
	kind byte   // '{', '[', '"', '0' (number), 't' (true, false), 'n' (null)
	text string // of a string: decoded; of the other scalars: as written
	keys []string
	kids []*node
}

// parseJSON reads one JSON text without losing order or digits.
func parseJSON(text []byte) (*node, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	n, err := parseNode(dec, 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotJSON
	}
	return n, nil
}

func parseNode(dec *json.Decoder, depth int) (*node, error) {
	if depth > maxNodeDepth {
		return nil, fmt.Errorf("%w: deeper than %d", errNotJSON, maxNodeDepth)
	}
	token, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	switch v := token.(type) {
	case string:
		return &node{kind: '"', text: v}, nil
	case json.Number:
		return &node{kind: '0', text: v.String()}, nil
	case bool:
		return &node{kind: 't', text: strconv.FormatBool(v)}, nil
	case nil:
		return &node{kind: 'n', text: "null"}, nil
	case json.Delim:
		return parseInside(dec, byte(v), depth)
	}
	return nil, errNotJSON
}

func parseInside(dec *json.Decoder, open byte, depth int) (*node, error) {
	n := &node{kind: open}
	for dec.More() {
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errNotJSON, err)
			}
			name, _ := key.(string)
			n.keys = append(n.keys, name)
		}
		kid, err := parseNode(dec, depth+1)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
	}
	if _, err := dec.Token(); err != nil { // the closing bracket
		return nil, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	return n, nil
}

// walk calls fn for n and all below it. The path is made only when fn asks for it: a deep
// plan has long ones.
func (n *node) walk(fn func(path func() string, n *node)) {
	steps := []string{"$"}
	path := func() string { return strings.Join(steps, "") }
	var visit func(n *node)
	visit = func(n *node) {
		fn(path, n)
		for i, kid := range n.kids {
			step := "[" + strconv.Itoa(i) + "]"
			if n.kind == '{' {
				step = memberPath(n.keys[i])
			}
			steps = append(steps, step)
			visit(kid)
			steps = steps[:len(steps)-1]
		}
	}
	visit(n)
}

func memberPath(key string) string {
	if identifier(key) {
		return "." + key
	}
	return "[" + strconv.Quote(key) + "]"
}

// identifier reports whether s needs no quotes: ASCII letters, digits, _ and $.
func identifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !asciiLetter(rune(c)) && c != '_' && c != '$' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// field returns the value of a key, or nil.
func (n *node) field(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}
