package journal

import "time"

const (
	// formatVersion is the format that this package writes, and the newest that it reads.
	formatVersion = 1

	// maxEntry bounds one entry's text: arguments and a value at the border's limit of 64 MiB
	// each, and room for the rest. bbolt itself would go to 2 GiB.
	maxEntry = 160 << 20

	// defaultHold is how long a burst keeps others from the file. bbolt shuts out readers too,
	// so this is what somebody who looks at a busy run waits; opening costs about a tenth of it.
	defaultHold = 3 * time.Millisecond

	// lockPatience is how long an opener waits for the lock of the file. Everybody gives it
	// back after some milliseconds, unless stopped (SIGSTOP) or stuck on a disk.
	lockPatience = 4 * time.Second

	// groupPatience is how long a dead owner's processes have to end by themselves.
	groupPatience = time.Second

	// maxEnviron is how much of a process's environment is looked at; Linux allows 6 MiB.
	maxEnviron = 8 << 20

	// minPrefix is the shortest abbreviation of a run id that a person means on purpose.
	minPrefix = 4
)
