// Package redact takes credentials out of texts that people will read or that are kept: the values
// of environment variables whose names say that they are secret, and what has the shape of a common
// key, token, password or authorization header. It cannot know a secret without a name and without
// a shape.
package redact
