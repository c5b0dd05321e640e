// Package issuedelivery brings an issue to a pull request that a reviewer can trust: a scout looks, a
// thinker plans, a person approves, workers work, checks and verifiers judge, and what passed is
// integrated, published and looked at once more.
//
// The pipeline is a script, workflows/issue-delivery.js. Whatever a program can do in it is a host
// function of this package, and so a call that is journaled and replayed like every other: three that
// any script may want, stageCheck, checkFinalization and prototypeSafetyCheck; and the pipeline's own,
// the methods of the global delivery. Three more only compute: compactFeedback, renderCorrectionDelta
// and renderStageCheckFeedback.
//
// # Commits are the values
//
// A worker's answer names a commit. A check, a verifier and a merge are given commits, and give
// commits. They are made without a working tree, with dates that the script passes: doing a step again
// gives the same ids. So what stands in the journal says exactly what was checked, what was judged and
// what was published, and a function that a crash cut off is simply called again.
//
//	refs/assent/delivery/<run id>/…       what the run's functions made, kept from git's collector
//	assent/<end of run id>-<slug>         the branch of the result
//	<work>/<run id>/handover.md           what a person has to know of a run that stopped
//
// The user's working tree, index and HEAD are never touched.
//
// # From Go
//
// [Deliver] drives a delivery, and [Look] reads the [Outcome] of any: both from the journal alone, by the
// order of its calls, which [Stage.To] holds against the stages of a delivery. [Stops] is the one table of
// all the ways in which one ends or pauses; delivery.stop, outcomes and the documentation have it.
package issuedelivery
