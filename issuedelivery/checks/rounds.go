package checks

import (
	"encoding/json"
	"errors"
	"strconv"
)

// Rounds are what a delta is made of.
type Rounds struct {
	Rounds        []Round `json:"rounds"`
	PreviousDelta *Delta  `json:"previousDelta"`
	// MaxTokens bounds the delta; nil is 512.
	MaxTokens  *int   `json:"maxTokens"`
	AuditLogID string `json:"auditLogId"`
}

// Check refuses a bound that is none.
func (r Rounds) Check() error {
	if r.MaxTokens != nil && *r.MaxTokens < 1 {
		return errors.New("maxTokens counts from 1")
	}
	return nil
}

// Round is one attempt and what was said of it. It is read as far as it can be: other runners have other
// members, and what a model wrote may be anything.
type Round struct {
	Index    int
	Verdict  string
	Feedback string
}

// UnmarshalJSON never fails on JSON.
func (r *Round) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		r.Feedback = textOf(text)
		return nil //nolint:nilerr // what is no object is a text
	}
	if n, err := strconv.ParseFloat(textOf(members["index"]), 64); err == nil && n > 0 && n < 1<<31 {
		r.Index = int(n)
	}
	r.Verdict, r.Feedback = textOf(members["verdict"]), textOf(members["feedback"])
	if r.Feedback == "" {
		var result Result
		if json.Unmarshal(members["localChecks"], &result) == nil && !result.OK {
			r.Feedback = Render(result)
		}
	}
	return nil
}

// passed says that there is nothing to mend.
func (r Round) passed() bool {
	return r.Verdict == "pass" || r.Verdict == "passed" || r.Verdict == "true"
}

// textOf is a JSON value as a text: a string is its own, and of anything else the lines of it that are texts.
func textOf(raw json.RawMessage) string {
	var text string
	var list []json.RawMessage
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &list) == nil:
		for i, one := range list {
			if i > 0 {
				text += "\n"
			}
			text += textOf(one)
		}
		return text
	}
	return string(raw)
}
