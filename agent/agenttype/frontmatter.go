package agenttype

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// place is a file, for messages.
type place string

// at is a refusal with the line of the file that it is about; 0 is the file as a whole.
func (p place) at(line int, what, next string) error {
	where := string(p)
	if line > 0 {
		where = fmt.Sprintf("%s:%d", p, line)
	}
	return fault.New(fault.AgentTypeInvalid, where+": "+what, next)
}

// fence is the line above and below the front matter. Its text begins in the line below.
const (
	fence     = "---"
	firstLine = 2
)

const example = "begin the file with a line ---, then name: and description:, then a line ---, and then the instructions"

// split parts a file into its front matter and the Markdown below it. Lines end in a newline alone.
func split(data []byte, p place) (front, body string, err error) {
	switch {
	case len(data) > maxFile:
		return "", "", p.at(0, fmt.Sprintf("the file has more than %d KiB", maxFile>>10), "shorten it; an agent can read long files itself")
	case !utf8.Valid(data):
		return "", "", p.at(1+bytes.Count(data[:validUntil(data)], []byte("\n")), "the text is not UTF-8", "save the file as UTF-8")
	case bytes.IndexByte(data, 0) >= 0:
		return "", "", p.at(1+bytes.Count(data[:bytes.IndexByte(data, 0)], []byte("\n")), "there is a NUL character", "take it out")
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != fence {
		return "", "", p.at(1, "there is no front matter", example)
	}
	for at := 0; at < len(rest); {
		line, _, more := strings.Cut(rest[at:], "\n")
		end := at + len(line)
		if strings.TrimRight(line, " \t") == fence {
			return rest[:at], strings.Trim(strings.TrimRight(rest[end:], " \t\n"), "\n"), nil
		}
		if at = end; more {
			at++
		}
	}
	return "", "", p.at(1, "the front matter has no end", "write a line --- below it")
}

// validUntil is where the first byte that is not UTF-8 stands.
func validUntil(data []byte) int {
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return at
}

// document reads front matter as one mapping. Aliases are not followed, so that a short text cannot
// stand for an endless one.
func document(front string, p place) (*yaml.Node, error) {
	d := yaml.NewDecoder(strings.NewReader(front))
	var doc, more yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	} else if err != nil {
		return nil, p.notYAML(err)
	}
	root := doc.Content[0]
	if err := d.Decode(&more); err == nil {
		return nil, p.at(line(&more), "the front matter has a second document", "take it out; only the first would be read")
	} else if !errors.Is(err, io.EOF) {
		return nil, p.notYAML(err)
	}
	if tooDeep(root, maxDepth) {
		return nil, p.at(line(root), fmt.Sprintf("the front matter is nested more than %d levels deep", maxDepth), "take out what is not for an agent type")
	}
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, p.at(line(root), "the front matter is not made of keys and values", "write name: reviewer, each key on a line of its own")
	}
	return root, nil
}

// line is where a node stands in its file.
func line(n *yaml.Node) int { return n.Line + firstLine - 1 }

func tooDeep(n *yaml.Node, left int) bool {
	if left == 0 {
		return true
	}
	for _, inside := range n.Content {
		if tooDeep(inside, left-1) {
			return true
		}
	}
	return false
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// notYAML is an error of the library, which counts lines from the front matter's own first one.
func (p place) notYAML(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	at := firstLine
	if match := yamlLine.FindStringSubmatch(text); match != nil {
		var n int
		if _, err := fmt.Sscan(match[1], &n); err == nil {
			at = n + firstLine - 1
		}
		text = text[len(match[0]):]
	}
	return p.at(at, "the front matter is not YAML: "+text, `put a text that holds ": " or begins with a sign into quotes`)
}

var plainDescription = regexp.MustCompile(`(?m)^(description:[ \t]+)([^"'|>\[{&*!#%@\x60 \t\n].*)$`)

// quoted puts a description of one line into quotes. Other programs read one with a colon in it,
// which YAML takes for a key, as a text; so do many of the files that there are.
func quoted(front string) (text string, changed bool) {
	text = plainDescription.ReplaceAllStringFunc(front, func(whole string) string {
		part := plainDescription.FindStringSubmatch(whole)
		return part[1] + "'" + strings.ReplaceAll(strings.TrimRight(part[2], " \t"), "'", "''") + "'"
	})
	return text, text != front
}
