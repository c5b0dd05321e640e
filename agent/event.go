package agent

// Event is one thing that an agent said or did while it was at work. Events make the transcript of a
// call: they are for people, and nothing is decided by them. A message that comes in pieces is one
// event.
type Event struct {
	// Type is one of the constants below.
	Type string `json:"type"`
	// Text is what was said: the whole of a message, what a tool gave, why something was refused.
	Text string `json:"text,omitempty"`
	// Tool is the name of a tool as the agent has it, ID what joins its use with its result, Input
	// what it was given, as text (JSON if the agent's own is).
	Tool  string `json:"tool,omitempty"`
	ID    string `json:"id,omitempty"`
	Input string `json:"input,omitempty"`
	// Failed says that the tool failed, or was not let.
	Failed bool `json:"failed,omitempty"`
}

// The types of events.
const (
	// EventSession tells the agent's own session: Text is its id, by which the agent's program knows it.
	EventSession = "session"
	// EventText is what the agent says, EventThinking what it thinks, as far as it shows that.
	EventText     = "text"
	EventThinking = "thinking"
	// EventTool is the use of a tool, EventToolResult what came of it.
	EventTool       = "tool"
	EventToolResult = "tool.result"
	// EventPermission is an answer to an agent that asked whether it may: Tool and Input say what,
	// Failed that it may not, Text why.
	EventPermission = "permission"
	// EventNote is anything else that a person would want to know.
	EventNote = "note"
)

// Say hands an event on, if anybody wants it.
func (r Request) Say(e Event) {
	if r.Tell != nil {
		r.Tell(e)
	}
}
