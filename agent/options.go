package agent

import (
	"encoding/json"
	"time"
)

// Options are the options of one call of agent() as the script gave them, checked. The zero
// value is a call without options.
type Options struct {
	// Label and Phase name the call to people; they are not part of its identity.
	Label string
	Phase string
	// OnError is "throw", or "" for the default: a failed agent gives null.
	OnError string
	// Model and Effort are names that only the agent understands.
	Model  string
	Effort string
	// Schema is the JSON Schema of the answer; absent for a text.
	Schema json.RawMessage
	// Strict refuses an answer with a schema that has anything beside its value.
	Strict bool
	// ReadOnly is nil if the script said nothing. false widens nothing: a call is read-only
	// if it, or anything above it, says so.
	ReadOnly *bool
	// Tools and Skills: nil is whatever the agent has by itself, empty is none at all.
	Tools           []string
	DisallowedTools []string
	Skills          []string
	// Under is the checksum of the approval that the call acts under.
	Under string
	// Timeout is for one attempt; 0 is none.
	Timeout time.Duration
	// Retries are further attempts after an ordinary failure.
	Retries int
	// MaxContextTokens is passed on; 0 is the agent's own.
	MaxContextTokens int
	// Cwd is the folder to work in, relative to the workspace or absolute, but inside it.
	Cwd string
	// Tier is "small", "medium" or "big", AgentType the name of an agent type; what they stand for is
	// resolved outside of this package.
	Tier, AgentType string
	// Isolation is "worktree" for a working tree of the call's own, or "". Base is the id of the commit
	// that it begins at; "" is the one that is checked out.
	Isolation, Base string
}

// TierNames are the tiers, the smallest first.
var TierNames = []string{"small", "medium", "big"}

// IsolationWorktree is the one kind of isolation.
const IsolationWorktree = "worktree"

// Call is one call of agent(), checked.
type Call struct {
	Prompt  string
	Options Options
	// Warnings has one line for each option of another runner's dialect, sorted.
	Warnings []string
}
