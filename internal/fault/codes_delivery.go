package fault

// Codes of Issue Delivery.
const (
	// Something that a delivery needs is missing: git, a repository with a commit, a branch to deliver to,
	// the name under which commits are made, or, for a pull request, a remote and a signed-in `gh`.
	//
	// When: before anything is spent. Everything that is missing is named at once.
	//
	// Do: what the message says for each; then the same command again, or `assent resume RUN`.
	DeliveryNotReady Code = "DELIVERY_NOT_READY"

	// A step of `gh` failed: the forge could not be reached, limits who asks, broke, does not know what was
	// asked for, or does not let this sign-in do it.
	//
	// When: a delivery reads an issue, or creates or reads a pull request. The message names the step.
	//
	// Do: what the message says; then `assent resume RUN`. A pull request is never created twice.
	ForgeFailed Code = "FORGE_FAILED"

	// The branch of a delivery had a pull request, and somebody closed or merged it.
	//
	// When: a delivery publishes its branch.
	//
	// Do: reopen it if it was closed by mistake, and `assent resume RUN`; else start a new delivery, which has a
	// branch of its own.
	PullRequestClosed Code = "PULL_REQUEST_CLOSED"

	// Nothing says what is to be delivered.
	//
	// When: a delivery is started without a task, an issue and a plan. None is made up.
	//
	// Do: give one of them: `assent deliver "TASK"`, `--issue N` or `--plan FILE`.
	TaskMissing Code = "TASK_MISSING"

	// There is nothing in the run that finishing it would go on from: it did not stop where a person can
	// repair something, or somebody has said since that it was not repaired.
	//
	// When: `assent deliver --finish RUN`, and its like in Go.
	//
	// Do: what the message says. `assent show RUN` says why the run stopped.
	RepairNotAsked Code = "REPAIR_NOT_ASKED"

	// The calls of a run do not follow each other as those of a delivery do, so nobody can say how far it is.
	//
	// When: the outcome of a run is read that executes another script than `issue-delivery`, or one that was
	// edited beyond recognition.
	//
	// Do: `assent show RUN` shows any run.
	DeliveryStagesInvalid Code = "DELIVERY_STAGES_INVALID"

	// A branch that a delivery needs is not the run's own: somebody else made it, has moved it, or has it
	// checked out.
	//
	// When: before the branch is made or moved. Nothing of it is reset or removed.
	//
	// Do: rename the branch, or leave it where it is checked out; then `assent resume RUN`.
	BranchForeign Code = "BRANCH_FOREIGN"

	// A branch could not be pushed: the remote refused it or cannot be reached, or the branch holds commits
	// there that the run did not push.
	//
	// When: a delivery pushes its branch. Commits of others are never replaced.
	//
	// Do: what git says; then `assent resume RUN`, which pushes again.
	PushRefused Code = "PUSH_REFUSED"

	// Git, or another program, could not do what a delivery needs.
	//
	// When: a function of Issue Delivery does its work. The step and what the program said are named.
	//
	// Do: what it says; then `assent resume RUN`, which does it again.
	DeliveryFailed Code = "DELIVERY_FAILED"

	// Nothing was found by which the result of a delivery could be checked. That is not a pass.
	//
	// When: a delivery begins, or its checks are to run.
	//
	// Do: name the checks under `[delivery.checks]` in `.assent/config.toml`, or say `--allow-no-checks`.
	ChecksNotFound Code = "CHECKS_NOT_FOUND"

	// The repository's own settings of remotes, of signing in, of hooks and of other programs that git starts
	// are not what they were when the delivery began. Agents can write to them.
	//
	// When: before a delivery fetches or pushes with your means of signing in, and before it hands you a
	// working tree to repair something in.
	//
	// Do: look at `git config --local --list --show-origin` and at the hooks; put back what you did not want, then `assent resume RUN`.
	// If you changed them yourself, deliver anew.
	SettingsChanged Code = "SETTINGS_CHANGED"
)
