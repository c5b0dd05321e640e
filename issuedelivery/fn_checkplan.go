package issuedelivery

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// planToCheck are the options of delivery.checkPlan.
type planToCheck struct {
	Plan json.RawMessage `json:"plan"`
	// Base is the commit that the work begins with; "" holds the plan's paths against no tree.
	Base string `json:"base"`
	// MaxSteps is how many steps the plan may have; 0 is plan.DefaultSteps.
	MaxSteps int `json:"maxSteps"`
}

// checkPlan holds a plan against the rules that a program can judge. That it breaks some is its value,
// and no error.
func (h *Host) checkPlan() engine.Primitive {
	return function[planToCheck]{
		name: "delivery.checkPlan", effect: always[planToCheck](reads), leading: []string{"plan"},
		label: func(planToCheck) string { return "check the plan" },
		check: func(in planToCheck) error {
			switch {
			case len(in.Plan) == 0:
				return fault.New(fault.OptionInvalid, "delivery.checkPlan is given no plan", "pass it as the first argument")
			case in.Base != "" && !repository.IsID(in.Base):
				return fault.New(fault.OptionInvalid, fmt.Sprintf("delivery.checkPlan: the option \"base\" is %.80q, and it takes the whole id of a commit", in.Base), "")
			case in.MaxSteps < 0 || in.MaxSteps > plan.MostSteps:
				return fault.New(fault.OptionInvalid, fmt.Sprintf("delivery.checkPlan: the option \"maxSteps\" is %d, and it takes 1 to %d", in.MaxSteps, plan.MostSteps), "")
			}
			return nil
		},
		do: func(ctx context.Context, c call, in planToCheck) (any, error) {
			o := plan.Options{MaxSteps: in.MaxSteps}
			if in.Base != "" {
				r, err := repository.Open(h.Workspace, c.Mark, c.Step)
				if err != nil {
					return nil, err
				}
				kinds, err := r.Kinds(ctx, in.Base, plan.Paths(in.Plan))
				if err != nil {
					return nil, err
				}
				o.Tree = treeOf(kinds)
			}
			return plan.Check(in.Plan, o), nil
		},
	}
}

// treeOf are the kinds of what is at a commit, as a plan is held against them.
type treeOf map[string]string

var _ plan.Tree = treeOf(nil)

// Kind is what is at a path.
func (t treeOf) Kind(path string) string { return t[path] }
