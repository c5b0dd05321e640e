package fault

// Gates.
const (
	// The plan given to `planApprove` is not plain JSON data, so there is no one text that could be
	// shown, hashed and kept.
	//
	// When: the script calls `planApprove` with NaN, `undefined`, a BigInt, a function, a getter, a
	// Proxy, a `toJSON`, a Date, a Map, a class instance, half a surrogate pair, a cycle, a hole, more
	// than 1,000 levels, or a number *n* with 2^53 ≤ |*n*| < 2^64, which is most likely an id that has
	// lost digits. A TypeError that names the path, such as `$.steps[2].n`; nothing was asked and
	// nothing written.
	//
	// Do: change the value at the path; write large ids as text, dates with `toISOString()`.
	PlanNotJSON Code = "PLAN_NOT_JSON"

	// The plan has more than 1 MiB of canonical text, or is a document with more than 512 KiB of
	// Markdown; nobody reviews that.
	//
	// When: the script calls `planApprove`. Nothing was asked and nothing written.
	//
	// Do: split the plan, or put its bulk into files and name them with their checksums.
	PlanTooLarge Code = "PLAN_TOO_LARGE"

	// `planApprove` was given a `default` other than `false`. Only a person approves a plan.
	//
	// When: at the call, whoever is there to answer.
	//
	// Do: leave `default` out. If no person should be asked, the call is not needed.
	ApprovalDefault Code = "APPROVAL_DEFAULT_NOT_FALSE"

	// Nobody is there to answer a checkpoint, and the script does not say what then.
	//
	// When: a run without a person (`--headless`, or no terminal) reaches a `checkpoint` without a
	// `default` and without a rule of its own.
	//
	// Do: give the checkpoint a `default`, or `headless: "abort"` or `"suspend"`; or run with
	// `--on-gate suspend` and answer later.
	CheckpointNeedsDefault Code = "CHECKPOINT_NEEDS_DEFAULT"

	// The question cannot be asked as it stands.
	//
	// When: a prompt is empty, not a text or too long; a `select` has no choices, too many, an empty
	// one or two alike; `choices` with another kind.
	//
	// Do: the message names the argument; put it right in the script.
	CheckpointInvalid Code = "CHECKPOINT_INVALID"

	// The answer is not one that the question takes. The gate waits as before.
	//
	// When: a confirm was answered with something other than yes or no, a select with none of its
	// choices, a plan with something other than `true`, `false` or a text; an answer was marked as
	// simulated outside the demo; a permission mode that there is not; or the name of a model or an
	// effort that is empty, has white space around it, or has more than 200 bytes.
	//
	// Do: answer again, as `assent show RUN` says the question wants it.
	AnswerInvalid Code = "ANSWER_INVALID"

	// The script says that it needs a person (`meta.interactive`), and nobody is here.
	//
	// When: before the run starts, or goes on, headless: with `--headless` or `--detach`, where
	// standard input or standard error is no terminal, or below an agent; also with `--on-gate
	// suspend`. Nothing was executed.
	//
	// Do: run it, or resume it, in a terminal, without `--headless` and `--detach`; or configure an
	// [asker](config.md#an-asker), which a run without a terminal can ask, also with `--detach`.
	// Questions of a run that waits can be answered from anywhere with `assent approve`; what comes
	// after needs a terminal again.
	PlanInteractive Code = "PLAN_REQUIRES_INTERACTIVE_SESSION"

	// Human input is required, the run is headless, and the gate's rule is to abort. The run has
	// stopped; nothing in the script can catch that.
	//
	// When: a gate with `headless: "abort"`, or any gate without a rule of its own under `--on-gate
	// abort`, is reached without a person.
	//
	// Do: `assent resume RUN` in a terminal; or, if the abort came from the flag, `assent resume RUN
	// --on-gate suspend`.
	HumanInputRequired Code = "HUMAN_INPUT_REQUIRED"

	// Work was to be done under an approval that is not in force, or the plan that the run asked about
	// last was not approved.
	//
	// When: `agent(…, {under})` names an approval that was declined, belongs to another run, program
	// or plan, or was superseded; a script with `meta.planFirst` makes a call that may change
	// something before a plan is approved (the call is refused where it stands); or a run ends whose
	// last plan gate is not approved (state *stopped*, exit 3); or somebody took an approval back
	// (`assent revoke`) while the run was at work: nothing more begins then, in no branch, and the
	// message says who did it and why.
	//
	// Do: ask `planApprove` and act only if its `decision` is `true`; what comes before says
	// `readOnly: true`. A declined plan is not asked again by itself: change the plan, or start a new
	// run. After a revocation `assent resume RUN` asks anew.
	PlanNotApproved Code = "PLAN_NOT_APPROVED"

	// Nobody answered before the gate's deadline. A checkpoint throws this; `planApprove` gives
	// `decision: false`.
	//
	// When: `timeoutMs` has passed since the question was asked, whether or not the run was executing.
	// Resuming never extends it.
	//
	// Do: `assent resume RUN` where a person can answer: the question is asked anew, with a new
	// deadline.
	PlanApprovalTimeout Code = "PLAN_APPROVAL_TIMEOUT"

	// The answer is for a question that is no longer pending. Nothing was recorded as an answer.
	//
	// When: an answer comes after the deadline, after the run was cancelled or has finished, for a
	// gate that was superseded or whose approval was revoked, or with a checksum that no pending gate
	// asks about; or `revoke` names a gate that holds no approval, or finds none.
	//
	// Do: `assent review RUN` shows what waits now; answer that.
	PlanApprovalStale Code = "PLAN_APPROVAL_STALE"

	// The gate already has another answer, and the first one stands.
	//
	// When: two people, or one person twice, answer the same gate differently; an approval with
	// another mode, model or effort is another answer. The same answer again is no error.
	//
	// Do: `assent show RUN` says who answered what. To change course, take an approval back (`assent
	// revoke RUN`) or cancel the run.
	PlanApprovalConflict Code = "PLAN_APPROVAL_CONFLICT"

	// The process that was showing the question ended before it was answered, so the question is
	// closed. It was neither approved nor declined.
	//
	// When: an answer names such a gate.
	//
	// Do: `assent resume RUN` asks again, with a new gate and the same checksum.
	PlanApprovalInterrupt Code = "PLAN_APPROVAL_INTERRUPTED"

	// Several gates fit the answer.
	//
	// When: more than one gate waits and none was named; the run asked about the same checksum more
	// than once; or several approvals stand and `revoke` names none of them.
	//
	// Do: name one with `--gate ID`; the message lists them.
	GateAmbiguous Code = "GATE_AMBIGUOUS"

	// The run has no gate of that id.
	//
	// When: `--gate ID` is mistyped, or belongs to another run.
	//
	// Do: `assent show RUN` lists the run's gates.
	GateUnknown Code = "GATE_UNKNOWN"

	// A gate waits for a person, and the one who asked cannot wait for the answer. It is a state, not
	// a fault.
	//
	// When: a Go program uses a gate without a script and the gate is suspended.
	//
	// Do: have it answered (`assent review RUN`, or `checkpoint.Respond` in Go), then ask again with
	// the same key: the answer is there.
	GateWaiting Code = "GATE_WAITING"

	// The checksum given is not a SHA-256: 64 lower-case hex digits. Beginnings of checksums are not
	// taken.
	//
	// When: `approve`, `reject` or `answer` with `--checksum`.
	//
	// Do: copy it whole from where the plan was shown.
	ChecksumInvalid Code = "CHECKSUM_INVALID"

	// The command that answers was started by an agent of a run, and agents cannot approve; or by an
	// asker or a command that is told, which have their own way or none.
	//
	// When: `approve`, `reject`, `answer` or `review` runs below such a process.
	//
	// Do: answer from a terminal of your own.
	ApproverIsAgent Code = "APPROVER_IS_AGENT"

	// The agent has not got the model, the effort or the permission mode that the plan was approved
	// with. It did not work with another one instead.
	//
	// When: a call under that approval, when its agent says so. Nothing in the script makes up for it,
	// and it does not replay: a resume asks the agent again.
	//
	// Do: give the agent what was chosen, then `assent resume RUN`; or `assent revoke RUN`, resume,
	// and approve with something else.
	PlanConfiguration Code = "PLAN_CONFIGURATION_BLOCKED"

	// The copy of the plan in the workspace is not, to the byte, the file that was written when the
	// plan was asked about, or it is gone. Nothing was recorded; the gate waits as before.
	//
	// When: a plan is to be approved, in a terminal, by `review`, by `approve` or by an asker. A no,
	// and a request for changes, are taken all the same.
	//
	// Do: look at the file, since whoever read it read something else than the plan; remove it;
	// `assent review RUN` writes it again from the journal and shows the plan.
	PlanArtifactMismatch Code = "PLAN_ARTIFACT_HASH_MISMATCH"

	// The copy of a plan cannot be written into the workspace, so the plan was not asked about.
	//
	// When: the script calls `planApprove` in a run whose workspace is gone, full or not writable, or
	// in which `.assent` or `.assent/plans` is a link or no folder. The run has failed and can be
	// resumed. Also when `review` is to write a copy again that is gone.
	//
	// Do: make `.assent/plans` a folder that you can write to; `assent resume RUN` asks then.
	PlanArtifactUnwritable Code = "PLAN_ARTIFACT_UNWRITABLE"
)
