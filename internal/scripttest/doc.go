// Package scripttest runs workflow scripts against prepared answers and says what differs from what
// a file expects: tests for the authors of workflows, without a model, a network or a person.
//
// The tests of review.js stand beside it in review.js.test.toml (or review.test.toml). [TestsOf] and
// [ScriptOf] give one for the other, [Below] the files of a folder. [Load] reads a file and refuses
// what it cannot mean, with its line. [Run] runs tests, several at once, and gives a [Report] of each:
//
//	file.go, mistakes.go   the file as TOML, and where a mistake in it stands
//	check.go, expectation.go  the file as a Test
//	find.go                which file goes with which script
//	run.go                 tests at work at the same time, and their reports
//	stage.go, tree.go      the folder of one run: store, key, home and workspace of its own
//	trial.go               one run of one test
//	answers.go, person.go  who answers agents, and who answers gates
//	course.go              what happened
//	expect.go, differ.go   what was expected, held against it
//	proofs.go, cut.go      what holds of every run: it replays, its journal is whole, and it can be
//	                       cut off and resumed
//
// # Nothing here approves
//
// Gates are answered by the file. Such an answer is recorded as simulated, which only a run accepts
// that was started as a simulated one; the store is made for the run, with a key of its own, and is
// removed after it. There is no way to hand a store in.
package scripttest
