package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// schemaURL is where the compiler takes a schema to stand. It has a scheme of its own, so
// that no relative reference in a schema can lead to a file or a host.
const schemaURL = "assent:///schema.json"

// compiled keeps schemas by their canonical text: a fan-out compiles its schema once.
var compiled = struct {
	sync.Mutex
	byText map[string]*jsonschema.Schema // guarded by Mutex
}{byText: map[string]*jsonschema.Schema{}}

// maxCompiled bounds that memory; a run has a handful of schemas.
const maxCompiled = 64

// nothing is the loader of a schema that stands alone.
type nothing struct{}

// Load refuses every document.
func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to %s, and only references inside the schema itself are followed", url)
}

// compile compiles a JSON Schema (2020-12 unless it names another draft).
func compile(schema json.RawMessage) (*jsonschema.Schema, error) {
	// The canonical form has plain numbers: an exponent of a billion never reaches the
	// compiler, which would write such a number out.
	text, err := canonical.Transform(schema)
	if err != nil {
		return nil, badSchema(err)
	}
	compiled.Lock()
	defer compiled.Unlock()
	if known, ok := compiled.byText[string(text)]; ok {
		return known, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, badSchema(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, badSchema(err)
	}
	out, err := c.Compile(schemaURL)
	if err != nil {
		return nil, badSchema(err)
	}
	if len(compiled.byText) >= maxCompiled {
		clear(compiled.byText)
	}
	compiled.byText[string(text)] = out
	return out, nil
}

func badSchema(err error) error {
	cause := err
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if detail, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			cause = errors.New(strings.Join(violations(detail), "; "))
		}
	}
	return fault.Wrap(cause, fault.SchemaInvalid, "the schema of agent() cannot be used", "give a JSON Schema without outside references")
}

// validate returns every violation of the schema by value, each with its path, sorted.
func validate(schema *jsonschema.Schema, value json.RawMessage) ([]string, error) {
	text, err := canonical.Transform(value)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	err = schema.Validate(doc)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return violations(invalid), nil
	}
	return nil, err
}

// english writes the validator's messages the same way in every locale.
var english = message.NewPrinter(language.English)

// violations gives the leaves of the tree of causes: what is wrong, not which keyword of the
// schema led there.
func violations(e *jsonschema.ValidationError) []string {
	var out []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			out = append(out, location(e.InstanceLocation)+": "+e.ErrorKind.LocalizedString(english))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(e)
	slices.Sort(out)
	return slices.Compact(out)
}

// location writes a path the way scripts do: $.files[2].path. An index cannot be told from
// a key that is a number, and is taken for an index.
func location(path []string) string {
	var out strings.Builder
	out.WriteByte('$')
	for _, name := range path {
		_, err := strconv.ParseUint(name, 10, 32)
		switch {
		case err == nil:
			out.WriteString("[" + name + "]")
		case identifier.MatchString(name):
			out.WriteString("." + name)
		default:
			out.WriteString("[" + strconv.Quote(shorten(name, 80)) + "]")
		}
	}
	return out.String()
}
