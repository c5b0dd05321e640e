package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Turn is what the model does next.
type Turn struct {
	// Text is said first, then the tools are used. A turn with no use is the last of its prompt.
	Text string
	Uses []Use
	// Input and Output are the tokens that it took; 0 is 10 and 5. CacheRead and CacheWrite are further
	// tokens of the input.
	Input, Output, CacheRead, CacheWrite int
	// Failure is sent in place of all that.
	Failure *Failure
	// Cut breaks the connection in the middle of the answer.
	Cut bool
	// Hold, if set, is waited for before anything is sent, or for the program to go away.
	Hold <-chan struct{}

	number int // of messages before it, for ids that do not come twice in a conversation
}

// Failure is an error of the service.
type Failure struct {
	// Status is that of HTTP, Header is added to the answer's.
	Status int
	Header map[string]string
	// Type and Message are put in the endpoint's own form; Body is sent as it is, in place of that.
	Type, Message, Body string
}

// Says is a turn that only says something.
func Says(text string) Turn { return Turn{Text: text} }

// Uses is a turn that uses a tool; input is anything that is a JSON object.
func Uses(tool string, input any) Turn {
	text, err := json.Marshal(input)
	if err != nil {
		panic(fmt.Sprintf("input of %s: %v", tool, err))
	}
	return Turn{Uses: []Use{{Name: tool, Input: text}}}
}

// Fails is a turn in which the service fails.
func Fails(status int, kind, message string) Turn {
	return Turn{Failure: &Failure{Status: status, Type: kind, Message: message}}
}

// withDefaults fills in ids and tokens; number is how many messages the conversation has.
func (t Turn) withDefaults(number int) Turn {
	t.number = number
	uses := make([]Use, len(t.Uses))
	for i, u := range t.Uses {
		if u.ID == "" {
			u.ID = fmt.Sprintf("toolu_%d_%d", number, i)
		}
		if len(u.Input) == 0 {
			u.Input = json.RawMessage("{}")
		}
		uses[i] = u
	}
	t.Uses = uses
	if t.Input == 0 {
		t.Input = 10
	}
	if t.Output == 0 {
		t.Output = 5
	}
	return t
}

// send writes the failure; body is the endpoint's own form of it.
func (f *Failure) send(w http.ResponseWriter, body func(kind, message string) any) {
	for name, value := range f.Header {
		w.Header().Set(name, value)
	}
	if f.Body != "" {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(f.Status)
		_, _ = strings.NewReader(f.Body).WriteTo(w)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.Status)
	_ = json.NewEncoder(w).Encode(body(f.Type, f.Message))
}
