package runners

import (
	"encoding/json"
	"regexp"
	"slices"
)

// The part of JSON Schema that claude's --json-schema takes. It makes a tool of the schema, by which
// the model gives its answer; with a keyword that its validator does not know, the tool is silently
// missing, and the model's service refuses a tool whose input is no object.
var claudeKeywords = []string{
	"type", "title", "description", "default", "examples", "enum", "const", "$ref", "$defs", "definitions", "properties", "required",
	"additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties", "items", "contains", "minItems", "maxItems",
	"uniqueItems", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"anyOf", "oneOf", "allOf", "not", "if", "then", "else",
}

// claudeCombining do not stand at the top of a tool's input.
var claudeCombining = []string{"anyOf", "oneOf", "allOf", "not", "if", "$ref", "enum", "const"}

// claudeProperty is how a property of a tool's input may be called.
var claudeProperty = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// claudeSchema is a schema as claude takes it; false if there is none, or it does not.
func claudeSchema(schema json.RawMessage) (json.RawMessage, bool) {
	var top map[string]any
	if len(schema) > longestArgument || json.Unmarshal(schema, &top) != nil {
		return nil, false
	}
	delete(top, "$schema") // says which draft it is, which changes nothing in this part
	delete(top, "$id")
	for _, keyword := range claudeCombining {
		if top[keyword] != nil {
			return nil, false
		}
	}
	if top["type"] != "object" || !claudeTakes(top) {
		return nil, false
	}
	text, err := json.Marshal(top)
	return text, err == nil
}

// claudeTakes says whether a schema, and all within it, is made of what is known.
func claudeTakes(schema any) bool {
	object, ok := schema.(map[string]any)
	if !ok {
		_, ok = schema.(bool)
		return ok
	}
	for keyword, value := range object {
		if !slices.Contains(claudeKeywords, keyword) {
			return false
		}
		switch keyword {
		case "properties", "patternProperties", "$defs", "definitions":
			named, ok := value.(map[string]any)
			if !ok {
				return false
			}
			for name, inner := range named {
				if keyword == "properties" && !claudeProperty.MatchString(name) || !claudeTakes(inner) {
					return false
				}
			}
		case "items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else":
			if !claudeTakes(value) { // also a list of items, which drafts read differently
				return false
			}
		case "anyOf", "oneOf", "allOf":
			list, ok := value.([]any)
			if !ok || !slices.ContainsFunc(list, claudeTakes) || slices.ContainsFunc(list, func(s any) bool { return !claudeTakes(s) }) {
				return false
			}
		}
	}
	return true
}
