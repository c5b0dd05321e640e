package engine

import (
	"errors"
	"fmt"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/vm"
)

// policyPart is the policy of an approval in the part of a call's identity that comes from outside.
type policyPart struct {
	PermissionMode string `json:"permissionMode"`
	Model          string `json:"model,omitempty"`
	Effort         string `json:"effort,omitempty"`
}

// underPolicy gives a call the policy of the approval that it names, as the journal has it. It
// is fixed here, when the script makes the call. What a plain yes gives is left out of the
// identity, so that it makes no difference whether it was said. Whether the approval holds is
// checked when the call starts.
func (a *attempt) underPolicy(c vm.Call, p *prepared) error {
	if err := ownApproval(c); c.Under == nil || err != nil {
		return err
	}
	g := a.st.Gates[a.st.GateByKey[c.Under.Key]]
	if g == nil {
		return nil
	}
	p.policy = checkpoint.PolicyOf(g)
	if p.policy.IsDefault() {
		return nil
	}
	p.outside.Policy = &policyPart{p.policy.Mode, p.policy.Model, p.policy.Effort}
	return nil
}

// ownApproval refuses an approval that another workflow of the run was given.
func ownApproval(c vm.Call) error {
	if c.Under == nil || c.Under.Within == c.Innermost() {
		return nil
	}
	return fault.New(fault.PlanNotApproved, "the approval that "+c.Name+"() names was given to another workflow of this run, and whoever gave it did not see this one",
		"a workflow that changes something asks for its own: await planApprove in it")
}

// blocked is err, but for an agent that has not got what a person chose with the approval: the
// call fails, and is not done with something else instead.
func blocked(run string, p checkpoint.Policy, err error) error {
	unable, ok := errors.AsType[*agent.UnableError](err)
	if !ok {
		return err
	}
	what, chosen := unable.What, ""
	switch what {
	case "model":
		chosen = p.Model
	case "effort":
		chosen = p.Effort
	case "mode":
		what, chosen = "permission mode", p.Mode
	}
	if chosen == "" {
		return err
	}
	return fault.Wrap(unable, fault.PlanConfiguration, fmt.Sprintf("the plan was approved for the %s %q, which the agent does not have", what, chosen),
		"assent revoke "+run+"   # then resume asks about the plan anew, for another "+what)
}
