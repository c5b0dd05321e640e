package cli

import (
	"fmt"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// The exit codes. docs/reference/exit-codes.md explains them, and a test holds the two together.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitStopped     = 3 // a run that stopped; an answer that was refused
	exitWaiting     = 4
	exitInterrupted = 5 // or paused
	exitBusy        = 6
	exitDamaged     = 7
	exitCallsFailed = 8
	exitAtOnce      = 130 // a second Ctrl-C
)

// exitCode ends a command that has said all that there is to say.
type exitCode int

// Error is for whoever prints it all the same.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ends is nil for 0.
func ends(code int) error {
	if code == exitOK {
		return nil
	}
	return exitCode(code)
}

// codeOfResult is the exit code of an attempt at a run.
func codeOfResult(r *engine.Result) int { return codeOf(r.State, len(r.Failures)) }

// codeOf is the exit code of a run's state; failed counts the calls that failed.
func codeOf(state string, failed int) int {
	switch state {
	case journal.StatusCompleted:
		if failed > 0 {
			return exitCallsFailed
		}
		return exitOK
	case journal.StatusStopped:
		return exitStopped
	case journal.StatusWaiting:
		return exitWaiting
	case journal.StatusInterrupted, journal.StatusPaused:
		return exitInterrupted
	default: // failed, cancelled
		return exitFailed
	}
}

// codeFor is the exit code of a command that was refused.
func codeFor(err error) int {
	switch fault.CodeOf(err) {
	case fault.Usage, fault.ConfigInvalid, fault.WorkflowUnknown, fault.WorkflowInvalid, fault.ArgsInvalid, fault.OptionInvalid,
		fault.RunUnknown, fault.RunAmbiguous, fault.RunExists, fault.AgentNotConfigured, fault.PlanInteractive, fault.TaskMissing:
		return exitUsage
	case fault.PlanApprovalStale, fault.PlanApprovalConflict, fault.PlanApprovalInterrupt, fault.PlanApprovalTimeout,
		fault.ChecksumInvalid, fault.GateUnknown, fault.GateAmbiguous, fault.AnswerInvalid, fault.ApproverIsAgent,
		fault.RunFinished, fault.HumanInputRequired, fault.PlanNotApproved, fault.JournalUnproven,
		fault.PlanArtifactMismatch, fault.RepairNotAsked:
		return exitStopped
	case fault.GateWaiting, fault.RunWaiting:
		return exitWaiting
	case fault.WorkWouldRepeat:
		return exitInterrupted
	case fault.RunBusy, fault.LeaseLost:
		return exitBusy
	case fault.JournalDamaged, fault.NotAJournal, fault.JournalForged, fault.JournalRollback, fault.JournalTooNew:
		return exitDamaged
	default:
		return exitFailed
	}
}
