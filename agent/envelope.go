package agent

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/process"
)

// result is the object with which well known agent programs end their JSON output.
type result struct {
	Type    string          `json:"type"`
	Subtype string          `json:"subtype"`
	IsError *bool           `json:"is_error"`
	Result  json.RawMessage `json:"result"`
}

// envelope reports whether the output is such an object that says that the agent failed,
// which these programs do with exit code 0 too. It may be the whole output, the last element
// of an array that is, or the last line.
func envelope(output, last []byte) (message string, failed bool) {
	if !bytes.Contains(output, []byte(`"is_error"`)) {
		return "", false
	}
	for _, text := range [][]byte{last, bytes.TrimSpace(output)} {
		var all []json.RawMessage
		if json.Unmarshal(text, &all) == nil && len(all) > 0 {
			text = all[len(all)-1]
		}
		var r result
		if json.Unmarshal(text, &r) != nil || r.Type != "result" || r.IsError == nil {
			continue
		}
		if *r.IsError || strings.HasPrefix(r.Subtype, "error") {
			return r.message(), true
		}
	}
	return "", false
}

func (r result) message() string {
	var text string
	if json.Unmarshal(r.Result, &text) == nil && text != "" {
		return text
	}
	if len(r.Result) > 0 && string(r.Result) != "null" {
		return shorten(string(r.Result), process.StderrShown)
	}
	return r.Subtype
}
