package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// maxArgs is the largest text of arguments: that of any value at the script's border.
const maxArgs = 64 << 20

// argsFlags are the ways to give a script its arguments.
type argsFlags struct {
	task      string
	taskGiven bool
	pairs     []string
	// objects is what --args was given, each time: one JSON object, or where it stands. One is taken.
	objects everyText
	// words are those behind the script's name.
	words []string
	// set are those that a command makes of flags of its own, fallback those that the configuration has
	// where nothing else says any. pipe says that one of them came from standard input.
	set, fallback []member
	pipe          bool
}

// member is one argument. The order in which they were given is kept: a script can see it.
type member struct {
	name  string
	value json.RawMessage
}

// everyText is a flag of one text that keeps all that it was given, so that none is lost in silence.
type everyText []string

var _ pflag.Value = (*everyText)(nil)

// Set adds a text.
func (e *everyText) Set(text string) error {
	*e = append(*e, text)
	return nil
}

// Type is what the help says that the flag takes.
func (e *everyText) Type() string { return "string" }

// String is the default, which the help leaves out as it is empty.
func (e *everyText) String() string { return "" }

// stdin says that the arguments come from standard input.
func (f argsFlags) stdin() bool {
	return f.pipe || slices.Contains(f.objects, "-") || slices.Contains(f.objects, "@-")
}

// collect gives the arguments: what was given, and what the configuration has beside that.
func (f argsFlags) collect(a *app, schema json.RawMessage) ([]member, error) {
	members, err := f.asGiven(a, schema)
	form := argumentsIn(schema)
	for _, m := range f.fallback {
		_, takes := form.find(m.name)
		if takes && !slices.ContainsFunc(members, func(given member) bool { return given.name == m.name }) {
			members = append(members, m)
		}
	}
	return members, err
}

// asGiven gives the arguments as they were given: first the object, then the pairs, the task and
// the bare words.
func (f argsFlags) asGiven(a *app, schema json.RawMessage) ([]member, error) {
	if len(f.objects) > 1 {
		return nil, fault.New(fault.ArgsInvalid, "--args is given twice, and takes one object", "put all in one, or give the rest as --arg NAME=VALUE")
	}
	members, err := f.object(a)
	if err != nil {
		return nil, err
	}
	members = append(members, f.set...)
	for _, pair := range f.pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fault.New(fault.ArgsInvalid, fmt.Sprintf("--arg %q is not NAME=VALUE", pair), "write --arg name=value")
		}
		if !utf8.ValidString(pair) {
			return nil, notText("--arg " + name)
		}
		if members, err = add(members, name, argValue(schema, name, text)); err != nil {
			return nil, err
		}
	}
	if f.taskGiven {
		if !utf8.ValidString(f.task) {
			return nil, notText("--task")
		}
		if members, err = add(members, "task", jsonText(f.task)); err != nil {
			return nil, err
		}
	}
	if len(f.words) > 0 {
		text := strings.Join(f.words, " ")
		if !utf8.ValidString(text) {
			return nil, notText("what stands behind the script's name")
		}
		return add(members, bareWords, jsonText(text))
	}
	return members, nil
}

// notText refuses bytes that JSON cannot hold: they would reach the script as others.
func notText(what string) error {
	return fault.New(fault.ArgsInvalid, what+" is not UTF-8", "give such bytes in a file that an agent reads")
}

// encoded makes one JSON object of arguments.
func encoded(members []member) (json.RawMessage, error) {
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

// object reads the object that --args gives: as JSON, in a file, or on standard input.
func (f argsFlags) object(a *app) ([]member, error) {
	whole := first(f.objects)
	if whole == "" {
		return nil, nil
	}
	content, from := []byte(whole), "--args"
	switch text := strings.TrimLeft(whole, " \t\r\n"); {
	case strings.TrimPrefix(whole, "@") == "-":
		from = "standard input"
		var err error
		if content, err = io.ReadAll(io.LimitReader(a.In, maxArgs+1)); err != nil {
			return nil, fault.Wrap(err, fault.ArgsInvalid, "the arguments cannot be read", "")
		}
	case text == "", !strings.ContainsAny(text[:1], `{["`):
		from = strings.TrimPrefix(whole, "@")
		var err error
		if content, err = a.argsFile(from); err != nil {
			return nil, err
		}
	}
	if err := canonical.Check(content, maxArgs); err != nil {
		return nil, fault.Wrap(err, fault.ArgsInvalid, from+" is not one JSON object", "")
	}
	if content = bytes.TrimLeft(content, " \t\r\n"); content[0] != '{' {
		return nil, fault.New(fault.ArgsInvalid, fmt.Sprintf("%s is not one JSON object: it begins with %c", from, content[0]), `write {"NAME": VALUE}`)
	}
	return membersOf(content), nil
}

func (a *app) argsFile(name string) ([]byte, error) {
	content, err := regular.Read(a.path(name), maxArgs)
	next := ""
	switch {
	case errors.Is(err, regular.ErrKind):
		next = "what comes from a pipe is given as --args -"
	case errors.Is(err, fs.ErrNotExist):
		next = `the object itself is given as --args '{"NAME": VALUE}', one argument as --arg NAME=VALUE`
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.ArgsInvalid, "the file of arguments cannot be read", next)
	}
	return content, nil
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

// jsonText is a string as JSON.
func jsonText(s string) json.RawMessage { return jsonOf(s) }

// jsonOf is a text, a number, a truth value or a list of them as JSON.
func jsonOf(value any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // such a value always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}
