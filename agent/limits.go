package agent

import "time"

// Every cap of this package, each with its reason.
const (
	// MaxValueBytes caps one answer as JSON: the same size that may cross the border of the
	// script machine, so that an answer that was paid for is never refused later.
	MaxValueBytes = 64 << 20

	// MaxRetries is the most that a script may ask for; more hides a broken agent.
	MaxRetries = 3

	// RepairRounds is how often an agent is told what is wrong with a structured answer.
	RepairRounds = 2

	// MaxTimeout is the longest timeout a script may ask for; a longer one is most likely a
	// wrong unit.
	MaxTimeout = 7 * 24 * time.Hour

	// maxContextTokens is far above every model's context; more is a mistake.
	maxContextTokens = 1_000_000_000

	// bytesPerToken is what a token has in English text, about; it makes an estimate of a prompt.
	bytesPerToken = 4

	// DefaultContextWarning is the part of maxContextTokens from which on a call is warned of, in
	// hundredths: an agent that begins to forget its task does so before the end of its context.
	DefaultContextWarning = 80

	// attemptShown, violationShown and attemptViolations cap what is kept of why an attempt at a call
	// failed: up to six of them stand in one entry.
	attemptShown      = 500
	violationShown    = 300
	attemptViolations = 20

	// rawShown is how much of an answer that could not be used an error message carries.
	rawShown = 2 << 10

	// repairShown is how much of such an answer the agent is shown again.
	repairShown = 8 << 10

	// violationsShown caps the violations in a message or a repair prompt; the rest is
	// counted. A typed error has them all.
	violationsShown = 100

	// maxCost, in US dollars, and maxTokens keep sums of usage far from overflow.
	maxCost   = 1e9
	maxTokens = 1 << 50
)
