package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// callReport is a call, as show --call --json prints it.
type callReport struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	callRow
	Arguments []json.RawMessage `json:"arguments"`
	// DurationMs and Ended are of the answer.
	DurationMs int64  `json:"durationMs,omitempty"`
	Ended      string `json:"ended,omitempty"`
}

// showCall prints what a call was asked, and what came of it. A call that asks a person is the gate
// that it opened last.
func (a *app) showCall(st *journal.State, named string, owned bool) error {
	if g := st.Gates[st.GateByKey[named]]; g != nil {
		return a.showGate(st, g, owned)
	}
	c, err := findCall(st, named)
	if err != nil {
		return err
	}
	if a.json {
		o := callReport{Format: jsonFormat, Run: st.ID, callRow: callRowOf(c, owned), Arguments: c.Call.Args}
		if o.Arguments == nil {
			o.Arguments = []json.RawMessage{}
		}
		if f := c.Finish; f != nil && !c.Unfinished() {
			o.DurationMs, o.Ended = f.DurationMs, f.At.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
		}
		return a.emit(o)
	}
	return a.print(a.callText(c, owned))
}

// findCall finds a call by its key, else by its label, which several may have.
func findCall(st *journal.State, named string) (*journal.CallState, error) {
	if c, ok := st.Calls[named]; ok {
		return c, nil
	}
	var found []*journal.CallState
	var names []string
	for _, c := range orderedCalls(st) {
		names = append(names, cmp.Or(c.Call.Label, c.Key))
		if c.Call.Label == named {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		next := "assent show " + st.ID
		if near := options.Close(named, slices.Concat(names, slices.Sorted(maps.Keys(st.GateByKey)))); near != "" {
			next = quoteCommand([]string{"assent", "show", st.ID, "--call", near}) + "   # did you mean that?"
		}
		return nil, fault.New(fault.Usage, fmt.Sprintf("run %s has no call %q", st.ID, named), next)
	}
	keys := make([]string, len(found))
	for i, c := range found {
		keys[i] = c.Key
	}
	return nil, fault.New(fault.Usage, fmt.Sprintf("%d calls are labelled %q: %s", len(found), named, strings.Join(keys, ", ")), "assent show "+st.ID+" --call "+quoteCommand([]string{keys[0]})+"   # its key names one")
}

// callText is a call for people. All of it that is the script's or a model's is escaped, line
// by line, and stands behind a gutter.
func (a *app) callText(c *journal.CallState, owned bool) string {
	var b card
	b.fact("call", c.Call.Name+" "+c.Key)
	b.fact("label", c.Call.Label)
	b.fact("phase", c.Call.Phase)
	b.fact("state", callState(c, owned))
	b.fact("place", problem{File: c.Call.File, Line: c.Call.Line, Column: c.Call.Column}.place())
	if c.Call.ReadOnly {
		b.fact("read-only", "yes")
	}
	b.fact("under", c.Call.Under)
	for i, arg := range c.Call.Args {
		title := "argument"
		switch {
		case c.Call.Name == "agent" && i == 0:
			title = "prompt"
		case i == len(c.Call.Args)-1 && i > 0:
			title = "options"
		}
		b.block(title, readable(arg))
	}
	f := c.Finish
	if f == nil || c.Unfinished() {
		return b.String()
	}
	if f.Failure != nil {
		b.block("failure", f.Failure.Code+": "+f.Failure.Message)
	} else {
		b.block("answer", readable(f.Value))
	}
	b.line()
	b.fact("ended", a.clock(f.At))
	if f.DurationMs > 0 {
		b.fact("took", fmt.Sprintf("%.1f s", float64(f.DurationMs)/1000))
	}
	b.fact("usage", usageOfCall(c.Call, f.Usage, f.Failure).text())
	b.fact("note", f.Note)
	for i, a := range f.Attempts {
		if i == 0 {
			b.line()
		}
		b.fact(attemptName(f.Attempts, i), attemptText(a))
		for _, v := range a.Violations {
			b.fact("", v)
		}
	}
	return b.String()
}

// card is what show prints of a call or of a question: facts, and texts behind a gutter, escaped line
// by line. Titles and labels are our own words.
type card struct{ strings.Builder }

func (c *card) fact(label, value string) {
	if value != "" {
		fmt.Fprintf(c, "%s %s\n", term.Pad(label, 10), term.Escape(value))
	}
}

func (c *card) block(title, text string) {
	fmt.Fprintf(c, "\n%s:\n", title)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		c.WriteString("│ " + term.Escape(line) + "\n")
	}
}

func (c *card) line() { c.WriteString("\n") }

// readable is a value for reading: a text as itself, anything else as indented JSON.
func readable(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") == nil {
		return b.String()
	}
	return string(raw)
}
