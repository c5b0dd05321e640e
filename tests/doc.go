// Package tests holds what must be true of the project as a whole: which room may import
// which (the architecture test), and that every code of a refusal is documented.
//
// It has no code of its own; all of it runs with go test ./tests.
package tests
