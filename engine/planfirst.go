package engine

import (
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// With meta.planFirst, nothing that may change something is made before a plan is approved: an agent
// that comes before only reads (see stamp), and whatever else may change something is refused. A call
// is judged when the script makes it, by what the script has seen: so the judgement is the
// same whenever the run is executed again, whatever the journal holds by then. What was made
// read-only stays so for its whole life, since a request is fixed when its call is made. The first
// approval opens the way for good: a later plan that is declined is another one, and whoever
// withdraws the approval stops the run.
//
// A workflow that was started needs a yes of its own if its header says so; else one to the workflow around it will do. What
// was said yes to inside of a workflow opens nothing outside of it.

// decided takes note of the answer to a question about a plan that the script now sees.
func (a *attempt) decided(c *call, g *journal.Gate) {
	if c.Key == a.lastPlan {
		a.lastPlanGate = g
	}
	if planapprove.FromGate(g, false).Approved() {
		a.approved[c.Innermost()] = true
	}
}

// planFirst refuses a call that may change something and comes before any approval.
func (a *attempt) planFirst(c vm.Call, p prepared) error {
	if p.request.ReadOnly || p.question.Kind != "" || a.opened(c) {
		return nil
	}
	next := "await planApprove first, and go on only if its decision is true"
	if c.Name == agentName {
		next += "; or leave out readOnly: false"
	}
	return fault.New(fault.PlanNotApproved,
		c.Name+"() may change something, and meta.planFirst wants a plan approved before that", next)
}

// opened reports whether a call may change something: no plan has to come first, or one was approved in a workflow that the
// call stands in, from the innermost to the first whose header wants it.
func (a *attempt) opened(c vm.Call) bool {
	for i := len(c.Within) - 1; i >= 0; i-- {
		if a.approved[c.Within[i].Frame] {
			return true
		}
		if c.Within[i].Meta.PlanFirst {
			return false
		}
	}
	return a.approved[""] || !a.program.Meta().PlanFirst
}
