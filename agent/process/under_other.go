//go:build !linux

package process

// ancestry is empty where the environment of another process cannot be read.
func ancestry() []string { return nil }
