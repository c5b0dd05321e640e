package scripttest

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// agentCall is the function whose calls a test counts.
const agentCall = "agent"

// madeCall is one call of an agent, in the order in which they were made.
type madeCall struct {
	key, label, prompt, phase, model string
	readOnly, under                  bool
	// approved says that a plan had been approved when it was made.
	approved bool
}

// name is how people see a call: its label, or its prompt if it has none.
func (c madeCall) name() string {
	if c.label != "" {
		return c.label
	}
	return excerpt(strings.Join(strings.Fields(c.prompt), " "))
}

// course is what happened in a run. It belongs to the engine's goroutine until the run is over.
type course struct {
	calls []madeCall
	logs  []string
	// talk are lines for people.
	talk     []string
	working  map[string]string
	approved bool
}

func newCourse() *course { return &course{working: map[string]string{}} }

// observe takes down what happens.
func (c *course) observe(e engine.Event) {
	switch e.Type {
	case engine.CallBegan:
		if e.Name != agentCall {
			return
		}
		made := madeCall{key: e.Key, label: e.Label, prompt: e.Prompt, phase: e.Phase, readOnly: e.ReadOnly, approved: c.approved}
		c.calls = append(c.calls, made)
		c.working[e.Key] = made.name()
		c.say("call " + made.name() + manner(made))
	case engine.CallEnded:
		if e.Name != agentCall {
			return
		}
		name := c.working[e.Key]
		delete(c.working, e.Key)
		if e.Failure != nil {
			c.say("fail " + name + ": " + e.Failure.Message)
			return
		}
		c.say("done " + name)
	case engine.GateOpened:
		c.say(fmt.Sprintf("gate %s %q", e.Gate.Asked.Kind, excerpt(e.Gate.Asked.Prompt)))
	case engine.GateEnded:
		if e.Gate.State == journal.Approved && e.Gate.Asked.Kind == string(checkpoint.KindPlan) {
			c.approved = true
		}
		c.say("gate is " + string(e.Gate.State) + decision(e.Gate))
	case engine.NoteWritten:
		if e.Note.Type == "log" {
			c.logs = append(c.logs, e.Note.Text)
		}
		c.say(e.Note.Type + " " + e.Note.Text)
	case engine.Warned:
		c.say("warning " + e.Text)
	default: // a beginning, and what is replayed
	}
}

func (c *course) say(line string) { c.talk = append(c.talk, line) }

// manner says of a call what a label does not.
func manner(c madeCall) string {
	var words []string
	if c.phase != "" {
		words = append(words, "phase "+c.phase)
	}
	if c.readOnly {
		words = append(words, "read-only")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

func decision(g *journal.Gate) string {
	if g.Answer == nil {
		return ""
	}
	return ": " + excerpt(string(g.Answer.Decision))
}

// recorded adds what only the journal and the agent know of the calls.
func (c *course) recorded(st *journal.State, p *prepared) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range c.calls {
		c.calls[i].model = p.models[c.calls[i].key]
		if call := st.Calls[c.calls[i].key]; call != nil {
			c.calls[i].under = call.Call.Under != ""
		}
	}
}

// atWork are the calls that had not ended, for a run that took too long.
func (c *course) atWork(limit time.Duration) string {
	text := "it was not over after " + limit.String()
	if len(c.working) == 0 {
		return text
	}
	var names []string
	for _, call := range c.calls {
		if name, ok := c.working[call.key]; ok {
			names = append(names, name)
		}
	}
	return text + "; at work: " + strings.Join(names, ", ")
}
