package process

import "time"

// Every cap of this package, each with its reason.
const (
	// DefaultMaxOutput caps what an agent may print. More than this is no answer that a
	// script could take.
	DefaultMaxOutput = 64 << 20

	// DefaultGrace is how long a process group may take to end by itself: between the
	// request to end (SIGTERM) and the order (SIGKILL), and between the end of the agent and
	// the end of a pipe that something it left behind still holds. Both together stay
	// under 5 s.
	DefaultGrace = 2 * time.Second

	// DefaultMaxStream caps what a child may print whose lines are taken one by one: a night's
	// events of an agent that reads large files, and not a loop that prints for ever.
	DefaultMaxStream = 1 << 30

	// stderrKept is the end of standard error that is kept in memory: more than is shown, so
	// that a secret that straddles the cut is still recognised as one.
	stderrKept = 64 << 10

	// StderrShown is the end of standard error that an error message carries.
	StderrShown = 2 << 10

	// pipeRoom is more than a pipe holds unless a child makes it larger, and a reader has before it.
	pipeRoom = 1 << 20

	// hurry is how long the end of an output may take to reach us once ctx has ended.
	hurry = 100 * time.Millisecond
)
