// Package forge reaches the forge that a repository is published to, by the user's own gh.
//
// An [Address] is read from the address of a git remote. Every step is one gh, without a terminal, with an
// environment of what gh needs to find its sign-in, and with a time limit; its error is FORGE_FAILED,
// names the step, and says what to do about it.
//
// # One pull request
//
// A forge may have done what nobody heard of: the program was killed, the connection broke, the time was
// up. So Ensure looks for a pull request of the branch before it creates one, and looks again after a
// creation that failed. In one call it never creates twice.
//
// What is written on a forge is written by anybody. Texts of issues are a snapshot with a hash; comments
// are never read.
package forge
