package planapprove

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// MaxPlan is the largest plan, in bytes of canonical text: a person has to review it.
const MaxPlan = 1 << 20

// Canonical gives the canonical text of a plan and its checksum. It refuses text that is not
// one JSON value (PLAN_NOT_JSON with the path), a number that most likely is an id which lost
// digits (2^53 <= |n| < 2^64), and a plan of more than MaxPlan bytes (PLAN_TOO_LARGE).
func Canonical(plan json.RawMessage) (text, checksum string, err error) {
	if err := canonical.Exact(plan); err != nil {
		return "", "", fault.Wrap(err, fault.PlanNotJSON, "the plan cannot be kept exactly", "write large numbers as texts")
	}
	canon, err := canonical.Transform(plan)
	if err != nil {
		return "", "", fault.Wrap(err, fault.PlanNotJSON, "the plan is not JSON", "give plain JSON data")
	}
	if len(canon) > MaxPlan {
		return "", "", fault.New(fault.PlanTooLarge, fmt.Sprintf("the plan has %d bytes of canonical text; at most %d can be reviewed", len(canon), MaxPlan), "split it")
	}
	return string(canon), canonical.Sum(canon), nil
}

// member gives the path step of an object's member.
func member(name string) string {
	for i, r := range name {
		if r != '_' && r != '$' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			quoted, _ := json.Marshal(name) // a string always marshals
			return "[" + string(quoted) + "]"
		}
	}
	if name == "" {
		return `[""]`
	}
	return "." + name
}

// parse decodes canonical text without losing digits.
func parse(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("plan text: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("plan text: more than one value")
	}
	return v, nil
}
