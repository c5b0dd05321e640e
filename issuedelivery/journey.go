package issuedelivery

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// event is a call or a question of a run whose cause is still in force.
type event struct {
	// seq is the first entry of the attempt at it that counts.
	seq uint64
	key string
	// step is the id of the plan's step in whose branch it stands; "" is the delivery itself.
	step  string
	stage Stage
	call  *journal.CallState
	gate  *journal.Gate
}

// open says that it has no answer yet.
func (e event) open() bool {
	if e.gate != nil {
		return e.gate.State == journal.Pending
	}
	return e.call.Unfinished()
}

// answer is the entry with its answer; 0 if there is none.
func (e event) answer() uint64 {
	switch {
	case e.open():
		return 0
	case e.gate != nil:
		return e.gate.AnswerSeq
	default:
		return e.call.Finish.Seq
	}
}

// cause is the entry that the script made it after.
func (e event) cause() uint64 {
	switch {
	case e.gate != nil:
		return e.gate.Asked.After
	case e.open():
		return e.call.Call.After
	default:
		return e.call.Finish.After
	}
}

// label is how people see a call.
func (e event) label() string { return e.call.Call.Label }

// inForce are the calls and questions of a run in their order. What was made after an answer that is in
// force no more is left out: the script makes it again, or something else in its place. A journal keeps
// such calls, and counting them would tell of a stop that a resume went past.
func inForce(st *journal.State) []event {
	var all []event
	for key, c := range st.Calls {
		seq := c.StartSeq
		if !c.Unfinished() && seq < c.Finish.After { // it was made again, and its last attempt has no call.started
			seq = c.Finish.Seq
		}
		all = append(all, event{key: key, call: c, seq: seq})
	}
	for key, id := range st.GateByKey {
		if g := st.Gates[id]; g.Asked.Call == "" { // an agent's own question moves nothing
			all = append(all, event{key: key, gate: g, seq: g.Seq})
		}
	}
	slices.SortFunc(all, func(a, b event) int { return cmp.Compare(a.seq, b.seq) })
	holds := map[uint64]bool{st.StartedSeq: true}
	kept := all[:0]
	for _, e := range all {
		if !holds[e.cause()] {
			continue
		}
		if seq := e.answer(); seq > 0 {
			holds[seq] = true
		}
		e.step = stepOf(e.key)
		e.stage = e.at()
		kept = append(kept, e)
	}
	return kept
}

// branchOfStep is what the key of a call in a step of the plan begins with.
var branchOfStep = regexp.MustCompile(`^/dag#0\[([A-Za-z0-9._-]+)\]`)

func stepOf(key string) string {
	if m := branchOfStep.FindStringSubmatch(key); m != nil {
		return m[1]
	}
	return ""
}

// The phases of the script that tell calls of one function apart.
const (
	phaseScout     = "scout"
	phasePlan      = "plan"
	phaseIntegrate = "integrate"
	phaseRepair    = "repair"
)

// at is the stage that the event belongs to; "" is none.
func (e event) at() Stage {
	if e.gate != nil {
		if isRepairQuestion(e.gate) {
			return StageRepair
		}
		if e.gate.Asked.Kind == string(checkpoint.KindPlan) || e.gate.Asked.Kind == string(checkpoint.KindSelect) {
			return StageAsking
		}
		return StageUnbegun
	}
	c := e.call.Call
	if c.Phase == phaseRepair && c.Name != "agent" {
		return StageRepair
	}
	switch c.Name {
	case "delivery.begin", "prototypeSafetyCheck":
		return StagePreflight
	case "delivery.checkPlan":
		if c.Phase != phasePlan {
			return e.working() // of an amendment
		}
		return StagePlanning
	case "stageCheck":
		return StageChecks
	case "delivery.compare":
		return StageVerifier
	case "delivery.stack", "delivery.seal", "delivery.conform":
		return e.working()
	case "delivery.movedBase":
		return StageIntegration
	case "delivery.branch", "delivery.publish":
		return StagePublication
	case "checkFinalization", "delivery.tidy":
		return StageFinalization
	case "delivery.repair", "delivery.repaired":
		return StageRepair
	case "agent":
		return e.asked()
	default: // delivery.stop too: a stop is where it happens, and the end of the run says that it is one
		return StageUnbegun
	}
}

// working tells a step's work from that on the whole.
func (e event) working() Stage {
	if e.step != "" {
		return StageWorkers
	}
	return StageIntegration
}

// asked is the stage of a call of an agent.
func (e event) asked() Stage {
	switch {
	case e.call.Call.Phase == phaseScout:
		return StageScout
	case e.call.Call.Phase == phasePlan:
		return StageThinker
	case isVerifier(e.label()):
		return StageVerifier
	default:
		return e.working()
	}
}

func isVerifier(label string) bool { return strings.HasPrefix(label, "verifier") }

// journey is how a delivery and the steps of its plan went through the stages.
type journey struct {
	events []event
	// stage is where the delivery itself stands, steps where those of its plan do that were begun.
	stage Stage
	steps map[string]Stage
}

// walk follows the events of a run; the error is DELIVERY_STAGES_INVALID.
func walk(st *journal.State) (journey, error) {
	j := journey{events: inForce(st), steps: map[string]Stage{}}
	for _, e := range j.events {
		if e.stage == StageUnbegun {
			continue
		}
		if err := j.move(e); err != nil {
			return j, err
		}
	}
	return j, nil
}

func (j *journey) move(e event) (err error) {
	if e.step == "" {
		j.stage, err = j.stage.To(e.stage)
		return err
	}
	if j.stage == StageAsking { // the first call in a step
		if j.stage, err = j.stage.To(StageWorkers); err != nil {
			return err
		}
	}
	at := j.steps[e.step]
	if at == StageUnbegun {
		at = StageAsking
	}
	j.steps[e.step], err = at.To(e.stage)
	return err
}

// at is where the delivery stands: among the workers, that is where the step does which was heard of last
// and is not done.
func (j journey) at() Stage {
	if j.stage != StageWorkers {
		return j.stage
	}
	sealed := map[string]bool{}
	for _, e := range j.events {
		if e.step != "" && e.call != nil && e.call.Call.Name == "delivery.seal" && !e.open() && e.call.Finish.Failure == nil {
			sealed[e.step] = true
		}
	}
	for _, e := range slices.Backward(j.events) {
		if e.step != "" && e.stage != StageUnbegun && !sealed[e.step] {
			return e.stage
		}
	}
	return j.stage
}
