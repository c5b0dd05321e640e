package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// text is an event in one line, not escaped yet. Words of the script stand behind the gutter.
func (ev event) text() string {
	switch journal.Kind(ev.Type) {
	case journal.KindRunStarted:
		return fmt.Sprintf("run started by %s: %s", ev.Attempt.by(), ev.Attempt.Script)
	case journal.KindRunResumed:
		text := fmt.Sprintf("resumed by %s: attempt %d", ev.Attempt.by(), ev.Attempt.Number)
		if ev.Attempt.Edited {
			text += ", with another script: " + ev.Attempt.Script
		}
		if len(ev.Attempt.Settings) > 0 {
			text += "; from here on " + strings.Join(ev.Attempt.Settings, ", ")
		}
		return text
	case journal.KindRunImported:
		return "imported by " + ev.Attempt.by()
	case journal.KindCallStarted:
		text := ev.Call.named() + " started"
		if ev.Call.Repeats != "" {
			text += ", again (" + ev.Call.Repeats + ")"
		}
		return text
	case typeWorking:
		return ev.Call.named() + " at work"
	case typeRetried:
		return ev.Call.named() + ": " + triedText(ev.Call.Trying)
	case typeTold:
		return ev.Call.named() + " " + toldRow{Event: ev.Told.Event}.doing()
	case journal.KindCallFinished:
		return ev.Call.outcome()
	case journal.KindNote:
		return ev.Note.text()
	case journal.KindRunPaused, journal.KindRunFinished:
		return ev.End.text()
	default:
		return ev.gateText()
	}
}

func (a *attempted) by() string {
	return fmt.Sprintf("%s@%s (process %d)", a.Owner.User, a.Owner.Host, a.Owner.PID)
}

// named is a call with its key, by which show --call finds it.
func (c *called) named() string { return labelled(c.Label, c.Name+" "+c.Key) }

func (c *called) outcome() string {
	parts := []string{c.named() + " done"}
	if c.Failure != nil {
		parts[0] = c.named() + " failed"
	}
	if took := c.took(); took > 0 {
		parts[0] += ", " + term.Duration(took)
	}
	if used := c.used(); used != "" {
		parts[0] += ", " + used
	}
	if c.Failure != nil {
		parts = append(parts, c.Failure.Code, firstLine(c.Failure.Message))
	} else if c.Note != "" {
		parts = append(parts, c.Note)
	}
	return strings.Join(parts, ": ")
}

func (c *called) took() time.Duration { return time.Duration(c.DurationMs) * time.Millisecond }

func (c *called) used() string {
	if c.Usage == nil {
		return ""
	}
	if c.Usage.Input == nil && c.Usage.CostMicroUSD == nil {
		return "" // show says that it is unknown; here it would stand in each line of an agent that tells none
	}
	return c.Usage.text()
}

func (n *noted) text() string {
	switch {
	case n.Type == "phase":
		return "── " + n.Text
	case n.Type == "status":
		return "│ status: " + n.Text
	case n.Level == "warn" || n.Level == "error":
		return "│ " + n.Level + ": " + n.Text
	}
	return "│ " + n.Text
}

func (e *attemptEnd) text() string {
	text := "the run is " + e.State
	if e.Who != nil {
		text += " by " + whoText(*e.Who)
	}
	if e.FailedCalls > 0 {
		text += ", " + term.Plural(int64(e.FailedCalls), "call", "calls") + " failed"
	}
	if e.What != "" {
		text += ": " + firstLine(e.What)
	}
	return text
}

func (ev event) gateText() string {
	g := ev.Gate
	if g == nil {
		return ev.Type
	}
	switch journal.Kind(ev.Type) {
	case journal.KindGateAsked:
		text := fmt.Sprintf("gate %s asks: %q", g.Gate, short(g.Prompt))
		if g.Revises != "" {
			text += fmt.Sprintf(", in place of %s (%s)", g.Revises, g.Reason)
		}
		return text
	case journal.KindGateSuspended:
		return "gate " + g.Gate + " waits for any terminal"
	case journal.KindGateRevoked:
		text := "gate " + g.Gate + " is revoked"
		if g.Revoked != nil {
			text += " by " + whoText(g.Revoked.Who)
			if g.Revoked.Reason != "" {
				text += ": " + g.Revoked.Reason
			}
		}
		return text
	}
	// whoText and the like know a gate as the journal has it.
	end := journal.Gate{State: journal.GateState(g.State)}
	end.Asked.Kind, end.Asked.Gate = g.Kind, g.Gate
	if g.Decision != nil || g.Unanswered != "" {
		end.Answer = &journal.GateAnswered{Unanswered: g.Unanswered}
		if g.Who != nil {
			end.Answer.Who = *g.Who
		}
	}
	text := gateEnded(&end)
	if g.Decision != nil && (end.State == journal.Answered || end.State == journal.ChangesRequested) {
		text += ": " + short(string(g.Decision))
	}
	return text
}
