package planapprove

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// DefaultPrompt is asked when the script gives no prompt.
const DefaultPrompt = "Approve this plan?"

var (
	optionNames    = []string{"prompt", "default", "headless", "timeoutMs", "planModel", "planAgentType"}
	declineDefault = json.RawMessage("false")
)

// OptionNames are the options that Parse takes.
func OptionNames() []string { return slices.Clone(optionNames) }

// Parse reads the arguments of planApprove(plan, options). It is pure.
func Parse(args []json.RawMessage) (checkpoint.Question, error) {
	var raw json.RawMessage
	if len(args) > 1 {
		raw = args[1]
	}
	set, err := options.Parse("planApprove", raw, optionNames)
	if err != nil {
		return checkpoint.Question{}, err
	}
	if set.Has("default") && string(set.Raw("default")) != "false" {
		return checkpoint.Question{}, fault.New(fault.ApprovalDefault,
			"planApprove: default may only be false, not "+options.Show(set.Raw("default")), "nothing but a person approves a plan; leave it out")
	}
	q := checkpoint.Question{}
	if q.Prompt, err = set.String("prompt", ""); err != nil {
		return q, err
	}
	if set.Has("prompt") { // a document brings its own
		if err := checkpoint.CheckPrompt("planApprove", q.Prompt); err != nil {
			return q, err
		}
	}
	if q.Headless, q.Timeout, err = checkpoint.CommonOptions(set); err != nil {
		return q, err
	}
	if _, err := validatorOf(set); err != nil {
		return q, err
	}
	if len(args) == 0 {
		return q, fault.New(fault.PlanNotJSON, "planApprove: there is no plan at $", "give the plan as the first argument")
	}
	return NewQuestion(args[0], q)
}

// NewQuestion makes the question about a plan, for Go programs. Of q it takes Prompt ("" is the
// question of a [Document], else DefaultPrompt), Headless and Timeout.
func NewQuestion(plan json.RawMessage, q checkpoint.Question) (checkpoint.Question, error) {
	text, checksum, err := Canonical(plan)
	if err != nil {
		return checkpoint.Question{}, err
	}
	if d, ok := DocumentOf(text); ok {
		q.Prompt = cmp.Or(q.Prompt, d.Question)
	}
	q.Prompt = cmp.Or(q.Prompt, DefaultPrompt)
	if err := checkpoint.CheckPrompt("planApprove", q.Prompt); err != nil {
		return checkpoint.Question{}, err
	}
	return checkpoint.Question{
		Kind: checkpoint.KindPlan, Prompt: q.Prompt, Default: declineDefault, Headless: q.Headless, Timeout: q.Timeout,
		Plan: text, Checksum: checksum,
	}, nil
}
