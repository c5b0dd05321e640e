package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
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

// showCall prints what a call was asked, and what came of it.
func (a *app) showCall(st *journal.State, named string, owned bool) error {
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
		if near := options.Nearest(named, names); near != "" {
			next = "did you mean " + near + "?"
		}
		return nil, fault.New(fault.Usage, fmt.Sprintf("run %s has no call %q", st.ID, named), next)
	}
	keys := make([]string, len(found))
	for i, c := range found {
		keys[i] = c.Key
	}
	return nil, fault.New(fault.Usage, fmt.Sprintf("%d calls are labelled %q: %s", len(found), named, strings.Join(keys, ", ")), "name one by its key")
}

// callText is a call for people. All of it that is the script's or a model's is escaped, line
// by line, and stands behind a gutter.
func (a *app) callText(c *journal.CallState, owned bool) string {
	var b strings.Builder
	fact := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s %s\n", term.Pad(label, 10), term.Escape(value))
		}
	}
	block := func(title, text string) {
		fmt.Fprintf(&b, "\n%s:\n", title)
		for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			b.WriteString("│ " + term.Escape(line) + "\n")
		}
	}
	fact("call", c.Call.Name+" "+c.Key)
	fact("label", c.Call.Label)
	fact("phase", c.Call.Phase)
	fact("state", callState(c, owned))
	fact("place", problem{File: c.Call.File, Line: c.Call.Line, Column: c.Call.Column}.place())
	if c.Call.ReadOnly {
		fact("read-only", "yes")
	}
	fact("under", c.Call.Under)
	for i, arg := range c.Call.Args {
		title := "argument"
		switch {
		case c.Call.Name == "agent" && i == 0:
			title = "prompt"
		case i == len(c.Call.Args)-1 && i > 0:
			title = "options"
		}
		block(title, readable(arg))
	}
	f := c.Finish
	if f == nil || c.Unfinished() {
		return b.String()
	}
	if f.Failure != nil {
		block("failure", f.Failure.Code+": "+f.Failure.Message)
	} else {
		block("answer", readable(f.Value))
	}
	b.WriteString("\n")
	fact("ended", a.clock(f.At))
	if f.DurationMs > 0 {
		fact("took", fmt.Sprintf("%.1f s", float64(f.DurationMs)/1000))
	}
	fact("usage", usageText(f.Usage))
	fact("note", f.Note)
	return b.String()
}

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
