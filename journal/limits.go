package journal

import "time"

const (
	// formatVersion is the format that this package writes, and the newest that it reads.
	formatVersion = 1

	// maxEntry bounds one entry's text: arguments and a value at the border's limit of 64 MiB
	// each, and room for the rest. bbolt itself would go to 2 GiB.
	maxEntry = 160 << 20

	// maxLine bounds a line of an export: an entry's data and the rest of it.
	maxLine = maxEntry + 32<<20

	// MaxExport bounds an export that is read, in bytes; all of it is held in memory.
	MaxExport = 1 << 30

	// shortestEntry is less than any entry has: what is shorter ends the reading of an export, so
	// that a file of empty lines does not fill the memory.
	shortestEntry = 128

	// defaultHold is how long a burst keeps others from the file. bbolt shuts out readers too,
	// so this is what somebody who looks at a busy run waits; opening costs about a tenth of it.
	defaultHold = 3 * time.Millisecond

	// maxBatch bounds the text of one commit of the shared file, but for its last update: bbolt
	// has all of it in memory, twice.
	maxBatch = 32 << 20

	// anchorEvery is how far the anchor of an unsealed entry may be behind in a shared file.
	anchorEvery = 100 * time.Millisecond

	// giveWay is how many times the committing goroutine lets all others run first before it
	// commits with those that it has.
	giveWay = 4

	// maxSurveys is how many times the pages of the shared file are looked at, while others commit,
	// before this store first writes to it.
	maxSurveys = 3

	// maxSyncs is how many anchors are synced at the same time.
	maxSyncs = 16

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
