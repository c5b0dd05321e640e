package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
)

// fence is the opening line of a Markdown code block.
type fence struct {
	mark []byte // the run of ` or ~
	tag  string
	body int // where the line after it starts
}

var fenceLine = regexp.MustCompile("(?m)^[ \t]*(`{3,}|~{3,})[ \t]*([^`\r\n]*?)[ \t]*\r?$")

// nextFence finds the next opening line and where it starts; without one it returns nil and
// the end of the text.
func nextFence(text []byte) (*fence, int) {
	at := fenceLine.FindSubmatchIndex(text)
	if at == nil {
		return nil, len(text)
	}
	body := at[1]
	if body < len(text) {
		body++ // the line's end
	}
	return &fence{mark: text[at[2]:at[3]], tag: string(text[at[4]:at[5]]), body: body}, at[0]
}

// content returns what stands in the block, and what follows it. A block that is never
// closed goes on to the end of the text, as in CommonMark.
func (f *fence) content(text []byte) (content, rest []byte) {
	from := f.body
	for from < len(text) {
		end := bytes.IndexByte(text[from:], '\n')
		line, next := text[from:], len(text)
		if end >= 0 {
			line, next = text[from:from+end], from+end+1
		}
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, f.mark) && len(bytes.Trim(line, string(f.mark[:1]))) == 0 {
			return text[f.body:from], text[next:]
		}
		from = next
	}
	return text[min(f.body, len(text)):], nil
}

// jsonStart is how an object, or an array that is not flat, begins.
var jsonStart = regexp.MustCompile(`^(\{\s*["}]|\[\s*[\[{])`)

// fenced returns the value that a block holds, or nil if it holds something else, such as
// code.
func fenced(tag string, content []byte) ([]byte, error) {
	content = bytes.TrimSpace(content)
	tag = strings.ToLower(strings.TrimSpace(tag))
	isJSON := tag == "" || strings.HasPrefix(tag, "json")
	valid := json.Valid(content)
	switch {
	case valid && (isJSON || content[0] == '{' || content[0] == '['):
		return content, nil
	case !valid && strings.HasPrefix(tag, "json"), !valid && tag == "" && jsonStart.Match(content):
		return nil, errors.New("the JSON in a fence is damaged or cut: " + syntaxOf(content))
	default:
		return nil, nil
	}
}

// syntaxOf says where a text stops being JSON.
func syntaxOf(text []byte) string {
	var value any
	err := json.Unmarshal(text, &value)
	if err == nil {
		return "it is not JSON"
	}
	return err.Error()
}
