package engine

import (
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// EventType says what an Event tells of.
type EventType string

// The types of events.
const (
	// RunBegan: an attempt begins. Run is set.
	RunBegan EventType = "run.began"
	// CallBegan: live work begins.
	CallBegan EventType = "call.began"
	// CallEnded: live work ended, durably; Failure is set if it failed.
	CallEnded EventType = "call.ended"
	// CallRetried: an attempt at a call failed, and another one begins; Next is set.
	CallRetried EventType = "call.retried"
	// CallReplayed: the journal's answer was given.
	CallReplayed EventType = "call.replayed"
	// GateOpened: a question waits; Gate is set.
	GateOpened EventType = "gate.opened"
	// GateEnded: a question was answered or ended otherwise; Gate is set.
	GateEnded EventType = "gate.ended"
	// NoteWritten: a line of the script; Note is set.
	NoteWritten EventType = "note"
	// Warned: something that people should see; Text is set.
	Warned EventType = "warning"
)

// Event is one thing that happened in a run.
type Event struct {
	Type EventType
	Run  string
	At   time.Time
	// Key, Name, Label, Phase and Frame are the call's.
	Key, Name, Label, Phase, Frame string
	// Prompt is what an agent is asked.
	Prompt   string
	ReadOnly bool
	// Seq is that of the answer of a call that ended or was replayed, and of the entry
	// call.started of one that began; 0 if it has none.
	Seq      uint64
	Duration time.Duration
	Usage    journal.Usage
	Failure  *journal.Failure
	Gate     *journal.Gate
	Note     *vm.Note
	Text     string
	Next     *agent.Next
}

func (a *attempt) observe(e Event) {
	if a.run == nil {
		return // a rehearsal tells nobody
	}
	e.Run, e.At = a.st.ID, a.o.Now()
	a.o.Observe(e)
}

func (c *call) event(t EventType) Event {
	prompt := ""
	if asked, ok := c.request.Value.(resolved); ok {
		prompt = asked.Prompt
	}
	return Event{
		Type: t, Prompt: prompt, Key: c.Key, Name: c.Name, Label: c.request.Label, Phase: c.Phase, Frame: c.Frame,
		ReadOnly: c.request.ReadOnly,
	}
}

func (a *attempt) warn(text string) {
	a.o.Logger.Warn(text, "run", a.st.ID)
	a.observe(Event{Type: Warned, Text: text})
}
