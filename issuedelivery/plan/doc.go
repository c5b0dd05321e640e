// Package plan is what a delivery is going to do: steps, each with its files, its acceptance criteria
// and the steps that it waits for. It does no I/O.
//
// A plan is written by a model, or by a person in a file, and approved by a person. Before it is shown
// to anybody [Check] holds it against rules that a program can judge, and names everything that breaks
// one, so that one answer mends them all:
//
//   - its form: no member is missing, none is of another type, and a step has no unknown one;
//   - its order: ids are unique and plain, dependencies are known and have no cycle;
//   - its files: they are inside the repository, they are neither git's own nor Assent's, and two steps
//     that could run at the same time never change the same one;
//   - its criteria: each step has one that somebody could check.
//
// A rule that is broken is a [Finding] with a code of the table [Codes], the step, the place in the plan
// ($.steps[2].files[0]) and one sentence that says what to write instead.
//
// # Files
//
// An entry of a step's files is the path of one file from the top of the repository, with slashes. One
// that ends in a slash is a folder: everything below it. One with * or ? is a pattern: * is any run of
// characters, slashes too, ? is one character, and there are no other signs. What a step changed is
// compared with these entries afterwards, so what they take is exactly what the step may change.
package plan
