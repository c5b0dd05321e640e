package agent

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/journal"
)

// Version is the version of the request that an agent gets. New fields are optional and do
// not change it.
const Version = 1

// Request is what one attempt hands to an agent. Its JSON is what a command agent reads from
// its standard input.
type Request struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	Call    string `json:"call"`
	Label   string `json:"label"`
	Phase   string `json:"phase"`
	Prompt  string `json:"prompt"`
	// Schema is the JSON Schema that the answer has to satisfy.
	Schema json.RawMessage `json:"schema,omitempty"`
	Model  string          `json:"model,omitempty"`
	Tier   string          `json:"tier,omitempty"`
	// What else the script asked for; present only if it did.
	Effort string `json:"effort,omitempty"`
	// PermissionMode is that of the approval the call is made under: "ask", "accept-edits" or
	// "auto". Model and Effort are then the person's, if they chose any.
	PermissionMode   string   `json:"permissionMode,omitempty"`
	Tools            []string `json:"tools,omitzero"`
	DisallowedTools  []string `json:"disallowedTools,omitempty"`
	Skills           []string `json:"skills,omitzero"`
	MaxContextTokens int      `json:"maxContextTokens,omitempty"`
	// AgentType is the name of the agent type that the script asked for, Instructions what its definition
	// has the agent be told before the prompt.
	AgentType    string `json:"agentType,omitempty"`
	Instructions string `json:"instructions,omitempty"`
	// ReadOnly says that the agent must not change anything.
	ReadOnly bool `json:"readOnly"`
	// Isolated says that Cwd is a working tree of the call's own.
	Isolated bool `json:"isolated,omitempty"`
	// Scratch is a folder of the run's, outside of every repository, where also an agent that only reads
	// may write; its calls share it. "" if there is none.
	Scratch string `json:"scratch,omitempty"`
	// Cwd is the folder the agent works in.
	Cwd string `json:"cwd"`
	// Attempt counts the attempts at this call from 1, repair rounds included.
	Attempt int `json:"attempt"`

	// Again is asked before each attempt but the first whether the call may be tried once more, also
	// for a repair round; its error is why not. Nil lets every attempt be made. It belongs to the
	// call: no runner gets it.
	Again func(ctx context.Context, next Next) error `json:"-"`
	// ContextWarning is the part of MaxContextTokens from which on a call is warned of, in hundredths;
	// 0 is DefaultContextWarning. It belongs to the call too.
	ContextWarning int `json:"-"`

	// Tell gets what the agent says and does while it is at work; nil is nobody. It may be called from
	// several goroutines at once. It belongs to the call.
	Tell func(Event) `json:"-"`
	// Ask is asked whether an agent that asks may use a tool, in the mode "ask" and where no rule
	// decides; it waits for a person, and its error is that nobody could be asked. Nil is that nobody
	// can be: the agent may not.
	Ask func(ctx context.Context, p Permission) (bool, error) `json:"-"`

	// asked is the script's own prompt when Prompt is that of a repair round.
	asked string
}

// Response is what one attempt, or a whole call, came to.
type Response struct {
	// Value is a JSON string for a text, else the value.
	Value json.RawMessage
	// Structured says that the agent gave Value as a value and not as text: a schema is
	// checked against Value itself, also if it is a string.
	Structured bool
	// Usage is what was used, also beside an error.
	Usage journal.Usage
	// Note is a remark for people about how the answer came about.
	Note string
	// Attempts are those that a call took, if it took more than one; Warning says that it came
	// near the end of its context, or beyond. No runner fills them in.
	Attempts []journal.CallAttempt
	Warning  string
}

// Permission is a use of a tool that an agent asks leave for.
type Permission struct {
	// Tool is the agent's own name of it, Title what the agent calls this use of it, Input what it is
	// given, as text.
	Tool, Title, Input string
}

// Runner makes one attempt at one request. It knows nothing of schemas, retries and timeouts:
// it ends when ctx does, leaves nothing behind that still works, and then returns. Usage is
// filled in beside an error too. It is called from several goroutines at once.
type Runner interface {
	Run(ctx context.Context, req Request, step Step) (Response, error)
}

// TierTaker is a Runner that chooses by the tier of a request itself.
type TierTaker interface {
	// TakesTiers reports whether a tier that stands for no model means something to it.
	TakesTiers() bool
}

// Step is the place of a live call in the journal: a runner tells it of each process group that it
// starts. *journal.Step is one. A nil Step records nothing.
type Step = process.Step

// NewJob is a job that makes an attempt at req: in its folder, with the fences that every agent gets.
// environ and keep are as for process.FilterEnv; nil is this process's own environment. What an agent
// that only reads starts is marked as such, so that a run that it starts only reads too.
func NewJob(req Request, environ, keep []string) process.Job {
	j := process.New(req.Cwd, req.Run+"/"+strings.TrimPrefix(req.Call, "/"), environ, keep)
	if req.ReadOnly {
		j.ReadOnly()
	}
	return j
}
