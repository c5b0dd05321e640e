package forge

import "time"

// Within is the forge with another time for each step.
func (f *Forge) Within(limit time.Duration) *Forge {
	other := *f
	other.limit = limit
	return &other
}
