// Package cli is the command line: one file a command. It is the only room that knows of
// arguments, environment, standard streams, signals and exit codes; all of them come in with a
// [System], so that a test can hand in its own.
//
// # What goes where
//
// Standard output carries data and nothing else: the result of a run, a table, or with --json
// one JSON object, watch alone one for each event (docs/reference/json.md). Talk goes to
// standard error, in lines that begin with "assent: ". Questions go to the terminal. Every text
// that is not ours passes [term.Escape], or, inside JSON, safeJSON: no output carries a control
// character, a bidi control or the like, whatever a script or a model wrote.
//
// An error is printed as its code, what was wrong, and on a line of its own what to do:
//
//	assent: RUN_UNKNOWN: no run begins with "01ABCD"
//	next: assent ls --all
//
// # Exit codes
//
// exit.go maps every outcome to one of the codes of docs/reference/exit-codes.md.
//
// # A run at the command line
//
// drive.go drives one attempt: it makes the engine's options of flags and configuration,
// connects signals, asker, live list and, below --detach, the parent that waits for the run's
// id, and reports how the attempt ended. run, resume and every command with --resume go this
// one way. What a person is asked goes through asker.go, in a run as in review; where there is no
// terminal, through a program of the user's (askerprogram.go). notify.go tells that something
// waits. Both programs are named by the user's own configuration alone, and lie outside of the
// workspace (configprogram.go): what a repository holds, or an agent writes, decides neither who
// answers nor who is told.
//
// Nothing here answers a gate by itself: no flag, no variable, no configuration. approve,
// reject and answer record what a person says, and refuse to run below an agent.
package cli
