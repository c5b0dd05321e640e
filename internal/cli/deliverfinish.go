package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// A delivery that stops at work which a person can repair asks whether that was done. deliver --finish
// is the yes to that question, and to no other: it is asked anew if nobody was here to answer it, the
// answer is recorded as that of the person who typed the command, and the run goes on.

// finishes refuses what does not go with --finish.
func (f deliverFlags) finishes() error {
	if f.finish == "" {
		return misused("--finish needs a run", "assent ls   # lists the runs")
	}
	if len(f.words) > 0 {
		return misused(fmt.Sprintf("--finish goes on with a run, whose task stands, and %q is another one", strings.Join(f.words, " ")), "assent deliver --finish "+f.finish)
	}
	own := []string{"issue", "plan", "base", "allow-no-checks", "reviewer", "label", "ready", "max-steps"}
	for _, lane := range lanes {
		own = append(own, lane.flag)
	}
	for _, name := range own {
		if f.given[name] {
			return misused("--finish goes on with a run as it began, and --"+name+" would begin another one", "assent deliver --finish "+f.finish)
		}
	}
	return nil
}

// finish answers the question that the run stopped at, and goes on with it.
func (a *app) finish(ctx context.Context, f deliverFlags) error {
	if err := refuseAgents(); err != nil {
		return err
	}
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := find(ctx, store, f.finish)
	if err != nil {
		return err
	}
	g, err := a.repaired(ctx, store, id)
	if err != nil {
		return err
	}
	if f.detach && f.report == 0 {
		return a.detach(id)
	}
	if g.State != journal.Pending {
		if err := a.askAnew(ctx, store, id, f); err != nil {
			return err
		}
		if g, err = a.repaired(ctx, store, id); err != nil {
			return err
		}
	}
	said, err := a.sayRepaired(ctx, store, id, g)
	if err != nil {
		return err
	}
	return a.resumeRun(ctx, store, id, resumeFlags{driveFlags: f.driveFlags}, said)
}

// repaired is the question of a run that --finish answers. Where there is none, its error says what to
// do instead.
func (a *app) repaired(ctx context.Context, store *journal.Store, id string) (*journal.Gate, error) {
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return nil, err
	}
	defer visit.Close()
	st := visit.State()
	owner, owned := visit.Owner()
	switch {
	case !isDelivery(st):
		return nil, fault.New(fault.RepairNotAsked, fmt.Sprintf("run %s (%q) is no delivery, so there is nothing to finish", id, short(st.Started.Title)), "assent resume "+id+"   # goes on with it")
	case owned:
		return nil, busy(id, owner)
	case !st.Proven:
		return nil, unprovenRun(st)
	}
	g := repairQuestion(st)
	refuse := func(what string) (*journal.Gate, error) {
		next := ""
		if hints := a.standingOf(st, false).hints(); len(hints) > 0 {
			next = strings.TrimSuffix(hints[0].command+"   # "+hints[0].why, "   # ")
		}
		return nil, fault.New(fault.RepairNotAsked, "run "+id+" has nothing to finish: "+what, next)
	}
	switch {
	case g == nil:
		return refuse("it is " + st.StatusWith(false) + ", and asked for no repair")
	case g.State == journal.Pending, settledAlone(g):
		return g, nil
	case g.Answer != nil && string(g.Answer.Decision) == "true":
		return refuse("the repair was told of already, and the run is " + st.StatusWith(false))
	}
	return refuse("it was told that there is no repair, and that answer stands")
}

// canFinish says that --finish goes on with a run.
func canFinish(st *journal.State) bool {
	g := repairQuestion(st)
	return g != nil && isDelivery(st) && (g.State == journal.Pending || settledAlone(g))
}

// settledAlone says that nobody was there to answer a question, so that it can be asked again.
func settledAlone(g *journal.Gate) bool {
	return g.State == journal.Defaulted || g.State == journal.Expired || g.State == journal.Interrupted
}

// repairQuestion is the run's last question if it is whether something was repaired; nil if it is another
// one. An approval that a run asked for later is a question too.
func repairQuestion(st *journal.State) *journal.Gate {
	if len(st.GateOrder) == 0 {
		return nil
	}
	g := st.Gates[st.GateOrder[len(st.GateOrder)-1]]
	if g.Asked.Kind != string(checkpoint.KindConfirm) || !strings.HasPrefix(g.Asked.Prompt, issuedelivery.RepairedQuestion) {
		return nil
	}
	return g
}

// askAnew resumes a run, whose question was settled alone, until that question waits for an answer.
func (a *app) askAnew(ctx context.Context, store *journal.Store, id string, f deliverFlags) error {
	before, err := a.before(ctx, store, id)
	if err != nil {
		return err
	}
	c, err := a.config(before.workspace)
	if err != nil {
		return err
	}
	chosen, err := a.chooseAgent(f.agent, before.agent, before.workspace, c)
	if err != nil {
		return err
	}
	o, err := a.equipped(engine.Options{
		Store: store, Agent: chosen.runner, AgentName: chosen.name, Workspace: before.workspace, Workflows: library{a, before.workspace}, Now: a.Now, Environ: a.Env,
	}, c, before.workspace)
	if err != nil {
		return err
	}
	a.stamp(&o.Settings)
	o.OnGate = checkpoint.Suspend
	result, err := engine.Resume(ctx, id, nil, o)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(result.Waiting, func(g *journal.Gate) bool { return strings.HasPrefix(g.Asked.Prompt, issuedelivery.RepairedQuestion) }) {
		return fault.New(fault.RepairNotAsked, "run "+id+" did not come to its question again: it is "+result.State, "assent show "+id)
	}
	return nil
}

// sayRepaired records the yes of the person who typed the command.
func (a *app) sayRepaired(ctx context.Context, store *journal.Store, id string, g *journal.Gate) (*recordedAnswer, error) {
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return nil, err
	}
	defer visit.Close()
	yes := json.RawMessage("true")
	recorded, err := planapprove.Respond(ctx, visit, visit.Executing, a.Now, checkpoint.Response{Gate: g.Asked.Gate, Decision: yes, Who: who(wayCommand)})
	if err != nil {
		return nil, err
	}
	said := recordedIn(visit.State(), recorded, yes)
	a.sayRecorded(said)
	return said, nil
}
