package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// runReport is how an attempt ended, as --json prints it.
type runReport struct {
	Format      int             `json:"format"`
	Run         string          `json:"run"`
	Title       string          `json:"title"`
	State       string          `json:"state"`
	Exit        int             `json:"exit"`
	Answer      *recordedAnswer `json:"answer,omitempty"`
	Result      json.RawMessage `json:"result,omitempty"`
	Error       *problem        `json:"error,omitempty"`
	Failures    []failureRow    `json:"failures"`
	Outstanding []string        `json:"outstanding"`
	Waiting     []gateRow       `json:"waiting"`
	Recovery    *recoveryRow    `json:"recovery,omitempty"`
	Replayed    int             `json:"replayed"`
	Live        int             `json:"live"`
	Usage       usageRow        `json:"usage"`
	Next        []string        `json:"next"`
}

type failureRow struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Label    string `json:"label,omitempty"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Class    string `json:"class"`
	Replayed bool   `json:"replayed"`
	// Attempts are those that the call took, if it took more than one.
	Attempts []journal.CallAttempt `json:"attempts,omitempty"`
}

type recoveryRow struct {
	Interrupted []repeatRow `json:"interrupted"`
	Changed     []repeatRow `json:"changed"`
	Following   []repeatRow `json:"following"`
}

type repeatRow struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Label  string `json:"label,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// report tells how the attempt ended: the result on standard output, the rest as talk.
func (s *session) report(ctx context.Context, r *engine.Result) error {
	code := codeOfResult(r)
	hints, at := s.after(ctx, r)
	if s.a.json {
		if err := s.a.emit(s.object(r, code, hints, at)); err != nil {
			return err
		}
	} else if len(r.Value) > 0 {
		if err := s.a.print(resultText(r.Value, terminal(s.a.Out))); err != nil {
			return err
		}
	}
	s.summary(r)
	if !s.flags.hintless {
		s.a.hints(hints)
	}
	return ends(code)
}

// resultText is a result as it is printed: one line, or, at a terminal that it would not fit on,
// several, broken where JSON may be.
func resultText(value json.RawMessage, screen *os.File) string {
	text := safeJSON(string(value))
	if screen != nil && term.Width(text) > width(screen) {
		var b bytes.Buffer
		if json.Indent(&b, []byte(text), "", "  ") == nil {
			text = b.String()
		}
	}
	return text + "\n"
}

// summary is the last talk of an attempt.
func (s *session) summary(r *engine.Result) {
	if s.flags.quiet && r.Err == nil && len(r.Failures) == 0 && len(r.Waiting) == 0 {
		return
	}
	line := fmt.Sprintf("run %s%s: %s, %s", r.Run, s.titled(), r.State, term.Plural(int64(r.Live), "live call", "live calls"))
	if r.Replayed > 0 {
		line += fmt.Sprintf(", %d replayed", r.Replayed)
	}
	if used := usageText(r.Usage); used != "" {
		line += ", " + used
	}
	s.a.say(line)
	if r.Err != nil {
		s.trouble(r)
	}
	if s.delivery != nil {
		for _, line := range s.delivery.lines() {
			s.a.say(line)
		}
	}
	s.failures(r)
	if r.Recovery != nil && len(r.Recovery.Following) > 0 {
		s.a.say("finished calls that may follow, and run again too: " + someOf(r.Recovery.Following))
	}
	if len(r.Outstanding) > 0 {
		s.a.say("cancelled at the script's end: " + strings.Join(r.Outstanding, ", "))
	}
	if text := s.branches(r.Run); text != "" && s.delivery == nil {
		s.a.say(text)
	}
	for _, g := range r.Waiting {
		if s.announced[g.Asked.Gate] {
			continue
		}
		s.a.say(fmt.Sprintf("gate %s waits: %q", g.Asked.Gate, short(g.Asked.Prompt)))
	}
}

// labelled names a call by its label and its key.
func labelled(label, key string) string {
	if label == "" {
		return key
	}
	return fmt.Sprintf("%q (%s)", label, key)
}

func (s *session) object(r *engine.Result, code int, hints []hint, at moment) runReport {
	o := runReport{
		Format: jsonFormat, Run: r.Run, Title: s.title, State: r.State, Exit: code, Answer: s.said, Result: r.Value,
		Failures: []failureRow{}, Outstanding: list(r.Outstanding), Waiting: gateRows(r.Waiting, at),
		Replayed: r.Replayed, Live: r.Live, Usage: s.usageOf(r), Next: commands(hints),
	}
	if r.Err != nil {
		p := problemOf(r.Err)
		o.Error = &p
	}
	for _, f := range r.Failures {
		o.Failures = append(o.Failures, failureRow{
			Key: f.Key, Name: f.Name, Label: f.Label, Code: f.Failure.Code, Message: f.Failure.Message,
			Class: f.Failure.Class, Replayed: f.Replayed, Attempts: f.Attempts,
		})
	}
	if r.Recovery != nil {
		o.Recovery = &recoveryRow{repeatRows(r.Recovery.Interrupted), repeatRows(r.Recovery.Changed), repeatRows(r.Recovery.Following)}
	}
	return o
}

// someOf names the first of some calls.
func someOf(calls []engine.RepeatedCall) string {
	var names []string
	for i, c := range calls {
		if i == mostFollowing {
			names = append(names, fmt.Sprintf("and %d more", len(calls)-i))
			break
		}
		names = append(names, callLine(c))
	}
	return strings.Join(names, ", ")
}

func repeatRows(calls []engine.RepeatedCall) []repeatRow {
	rows := make([]repeatRow, 0, len(calls))
	for _, c := range calls {
		rows = append(rows, repeatRow{c.Key, c.Name, c.Label, c.Reason})
	}
	return rows
}

// list is never null in JSON.
func list(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}
