package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/journal"
)

// wayAsker is the way in of an answer that an asker program brought.
const wayAsker = "asker"

// answerFields are the names that an answer may have. Names are compared to the letter.
var answerFields = []string{"checksum", "decision", "effort", "later", "mode", "model", "nonce", "who"}

// answerOf reads what an asker program printed. It has to be exactly one JSON object without a
// name twice and without a name that means nothing; whether checksum, nonce and decision fit the
// question is checkpoint.Consult's to say.
func answerOf(output []byte, gate journal.GateAsked) (checkpoint.Answer, error) {
	none := checkpoint.Answer{}
	if len(bytes.TrimSpace(output)) == 0 {
		return none, errors.New("the asker printed nothing")
	}
	if err := canonical.Check(output, maxProgramOutput); err != nil {
		return none, fmt.Errorf("what the asker printed is not one JSON object: %w", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(output, &fields); err != nil || fields == nil {
		return none, errors.New("what the asker printed is not one JSON object")
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(answerFields, name) {
			return none, fmt.Errorf("the asker's answer has a field %q, which means nothing", name)
		}
	}
	if later, ok := fields["later"]; ok {
		if string(later) != "true" || fields["decision"] != nil {
			return none, errors.New(`the asker's answer has "later", which is true and stands without a decision, or is left out`)
		}
		return checkpoint.Answer{Later: true}, nil
	}
	if fields["decision"] == nil {
		return none, errors.New("the asker's answer has no decision")
	}
	answer := checkpoint.Answer{Decision: fields["decision"], Who: who(wayAsker)}
	for _, text := range []struct {
		name string
		to   *string
	}{
		{"checksum", &answer.Checksum},
		{"nonce", &answer.Nonce},
		{"who", &answer.Who.Name},
		{"mode", &answer.Mode},
		{"model", &answer.Model},
		{"effort", &answer.Effort},
	} {
		raw, there := fields[text.name]
		if there && (raw[0] != '"' || json.Unmarshal(raw, text.to) != nil) {
			return none, fmt.Errorf("the asker's answer has a %s that is no text", text.name)
		}
	}
	if err := checkpoint.CheckName("person", answer.Who.Name); err != nil {
		return none, fmt.Errorf("the asker's answer does not say who gave it: %w", err)
	}
	switch approves := gate.Kind == string(checkpoint.KindPlan) && string(answer.Decision) == "true"; {
	case approves:
		answer.Mode = cmp.Or(answer.Mode, checkpoint.ModeAsk)
	case answer.Mode+answer.Model+answer.Effort != "":
		return none, errors.New("the asker's answer names a mode, a model or an effort, and approves no plan")
	}
	return answer, nil
}
