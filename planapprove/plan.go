package planapprove

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// MaxPlan is the largest plan, in bytes of canonical text: a person has to review it. Of a plan
// that is a document, [MaxDocument] counts, and the escapes of its text do not.
const MaxPlan = 1 << 20

// Canonical gives the canonical text of a plan and its checksum. It refuses text that is not
// one JSON value (PLAN_NOT_JSON with the path), a number that most likely is an id which lost
// digits (2^53 <= |n| < 2^64), and a plan of more than MaxPlan bytes or a document of more than MaxDocument (PLAN_TOO_LARGE).
func Canonical(plan json.RawMessage) (text, checksum string, err error) {
	if err := canonical.Exact(plan); err != nil {
		return "", "", fault.Wrap(err, fault.PlanNotJSON, "the plan cannot be kept exactly", "write large numbers as texts")
	}
	canon, err := canonical.Transform(plan)
	if err != nil {
		return "", "", fault.Wrap(err, fault.PlanNotJSON, "the plan is not JSON", "give plain JSON data")
	}
	if err := tooLarge(string(canon)); err != nil {
		return "", "", err
	}
	return string(canon), canonical.Sum(canon), nil
}

// tooLarge refuses what nobody can read. How many bytes a document's Markdown becomes in JSON says
// nothing about that: a line end is two there, and other controls are six.
func tooLarge(canon string) error {
	size := len(canon)
	if d, ok := DocumentOf(canon); ok {
		if err := d.check(); err != nil {
			return err
		}
		size = len(d.Title) + len(d.Markdown) + len(d.Question)
	}
	if size <= MaxPlan {
		return nil
	}
	return fault.New(fault.PlanTooLarge, fmt.Sprintf("the plan has %d bytes of canonical text; at most %d can be reviewed", size, MaxPlan), "split it")
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
