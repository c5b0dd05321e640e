package acp

import "time"

// Every cap of this package, each with its reason.
const (
	// maxLine caps one line of the agent: an update with some large files, before and after an edit.
	// maxMessage caps what goes through the library, whose own limit is a little higher.
	maxLine    = 32 << 20
	maxMessage = 8 << 20

	// maxOpen caps the requests of the agent that are not answered yet; an agent that waits for more
	// at once is at fault, and each one costs a goroutine.
	maxOpen = 256

	// maxText caps what an agent says and thinks in one attempt, as much as may be an answer.
	maxText = 64 << 20

	// maxEvents caps the events of an attempt, maxTools the uses of tools that are remembered: a
	// night's work, and not a loop.
	maxEvents = 20_000
	maxTools  = 20_000

	// eventShown caps what an event carries of a tool's input or result.
	eventShown = 64 << 10

	// askShown caps what a person is shown of a use of a tool; what is longer is not asked about, but
	// denied. It fits into a question, with the words around it.
	askShown = 60 << 10

	// maxInputs and maxLocations cap what is kept of one use of a tool; a use of more is let do nothing
	// that needs leave.
	maxInputs    = 16
	maxLocations = 1000

	// maxMatches caps the files that a pattern in a command may stand for.
	maxMatches = 10_000

	// maxFile caps a file that is read or written for the agent; it has to fit into a message.
	maxFile = 6 << 20

	// maxTerminals caps the terminals that are there at once, maxTerminalOutput what is kept of the
	// output of one, unless the agent wants less.
	maxTerminals      = 32
	maxTerminalOutput = 1 << 20

	// maxCommand caps a command that is looked at; a longer one is not recognised.
	maxCommand = 8 << 10

	// maxTokens and maxCost (in US dollars) keep a usage that cannot be true out of the books.
	maxTokens = 1 << 50
	maxCost   = 1e6

	// startTime is how long an agent may take over each step until its session is there; a prompt may
	// take as long as the call.
	startTime = 2 * time.Minute

	// leaveTime is how long an agent may take to say that it was cancelled, out of the process's grace.
	leaveTime = time.Second

	// probeTime is how long a probe waits for an agent; some start a second program first.
	probeTime = 20 * time.Second

	// messageShown caps an agent's own words in an error message.
	messageShown = 2 << 10
)
