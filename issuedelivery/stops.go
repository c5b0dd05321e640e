package issuedelivery

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// RepairedQuestion begins the question whether a person has repaired what stopped a delivery. It is the
// only one that finishing a run answers.
const RepairedQuestion = "Was it repaired by hand?"

// Stop is one way in which a delivery ends or pauses, and what follows from it.
type Stop struct {
	// By is what the delivery stopped by, as its result has it; "" of one that is complete.
	By string `json:"stoppedBy"`
	// Stage is where that happens; "" is anywhere.
	Stage Stage `json:"stage,omitempty"`
	// When tells rows of the same By and Stage apart; "" of one that needs no telling.
	When string `json:"when,omitempty"`
	// Status is the one of setSemanticStatus.
	Status string `json:"status"`
	// State is that of the run, Exit the exit code of the command that drove it.
	State string `json:"state"`
	Exit  int    `json:"exit"`
	// Reason and NextAction are for people; the delivery itself may have said more exactly why.
	Reason     string `json:"reason"`
	NextAction string `json:"nextAction"`
	// Next is the command that goes on, with RUN and "TASK" where those stand; "" if there is nothing to do.
	Next string `json:"next,omitempty"`
	// Finish says that a person can repair it, and that finishing the run goes on from there.
	Finish bool `json:"finish"`
}

// What tells rows of the same stop apart.
const (
	whenDeclined   = "declined"
	whenUnanswered = "nobody answered"
	whenSilent     = "no verdict"
	whenRepaired   = "asked whether it was repaired"
	whenOpen       = "not yet final"
	whenCut        = "cut-off work may have changed something"
	whenRepeats    = "finished work would be repeated"
)

// Stops is the one table of all of them, in the order of the stages. The page about Issue Delivery has it.
func Stops() []Stop { return slices.Clone(stops) }

// exitCallsFailed is the exit code of a completed run in which calls failed for good.
const exitCallsFailed = 8

// exitOf is the exit code of a run's state, where no call of a completed one failed for good.
func exitOf(state string) int {
	switch state {
	case journal.StatusCompleted:
		return 0
	case journal.StatusStopped:
		return 3
	case journal.StatusWaiting:
		return 4
	case journal.StatusInterrupted, journal.StatusPaused:
		return 5
	default: // failed, cancelled
		return 1
	}
}

// stopOf finds the row of a stop: the one that says when, else the one that needs no telling, else the
// first. after says that a plan had been approved.
func stopOf(by, when string, after bool) (Stop, bool) {
	var rows []Stop
	for _, s := range stops {
		if s.By == by && s.State == journal.StatusStopped && (by != noChecks || after == (s.Stage != StagePreflight)) {
			rows = append(rows, s)
		}
	}
	for _, wanted := range []string{when, ""} {
		if i := slices.IndexFunc(rows, func(s Stop) bool { return s.When == wanted }); i >= 0 {
			return rows[i], true
		}
	}
	if len(rows) == 0 {
		return Stop{}, false
	}
	return rows[0], true
}

// unaided is the row where nobody is asked whether it was repaired: it was said that it was not, or it was
// tried often enough.
func (s Stop) unaided() Stop {
	if s.Finish {
		s.Finish, s.NextAction, s.Next = false, tryAnew, deliverNew
	}
	return s
}

// stopNames are the names that a delivery itself can give a stop.
func stopNames() []string {
	var names []string
	for _, s := range stops {
		if s.State == journal.StatusStopped && !slices.Contains(names, s.By) && !slices.Contains(enginesOwn, s.By) {
			names = append(names, s.By)
		}
	}
	return names
}

// engineStop finds the row of a run that its engine ended or left, whatever the script said.
func engineStop(st *journal.State, status string) (Stop, bool) {
	by, when := "", ""
	switch status {
	case journal.StatusWaiting:
		by = "waiting"
		if g := lastPending(st); g != nil && isRepairQuestion(g) {
			when = whenRepaired
		}
	case journal.StatusPaused:
		if by = "budget"; st.Paused != nil && fault.Code(st.Paused.Code) == fault.UsageLimit {
			by = "usage-limit"
		}
	case journal.StatusInterrupted:
		by = "interrupted"
		if st.Paused != nil {
			switch fault.Code(st.Paused.Code) {
			case fault.CallsInterrupted:
				when = whenCut
			case fault.WorkWouldRepeat:
				when = whenRepeats
			}
		}
	case journal.StatusCancelled:
		by = "cancelled"
	case journal.StatusFailed:
		by = "script"
	case journal.StatusStopped:
		by = stoppedByEngine(st)
	}
	for _, s := range stops {
		if by != "" && s.By == by && s.When == when {
			return s, true
		}
	}
	return Stop{}, false
}

// stoppedByEngine names why the engine stopped a run; "" if the script did.
func stoppedByEngine(st *journal.State) string {
	switch code := fault.Code(st.Finished.Code); {
	case code == fault.ReadOnlyViolated && lastApproved(st) == nil:
		return "mutation-before-approval"
	case code == fault.ReadOnlyViolated:
		return "read-only-violated"
	case code == fault.HumanInputRequired:
		return "human-input"
	case st.Finished.Who != nil && code == fault.PlanNotApproved:
		return "revoked"
	default:
		return ""
	}
}

// unanswered says whether a stop for want of an approval came of a person's no or of nobody's answer.
func unanswered(st *journal.State) string {
	if g := lastPlan(st); g != nil && (g.State == journal.Rejected || g.State == journal.ChangesRequested) {
		return whenDeclined
	}
	return whenUnanswered
}

// lastPlan is the question about a plan that was asked last, nil if none was.
func lastPlan(st *journal.State) *journal.Gate {
	for _, id := range slices.Backward(st.GateOrder) {
		if g := st.Gates[id]; g.Asked.Kind == string(checkpoint.KindPlan) {
			return g
		}
	}
	return nil
}

// lastApproved is the question whose plan was approved last, and still is; nil if there is none.
func lastApproved(st *journal.State) *journal.Gate {
	var last *journal.Gate
	for _, id := range st.GateOrder {
		if g := st.Gates[id]; g.State == journal.Approved && st.Proven && (last == nil || g.AnswerSeq > last.AnswerSeq) {
			last = g
		}
	}
	return last
}

func lastPending(st *journal.State) *journal.Gate {
	pending := st.Pending()
	if len(pending) == 0 {
		return nil
	}
	return pending[len(pending)-1]
}

func isRepairQuestion(g *journal.Gate) bool {
	return g.Asked.Kind == string(checkpoint.KindConfirm) && strings.HasPrefix(g.Asked.Prompt, RepairedQuestion)
}

// command puts a run and its task in the place of RUN and TASK.
func command(form, run, task string) string {
	return strings.NewReplacer("RUN", run, `"TASK"`, quoted(cmp.Or(task, "TASK"))).Replace(form)
}

// quoted is a text as a word of a shell's command.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// taskOf is the task that a run was started with, as it was given.
func taskOf(args json.RawMessage) string {
	var given struct {
		Task string `json:"task"`
		Raw  string `json:"_raw"`
		Plan struct {
			Task string `json:"task"`
		} `json:"plan"`
	}
	_ = json.Unmarshal(args, &given) // what has another form names no task
	return cmp.Or(given.Task, given.Raw, given.Plan.Task)
}
