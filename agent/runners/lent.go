package runners

import (
	"slices"
	"time"
)

// What is known here of programs that are also reached through an adapter of another protocol.

// CodexReadOnly are the settings, as arguments, that keep codex in a folder from what would run beside
// its sandbox: -c and a setting, for each. The error is AGENT_UNABLE.
func CodexReadOnly(o Options, cwd string) ([]string, error) {
	args, err := (&codexRunner{o}).nothingBesides(cwd, nil)
	return slices.DeleteFunc(args, func(arg string) bool { return arg == "--ignore-rules" }), err
}

// ClaudeReset is when work can go on by a message of Claude Code's, zero if it does not say so in a way
// that is known.
func ClaudeReset(message string, now time.Time) time.Time { return claudeReset(message, now) }
