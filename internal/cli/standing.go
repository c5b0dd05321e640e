package cli

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/workflows"
)

// standing is what the hints about a run depend on.
type standing struct {
	run, state, code string
	gates            []*journal.Gate // all of the run that are pending
	moment
	// failedCalls says that calls failed that going on tries again; what a person took as failed
	// stays failed.
	failedCalls bool
	// violated is the key of a call that was to change nothing and did, "" if none stopped the run.
	violated string
	// phaseSpent says that calls failed because their phase had used what the script gives it: that
	// stands until the script gives more.
	phaseSpent bool
	// stoppedBy is the plan gate asked last in a run that ended for want of an approval.
	stoppedBy *journal.Gate
	// delivery is what a delivery that ended came to; nil of any other run.
	delivery *delivered
	// finishable says that the run asks whether a person has repaired what stopped it.
	finishable bool
	// unawaited says that the script ended without having waited for the answer to a plan.
	unawaited bool
	// revoked says that an approval was taken back and not asked about again since.
	revoked bool
	// interrupted and changed say that calls of that kind need a person's leave to run again.
	interrupted, changed bool
	// following says that finished calls come after those and may have to run again too.
	following bool
	// suspends says that questions of this run were left open for another terminal.
	suspends bool
	// script is the script's file as it is typed here, or FILE.
	script string
	// builtin is the name of the built-in workflow that the run executes, "" if it is none; copy is
	// the file that a copy of it is, as it is typed here, and copied says that there is one.
	builtin, copy string
	copied        bool
	// agent is the one that the run has, agents are those that the configuration names, and install is
	// what installs the agent if it is known and not there.
	agent   string
	agents  []string
	install string
	// until is when an agent's provider gives more, if the run waits for that and it is known.
	until time.Time
}

// moment is how a run stands now.
func (a *app) moment(st *journal.State, owned bool) moment { return moment{owned, !st.Proven, a.Now()} }

// standingOf is a run as its journal has it.
func (a *app) standingOf(st *journal.State, owned bool) standing {
	s := standing{run: st.ID, state: st.StatusWith(owned), gates: st.Pending(), moment: a.moment(st, owned)}
	for _, c := range st.Calls {
		if c.Finish != nil && !c.Unfinished() {
			s.failed(c.Call.Name, c.Key, c.Finish.Failure)
		}
	}
	switch {
	case st.Finished != nil:
		s.code = st.Finished.Code
	case st.Paused != nil:
		s.code = st.Paused.Code
		s.changed = s.code == string(fault.WorkWouldRepeat)
	}
	s.interrupted = s.state == journal.StatusInterrupted && hasUnfinished(st)
	a.complete(&s, st)
	return s
}

// standingAfter is a run as an attempt at it left it.
func (a *app) standingAfter(r *engine.Result, st *journal.State) standing {
	s := standing{run: r.Run, state: r.State, code: r.Code, gates: r.Waiting, moment: a.moment(st, false)}
	for _, f := range r.Failures {
		s.failed(f.Name, f.Key, &f.Failure)
	}
	if r.State == journal.StatusCancelled {
		s.gates = nil
	}
	if r.Recovery != nil {
		s.interrupted, s.changed = len(r.Recovery.Interrupted) > 0, len(r.Recovery.Changed) > 0
		s.following = len(r.Recovery.Following) > 0
	} else {
		s.interrupted = r.State == journal.StatusInterrupted && hasUnfinished(st)
	}
	a.complete(&s, st)
	return s
}

// failed counts a failure that going on may mend.
func (s *standing) failed(name, key string, f *journal.Failure) {
	switch {
	case f == nil || f.ChosenBy != nil || isGate(name) || isValidator(key):
	case f.Code == string(fault.PhaseBudgetExceeded):
		s.phaseSpent = true
	default:
		s.failedCalls = true
	}
}

// isValidator says that the call with that key looked at a plan before a person was asked: it
// stands below the question's own key. That it failed is told with the question, and hurts no run.
func isValidator(key string) bool {
	return isPlanCall(path.Dir(key))
}

// isPlanCall says that the call with that key asks about a plan.
func isPlanCall(key string) bool { return strings.HasPrefix(path.Base(key), "planApprove#") }

// complete fills in what both ways to a standing have in common.
func (a *app) complete(s *standing, st *journal.State) {
	s.script, s.agent, s.suspends, s.delivery = a.scriptOf(st), st.Agent, suspends(st), a.deliveryOf(st)
	if s.builtin = builtinOf(st); s.builtin != "" {
		name := copyName(workflows.Workflow{Name: s.builtin, Path: st.Program.Name})
		_, err := os.Lstat(filepath.Join(st.Workspace, filepath.FromSlash(name)))
		s.copy, s.copied = quoteCommand([]string{a.shortPath(st.Workspace, name)}), err == nil
	}
	s.revoked, s.finishable = len(st.Revoked()) > 0, canFinish(st)
	if s.code == string(fault.ReadOnlyViolated) {
		s.violated = violatedBy(st)
	}
	if s.code == string(fault.PlanNotApproved) {
		s.stoppedBy = lastPlan(st)
		s.unawaited = st.Finished != nil && slices.ContainsFunc(st.Finished.Outstanding, isPlanCall)
	}
	if st.Paused != nil && s.code == string(fault.UsageLimit) {
		s.until = untilOf(st.Paused.What)
	}
	if s.code != string(fault.AgentNotConfigured) {
		return
	}
	c, err := a.config(st.Workspace)
	switch {
	case err != nil:
	case s.agent == "":
		s.agents = slices.Sorted(maps.Keys(c.agents))
	case a.startable(s.agent, st.Workspace, c) != nil:
		_, _, s.install = a.commandLine(s.agent, st.Workspace, c)
	}
}

// limitEnds is how a pause for a provider's limit says when that ends.
var limitEnds = regexp.MustCompile(`\(until (\d{4}-\S+)\)`)

// untilOf is the time in what is said of a limit, zero if there is none.
func untilOf(what string) time.Time {
	found := limitEnds.FindStringSubmatch(what)
	if found == nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, found[1]) // zero if it is none
	return at
}

// violatedBy is the key of the first call in a run that was to change nothing and did.
func violatedBy(st *journal.State) string {
	for _, key := range slices.Sorted(maps.Keys(st.Calls)) {
		if f := st.Calls[key].Finish; f != nil && f.Failure != nil && f.Failure.Code == string(fault.ReadOnlyViolated) {
			return key
		}
	}
	return ""
}

// isGate says that a call of that name asks a person.
func isGate(name string) bool { return name == "checkpoint" || name == "planApprove" }

// suspends says that a question was left open though the script did not say so: whoever drove
// the run did, with --on-gate suspend, --detach or the word later.
func suspends(st *journal.State) bool {
	for _, g := range st.Gates {
		if g.Suspended && g.Asked.Headless != string(checkpoint.Suspend) {
			return true
		}
	}
	return false
}

// lastPlan is the plan that was asked about last.
func lastPlan(st *journal.State) *journal.Gate {
	for i := len(st.GateOrder) - 1; i >= 0; i-- {
		if g := st.Gates[st.GateOrder[i]]; g.Asked.Kind == string(checkpoint.KindPlan) {
			return g
		}
	}
	return nil
}

// hasUnfinished says that a call was cut off that may have changed something.
func hasUnfinished(st *journal.State) bool {
	for _, c := range st.Calls {
		if c.Unfinished() && !c.Call.ReadOnly {
			return true
		}
	}
	return false
}
