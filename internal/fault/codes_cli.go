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
	// Do: give the path of a script; the message lists the saved workflows.
	WorkflowUnknown Code = "WORKFLOW_UNKNOWN"

	// The arguments do not fit what the script's `meta.args` asks for.
	//
	// When: before the run starts; no run is made.
	//
	// Do: every violation is named with its path; give them with `--arg NAME=VALUE`.
	ArgsInvalid Code = "ARGS_INVALID"

	// A program that the command needs is not on the `PATH`.
	//
	// When: `assent demo` without git.
	//
	// Do: install it; the message says how.
	ProgramMissing Code = "PROGRAM_MISSING"
)
