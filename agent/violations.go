package agent

import "encoding/json"

// Violations lists, one line each, how a JSON value violates a JSON Schema; none if it
// satisfies it. A schema that is none is SCHEMA_INVALID.
func Violations(schema, value json.RawMessage) ([]string, error) {
	compiled, err := compile(schema)
	if err != nil {
		return nil, err
	}
	return validate(compiled, value)
}
