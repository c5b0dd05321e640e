package engine

import (
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// With meta.planFirst, nothing that may change something is made before a plan is approved. A
// call is judged when the script makes it, by what the script has seen: so the judgement is the
// same whenever the run is executed again, whatever the journal holds by then. What was made
// read-only stays so for its whole life, since a request is fixed when its call is made. The first
// approval opens the way for good: a later plan that is declined is another one, and whoever
// withdraws the approval stops the run.

// decided takes note of the answer to a question about a plan that the script now sees.
func (a *attempt) decided(c *call, g *journal.Gate) {
	if c.Key == a.lastPlan {
		a.lastPlanGate = g
	}
	a.approved = a.approved || planapprove.FromGate(g, false).Approved()
}

// planFirst refuses a call that may change something and comes before any approval.
func (a *attempt) planFirst(c vm.Call, p prepared) error {
	planFirst := a.program.Meta().PlanFirst || c.Header != nil && c.Header.PlanFirst
	if !planFirst || a.approved || p.request.ReadOnly || p.question.Kind != "" {
		return nil
	}
	next := "await planApprove first, and go on only if its decision is true"
	if c.Name == agentName {
		next += "; or say {readOnly: true}"
	}
	return fault.New(fault.PlanNotApproved,
		c.Name+"() may change something, and meta.planFirst wants a plan approved before that", next)
}
