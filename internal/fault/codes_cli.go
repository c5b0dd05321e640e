package fault

// The command line.
const (
	// The command was called in a way that it does not have. Exit 2.
	//
	// When: an unknown command or flag, a missing or superfluous argument, two flags that exclude each
	// other.
	//
	// Do: `assent COMMAND --help`.
	Usage Code = "USAGE"

	// A file of the user's, the configuration or a file of scripted answers, cannot be read or says
	// something that it cannot say.
	//
	// When: at the start of a command that needs it. Also if a program that [asks or tells
	// people](config.md#an-asker) is named by a workspace's file, is not there, lies in the workspace,
	// or can be written by others than you.
	//
	// Do: the message names file, line and key.
	ConfigInvalid Code = "CONFIG_INVALID"

	// There is neither a file nor a saved workflow of that name.
	//
	// When: `assent run NAME`.
	//
	// Do: give the path of a script, or one of the names that the message lists.
	WorkflowUnknown Code = "WORKFLOW_UNKNOWN"

	// A file in a folder of saved workflows cannot be used by its name: the name is not safe on every
	// system, two files of the folder have it, or it is no file, or a link that leads out of there.
	//
	// When: `assent run NAME`. No file of another folder is taken for it. `assent workflows` lists it.
	//
	// Do: rename it, or run it by its path; the message names the files.
	WorkflowInvalid Code = "WORKFLOW_INVALID"

	// The arguments do not fit what the script's `meta.args` asks for.
	//
	// When: before the run starts; no run is made.
	//
	// Do: every violation is named with its path; `assent run NAME --help` shows what the script takes.
	ArgsInvalid Code = "ARGS_INVALID"

	// The script has a mistake that surely fails, or that lets work begin to which nobody said yes: a
	// question that nobody waits for, a decision that is not compared with true.
	//
	// When: `assent run`, before anything starts; no run is made.
	//
	// Do: `assent lint NAME` says what to do about each; [the rules](lint.md) say why, and how to turn
	// one off in one place.
	LintFailed Code = "LINT_FAILED"

	// There is no test to run. Exit 1.
	//
	// When: `assent test`, if no file of tests stands beside the script or below the folder, or if
	// `--run` chooses none.
	//
	// Do: write [the file](workflow-tests.md) that the message names; it shows a first test.
	NoTests Code = "NO_TESTS"

	// A program that the command needs is not on the `PATH`.
	//
	// When: `assent demo` without git.
	//
	// Do: install it; the message says how.
	ProgramMissing Code = "PROGRAM_MISSING"
)
