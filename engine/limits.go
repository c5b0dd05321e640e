package engine

import "time"

const (
	// defaultMaxCalls caps agents and gates of a run: a loop that never ends must cost a
	// bounded amount.
	defaultMaxCalls = 1000
	// defaultLoopRepeats is how often the same is asked, one after the other, before it looks like a loop
	// that has lost its way: a retry with three attempts, and a vote of three, are none.
	defaultLoopRepeats = 5
	// defaultStretch is how long a script may compute without waiting for an answer.
	defaultStretch = 30 * time.Second
	// maxValue is the largest value that crosses the border of the script, in bytes.
	maxValue = 64 << 20
	// maxSleep keeps a timer inside what a time.Duration holds.
	maxSleep = 366 * 24 * time.Hour
	// noteDelay is how long a note of the script may wait for an entry that is written anyway,
	// before it gets a transaction of its own.
	noteDelay = 200 * time.Millisecond
)
