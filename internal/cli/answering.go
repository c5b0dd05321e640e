package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// answerFlags are what approve, reject and answer have in common.
type answerFlags struct {
	gate     string
	checksum string
	// mode, model and effort are the policy of an approval.
	mode, model, effort string
	resume              bool
	// simulated is for the demo, whose runs alone accept such an answer.
	simulated bool
}

func (f *answerFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.gate, "gate", "", "the gate's id; needed if several fit")
	cmd.Flags().BoolVar(&f.resume, "resume", false, "then go on with the run, if nothing executes it")
	cmd.Flags().BoolVar(&f.simulated, "simulated", false, "")
	_ = cmd.Flags().MarkHidden("simulated") // it was registered above
}

// recordedAnswer is an answer that stands in the journal, as --json prints it.
type recordedAnswer struct {
	Gate     string          `json:"gate"`
	State    string          `json:"state"`
	Decision json.RawMessage `json:"decision"`
	// Already says that the same answer was there before.
	Already bool `json:"already"`
	// policy is that of an approval, for people.
	policy string
}

func recordedIn(st *journal.State, r checkpoint.Recorded, decision json.RawMessage) *recordedAnswer {
	said := &recordedAnswer{Gate: r.Gate, State: string(r.State), Decision: decision, Already: r.Already}
	if g := st.Gates[r.Gate]; g != nil && g.State == journal.Approved {
		said.policy = " (" + checkpoint.PolicyOf(g).String() + ")"
	}
	return said
}

// decide makes a decision of what was typed, for the gate that it is about.
type decide func(run string, g *journal.Gate) (json.RawMessage, error)

// respond records a person's answer to a gate of a run, in one transaction that checks that it
// still waits.
func (a *app) respond(ctx context.Context, named, verb string, f answerFlags, decision decide) error {
	if err := refuseAgents(); err != nil {
		return err
	}
	if f.checksum != "" {
		if err := checkpoint.CheckChecksum(f.checksum); err != nil {
			return err
		}
	}
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.pick(ctx, store, named, verb, waits)
	if named == "" && fault.Is(err, fault.PlanApprovalStale) {
		id, err = a.answeredLast(ctx, store, verb, f, err)
	}
	if err != nil {
		return err
	}
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return err
	}
	defer visit.Close()
	if !visit.State().Proven {
		return unprovenRun(visit.State())
	}
	response := checkpoint.Response{
		Gate: f.gate, Checksum: f.checksum, Who: who(wayCommand), Mode: f.mode, Model: f.model, Effort: f.effort,
		Decision: json.RawMessage("null"), // takes no gate; for one that is not found below
	}
	if f.simulated {
		response.Who.Way = waySimulated
	}
	if g := theGate(visit.State(), f); g != nil {
		response.Gate = g.Asked.Gate
		if response.Decision, err = decision(id, g); err != nil {
			return err
		}
	}
	recorded, err := planapprove.Respond(ctx, visit, visit.Executing, a.Now, response)
	if err != nil {
		return a.withGate(visit.State(), missing(named, id), f.checksum, err)
	}
	_, owned := visit.Owner()
	st := visit.State()
	if err := visit.Close(); err != nil {
		return err
	}
	said := recordedIn(st, recorded, response.Decision)
	if f.resume && !owned {
		a.sayRecorded(said)
		return a.resumeAfter(ctx, store, id, said)
	}
	return a.recorded(id, said, a.standingOf(st, owned))
}

// answeredLast is the run of this workspace whose answer is the latest, where nothing waits any
// more: a second answer is held against that one. none is the error where there is no such run.
func (a *app) answeredLast(ctx context.Context, store *journal.Store, verb string, f answerFlags, none error) (string, error) {
	runs, err := a.fitting(ctx, store, func(journal.Summary) bool { return true })
	if err != nil {
		return "", err
	}
	id, latest := "", time.Time{}
	for _, s := range runs {
		visit, err := store.Visit(ctx, s.ID)
		if err != nil {
			return "", err
		}
		g := theGate(visit.State(), f)
		if err := visit.Close(); err != nil {
			return "", err
		}
		if g == nil || g.Answer == nil || g.Answer.Unanswered != "" || !g.AnswerAt.After(latest) {
			continue
		}
		if isPlan := g.Asked.Kind == string(checkpoint.KindPlan); isPlan == (verb != "answer") {
			id, latest = s.ID, g.AnswerAt
		}
	}
	if id == "" {
		return "", none
	}
	return id, nil
}

// theGate is the one gate that the flags fit, by the rules of checkpoint.Response; nil if it is
// not one.
func theGate(st *journal.State, f answerFlags) *journal.Gate {
	if f.gate != "" {
		return st.Gates[f.gate]
	}
	var fit []*journal.Gate
	for _, id := range st.GateOrder {
		g := st.Gates[id]
		if f.checksum == "" && g.State == journal.Pending || f.checksum != "" && g.Asked.Checksum == f.checksum {
			fit = append(fit, g)
		}
	}
	if len(fit) == 0 && f.checksum == "" {
		return checkpoint.LastAnswered(st)
	}
	return checkpoint.TheOne(fit)
}

// missing is the run that a command line needs, "" if one was typed.
func missing(named, id string) string {
	if named != "" {
		return ""
	}
	return id
}

// withGate is the refusal of an answer that fits several gates; if one of them waits, the command
// that was typed is the way out, with that gate in it.
func (a *app) withGate(st *journal.State, run, sum string, err error) error {
	if !fault.Is(err, fault.GateAmbiguous) || sum == "" {
		return err
	}
	var waiting []*journal.Gate
	for _, g := range st.Pending() {
		if g.Asked.Checksum == sum {
			waiting = append(waiting, g)
		}
	}
	if len(waiting) != 1 {
		return err
	}
	return fault.New(fault.GateAmbiguous, problemOf(err).What, a.named(run)+" --gate "+waiting[0].Asked.Gate+"   # the one that waits; assent review shows why it is asked again")
}

// plansOnly refuses a gate that asks about no plan.
func plansOnly(run string, g *journal.Gate) error {
	if g.Asked.Kind == string(checkpoint.KindPlan) {
		return nil
	}
	return otherKind(run, g, fmt.Sprintf("asks no plan but a question: %q", short(g.Asked.Prompt)))
}

// otherKind refuses a gate that the command is not for. One that has ended was not meant: it is
// taken where nothing waits, to hold a second answer against the first.
func otherKind(run string, g *journal.Gate, asks string) error {
	if g.State != journal.Pending {
		return fault.New(fault.PlanApprovalStale,
			fmt.Sprintf("gate %s %s, and is no longer pending: it is %s", g.Asked.Gate, asks, stateText(g.State)), "assent review "+run+"   # shows what waits now")
	}
	return fault.New(fault.AnswerInvalid, fmt.Sprintf("gate %s %s", g.Asked.Gate, asks), answerCommand(run, g))
}

// recorded says that an answer stands in the journal, and what to do now.
func (a *app) recorded(run string, said *recordedAnswer, at standing) error {
	var hints []hint
	switch {
	case len(at.gates) > 0, over(at.state): // one that is over may have nothing left to do
		hints = at.hints()
	case !at.owned:
		hints = []hint{{at.resume(), ""}}
	}
	if a.json {
		return a.emit(struct {
			Format int             `json:"format"`
			Run    string          `json:"run"`
			Answer *recordedAnswer `json:"answer"`
			Owned  bool            `json:"owned"`
			Next   []string        `json:"next"`
		}{jsonFormat, run, said, at.owned, commands(hints)})
	}
	a.sayRecorded(said)
	a.hints(hints)
	return nil
}

func (a *app) sayRecorded(said *recordedAnswer) {
	if said.Already {
		a.say(fmt.Sprintf("gate %s was %s already, with the same answer; nothing was written", said.Gate, stateText(journal.GateState(said.State))))
		return
	}
	a.say(fmt.Sprintf("gate %s is %s%s", said.Gate, stateText(journal.GateState(said.State)), said.policy))
}

// resumeAfter goes on with a run after an answer to one of its gates. A further gate, if nobody
// can be asked here, waits too: it is not declined.
func (a *app) resumeAfter(ctx context.Context, store *journal.Store, id string, said *recordedAnswer) error {
	var f resumeFlags
	if !a.interactive(f.driveFlags) {
		f.onGate = string(checkpoint.Suspend)
	}
	return a.resumeRun(ctx, store, id, f, said)
}
