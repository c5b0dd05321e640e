// Package checkpoint is the human gate: a question that only a person answers.
//
// A [Question] is what a script, or a Go program, asks. Asking it once makes a gate: an entry
// gate.asked in the run's journal with an id, a nonce and perhaps a deadline, which are new
// with each asking. A gate ends once, by compare-and-swap in the journal:
//
//	pending -> answered | defaulted | expired | interrupted | cancelled | superseded
//	           (for a plan: approved | rejected | changes_requested instead of answered)
//	approved -> revoked | lapsed
//
// The question's identity is the SHA-256 of the RFC 8785 form of
//
//	{"v":1,"kind","prompt","choices","default","headless","checksum"}
//
// with null for what was not given. An answer stands only for the same identity at the same
// call; [Stand] says what the journal's record of an earlier asking is worth now.
//
// Without a person a gate is settled by a rule, never by a guess: [Default] takes the default
// and records that nobody answered, [Abort] ends the run with HUMAN_INPUT_REQUIRED, [Suspend]
// leaves the gate pending for another process to answer. A question without a default is
// refused when the rule would need one; no default is ever invented.
//
// With an approval a person says how the work under it is to be done, its [Policy]. [Revoke]
// takes an approval back.
//
// [Respond] records an answer from any process; of a plan that has a copy ([Copies]) it records
// an approval only if somebody compares the copy. [Ask] puts a question from a Go program
// against a journal, without any script.
package checkpoint
