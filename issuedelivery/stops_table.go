package issuedelivery

import "github.com/seed-8d4a6081/assent/journal"

const (
	noChecks = "no-checks"

	resumeRun  = "assent resume RUN"
	finishRun  = "assent deliver --finish RUN"
	deliverNew = `assent deliver "TASK"`

	// The issue's own words for a plan that was not approved.
	notApproved   = "Plan was not approved."
	rerunOrSayYes = "Modify the task and rerun, or approve interactively."
	tryAnew       = "Take what there is from the branches that the hand-over note names, or deliver anew."
	repairIt      = "Repair it in the working tree that the hand-over note names, commit there, and finish the run."
)

// enginesOwn are the names of stops that the engine makes, and the script of a delivery never does.
var enginesOwn = []string{"mutation-before-approval", "read-only-violated", "human-input", "revoked"}

// stops is the table; see [Stops].
var stops = []Stop{
	stopped("not-ready", StagePreflight, "", "needs-human", "Something that a delivery needs is missing.", "Mend what is named, and resume.", resumeRun),
	stopped(noChecks, StagePreflight, "", "needs-human", "No checks were found, and what nothing checks is not delivered.",
		"Name the checks in .assent/config.toml under [delivery.checks], and resume; or deliver anew with --allow-no-checks.", resumeRun),
	stopped("prototype-safety", StagePreflight, "", "needs-human", "This is no place where something may be tried out.", "Go to one, such as a clone of your own.", `assent deliver --prototype "TASK"`),
	stopped("scout", StageScout, "", "failed", "The scout gave no answer.", "Look why, and resume: it is asked again.", resumeRun),
	stopped("thinker", StageThinker, "", "failed", "The thinker gave no plan.", "Look why, and resume: it is asked again.", resumeRun),
	stopped("plan-validation", StagePlanning, "", "needs-human", "The plan breaks rules, and was sent back twice.", "Say more exactly what is to be done, or give a plan of your own with --plan.", deliverNew),
	stopped("mutation-before-approval", StageThinker, "", "needs-human", "Something was changed before a plan was approved, by an agent that was to change nothing.", "Look at the change, undo it, and resume.", resumeRun),
	stopped("plan-approval", StageAsking, whenDeclined, "needs-human", notApproved, rerunOrSayYes, deliverNew),
	stopped("plan-approval", StageAsking, whenUnanswered, "needs-human", notApproved, rerunOrSayYes, resumeRun),
	stopped("human-input", StageAsking, "", "needs-human", "A person has to answer, and nobody was there.", "Resume where somebody can be asked.", resumeRun),
	stopped("revoked", StageWorkers, "", "needs-human", "The approval was taken back.", "Resume: the plan is asked about again.", resumeRun),
	repairable("worker", StageWorkers, "A step was not done."),
	repairable("plan-conformance", StageWorkers, "Files changed that the plan does not name, or the other way about, and nobody approved that."),
	stopped("plan-conformance", StageRepair, whenUnanswered, "needs-human", "A repair changed files that the plan does not name, and nobody answered whether it may.", "Resume where somebody can be asked.", resumeRun),
	repairable("checks", StageChecks, "The checks are not good."),
	stopped(noChecks, StageChecks, "", "needs-human", "The result has no checks, and what nothing checks is not delivered.", "Deliver anew, with checks that the work keeps, or with --allow-no-checks.", deliverNew),
	repairable("verifier", StageVerifier, "The verifier did not pass the work."),
	stopped("verifier", StageVerifier, whenSilent, "needs-human", "The verifier gave no verdict.", "Look why, and resume: it is asked again.", resumeRun),
	stopped("read-only-violated", StageVerifier, "", "needs-human", "Something was changed by an agent that was to change nothing.", "Look at the change, undo it, and resume.", resumeRun),
	repairable("integration", StageIntegration, "The steps do not fit together."),
	stopped("base-moved", StageIntegration, whenDeclined, "needs-human", "The base branch has moved, and the plan was not approved for what it is now.", rerunOrSayYes, deliverNew),
	stopped("base-moved", StageIntegration, whenUnanswered, "needs-human", "The base branch has moved, and nobody approved the plan for what it is now.", rerunOrSayYes, resumeRun),
	stopped("pull-request", StagePublication, "", "needs-human", "The result could not be published.", "Mend what is named, and resume: nothing else is done again.", resumeRun),
	repairable("finalization", StageFinalization, "Not all is as it should be."),
	finishable(stopped("finalization", StageFinalization, whenOpen, "needs-finalize", "Something is left to do.", "Do what is named, and finish the run.", finishRun)),

	paused("waiting", "", "", "needs-human", journal.StatusWaiting, "A question waits for an answer.", "Answer it, and resume.", "assent review RUN"),
	finishable(paused("waiting", StageRepair, whenRepaired, "needs-human", journal.StatusWaiting, "It waits to hear that it was repaired.", repairIt, finishRun)),
	paused("budget", "", "", "needs-human", journal.StatusPaused, "The budget is used up.", "Raise it, and resume.", "assent resume RUN --budget AMOUNT"),
	paused("usage-limit", "", "", "needs-human", journal.StatusPaused, "The agent's provider takes no more calls at present.", "Wait until the limit is over, and resume.", resumeRun),
	paused("interrupted", "", "", "needs-human", journal.StatusInterrupted, "The run was cut off.", "Resume: nothing that has finished is done again.", resumeRun),
	paused("interrupted", "", whenCut, "needs-human", journal.StatusInterrupted, "Work was cut off that may have changed something.", "Look what it did, and have it done again.", resumeRun+" --rerun-interrupted"),
	paused("interrupted", "", whenRepeats, "needs-human", journal.StatusInterrupted, "Work that has finished would be done again, because something before it changed.", "Look what it did, and have it done again.", resumeRun+" --rerun-changed"),
	paused("script", "", "", "failed", journal.StatusFailed, "The run failed.", "Look why, and resume.", resumeRun),
	paused("cancelled", "", "", "failed", journal.StatusCancelled, "The run was cancelled.", "Deliver anew.", deliverNew),
	paused("", StageDone, "", "completed", journal.StatusCompleted, "The delivery is complete.", "", ""),
	paused("", StageDone, "checks are still at work", "finalizing", journal.StatusCompleted, "The pull request is there, and its checks are at work.", "Look at the pull request once they are through.", ""),
}

// stopped is a row of a run that stopped, paused one of a run in another state.
func stopped(by string, at Stage, when, status, reason, action, next string) Stop {
	return paused(by, at, when, status, journal.StatusStopped, reason, action, next)
}

func paused(by string, at Stage, when, status, state, reason, action, next string) Stop {
	return Stop{By: by, Stage: at, When: when, Status: status, State: state, Exit: exitOf(state), Reason: reason, NextAction: action, Next: next}
}

// repairable is a row of a stop that a person can mend.
func repairable(by string, at Stage, reason string) Stop {
	return finishable(stopped(by, at, "", "needs-human", reason, repairIt, finishRun))
}

func finishable(s Stop) Stop {
	s.Finish = true
	return s
}
