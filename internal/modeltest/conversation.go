package modeltest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// Conversation is one request of an agent's program: what has been said, and what the model may do.
type Conversation struct {
	// Endpoint is "messages", "completions" or "responses".
	Endpoint string
	Model    string
	// Effort is how hard the model is asked to think, "" if nothing is said of it.
	Effort string
	// System is everything that stands before the conversation or is not said by anybody.
	System   string
	Messages []Message
	// Tools are the names of those that are offered.
	Tools []string
	// Schema is that of the answer, if the endpoint was asked for a structured one.
	Schema json.RawMessage
	// Header and Body are the request itself.
	Header http.Header
	Body   []byte
}

// Message is what one side said in one turn.
type Message struct {
	// Role is "user" or "assistant". What tools gave is the user's.
	Role string
	// Texts are its parts: programs put their own remarks beside what a person wrote.
	Texts   []string
	Uses    []Use
	Results []Result
}

// Use is the use of a tool.
type Use struct {
	// ID joins it with its result; a turn may leave it to the server.
	ID, Name string
	// Input is a JSON object.
	Input json.RawMessage
}

// Result is what a tool gave.
type Result struct {
	// ID is that of the use, Name its tool.
	ID, Name string
	Text     string
	// Failed is what the program says of it, if the endpoint has a place for that.
	Failed bool
}

// LastUserText is what the user's side said last beside results of tools: all parts of the last
// message that has any.
func (c Conversation) LastUserText() string {
	for _, m := range slices.Backward(c.Messages) {
		if m.Role == "user" && len(m.Texts) > 0 {
			return strings.Join(m.Texts, "\n")
		}
	}
	return ""
}

// Texts are all texts of both sides, in order, without the system's.
func (c Conversation) Texts() []string {
	var out []string
	for _, m := range c.Messages {
		out = append(out, m.Texts...)
	}
	return out
}

// Results are those of all tools that were used, in order.
func (c Conversation) Results() []Result {
	var out []Result
	for _, m := range c.Messages {
		out = append(out, m.Results...)
	}
	return out
}

// LastResult is the text of the last result of a tool, "" if there is none.
func (c Conversation) LastResult() string {
	results := c.Results()
	if len(results) == 0 {
		return ""
	}
	return results[len(results)-1].Text
}

// Has says whether a tool of that name is offered.
func (c Conversation) Has(tool string) bool { return slices.Contains(c.Tools, tool) }

// named fills in the names of the tools that gave results; most endpoints carry ids only.
func (c Conversation) named() Conversation {
	names := map[string]string{}
	for i := range c.Messages {
		for _, u := range c.Messages[i].Uses {
			names[u.ID] = u.Name
		}
		for j, r := range c.Messages[i].Results {
			if r.Name == "" {
				c.Messages[i].Results[j].Name = names[r.ID]
			}
		}
	}
	return c
}
