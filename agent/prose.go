package agent

import (
	"bytes"
	"encoding/json"
	"errors"
)

// inProse returns the objects and arrays that stand in a text between other words. Its work
// is linear: each byte is looked at a fixed number of times.
func inProse(text []byte) ([][]byte, error) {
	var found [][]byte
	for i := 0; i < len(text); i++ {
		if text[i] != '{' && text[i] != '[' {
			continue
		}
		rest := text[i:]
		if rest[0] == '[' && !opensNested(rest) {
			n := flat(rest)
			if n > 0 && json.Valid(rest[:n]) {
				if alone(text, i, i+n) {
					found = append(found, rest[:n])
				}
				i += n - 1
			}
			continue
		}
		n := closing(rest)
		if n < 0 {
			return nil, errors.New("the answer is cut: a bracket is never closed: " + shorten(string(rest), 80))
		}
		value := rest[:n]
		switch {
		case json.Valid(value):
			found = append(found, value)
		case jsonStart.Match(value) || rest[0] == '[':
			return nil, errors.New("the JSON in the answer is damaged: " + syntaxOf(value) + ": " + shorten(string(value), 80))
		}
		// Braces of something else, such as code or a placeholder: what is inside them is
		// not an answer either.
		i += n - 1
	}
	return found, nil
}

// closing returns the length of the bracketed text that b begins with, strings respected; -1
// if it has no end.
func closing(b []byte) int {
	depth, inString := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// opensNested reports whether the array that b begins with holds an object or an array:
// what comes before that is the beginning of JSON.
func opensNested(b []byte) bool {
	n := bytes.IndexAny(b[1:], "[]{}")
	if n < 0 || b[1+n] == ']' || b[1+n] == '}' {
		return false
	}
	before := append(bytes.Clone(b[:1+n]), "0]"...)
	return json.Valid(before)
}

// flat returns the length of the array of scalars that b begins with; -1 if it is none.
func flat(b []byte) int {
	n := bytes.IndexAny(b[1:], "[]{}")
	if n < 0 || b[1+n] != ']' {
		return -1
	}
	return n + 2
}

// alone reports whether nothing else stands on the lines of text[from:to].
func alone(text []byte, from, to int) bool {
	start := bytes.LastIndexByte(text[:from], '\n') + 1
	end := len(text)
	if n := bytes.IndexByte(text[to:], '\n'); n >= 0 {
		end = to + n
	}
	return len(bytes.TrimSpace(text[start:from])) == 0 && len(bytes.TrimSpace(text[to:end])) == 0
}
