package forgetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// field is one asked-for field of a query, or what is asked for if an object is of type on.
type field struct {
	name, alias, on string
	args            map[string]any // a variable stands as variable
	fields          []field
}

// variable is the name of a query's variable.
type variable string

// token is a word, a text, a number or a sign of a query. Commas and comments are spaces in one.
var token = regexp.MustCompile(`^(?:[\s,\x{FEFF}]|#[^\n]*)*(\.\.\.|"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*|-?[0-9][0-9.eE+-]*|[{}()\[\]:=!$@|&])`)

// reader reads a query, sign by sign.
type reader struct {
	text      string
	next      string
	fragments map[string][]field
	err       error
}

func (r *reader) take() string {
	was := r.next
	m := token.FindStringSubmatch(r.text)
	if m == nil {
		r.next, r.text = "", strings.TrimSpace(r.text)
		return was
	}
	r.next, r.text = m[1], r.text[len(m[0]):]
	return was
}

func (r *reader) skip(sign string) bool {
	if r.next == sign {
		r.take()
		return true
	}
	return false
}

func (r *reader) need(sign string) {
	if !r.skip(sign) && r.err == nil {
		r.err = fmt.Errorf("expected %q and found %q", sign, r.next)
	}
}

// parse reads a document of one operation and its fragments.
func parse(text string) (kind string, fields []field, err error) {
	r := &reader{text: text, fragments: map[string][]field{}}
	r.take()
	kind = "query"
	for r.next != "" && r.err == nil {
		switch word := r.next; word {
		case "query", "mutation":
			kind = r.take()
			for r.next != "{" && r.next != "" { // its name and its variables
				if r.skip("(") {
					for r.next != ")" && r.next != "" {
						r.take()
					}
				}
				r.take()
			}
			fields = r.selection()
		case "fragment":
			r.take()
			name := r.take()
			r.take() // on
			r.take() // its type
			r.fragments[name] = r.selection()
		case "{":
			fields = r.selection()
		default:
			return "", nil, fmt.Errorf("a document does not begin with %q", word)
		}
	}
	if r.err == nil && r.text != "" {
		r.err = errors.New("the document has a sign that is not known")
	}
	return kind, r.spread(fields), r.err
}

// spread puts fragments in the places where they are named.
func (r *reader) spread(fields []field) []field {
	var out []field
	for _, f := range fields {
		if name, ok := strings.CutPrefix(f.name, "..."); ok && name != "" {
			out = append(out, r.spread(r.fragments[name])...)
			continue
		}
		f.fields = r.spread(f.fields)
		out = append(out, f)
	}
	return out
}

func (r *reader) selection() []field {
	var out []field
	r.need("{")
	for r.next != "}" && r.next != "" && r.err == nil {
		out = append(out, r.field())
	}
	r.need("}")
	return out
}

func (r *reader) field() field {
	var f field
	if r.skip("...") {
		if r.skip("on") {
			f.name, f.on = "...", r.take()
			f.fields = r.selection()
			return f
		}
		f.name = "..." + r.take()
		return f
	}
	f.name = r.take()
	f.alias = f.name
	if r.skip(":") {
		f.name = r.take()
	}
	if r.next == "(" {
		r.next = "{"
		f.args, _ = r.value(")").(map[string]any)
	}
	for r.skip("@") { // a directive
		r.take()
		if r.next == "(" {
			r.next = "{"
			r.value(")")
		}
	}
	if r.next == "{" {
		f.fields = r.selection()
	}
	return f
}

// value reads a value; an object ends with the sign end.
func (r *reader) value(end string) any {
	switch word := r.take(); {
	case word == "{":
		object := map[string]any{}
		for r.next != end && r.next != "" && r.err == nil {
			name := r.take()
			r.need(":")
			object[name] = r.value("}")
		}
		r.need(end)
		return object
	case word == "[":
		var list []any
		for r.next != "]" && r.next != "" && r.err == nil {
			list = append(list, r.value("}"))
		}
		r.need("]")
		return list
	case word == "$":
		return variable(r.take())
	default:
		var value any
		if json.Unmarshal([]byte(word), &value) != nil {
			return word // the name of an enumeration's value
		}
		return value
	}
}

// object is something that has fields: values, objects, lists of them, and functions of arguments.
type object = map[string]any

// answer gives the fields of value that are asked for; a field that it does not have is null.
func answer(fields []field, value any, variables map[string]any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = answer(fields, v[i], variables)
		}
		return out
	case object:
		if len(fields) == 0 {
			return v
		}
		out := object{}
		for _, f := range fields {
			if f.name == "..." {
				if kind, known := v["__typename"]; !known || kind == f.on {
					maps.Copy(out, answer(f.fields, v, variables).(object))
				}
				continue
			}
			found := v[f.name]
			if call, ok := found.(func(args object) any); ok {
				found = call(filled(f.args, variables).(object))
			}
			out[f.alias] = answer(f.fields, found, variables)
		}
		return out
	}
	return value
}

// filled puts the values of variables in their places.
func filled(value any, variables map[string]any) any {
	switch v := value.(type) {
	case variable:
		return variables[string(v)]
	case object:
		out := object{}
		for name := range v {
			out[name] = filled(v[name], variables)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = filled(v[i], variables)
		}
		return out
	}
	return value
}
