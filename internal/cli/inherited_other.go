//go:build !linux

package cli

// keepInherited does nothing where a process cannot list what it was given.
func keepInherited() {}
