package issuedelivery

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// Look reads the outcome of a run from its journal, whoever executes it. The error is
// DELIVERY_STAGES_INVALID for a run that is no delivery.
func Look(ctx context.Context, store engine.Store, run string) (Outcome, error) {
	visit, err := store.Visit(ctx, run)
	if err != nil {
		return Outcome{}, err
	}
	defer visit.Close() // a visit that only read has nothing to lose
	_, alive := visit.Owner()
	return outcomeOf(visit.State(), visit.State().StatusWith(alive))
}

// returned is what the script of a delivery returns, as far as outcomes are made of it.
type returned struct {
	Success    *bool        `json:"success"`
	DryRun     bool         `json:"dryRun"`
	StoppedBy  string       `json:"stoppedBy"`
	Status     string       `json:"status"`
	Reason     string       `json:"reason"`
	NextAction string       `json:"nextAction"`
	Handover   string       `json:"handover"`
	Branch     string       `json:"branch"`
	Commit     string       `json:"commit"`
	Merge      string       `json:"merge"`
	PR         *PullRequest `json:"pr"`
	// Plan is that of a dry run, which asks nobody to approve it.
	Plan json.RawMessage `json:"plan"`
}

// outcomeOf makes the outcome of a run whose state is named status.
func outcomeOf(st *journal.State, status string) (Outcome, error) {
	o := Outcome{Run: st.ID, State: status, Exit: exitOf(status), Usage: st.UsageAt(st.Head), Task: taskOf(st.Started.Args), Checks: []CheckRun{}, Verdicts: []Verdict{}}
	j, err := walk(st)
	o.At = j.at()
	o.Stage = o.At
	if err != nil {
		return o, err
	}
	approved := stepsApproved(st)
	for _, e := range j.events {
		o.Stages.add(e, approved.criteria)
		if e.call != nil && e.call.Call.Name == "delivery.stop" {
			var note stopResult
			if e.into(&note) {
				o.Handover = note.Handover
			}
		}
	}
	if g := lastPlan(st); g != nil {
		a := planapprove.FromGate(g, true)
		o.Plan, o.Approval = a.Plan, &a
	}
	if p := o.Stages.Preflight; p != nil {
		o.Task = cmp.Or(p.Task, o.Task)
	}
	if p := o.Stages.Publication; p != nil {
		o.Branch, o.Commit, o.PR = p.Branch, p.Commit, p.PR
	}
	if c := o.Stages.Checks; c != nil && c.Runs != nil {
		o.Checks = c.Runs
	}
	if v := o.Stages.Verifier; v != nil && v.Verdicts != nil {
		o.Verdicts = v.Verdicts
	}
	if len(approved.Steps) > 0 && o.Stages.Workers != nil {
		o.Stages.Workers.Steps = j.stepsDone(approved, st.Finished != nil)
	}
	return o, o.end(st, j)
}

// end says how the run ended, or where it stands, and what follows from that.
func (o *Outcome) end(st *journal.State, j journey) (err error) {
	var r returned
	if f := st.Finished; f != nil {
		o.Result, o.Code = f.Result, f.Code
		if o.State == journal.StatusCompleted && f.FailedCalls > 0 {
			o.Exit = exitCallsFailed
		}
		_ = json.Unmarshal(f.Result, &r) // a script that failed returned nothing
		switch o.State {
		case journal.StatusCompleted:
			o.Stage, err = o.At.To(StageDone)
		case journal.StatusStopped:
			o.Stage, err = o.At.To(StageStopped)
		default:
			o.Stage, err = o.At.To(StageFailed)
		}
	} else if st.Paused != nil {
		o.Code = st.Paused.Code
	}
	if err != nil || o.State == journal.StatusRunning {
		return err
	}
	question := repairQuestion(j)
	open := question != nil && question.State != journal.Answered
	row, known := engineStop(st, o.State)
	switch {
	case known:
		r.Reason, r.NextAction, r.Status = ownWords(st, row), "", ""
	case o.State == journal.StatusStopped:
		row, _ = stopOf(r.StoppedBy, whenOf(r.StoppedBy, r.Status, question != nil, open, st), lastApproved(st) != nil)
	default:
		row = completedRow(r.Status)
	}
	if !open {
		if r.NextAction == row.NextAction {
			r.NextAction = "" // it told of a repair, and that is over
		}
		row = row.unaided()
	}
	o.StoppedBy, o.Status = cmp.Or(row.By, r.StoppedBy), cmp.Or(r.Status, row.Status)
	o.Reason, o.NextAction = cmp.Or(r.Reason, row.Reason), cmp.Or(r.NextAction, row.NextAction)
	o.Next, o.Finish = command(row.Next, st.ID, taskOf(st.Started.Args)), row.Finish
	if o.Next == "" {
		o.Next = r.Merge
	}
	if o.Plan == nil && r.DryRun {
		o.Plan = r.Plan
	}
	o.Branch, o.Commit = cmp.Or(o.Branch, r.Branch), cmp.Or(o.Commit, r.Commit)
	delivered := o.Status == "completed" || o.Status == "finalizing"
	o.Success = o.State == journal.StatusCompleted && r.Success != nil && *r.Success && delivered && (r.DryRun || r.Merge != "" || o.PR != nil)
	return nil
}

// ownWords is why the engine ended or left a run, where that says more than the table.
func ownWords(st *journal.State, row Stop) string {
	switch {
	case st.Finished != nil && st.Finished.Error != "":
		return strings.TrimPrefix(st.Finished.Error, st.Finished.Code+": ")
	case st.Finished == nil && st.Paused != nil && st.Paused.What != "":
		return strings.TrimPrefix(st.Paused.What, st.Paused.Code+": ")
	default:
		return row.Reason
	}
}

// repairQuestion is the last question of a run whether it was repaired; nil if there is none in force.
func repairQuestion(j journey) *journal.Gate {
	var last *journal.Gate
	for _, e := range j.events {
		if e.gate != nil && e.stage == StageRepair {
			last = e.gate
		}
	}
	return last
}

// approvedSteps are the steps of the plan that was approved last.
type approvedSteps struct {
	Steps []struct {
		ID         string   `json:"id"`
		Title      string   `json:"title"`
		Acceptance []string `json:"acceptance"`
	} `json:"steps"`
}

func stepsApproved(st *journal.State) approvedSteps {
	var s approvedSteps
	if g := lastApproved(st); g != nil {
		_ = json.Unmarshal([]byte(g.Asked.Plan), &s) // a plan of another form has no steps
	}
	return s
}

// criteria counts those of a step, or of all steps.
func (s approvedSteps) criteria(step string) (n int) {
	for _, one := range s.Steps {
		if step == "" || one.ID == step {
			n += len(one.Acceptance)
		}
	}
	return n
}

// stepsDone says how far each step is. In a run that has ended, what is not done has failed, if it was
// begun at all.
func (j journey) stepsDone(approved approvedSteps, ended bool) []StepOutcome {
	var list []StepOutcome
	for _, s := range approved.Steps {
		one := StepOutcome{ID: s.ID, Title: s.Title, State: "waiting", Stage: j.steps[s.ID]}
		if one.Stage != StageUnbegun {
			if one.State = "at-work"; ended || j.stage != StageWorkers {
				one.State = "failed"
			}
		}
		for _, e := range j.events {
			if e.step != s.ID || e.call == nil {
				continue
			}
			switch name := e.call.Call.Name; {
			case name == "agent" && e.stage == StageWorkers:
				one.Attempts++
				if f := e.call.Finish; f != nil && f.Worktree != nil && !e.open() {
					one.Branches = append(one.Branches, f.Worktree.Branch)
				}
			case name == "delivery.seal":
				var sealed struct {
					Commit string `json:"commit"`
				}
				if e.into(&sealed) {
					one.State, one.Commit = "done", sealed.Commit
				}
			}
		}
		list = append(list, one)
	}
	return list
}

// completedRow is the row of a run that went through, by its status.
func completedRow(status string) Stop {
	for _, s := range stops {
		if s.State == journal.StatusCompleted && s.Status == status {
			return s
		}
	}
	for _, s := range stops {
		if s.State == journal.StatusCompleted {
			return s
		}
	}
	return Stop{}
}
