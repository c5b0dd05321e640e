package planapprove

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// MaxDocument is the longest Markdown of a plan that is a document, in bytes: a person has to
// read it.
const MaxDocument = 512 << 10

// Document is a plan that was written as Markdown instead of as data.
type Document struct {
	Title    string `json:"title"`
	Markdown string `json:"markdown"`
	// Question is asked if the call gives no prompt; "" is DefaultPrompt.
	Question string `json:"question"`
}

// DocumentOf reads the canonical text of a plan as a document. That it is one if its members are
// exactly title (a text that is not empty), markdown (a text) and perhaps question (a text that
// is not empty). Whatever has another member besides is a plan like any other.
func DocumentOf(text string) (Document, bool) {
	if !strings.HasPrefix(text, "{") {
		return Document{}, false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil {
		return Document{}, false
	}
	var d Document
	title := textMember(members, "title", &d.Title)
	markdown := textMember(members, "markdown", &d.Markdown)
	if !title || !markdown || d.Title == "" {
		return Document{}, false
	}
	known := 2
	if _, given := members["question"]; given {
		if !textMember(members, "question", &d.Question) || d.Question == "" {
			return Document{}, false
		}
		known++
	}
	return d, len(members) == known
}

// textMember reads a member that has to be a text.
func textMember(members map[string]json.RawMessage, name string, into *string) bool {
	raw := members[name]
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, into) == nil
}

// check refuses a document that is too long to be read.
func (d Document) check() error {
	if len(d.Markdown) <= MaxDocument {
		return nil
	}
	return fault.New(fault.PlanTooLarge, fmt.Sprintf("the document has %d bytes of Markdown; at most %d can be reviewed", len(d.Markdown), MaxDocument), "split it")
}
