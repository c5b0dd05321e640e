package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// jsonLine is a value as one line of JSON for a program. It has no character that a terminal could
// take for a command, whatever a script wrote: a program that prints it as it is does no harm.
func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return []byte(safeJSON(b.String())), nil
}
