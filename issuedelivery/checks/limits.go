package checks

import "time"

// Every cap of this package, each with its reason.
const (
	// DefaultTimeout ends a check: longer than the tests of most projects take.
	DefaultTimeout = 15 * time.Minute

	// DefaultOutput is how many bytes of each output of a check are kept; its beginning and its end say
	// most. goodOutput is for checks that are good: nobody reads more of them.
	DefaultOutput = 64 << 10
	goodOutput    = 4 << 10

	// margin is kept besides at a cut, so that a secret which straddles it is still recognised as one.
	margin = 4 << 10

	// longestLine ends a check that prints a longer one: a line has to be held whole to be counted.
	longestLine = 8 << 20

	// countedLine is how much of a line is looked at for what it tells of tests.
	countedLine = 4 << 10

	// mostCounted keeps a line that lies about the number of tests from being more than a number.
	mostCounted = 1 << 30

	// fileRead caps how much of a file is read to find checks; testFiles how many files of tests.
	fileRead  = 1 << 20
	testFiles = 50

	// folders is how many folders below the top are looked at for checks.
	folders = 100

	// shownFailures are the lines of a failed check that its summary has, shownLine is how long each is.
	shownFailures = 3
	shownLine     = 200

	// shownOutput is how much of each output of a failed check its feedback has, and shownInAll bounds
	// the feedback of all of them.
	shownOutput = 2000
	shownInAll  = 24_000

	// defaultTokens and mostTokens bound a delta; a token is about tokenSize characters.
	defaultTokens = 512
	mostTokens    = 100_000
	tokenSize     = 4

	// causeLength caps one cause, in characters; mostCauses how many are told apart, and mostRounds how
	// many rounds are remembered of one.
	causeLength = 400
	mostCauses  = 400
	mostRounds  = 20

	// readFeedback is how much of one round's feedback is read: its beginning and its end.
	readFeedback = 256 << 10
)
