package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// maxArgs is the largest text of arguments: that of any value at the script's border.
const maxArgs = 64 << 20

// argsFlags are the ways to give a script its arguments.
type argsFlags struct {
	task  string
	pairs []string
	file  string
}

// member is one argument. The order in which they were given is kept: a script can see it.
type member struct {
	name  string
	value json.RawMessage
}

// object makes args of the flags: first the file, then the pairs, then the task. schema is what
// the script takes.
func (f argsFlags) object(a *app, taskGiven bool, schema json.RawMessage) (json.RawMessage, error) {
	members, err := f.fromFile(a)
	if err != nil {
		return nil, err
	}
	for _, pair := range f.pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fault.New(fault.ArgsInvalid, fmt.Sprintf("--arg %q is not NAME=VALUE", pair), "write --arg name=value")
		}
		if members, err = add(members, name, argValue(text, takesText(schema, name))); err != nil {
			return nil, err
		}
	}
	if taskGiven {
		if members, err = add(members, "task", jsonText(f.task)); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsonText(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	if err := canonical.Check(b.Bytes(), maxArgs); err != nil {
		return nil, fault.Wrap(err, fault.ArgsInvalid, "the arguments are not one JSON object", "")
	}
	if err := canonical.Exact(b.Bytes()); err != nil {
		return nil, fault.Wrap(err, fault.ArgsInvalid, "an argument would reach the script with other digits", `as text it keeps them: --arg 'NAME="DIGITS"'`)
	}
	return b.Bytes(), nil
}

func (f argsFlags) fromFile(a *app) ([]member, error) {
	if f.file == "" {
		return nil, nil
	}
	var content []byte
	var err error
	if f.file == "-" {
		content, err = io.ReadAll(io.LimitReader(a.In, maxArgs+1))
	} else {
		content, err = regular.Read(a.path(f.file), maxArgs)
	}
	if errors.Is(err, regular.ErrKind) {
		return nil, fault.Wrap(err, fault.ArgsInvalid, "the file of arguments cannot be read", "what comes from a pipe is given as --args -")
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.ArgsInvalid, "the file of arguments cannot be read", "")
	}
	if err := canonical.Check(content, maxArgs); err != nil {
		return nil, fault.Wrap(err, fault.ArgsInvalid, f.file+" is not one JSON object", "")
	}
	d := json.NewDecoder(bytes.NewReader(content))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fault.New(fault.ArgsInvalid, fmt.Sprintf("%s is not one JSON object: it begins with %v", f.file, t), `write {"NAME": VALUE}`)
	}
	var members []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fault.Wrap(err, fault.ArgsInvalid, f.file+" is not one JSON object", "")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fault.Wrap(err, fault.ArgsInvalid, f.file+" is not one JSON object", "")
		}
		members = append(members, member{fmt.Sprint(name), value})
	}
	return members, nil
}

// add appends an argument; one that is there already is a mistake.
func add(members []member, name string, value json.RawMessage) ([]member, error) {
	for _, m := range members {
		if m.name == name {
			return nil, fault.New(fault.ArgsInvalid, fmt.Sprintf("the argument %q is given twice", name), "give it once")
		}
	}
	return append(members, member{name, value}), nil
}

// argValue is JSON if the text is, else the text. For an argument that is always a text, only a
// quoted one is JSON: 1.10 is a text there, and not a number.
func argValue(given string, isText bool) json.RawMessage {
	if canonical.Check([]byte(given), maxArgs) == nil && (!isText || strings.HasPrefix(strings.TrimSpace(given), `"`)) {
		return json.RawMessage(given)
	}
	return jsonText(given)
}

// takesText says that a schema takes nothing but a text for that argument.
func takesText(schema json.RawMessage, name string) bool {
	var s struct {
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	switch kind := s.Properties[name].Type.(type) {
	case string:
		return kind == "string"
	case []any:
		return len(kind) == 1 && kind[0] == "string"
	}
	return false
}

// jsonText is a string as JSON.
func jsonText(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}
