package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// argsText is a run's arguments on one line, in the order in which they were given:
// topic="login", depth=3. "" if there are none. It is the caller's to escape.
func argsText(args json.RawMessage, most int) string {
	d := json.NewDecoder(bytes.NewReader(args))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return atMost(string(args), most)
	}
	var parts []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		parts = append(parts, fmt.Sprintf("%v=%s", name, value))
	}
	return atMost(strings.Join(parts, ", "), most)
}

// atMost cuts a text to so many characters.
func atMost(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// What a run's arguments may take of a line, where they have one, and beside other things.
const (
	wideArgs   = 200
	narrowArgs = 30
)
