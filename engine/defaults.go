package engine

import (
	"bytes"
	"encoding/json"

	"github.com/seed-8d4a6081/assent/vm"
)

// WithDefaults gives a program's arguments with the defaults of its meta.args: each top-level
// property that has one and was not given, behind those that were, in the order of the schema.
// Arguments that are no object stay as they are; what is wrong with them is said elsewhere.
func WithDefaults(p *vm.Program, args json.RawMessage) json.RawMessage {
	var schema struct {
		Properties json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(p.Meta().ArgsSchema, &schema) // what it does not understand it leaves out
	given := map[string]json.RawMessage{}
	text := bytes.TrimSpace(args)
	if json.Unmarshal(text, &given) != nil || given == nil {
		return args
	}
	var missing bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(schema.Properties))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return args
	}
	for d.More() {
		name, err := d.Token()
		var property json.RawMessage
		if err != nil || d.Decode(&property) != nil {
			return args // a header is whole JSON
		}
		var of struct {
			Default json.RawMessage `json:"default"`
		}
		_ = json.Unmarshal(property, &of) // true and false are schemas too, and have none
		if _, there := given[name.(string)]; there || of.Default == nil {
			continue
		}
		if len(given) > 0 || missing.Len() > 0 {
			missing.WriteByte(',')
		}
		e := json.NewEncoder(&missing)
		e.SetEscapeHTML(false)
		if e.Encode(name) != nil {
			return args // a text always encodes
		}
		missing.Truncate(missing.Len() - 1) // the encoder ends in a newline
		missing.WriteByte(':')
		missing.Write(of.Default)
	}
	if missing.Len() == 0 {
		return args
	}
	whole := append(bytes.Clone(text[:len(text)-1]), missing.Bytes()...)
	return append(whole, '}')
}
