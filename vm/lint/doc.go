// Package lint finds what is wrong with a workflow script before it runs.
//
// [File] reads a script as the machine does (vm.Check), walks the tree once and lets every rule look at it. What it knows of a
// value it knows for sure: an approval is what planApprove gave, by way of await, names that are set to nothing else, and functions
// that return nothing else. What is not sure is not reported, with the exception of names that nobody knows.
//
//	tree.go      the tree, with a node for each piece of syntax
//	scope.go     which name means what
//	kind.go      what an expression gives
//	flow.go      what runs after what
//	rules.go     the rules; each file named after one kind of mistake has their code
//	ignore.go    comments that turn a rule off in one place
//
// Positions are the author's, in each file of the script. A function of an imported file that nothing uses is no part of the
// program and is not looked at.
package lint
