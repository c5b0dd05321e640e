package cli

import (
	"encoding/json"
	"slices"
	"strings"
)

// choice are arguments of which one has to be given, as a text that may also come as bare words:
// an anyOf or oneOf in which each branch requires one argument and says nothing else.
type choice struct {
	names []string
	// single: there may be no second one.
	single bool
}

// choicesIn reads the choices of meta.args. What is more than a choice is left to the schema's own words.
func choicesIn(schema json.RawMessage) (choices []choice) {
	keywords := map[string]json.RawMessage{}
	if json.Unmarshal(schema, &keywords) != nil {
		return nil
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		c := choice{single: keyword == "oneOf"}
		var branches []map[string]json.RawMessage
		_ = json.Unmarshal(keywords[keyword], &branches) // what it does not understand is no choice
		for _, branch := range branches {
			var required []string
			if len(branch) == 1 && json.Unmarshal(branch["required"], &required) == nil && len(required) == 1 {
				c.names = append(c.names, required[0])
			}
		}
		if len(c.names) > 0 && len(c.names) == len(branches) {
			choices = append(choices, c)
		}
	}
	return choices
}

// problem says what is wrong with the members as a choice; nothing if one of them was made.
func (c choice) problem(form argumentsForm, members []member) string {
	given := 0
	for _, name := range c.names {
		if slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			given++
		}
	}
	var ways, names []string
	for _, name := range c.names {
		if name == bareWords {
			ways = append(ways, "words behind the script's name")
			continue
		}
		value := "VALUE"
		if p, _ := form.find(name); p.Type == "string" {
			value = "TEXT"
		}
		ways, names = append(ways, "--arg "+name+"="+value), append(names, name)
	}
	switch {
	case given == 0 && len(names) == 0:
		return "there are no " + ways[0]
	case given == 0:
		return "there is no " + strings.Join(names, " and no ") + "; give " + strings.Join(ways, " or ")
	case given > 1 && c.single:
		return "give only one of " + strings.Join(ways, " and ")
	}
	return ""
}

// says is whether a violation is the schema's own way to say the problem of the choice.
func (c choice) says(violation string) bool {
	if strings.HasPrefix(violation, "$: 'oneOf' failed") {
		return c.single
	}
	name, missing := strings.CutPrefix(violation, "$: missing property '")
	return missing && slices.Contains(c.names, strings.TrimSuffix(name, "'"))
}
