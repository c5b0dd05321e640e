// Package git runs the user's git below a call of a run: with the fences of an agent, in a process
// group that is ended with it, without a terminal, and without what the environment or the
// repository would have it do besides.
package git
