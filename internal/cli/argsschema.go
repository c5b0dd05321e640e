package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// bareWords is the argument that words behind a script's name become.
const bareWords = "_raw"

// argument is one argument of a script, as its meta.args has it.
type argument struct {
	Name string `json:"name"`
	// Type is for people: "integer", "string or null", "array of string"; "any" if the schema
	// says nothing of it.
	Type string `json:"type"`
	// Required says that it has to be given: it is required and has no default.
	Required    bool              `json:"required"`
	Default     json.RawMessage   `json:"default,omitempty"`
	Enum        []json.RawMessage `json:"enum,omitempty"`
	Description string            `json:"description,omitempty"`
}

// argumentsForm is what a schema says of the arguments.
type argumentsForm struct {
	arguments []argument
	// closed: the schema takes no others. strict: it does not say that it takes others, so one
	// that is typed is most likely a slip.
	closed, strict bool
}

// elsewhere are the keywords by which a schema that is not closed may take arguments that its
// properties do not name.
var elsewhere = []string{"allOf", "anyOf", "oneOf", "if", "then", "else", "$ref", "$dynamicRef", "dependentSchemas", "unevaluatedProperties"}

// argumentsIn reads meta.args, in the order in which it names them. What is no schema says
// nothing; that it is none is said when it is used.
func argumentsIn(schema json.RawMessage) argumentsForm {
	var of struct {
		Properties           json.RawMessage `json:"properties"`
		Required             []string        `json:"required"`
		AdditionalProperties json.RawMessage `json:"additionalProperties"`
	}
	keys := map[string]json.RawMessage{}
	if json.Unmarshal(schema, &keys) != nil {
		return argumentsForm{}
	}
	_ = json.Unmarshal(schema, &of) // what it does not understand it leaves out
	// additionalProperties looks at properties and patternProperties beside it, and at nothing else
	// (JSON Schema 2020-12, core, section 10.3.2.3).
	patterns := keys["patternProperties"] != nil
	form := argumentsForm{closed: !patterns && string(of.AdditionalProperties) == "false"}
	form.strict = form.closed || !patterns && keys["properties"] != nil && of.AdditionalProperties == nil &&
		!slices.ContainsFunc(elsewhere, func(keyword string) bool { return keys[keyword] != nil })
	for _, m := range membersOf(of.Properties) {
		form.arguments = append(form.arguments, argumentOf(m, slices.Contains(of.Required, m.name)))
	}
	return form
}

func argumentOf(m member, required bool) argument {
	p := argument{Name: m.name, Type: "any"}
	var of struct {
		Type        json.RawMessage   `json:"type"`
		Default     json.RawMessage   `json:"default"`
		Enum        []json.RawMessage `json:"enum"`
		Const       json.RawMessage   `json:"const"`
		Description string            `json:"description"`
		Items       struct {
			Type json.RawMessage `json:"type"`
		} `json:"items"`
	}
	_ = json.Unmarshal(m.value, &of) // what it does not understand it leaves out
	p.Default, p.Enum, p.Description = of.Default, of.Enum, of.Description
	if of.Const != nil && p.Enum == nil {
		p.Enum = []json.RawMessage{of.Const}
	}
	if types := typesIn(of.Type); len(types) > 0 {
		p.Type = strings.Join(types, " or ")
		if items := typesIn(of.Items.Type); p.Type == "array" && len(items) > 0 {
			p.Type += " of " + strings.Join(items, " or ")
		}
	}
	p.Required = required && p.Default == nil
	return p
}

// typesIn reads the type of a schema: one name, or several.
func typesIn(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	var several []string
	_ = json.Unmarshal(raw, &several) // what is neither says nothing
	return several
}

// membersOf are the members of a JSON object in their order; none if it is no object.
func membersOf(object json.RawMessage) (members []member) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return members
		}
		var value json.RawMessage
		text, isText := name.(string)
		if !isText || d.Decode(&value) != nil {
			return members
		}
		members = append(members, member{text, value})
	}
	return members
}

// names are the names of the arguments, but that of the bare words.
func (f argumentsForm) names() []string {
	var names []string
	for _, p := range f.arguments {
		if p.Name != bareWords {
			names = append(names, p.Name)
		}
	}
	return names
}

func (f argumentsForm) find(name string) (argument, bool) {
	i := slices.IndexFunc(f.arguments, func(p argument) bool { return p.Name == name })
	if i < 0 {
		return argument{}, false
	}
	return f.arguments[i], true
}

// short is an argument as a line of usage has it: NAME:TYPE, in brackets if it may be left out.
func (p argument) short() string {
	text := p.Name + ":" + p.Type
	if len(p.Enum) > 0 {
		text = p.Name + ":" + strings.Join(p.choices(), "|")
	}
	if p.Required {
		return text
	}
	return "[" + text + "]"
}

// about says in one line what an argument takes, and what it is for.
func (p argument) about() string {
	parts := []string{p.Type}
	if len(p.Enum) > 0 {
		parts = []string{"one of " + strings.Join(p.choices(), ", ")}
	}
	if p.Required {
		parts = append(parts, "required")
	}
	if p.Default != nil {
		parts = append(parts, "default "+string(p.Default))
	}
	text := strings.Join(parts, ", ")
	if p.Description != "" {
		text += ": " + p.Description
	}
	return text
}
