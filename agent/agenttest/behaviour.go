package agenttest

import (
	"encoding/json"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// Behaviour is what a fake does, in this order. The zero value answers with the empty text.
type Behaviour struct {
	// Deaf ignores the request to end (SIGTERM).
	Deaf bool `json:"deaf"`
	// Grandchild starts a process that holds the fake's output, ignores the request to end, and never
	// ends: InGroup or InSession.
	Grandchild string `json:"grandchild"`
	// Garbage is printed in place of everything that Say says; Flood is how many bytes without a line end
	// are.
	Garbage []byte `json:"garbage"`
	Flood   int64  `json:"flood"`

	// For Say: what the agent tells while it is at work: its session, texts, uses of tools and their
	// results.
	Events []agent.Event `json:"events"`
	// Wait is to say no more than Events, and to be at work for ever.
	Wait bool `json:"wait"`
	// What it comes to: that it failed, by its own word; that a limit is reached; that it has no such
	// model; or the answer, Value if there is one, else Text.
	Failure string          `json:"failure"`
	Limit   *Limit          `json:"limit"`
	NoModel bool            `json:"noModel"`
	Value   json.RawMessage `json:"value,omitempty"`
	Text    string          `json:"text"`
	// Echo makes Text the prompt that was heard.
	Echo bool `json:"echo"`
	// Usage is what the agent reports, beside whatever it came to; zero is that it reports none.
	Usage journal.Usage `json:"usage"`
	// Cut ends the output within the line that is said by Program.Last.
	Cut bool `json:"cut"`

	// Stderr is written to standard error, Exit is the exit code.
	Stderr string `json:"stderr"`
	Exit   int    `json:"exit"`
}

// Limit is a usage limit that is reached.
type Limit struct {
	// Reset is when it ends, Message what the provider says.
	Reset   time.Time `json:"reset"`
	Message string    `json:"message"`
}

// Where a Grandchild runs: in the fake's process group, or in a session of its own.
const (
	InGroup   = "group"
	InSession = "session"
)

// Heard is what arrived at a fake.
type Heard struct {
	// Prompt may have more around it: a runner may put instructions or a schema there.
	Prompt       string          `json:"prompt"`
	Model        string          `json:"model"`
	Effort       string          `json:"effort"`
	Instructions string          `json:"instructions"`
	Tools        []string        `json:"tools"`
	Schema       json.RawMessage `json:"schema"`
	// ReadOnly says that the program was fenced in, in whatever way it has.
	ReadOnly bool `json:"readOnly"`
}

// Report is what a fake says of one of its processes, once it has heard.
type Report struct {
	Heard Heard `json:"heard"`
	Pid   int   `json:"pid"`
	// Args are the program's arguments, Env is its environment, Cwd its folder.
	Args []string `json:"args"`
	Env  []string `json:"env"`
	Cwd  string   `json:"cwd"`
	// Rest is what standard input held beyond what Hear read, unless the speaker is a conversation.
	Rest string `json:"rest"`
	// Terminal says that a terminal could be opened.
	Terminal bool `json:"terminal"`
	// Problem is why nothing could be heard.
	Problem string `json:"problem"`
	// At is when that was.
	At time.Time `json:"at"`
}
