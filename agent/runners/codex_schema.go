package runners

import (
	"encoding/json"
	"slices"
	"strings"
)

// The part of JSON Schema that OpenAI's service takes for a structured answer:
// https://platform.openai.com/docs/guides/structured-outputs. It refuses a request with any other
// schema, so that only one that is known to be within it is sent.
var strictKeywords = []string{
	"type", "title", "description", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs", "definitions",
	"pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
}

var strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

// strictDepth is how deep a schema of the service's may nest.
const strictDepth = 10

// strictSchema is a schema as the service takes it; false if it does not.
func strictSchema(schema json.RawMessage) (json.RawMessage, bool) {
	var top map[string]any
	if json.Unmarshal(schema, &top) != nil {
		return nil, false
	}
	delete(top, "$schema") // says which draft it is, which changes nothing in this part
	delete(top, "$id")
	if top["type"] != "object" || top["anyOf"] != nil || !strictly(top, 0) {
		return nil, false
	}
	text, err := json.Marshal(top)
	return text, err == nil
}

// strictly says whether a schema, and all within it, is of the strict form.
func strictly(schema map[string]any, depth int) bool {
	if depth > strictDepth {
		return false
	}
	for keyword := range schema {
		if !slices.Contains(strictKeywords, keyword) {
			return false
		}
	}
	if ref, ok := schema["$ref"]; ok {
		text, _ := ref.(string)
		return len(schema) == 1 && strings.HasPrefix(text, "#")
	}
	if !slices.ContainsFunc([]string{"type", "enum", "const", "anyOf"}, func(k string) bool { return schema[k] != nil }) {
		return false // anything at all
	}
	if format, ok := schema["format"].(string); ok && !slices.Contains(strictFormats, format) {
		return false
	}
	return strictObject(schema, depth) && strictParts(schema, depth)
}

// strictObject sees that an object has the properties that it names, and no others.
func strictObject(schema map[string]any, depth int) bool {
	properties, has := schema["properties"].(map[string]any)
	if !has && !typed(schema, "object") {
		return true
	}
	if schema["additionalProperties"] != false {
		return false
	}
	required, _ := schema["required"].([]any)
	for name, property := range properties {
		part, ok := property.(map[string]any)
		if !ok || !slices.Contains(required, any(name)) || !strictly(part, depth+1) {
			return false
		}
	}
	return len(required) == len(properties)
}

// typed says whether a schema allows a type by name.
func typed(schema map[string]any, name string) bool {
	if list, ok := schema["type"].([]any); ok {
		return slices.Contains(list, any(name))
	}
	return schema["type"] == name
}

// strictParts looks at what else a schema is made of.
func strictParts(schema map[string]any, depth int) bool {
	if typed(schema, "array") && schema["items"] == nil {
		return false
	}
	var parts []any
	if items, ok := schema["items"]; ok {
		parts = append(parts, items)
	}
	if either, ok := schema["anyOf"].([]any); ok {
		parts = append(parts, either...)
	}
	for _, keyword := range []string{"$defs", "definitions"} {
		named, _ := schema[keyword].(map[string]any)
		for _, part := range named {
			parts = append(parts, part)
		}
	}
	for _, part := range parts {
		inner, ok := part.(map[string]any)
		if !ok || !strictly(inner, depth+1) {
			return false
		}
	}
	return true
}
