package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// observe shows what happens. It is called on the engine's goroutine.
func (s *session) observe(e engine.Event) {
	s.notices.observe(e)
	if e.Type == engine.RunBegan {
		s.tellID(e.Run)
	}
	if e.Type == engine.CallEnded && e.Name == "agent" && e.Failure == nil {
		s.agents++
		s.reported = s.reported || e.Usage != journal.Usage{}
	}
	if e.Type == engine.Warned {
		s.line("warning: " + e.Text)
	}
	if s.flags.quiet {
		return
	}
	switch e.Type {
	case engine.RunBegan:
		s.line("run " + e.Run + s.titled())
	case engine.CallBegan:
		s.phase = ""
		s.listed[e.Key] = true
		if strings.HasPrefix(e.Name, "delivery.") {
			s.live.StartShort(e.Key, e.Phase, name(e))
		} else {
			s.live.Start(e.Key, e.Phase, name(e))
		}
	case engine.CallRetried:
		tried := triedText(e.Next.String())
		s.live.Update(e.Key, tried)
		s.line("call " + labelled(e.Label, e.Key) + ": " + tried)
	case engine.CallEnded:
		s.live.Done(e.Key, s.ended(e))
	case engine.GateOpened:
		if s.screen == nil && e.Gate.State == journal.Pending {
			s.announced[e.Gate.Asked.Gate] = true
			s.line(fmt.Sprintf("gate %s waits: %q", e.Gate.Asked.Gate, short(e.Gate.Asked.Prompt)))
		}
	case engine.GateEnded:
		s.line(gateEnded(e.Gate))
	case engine.NoteWritten:
		if !repeats(e.Note.Level, e.Note.Text, func(key string) bool { return s.shown[key] != "" }) {
			s.note(e.Note)
		}
	default: // replayed calls are counted in the last line
	}
}

// told shows what the agent of a call does just now. It is called on goroutines of the agents.
func (s *session) told(key string, e agent.Event) {
	if doing := (toldRow{Event: e}).doing(); doing != "" && !s.flags.quiet {
		s.live.Update(key, doing)
	}
}

// line prints talk above the live list.
func (s *session) line(text string) { s.live.Say(s.a.talk(text)) }

func (s *session) titled() string {
	if s.title == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", s.title)
}

// note shows a line of the script, behind the gutter: it is not ours.
func (s *session) note(n *vm.Note) {
	was := s.phase
	if s.phase = ""; n.Type == "phase" {
		s.phase = n.Text
	}
	switch {
	case n.Type == "phase" && was == n.Text: // another branch of the script came to it at the same time
	case n.Type == "phase":
		s.live.Log("── " + n.Text)
	case n.Level == "warn" || n.Level == "error":
		s.live.Log(n.Level + ": " + n.Text)
	case n.Type == "status":
		s.live.Log("status: " + n.Text)
	default:
		s.live.Log(n.Text)
	}
}

// name is how people see a call.
func name(e engine.Event) string {
	if e.Label != "" {
		return e.Label
	}
	if said := strings.Join(strings.Fields(e.Prompt), " "); said != "" {
		return e.Name + " " + strconv.Quote(short(said))
	}
	return e.Name + " " + e.Key
}

// gateEnded says how a gate ended.
func gateEnded(g *journal.Gate) string { return "gate " + g.Asked.Gate + " is " + outcome(g) }

// outcome is how a gate stands, for people, and who made it so.
func outcome(g *journal.Gate) string {
	switch {
	case g.State == journal.Revoked:
		text := "revoked by " + whoText(g.Revocation.Who)
		if g.Revocation.Reason != "" {
			text += fmt.Sprintf(", %q", short(g.Revocation.Reason))
		}
		return text + "; it was approved by " + whoText(g.Answer.Who)
	case g.State == journal.Lapsed:
		return "lapsed; it was approved by " + whoText(g.Answer.Who)
	case g.Answer != nil && g.Answer.Unanswered != "" && g.Asked.Kind == string(checkpoint.KindPlan):
		return "declined, for nobody was here to answer"
	case g.Answer != nil && g.Answer.Unanswered != "":
		return "answered with its default, for nobody was here to answer"
	case g.Answer != nil:
		text := stateText(g.State) + " by " + whoText(g.Answer.Who)
		if p := checkpoint.PolicyOf(g); g.State == journal.Approved && !p.IsDefault() {
			text += ", " + p.String()
		}
		return text
	default:
		return stateText(g.State)
	}
}

// stateText is the state of a gate, for people.
func stateText(state journal.GateState) string {
	switch state {
	case journal.ChangesRequested:
		return "sent back for changes"
	case journal.Expired:
		return "expired, for nobody answered in time"
	default:
		return string(state)
	}
}

// whoText names a person: "anna@host (terminal)".
func whoText(w journal.Who) string {
	who := w.User + "@" + w.Host
	if w.Name != "" {
		who = w.Name
	}
	if w.Way == "" {
		return who
	}
	return who + " (" + w.Way + ")"
}

// short cuts a text to what fits on a line beside others.
func short(text string) string {
	const most = 60
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}
