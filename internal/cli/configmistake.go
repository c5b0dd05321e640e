package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// atLine names the line of a mistake.
func atLine(path string, err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		at := unknown.Errors[0]
		line, _ := at.Position()
		key := strings.Join(at.Key(), ".")
		return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s:%d: unknown key %q", path, line, key), unknownKey(at.Key()))
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		return badValue(path, bad)
	}
	return fault.Wrap(err, fault.ConfigInvalid, path+" cannot be read", "")
}

// badValue says what stands in the file at a mistake, and what a key takes if it is known which
// one has the wrong type.
func badValue(path string, bad *toml.DecodeError) error {
	line, column := bad.Position()
	place := fmt.Sprintf("%s:%d:%d: ", path, line, column)
	key := strings.Join(bad.Key(), ".")
	if want, example := keyTakes(bad.Key()); want != "" {
		return fault.New(fault.ConfigInvalid, place+key+" takes "+want, "write "+bad.Key()[len(bad.Key())-1]+" = "+example)
	}
	return fault.New(fault.ConfigInvalid, place+strings.TrimPrefix(bad.Error(), "toml: "), "")
}
