package plan

import (
	_ "embed"
	"encoding/json"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema of what a planner answers with: summary, steps, open questions, and what is
// out of scope. It holds the form alone, so that [Check] can name all that is wrong with the rest at once.
func Schema() json.RawMessage { return slices.Clone(schema) }
