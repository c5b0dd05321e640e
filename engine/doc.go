// Package engine drives one run: it executes a script in a vm.Machine and answers each of its
// calls, from the journal or live, in one path for both.
//
// A run is a sequence of turns. A turn is one answer delivered to the script, run until the
// script only waits; the calls it makes in that turn are caused by that answer. Answers are
// delivered strictly in the order of their seq in the journal, and only after they are
// fsynced there.
//
// On resume the script runs from the top. For each call, in this order:
//
//  1. no entry for its key: live;
//  2. the answer that causes it has a higher seq than when it was made before: something
//     before it ran again, so it is stale: live;
//  3. another identity: live (but see NONDETERMINISTIC_SCRIPT);
//  4. finished: replayed;
//  5. failed: replayed as the script saw it; live with Options.RetryFailed, and in a run that
//     had ended if the replay leads to its end again, so that nothing else is left to do;
//  6. a gate that still waits: taken up as it is, with its id, nonce and deadline;
//  7. started and never finished: live if it cannot have changed anything, else a person
//     decides (Options.Recover), or a flag that a person gave.
//
// Replay drains first: nothing live is started or delivered while an answer from the journal
// waits to be delivered. If that ends the script, nothing runs. Once it is drained, questions that
// still wait and that the script has not come to are closed: by rule 2 they would be asked again.
//
// The source of a workflow that the script starts is the answer to a call, so a resume executes what the run began with. A resume
// with a program that somebody names looks at the files again: those that differ become part of the program.
//
// An approval that somebody takes back while an attempt is at work stops it: the transactions
// that start work and that end the run look for it. What is at work ends and is journaled, and is
// not delivered. Calls that name an approval are made by its policy, which is read from the journal
// and is part of their identity, in the part from outside the script.
//
// [Run] starts a run, [Resume] continues one, [DryRun] forecasts what a resume would do,
// [Replay] proves that a finished run's journal leads to its result, [Against] says what an
// edited script would make of a run. Go programs add their own
// calls as [Primitive] values; each gets journaling, replay and frames for free.
package engine
