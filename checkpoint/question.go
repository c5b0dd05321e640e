package checkpoint

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// Kind is what sort of answer a question takes.
type Kind string

// The kinds of questions. A KindPlan question is made by package planapprove.
const (
	KindConfirm Kind = "confirm"
	KindInput   Kind = "input"
	KindSelect  Kind = "select"
	KindPlan    Kind = "plan"
)

// Question is one question, as the script gave it, after defaults.
type Question struct {
	Kind   Kind
	Prompt string
	// Choices are the answers that a select takes.
	Choices []string
	// Default is the answer that stands if nobody is there: JSON, nil if there is none.
	Default json.RawMessage
	// Headless is the script's own rule for when nobody is there; it wins over every flag.
	Headless Rule
	// Timeout is the time from the asking to the deadline; 0 is none.
	Timeout time.Duration
	// Plan is the canonical text of the plan of a KindPlan question, and Checksum its hex
	// SHA-256. Both are empty for a checkpoint.
	Plan     string
	Checksum string
}

var optionNames = []string{"kind", "choices", "default", "headless", "timeoutMs"}

// OptionNames are the options that Parse takes.
func OptionNames() []string { return slices.Clone(optionNames) }

// Parse reads the arguments of checkpoint(prompt, options). It is pure.
func Parse(args []json.RawMessage) (Question, error) {
	var q Question
	if len(args) == 0 || json.Unmarshal(args[0], &q.Prompt) != nil || args[0][0] != '"' {
		return q, fault.New(fault.CheckpointInvalid, "checkpoint: the prompt must be a text", `write checkpoint("Question?")`)
	}
	if err := CheckPrompt("checkpoint", q.Prompt); err != nil {
		return q, err
	}
	var raw json.RawMessage
	if len(args) > 1 {
		raw = args[1]
	}
	set, err := options.Parse("checkpoint", raw, optionNames)
	if err != nil {
		return q, err
	}
	kind, err := set.Choice("kind", string(KindConfirm), string(KindConfirm), string(KindInput), string(KindSelect))
	if err != nil {
		return q, err
	}
	q.Kind = Kind(kind)
	if q.Choices, err = set.Strings("choices"); err != nil {
		return q, err
	}
	if q.Headless, q.Timeout, err = CommonOptions(set); err != nil {
		return q, err
	}
	if err := q.checkChoices(); err != nil {
		return q, err
	}
	if set.Has("default") {
		q.Default = set.Raw("default")
		if err := q.CheckAnswer(q.Default); err != nil {
			return q, set.Invalid("default", q.wants())
		}
	}
	return q, nil
}

// CommonOptions reads the options that all gates share: headless and timeoutMs.
func CommonOptions(set *options.Set) (Rule, time.Duration, error) {
	rule, err := set.Choice("headless", "", string(Default), string(Abort), string(Suspend))
	if err != nil {
		return "", 0, err
	}
	ms, err := set.Int("timeoutMs", 0, 1, MaxTimeout.Milliseconds())
	return Rule(rule), time.Duration(ms) * time.Millisecond, err
}

// CheckPrompt refuses a prompt that is empty or too long to be read.
func CheckPrompt(call, prompt string) error {
	if prompt == "" {
		return fault.New(fault.CheckpointInvalid, call+": the prompt is empty", "say what the person is asked")
	}
	if len(prompt) > MaxPrompt {
		return fault.New(fault.CheckpointInvalid, fmt.Sprintf("%s: the prompt has %d bytes; at most %d are allowed", call, len(prompt), MaxPrompt), "shorten it")
	}
	return nil
}

func (q Question) checkChoices() error {
	if q.Kind != KindSelect {
		if q.Choices != nil {
			return fault.New(fault.CheckpointInvalid, fmt.Sprintf("checkpoint: choices belong to kind %q, not %q", KindSelect, q.Kind), `add kind: "select"`)
		}
		return nil
	}
	if len(q.Choices) == 0 || len(q.Choices) > MaxChoices {
		return fault.New(fault.CheckpointInvalid, fmt.Sprintf("checkpoint: a select takes 1 to %d choices, not %d", MaxChoices, len(q.Choices)), `give {choices: ["…", "…"]}`)
	}
	for i, c := range q.Choices {
		if c == "" || len(c) > MaxChoice {
			return fault.New(fault.CheckpointInvalid, fmt.Sprintf("checkpoint: choices[%d] must have 1 to %d bytes", i, MaxChoice), "shorten it, or leave it out")
		}
		if slices.Contains(q.Choices[:i], c) {
			return fault.New(fault.CheckpointInvalid, fmt.Sprintf("checkpoint: choices[%d] repeats %q", i, c), "leave one of them out")
		}
	}
	return nil
}

// CheckAnswer refuses an answer that the question does not take: true or false for a confirm,
// a text for an input, one of the choices for a select; true, false or a text that says what
// to change for a plan. Nothing is coerced: "true", 1 and null are not true.
func (q Question) CheckAnswer(answer json.RawMessage) error {
	var v any
	if err := canonical.Check(answer, maxAnswerJSON); err != nil {
		return fault.Wrap(err, fault.AnswerInvalid, "the answer is not JSON", "answer with "+q.wants())
	}
	if json.Unmarshal(answer, &v) != nil {
		return fault.New(fault.AnswerInvalid, "the answer is not JSON", "answer with "+q.wants())
	}
	text, isText := v.(string)
	_, isBool := v.(bool)
	ok := false
	switch q.Kind {
	case KindConfirm:
		ok = isBool
	case KindInput:
		ok = isText
	case KindSelect:
		ok = isText && slices.Contains(q.Choices, text)
	case KindPlan:
		ok = isBool || isText && text != ""
	}
	if !ok {
		return fault.New(fault.AnswerInvalid, fmt.Sprintf("the answer must be %s, not %s", q.wants(), options.Show(answer)), "answer again")
	}
	if len(text) > MaxAnswer {
		return fault.New(fault.AnswerInvalid, fmt.Sprintf("the answer has %d bytes; at most %d are taken", len(text), MaxAnswer), "shorten it")
	}
	return nil
}

func (q Question) wants() string {
	switch q.Kind {
	case KindInput:
		return "a text"
	case KindSelect:
		return "one of the choices"
	case KindPlan:
		return "true, false, or a text that says what to change"
	default:
		return "true or false"
	}
}

// Identity is the hex SHA-256 that names the question: the same words, kind, choices, default,
// rule and plan, whatever the flags of the process that asks.
func (q Question) Identity() (string, error) {
	orNull := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	text, err := canonical.Of(struct {
		V        int             `json:"v"`
		Kind     Kind            `json:"kind"`
		Prompt   string          `json:"prompt"`
		Choices  []string        `json:"choices"`
		Default  json.RawMessage `json:"default"`
		Headless *string         `json:"headless"`
		Checksum *string         `json:"checksum"`
	}{1, q.Kind, q.Prompt, q.Choices, q.Default, orNull(string(q.Headless)), orNull(q.Checksum)})
	if err != nil {
		return "", fmt.Errorf("identity of a question: %w", err)
	}
	return canonical.Sum(text), nil
}
