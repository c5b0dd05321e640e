package agenttype

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Parse reads the file of a type. name is its path, or any name that messages are to call it by; the
// type is called so, without folders and .md, if the front matter gives it no name. The type that
// comes with an error has the name that it would have had, as far as that is known. Errors are
// AGENT_TYPE_INVALID.
func Parse(data []byte, name string) (Type, error) {
	sum := sha256.Sum256(data)
	t := Type{Name: nameOf(name), Source: name, SHA256: hex.EncodeToString(sum[:])}
	p := place(name)
	front, body, err := split(data, p)
	if err != nil {
		return t, err
	}
	t.Instructions = body
	root, err := document(front, p)
	if err != nil {
		text, changed := quoted(front)
		again, no := document(text, p)
		if !changed || no != nil {
			return t, err
		}
		root = again
		t.Warnings = append(t.Warnings, fmt.Sprintf(`%s: the description holds a sign that YAML wants in quotes, and is taken as one text`, p))
	}
	r := reader{place: p, seen: map[string]int{}}
	if err := r.read(root, &t); err != nil {
		return t, err
	}
	t.Warnings = append(t.Warnings, r.warnings...)
	return t, nil
}

// nameOf is the name that a file gives.
func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ending) }

// reader reads the keys of one file.
type reader struct {
	place
	seen     map[string]int // a key of ours to the line of its value
	warnings []string
	others   []string // keys of other programs
	plan     bool     // another program's word for readOnly
}

func (r *reader) warn(line int, text string) {
	r.warnings = append(r.warnings, fmt.Sprintf("%s:%d: %s", r.place, line, text))
}

// read takes over the keys of root. The name comes first, so that an error of another key is that
// name's.
func (r *reader) read(root *yaml.Node, t *Type) error {
	var rest []entry
	spelled := map[string]int{}
	if len(root.Content) > 2*maxKeys {
		return r.at(line(root), fmt.Sprintf("the front matter has more than %d keys", maxKeys), "take out what is not for an agent type")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return r.at(line(key), "a key is not a text", "write each key as a word of its own")
		}
		if first, twice := spelled[key.Value]; twice {
			return r.at(line(key), fmt.Sprintf("the key %s stands here and in line %d", shown(key.Value), first), "take one of them out")
		}
		spelled[key.Value] = line(key)
		e := entry{keyOf(key.Value), key, value}
		if e.ours == "" {
			if err := r.foreign(e); err != nil {
				return err
			}
			continue
		}
		if first, twice := r.seen[e.ours]; twice {
			return r.at(line(key), fmt.Sprintf("the key %q says the same as the key in line %d", key.Value, first), "take one of them out")
		}
		r.seen[e.ours] = line(key)
		if e.ours != "name" {
			rest = append(rest, e)
			continue
		}
		name, err := r.text(e)
		if err != nil {
			return err
		}
		if bad := checkName(name); bad != "" {
			return r.at(line(value), fmt.Sprintf("%q is no name of an agent type: %s", name, bad), "")
		}
		t.Name = name
	}
	if _, named := r.seen["name"]; !named {
		if bad := checkName(t.Name); bad != "" {
			return r.at(1, fmt.Sprintf("%q is no name of an agent type: %s", t.Name, bad), "write name: into the front matter, or rename the file")
		}
	}
	for _, e := range rest {
		if err := r.take(e, t); err != nil {
			return err
		}
	}
	t.ReadOnly = t.ReadOnly || r.plan
	if len(r.others) > 0 {
		r.warnings = append(r.warnings, fmt.Sprintf("%s: keys of other programs, without effect here: %s", r.place, strings.Join(r.others, ", ")))
	}
	return nil
}

// checkName says what is wrong with a name; "" if nothing is.
func checkName(name string) string {
	for i := range len(name) {
		c := name[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && !strings.ContainsRune("-_.: ", rune(c)) {
			return "a name has letters from a to z, digits, blanks, -, _, . and : only"
		}
	}
	switch {
	case name == "":
		return "a name is not empty"
	case len(name) > maxName:
		return fmt.Sprintf("a name has %d characters at most", maxName)
	case strings.Trim(name, " ") != name || name[0] == '-' || name[0] == '.':
		return "a name begins with a letter or a digit, and ends with no blank"
	}
	return ""
}
