// Package process runs the programs of agents, and others that get an agent's fences, and leaves
// nothing behind.
//
// A [Job] runs in its folder, in a session and process group of its own, without a terminal, with an
// environment that [FilterEnv] made. Its standard input is what it is given and then the end, never
// that of this process. What it prints is kept up to a cap, taken line by line, or conversed with.
//
// When the child ends, when its time is up or when the call is cancelled, the whole group is asked
// to end, and after a grace made to. Something left behind that holds the output open is not waited
// for: the output is taken, and Outcome.Held says so.
//
// # Ends that are not clean
//
// A Step is told of the group as soon as it exists and before it gets its input, so that whoever
// takes a run over after a crash can end it. On Linux, processes that left the group are found by a
// variable that they inherit (EndStrays). None of this is a sandbox: a child runs as the user that
// started it. By another variable, [UnderAgent] knows whether this process itself runs below an
// agent.
package process
