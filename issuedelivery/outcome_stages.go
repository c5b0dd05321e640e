package issuedelivery

import (
	"encoding/json"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// add counts an event of the stage.
func (p *Passage) add(e event) {
	p.Calls++
	if e.open() {
		p.Open++
		return
	}
	if e.call == nil {
		return
	}
	f := e.call.Finish
	p.Usage = p.Usage.Plus(f.Usage)
	if f.Failure != nil {
		p.Failures = append(p.Failures, CallFailed{e.key, e.label(), f.Failure.Code, f.Failure.Message})
	}
}

// into reads what a call gave; false if it gave nothing, or nothing of that form.
func (e event) into(v any) bool {
	return e.call != nil && !e.open() && e.call.Finish.Failure == nil && json.Unmarshal(e.call.Finish.Value, v) == nil
}

// asks reads one member of the object that a call was made with.
func (e event) asks(member string) string {
	for _, arg := range e.call.Call.Args {
		var given map[string]json.RawMessage
		var text string
		if json.Unmarshal(arg, &given) == nil && json.Unmarshal(given[member], &text) == nil {
			return text
		}
	}
	return ""
}

// reached gives the outcome of a stage, which it makes when the delivery comes there.
func reached[T any](at **T) *T {
	if *at == nil {
		*at = new(T)
	}
	return *at
}

// add puts an event to the outcome of its stage.
func (c *Course) add(e event, criteria func(step string) int) {
	switch e.stage {
	case StagePreflight:
		o := reached(&c.Preflight)
		if o.add(e); e.call.Call.Name == "delivery.begin" {
			e.into(o)
		}
	case StageScout:
		o := reached(&c.Scout)
		o.add(e)
		e.into(&o.Map)
	case StageThinker:
		o := reached(&c.Thinker)
		if o.add(e); e.into(new(map[string]any)) {
			o.Drafts++
		}
	case StagePlanning:
		o := reached(&c.Planning)
		found := PlanningOutcome{Passage: o.Passage}
		if found.add(e); e.into(&found) {
			*o = found
		}
		o.Passage = found.Passage
	case StageAsking:
		o := reached(&c.Asking)
		o.add(e)
		o.Questions = append(o.Questions, question(e))
	case StageWorkers:
		reached(&c.Workers).add(e)
	case StageChecks:
		o := reached(&c.Checks)
		run := CheckRun{Step: e.step}
		if o.add(e); e.into(&run) {
			o.Runs = append(o.Runs, run)
		}
	case StageVerifier:
		o := reached(&c.Verifier)
		if o.add(e); e.call.Call.Name == "agent" {
			if v, ok := verdict(e, criteria(e.step)); ok {
				o.Verdicts = append(o.Verdicts, v)
			}
		}
	case StageIntegration:
		reached(&c.Integration).take(e)
	case StagePublication:
		o := reached(&c.Publication)
		o.add(e)
		o.Branch, o.Commit = e.asks("branch"), e.asks("commit")
		e.into(o)
	case StageFinalization:
		o := reached(&c.Finalization)
		if o.add(e); e.call.Call.Name == "checkFinalization" {
			e.into(o)
		}
	case StageRepair:
		reached(&c.Repair).take(e)
	}
}

// take puts one event to how the steps were put together.
func (o *IntegrationOutcome) take(e event) {
	o.add(e)
	switch e.call.Call.Name {
	case "delivery.movedBase":
		var base struct {
			Moved  bool   `json:"moved"`
			Commit string `json:"commit"`
		}
		if e.into(&base) {
			o.Moved, o.Onto, o.Applied, o.Conflicts, o.Commit = base.Moved, base.Commit, nil, nil, "" // it begins here, after a repair once more
		}
	case "delivery.stack":
		var stack struct {
			Commit   string    `json:"commit"`
			Applied  []string  `json:"applied"`
			Conflict *Conflict `json:"conflict"`
		}
		if e.into(&stack) {
			o.Applied = append(o.Applied, stack.Applied...)
			if o.Commit = stack.Commit; stack.Conflict != nil {
				o.Conflicts, o.Commit = append(o.Conflicts, *stack.Conflict), ""
			}
		}
	case "delivery.seal":
		if e.into(&struct {
			Commit *string `json:"commit"`
		}{&o.Commit}) {
			o.Applied = append(o.Applied, e.asks("id")) // the conflict of that step was resolved
		}
	}
}

// take puts one event to what a person mends.
func (o *RepairOutcome) take(e event) {
	o.add(e)
	switch {
	case e.gate != nil:
		o.Repaired = e.gate.State == journal.Answered && string(checkpoint.Decision(e.gate)) == "true"
	case e.call.Call.Name == "delivery.repair":
		o.Repaired, o.Commit = false, ""
		e.into(o)
	case e.call.Call.Name == "delivery.repaired":
		e.into(o)
	}
}

func question(e event) PlanQuestion {
	g := e.gate
	q := PlanQuestion{Gate: g.Asked.Gate, Prompt: g.Asked.Prompt, Step: e.step, State: g.State, Checksum: g.Asked.Checksum}
	if !e.open() {
		q.Decision = planapprove.FromGate(g, true).Decision
	}
	if g.Answer != nil && g.Answer.Unanswered == "" {
		q.By = g.Answer.Who.User + "@" + g.Answer.Who.Host
		if g.Answer.Who.Name != "" {
			q.By = g.Answer.Who.Name
		}
	}
	return q
}

// verdict reads a verdict as the script does: what nobody gives evidence of is not met.
func verdict(e event, criteria int) (Verdict, bool) {
	var said struct {
		Passed       *bool  `json:"passed"`
		Feedback     string `json:"feedback"`
		Tautological *bool  `json:"tautologicalTestDetected"`
		Criteria     []struct {
			Criterion int    `json:"criterion"`
			Met       bool   `json:"met"`
			Evidence  string `json:"evidence"`
		} `json:"criteria"`
	}
	if !e.into(&said) || said.Passed == nil || said.Tautological == nil {
		return Verdict{}, false
	}
	v := Verdict{Step: e.step, Tautological: *said.Tautological, Unmet: []int{}, Feedback: said.Feedback}
	for n := 1; n <= criteria; n++ {
		shown, met := false, true
		for _, c := range said.Criteria {
			if c.Criterion == n {
				shown, met = true, met && c.Met && strings.TrimSpace(c.Evidence) != ""
			}
		}
		if !shown || !met {
			v.Unmet = append(v.Unmet, n)
		}
	}
	v.Passed = *said.Passed && !v.Tautological && len(v.Unmet) == 0
	return v, true
}
