package forge

import "time"

const (
	// stepTime is for one step of gh: some requests over a slow line.
	stepTime = time.Minute
	// grace is how long gh may take to end once it is told to.
	grace = 2 * time.Second
	// maxOutput caps what a step prints: a hundred pull requests and their checks are far less.
	maxOutput = 8 << 20
	// maxPulls is how many pull requests of one branch are looked at.
	maxPulls = 100

	// MaxBody is how many characters the text of a pull request may have on the forge; MaxTitle is the
	// same of its title.
	MaxBody  = 65536
	MaxTitle = 256
)
