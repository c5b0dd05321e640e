package issuedelivery

import (
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Stage is how far a delivery is. Steps of a plan are done side by side, so each of them walks from
// [StageWorkers] to [StageVerifier], and back, by itself; the delivery as a whole is among the workers meanwhile.
type Stage string

// The stages, in the order in which a delivery that meets no trouble comes to them.
const (
	// StageUnbegun is before the first call.
	StageUnbegun Stage = ""
	// StagePreflight looks whether everything is there.
	StagePreflight Stage = "preflight"
	// StageScout makes a map of the code, StageThinker a plan, and StagePlanning holds that plan against the rules.
	StageScout    Stage = "scout"
	StageThinker  Stage = "thinker"
	StagePlanning Stage = "plan"
	// StageAsking puts the plan, or an amendment of it, to a person.
	StageAsking Stage = "approval"
	// StageWorkers do the steps, StageChecks and StageVerifier look at what they did, StageIntegration puts
	// it together.
	StageWorkers     Stage = "workers"
	StageChecks      Stage = "checks"
	StageVerifier    Stage = "verifier"
	StageIntegration Stage = "integration"
	// StagePublication makes the branch of the result, and the pull request where there is to be one.
	StagePublication Stage = "pull-request"
	// StageFinalization looks whether all that is so.
	StageFinalization Stage = "finalization"
	// StageRepair is where a person mends what stopped.
	StageRepair Stage = "repair"
	// StageDone, StageStopped and StageFailed are how a delivery ends: delivered, stopped for a person, or broken off.
	StageDone    Stage = "done"
	StageStopped Stage = "stopped"
	StageFailed  Stage = "failed"
)

// Stages are all of them but [StageUnbegun].
func Stages() []Stage {
	return []Stage{
		StagePreflight, StageScout, StageThinker, StagePlanning, StageAsking, StageWorkers, StageChecks, StageVerifier, StageIntegration, StagePublication, StageFinalization, StageRepair, StageDone, StageStopped, StageFailed,
	}
}

// To is the whole state machine: the stage after s, or DELIVERY_STAGES_INVALID if a delivery never comes
// from s to next. It may stay where it is, for a stage makes several calls.
func (s Stage) To(next Stage) (Stage, error) {
	switch s {
	case StageUnbegun:
		switch next {
		case StagePreflight, StageStopped, StageFailed: // a run can be cancelled before its first call
			return next, nil
		}
	case StagePreflight:
		switch next {
		case StagePreflight, StageScout, StagePlanning, StageStopped, StageFailed: // a plan that was given needs no scout
			return next, nil
		}
	case StageScout:
		switch next {
		case StageScout, StageThinker, StageStopped, StageFailed:
			return next, nil
		}
	case StageThinker:
		switch next {
		case StageThinker, StagePlanning, StageStopped, StageFailed:
			return next, nil
		}
	case StagePlanning:
		switch next {
		case StagePlanning, StageThinker, StageAsking, StageStopped, StageFailed: // back, to have violations mended
			return next, nil
		}
	case StageAsking:
		switch next {
		case StageAsking, StageThinker, StageWorkers, StageChecks, StageIntegration, StageRepair, StageDone, StageStopped, StageFailed: // done: of a dry run; checks: of an amended step
			return next, nil
		}
	case StageWorkers:
		switch next {
		case StageWorkers, StageAsking, StageChecks, StageIntegration, StageRepair, StageStopped, StageFailed:
			return next, nil
		}
	case StageChecks:
		switch next {
		case StageChecks, StageWorkers, StageVerifier, StagePublication, StageRepair, StageStopped, StageFailed:
			return next, nil
		}
	case StageVerifier:
		switch next {
		case StageVerifier, StageWorkers, StagePublication, StageRepair, StageStopped, StageFailed:
			return next, nil
		}
	case StageIntegration:
		switch next {
		case StageIntegration, StageAsking, StageChecks, StageRepair, StageStopped, StageFailed: // asking: the base has moved
			return next, nil
		}
	case StagePublication:
		switch next {
		case StagePublication, StageFinalization, StageStopped, StageFailed:
			return next, nil
		}
	case StageFinalization:
		switch next {
		case StageFinalization, StageRepair, StageDone, StageStopped, StageFailed:
			return next, nil
		}
	case StageRepair:
		switch next {
		case StageRepair, StageAsking, StageIntegration, StageStopped, StageFailed: // asking: it changed files beyond the plan
			return next, nil
		}
	}
	return s, fault.New(fault.DeliveryStagesInvalid, fmt.Sprintf("a delivery does not come from the stage %q to the stage %q", s, next),
		"assent show RUN   # says what the run did; only runs of the workflow issue-delivery are deliveries")
}
