package fault

// Runs.
const (
	// Run again with the same answers, the same program made another call than the journal has at that
	// place. Its answers cannot be trusted to belong to it.
	//
	// When: on resume or replay. The message names line, call, and the expected and actual arguments.
	//
	// Do: look for what differs between two executions of the script; mend it and `assent resume RUN
	// --script FILE`.
	NondeterministicScript Code = "NONDETERMINISTIC_SCRIPT"

	// Calls were cut off that may have changed something. Nothing is done twice unless somebody says
	// so, and nobody is here to ask.
	//
	// When: `resume` of a run that was killed while agents worked, without a person. Exit 5.
	//
	// Do: look at what the named calls did. Then resume in a terminal and type `rerun`, `fail` (take
	// them as failed, for good) or `stop`; or resume with `--rerun-interrupted`.
	CallsInterrupted Code = "CALLS_INTERRUPTED"

	// Calls that had finished would run again, because something before them changed, and they may
	// have changed something.
	//
	// When: `resume` after an edited script, a repeated call or a changed configuration, without a
	// person.
	//
	// Do: `assent resume RUN --dry-run` says which and why. Then resume in a terminal and type `rerun`
	// or `stop`; or resume with `--rerun-changed`.
	WorkWouldRepeat Code = "FINISHED_WORK_WOULD_REPEAT"

	// The run's budget is spent, and the next call was not started. The run is paused.
	//
	// When: before each call; calls that were already at work finish and are kept.
	//
	// Do: `assent resume RUN --budget MORE`. The raise is journaled; what was finished is not paid for
	// again.
	BudgetExceeded Code = "BUDGET_EXCEEDED"

	// The budget that the script set for a phase is spent, and the next agent of that phase was not
	// started. The error is thrown where the script called.
	//
	// When: before each agent of the phase; those that were already at work finish and are kept.
	//
	// Do: raise it in the script, and `assent resume RUN --script FILE`: it goes on there. A script that can do
	// with less catches the error and goes on to its next phase.
	PhaseBudgetExceeded Code = "PHASE_BUDGET_EXCEEDED"

	// The run worked for longer than its limit. Waiting for a person does not count.
	//
	// When: while it executes, if a limit was set; there is none by default.
	//
	// Do: `assent resume RUN --max-time LONGER`.
	WallClockLimit Code = "WALL_CLOCK_LIMIT"

	// The script asks an agent the same again and again, each time after the answer to the last, and the
	// loop guard was told to stop such a run. The call was not made; what was at work has ended and is
	// kept. Nothing in the script can catch it.
	//
	// When: with `--loop-guard stop`, or `loop-guard = "stop"` in the configuration, as soon as the same
	// was asked `loop-guard-repeats` times. The message names the call, its place and how often.
	//
	// Do: say in each prompt what is new, or give the loop an end, and `assent resume RUN --script FILE`.
	// `assent resume RUN --loop-guard warn` goes on as it is.
	LoopGuard Code = "LOOP_GUARD"

	// The run was told to stop and left in good order.
	//
	// When: Ctrl-C, a signal, or the embedding program's context.
	//
	// Do: `assent resume RUN`.
	RunInterrupted Code = "RUN_INTERRUPTED"

	// The run was cancelled; that is final.
	//
	// When: anything tries to go on with it, an executor that was at work included.
	//
	// Do: start a new run.
	RunCancelled Code = "RUN_CANCELLED"

	// The run has ended, so nothing more can be written to it.
	//
	// When: an answer or a cancel comes after the end, or another process ended the run meanwhile.
	//
	// Do: `assent show RUN --result` prints what it came to. `assent resume RUN` continues it if there
	// is anything left to do.
	RunFinished Code = "RUN_FINISHED"

	// A finished run, executed again from its journal alone, does not come to the result that was
	// recorded.
	//
	// When: `assent replay` and `engine.Replay`; also of a run that has not finished, or was ended
	// from outside.
	//
	// Do: the message names the difference. With the program unchanged, the script is not
	// deterministic; see [`NONDETERMINISTIC_SCRIPT`](#nondeterministic_script).
	ReplayDiverged Code = "REPLAY_DIVERGED"
)
