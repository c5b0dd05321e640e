package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/internal/canonical"
)

// Extract finds the one JSON value in an agent's text. It never guesses and never repairs:
//
//   - A text that is one JSON value, around which is only white space (and a byte order
//     mark), is that value.
//   - Else every value in the text is a candidate: the content of each fence if it is JSON
//     (any tag or none), and each object and array in the prose between. Scalars count only
//     in a fence tagged json or not tagged. A flat array of scalars in prose counts only if it
//     stands alone on its lines, since footnotes and checkboxes look like one.
//   - Candidates that are all the same value are that value. Two different ones are an error,
//     also if one of them is {}.
//   - What begins like JSON and is not, or has no end, is an error, whatever else the text
//     holds: the value inside a damaged one is not the answer. So are duplicate keys.
func Extract(text string) (json.RawMessage, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("the answer is not UTF-8")
	}
	trimmed := []byte(strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")))
	if len(trimmed) == 0 {
		return nil, errors.New("the answer is empty")
	}
	if json.Valid(trimmed) {
		return checked(trimmed)
	}
	found, err := candidates(trimmed)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, errors.New("the answer holds no JSON value")
	}
	return agree(found)
}

// oneFence is a text that is one fence and nothing else.
var oneFence = regexp.MustCompile("(?s)^```[A-Za-z0-9]*[ \t]*\r?\n(.*?)\r?\n```$")

// Alone is the JSON value that an agent's text is, bare or in one fence. A text that says anything else
// besides is an error: it might take the value back.
func Alone(text string) (json.RawMessage, error) {
	trimmed := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if m := oneFence.FindStringSubmatch(trimmed); m != nil {
		trimmed = strings.TrimSpace(m[1])
	}
	if !json.Valid([]byte(trimmed)) {
		return nil, errors.New("the answer has to be one JSON value, and nothing beside it")
	}
	return Extract(trimmed)
}

// agree returns the first candidate if all are the same value.
func agree(found [][]byte) (json.RawMessage, error) {
	first, err := checked(found[0])
	if err != nil {
		return nil, err
	}
	want, err := canonical.Transform(first)
	if err != nil {
		return nil, err
	}
	for _, other := range found[1:] {
		if _, err := checked(other); err != nil {
			return nil, err
		}
		got, err := canonical.Transform(other)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(got, want) {
			return nil, fmt.Errorf("the answer holds more than one JSON value: %s and %s",
				shorten(string(want), 80), shorten(string(got), 80))
		}
	}
	return first, nil
}

// checked returns a value without the white space in it, if it means the same to every reader:
// no duplicate keys, no broken characters, no integer that would lose digits.
func checked(value []byte) (json.RawMessage, error) {
	if err := canonical.Check(value, MaxValueBytes); err != nil {
		return nil, err
	}
	if err := canonical.Exact(value); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Compact(&out, value); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// candidates walks the text line by line and tells fences from prose.
func candidates(text []byte) ([][]byte, error) {
	var found, prose [][]byte
	for len(text) > 0 {
		open, start := nextFence(text)
		prose = append(prose, text[:start])
		if open == nil {
			break
		}
		content, rest := open.content(text)
		value, err := fenced(open.tag, content)
		if err != nil {
			return nil, err
		}
		if value != nil {
			found = append(found, value)
		}
		text = rest
	}
	for _, part := range prose {
		values, err := inProse(part)
		if err != nil {
			return nil, err
		}
		found = append(found, values...)
	}
	return found, nil
}
