// Package tests holds what must be true of the project as a whole: which room may import
// which (the architecture test), that every code of a refusal is documented, and that the scripts of the project and of its
// documentation agree with the types that authors get (types/ has what the TypeScript compiler needs).
//
// It has no code of its own; all of it runs with go test ./tests.
package tests
