// Package checks finds the checks that a project has, runs them, and says what they show.
//
// A check is a command, its exit code is its verdict, and its output the evidence. Of a check that runs
// tests the output has to show that some ran: a test command that ran no test is not good, whatever its
// exit code says. And where there is no check at all, nothing is good.
package checks
