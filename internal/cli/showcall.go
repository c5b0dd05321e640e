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
	// Events are those of the transcript, if all of it is wanted.
	Events []toldRow `json:"events,omitzero"`
}

// callView is a call with the files that were kept of it.
type callView struct {
	*journal.CallState
	owned             bool
	transcript, patch *attachmentRow
	told              []toldRow
}

// viewCall looks at the files of a call.
func viewCall(store *journal.Store, visit journal.Visit, c *journal.CallState, owned bool) (v callView, err error) {
	v = callView{CallState: c, owned: owned, transcript: transcriptOf(c, visit.Work())}
	if v.transcript != nil {
		text, err := v.transcript.look(store, visit)
		if err != nil {
			return v, err
		}
		v.told = toldRows(text)
	}
	if f := c.Finish; f != nil && !c.Unfinished() && f.Patch != nil {
		v.patch = attachmentRowOf(f.Patch)
		_, err = v.patch.look(store, visit)
	}
	return v, err
}

// showCall prints what a call was asked, and what came of it. A call that asks a person is the gate
// that it opened last.
func (a *app) showCall(store *journal.Store, visit journal.Visit, f showFlags, owned bool) error {
	st := withWork(visit.State(), visit.Work())
	for _, key := range []string{f.call, "/" + f.call} {
		if g := st.Gates[st.GateByKey[key]]; g != nil {
			return a.showGate(st, g, owned)
		}
	}
	c, err := findCall(st, f.call)
	if err != nil {
		return err
	}
	v, err := viewCall(store, visit, c, owned)
	if err != nil {
		return err
	}
	if a.json {
		o := callReport{Format: jsonFormat, Run: st.ID, callRow: callRowOf(c, owned), Arguments: c.Call.Args}
		o.Transcript, o.Patch = v.transcript, v.patch
		if f.transcript {
			o.Events = v.told
		}
		if o.Arguments == nil {
			o.Arguments = []json.RawMessage{}
		}
		if f := c.Finish; f != nil && !c.Unfinished() {
			o.DurationMs, o.Ended = f.DurationMs, f.At.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
		}
		return a.emit(o)
	}
	if f.transcript {
		return a.showTranscript(st, v)
	}
	if err := a.print(a.callText(v)); err != nil {
		return err
	}
	if v.transcript != nil && len(v.told) > 0 {
		a.next(quoteCommand([]string{"assent", "show", st.ID, "--call", c.Key, "--transcript"}) + "   # all that its agent said and did")
	}
	a.next(a.leftHints(st.Workspace, c, v.patch)...)
	return nil
}

// showTranscript prints all of a transcript, and says if it is not what the journal has the hash of.
func (a *app) showTranscript(st *journal.State, v callView) error {
	show := quoteCommand([]string{"assent", "show", st.ID, "--call", v.Key})
	switch {
	case v.transcript == nil:
		a.say(labelled(v.Call.Label, v.Key) + " has no transcript: its agent told nothing")
		a.next(show)
		return nil
	case v.transcript.State == attachmentGone:
		a.say("the transcript of " + labelled(v.Call.Label, v.Key) + " is gone: " + v.transcript.Path)
		a.next(show)
		return nil
	case v.transcript.State == attachmentChanged:
		a.say("the transcript is NOT what it was when the answer was recorded: " + v.transcript.Path)
	}
	return a.print(toldText(v.told, true))
}

// mostNamed is how many calls are named where another one was asked for.
const mostNamed = 12

// findCall finds a call by its key, also without the slash, else by its label, which several may have.
func findCall(st *journal.State, named string) (*journal.CallState, error) {
	for _, key := range []string{named, "/" + named} {
		if c, ok := st.Calls[key]; ok {
			return c, nil
		}
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
		there := "; it has no calls"
		if len(names) > mostNamed {
			names = append(names[:mostNamed], fmt.Sprintf("and %d more", len(names)-mostNamed))
		}
		if len(names) > 0 {
			there = "; there are " + strings.Join(names, ", ")
		}
		return nil, fault.New(fault.Usage, fmt.Sprintf("run %s has no call %q%s", st.ID, named, there), next)
	}
	keys := make([]string, len(found))
	for i, c := range found {
		keys[i] = c.Key
	}
	return nil, fault.New(fault.Usage, fmt.Sprintf("%d calls are labelled %q: %s", len(found), named, strings.Join(keys, ", ")), "assent show "+st.ID+" --call "+quoteCommand([]string{keys[0]})+"   # its key names one")
}

// callText is a call for people. All of it that is the script's or a model's is escaped, line
// by line, and stands behind a gutter.
func (a *app) callText(v callView) string {
	var b card
	c, owned := v.CallState, v.owned
	b.fact("call", c.Call.Name+" "+c.Key)
	b.fact("label", c.Call.Label)
	b.fact("phase", c.Call.Phase)
	b.fact("state", callState(c, owned))
	b.fact("place", problem{File: c.Call.File, Line: c.Call.Line, Column: c.Call.Column}.place())
	if c.Call.ReadOnly {
		b.fact("read-only", "yes")
	}
	b.fact("under", c.Call.Under)
	b.outside(c.Call.Outside)
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
	if told := toldText(v.told, false); told != "" {
		fmt.Fprintf(&b, "\ntranscript:\n%s", told)
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
	b.attachment("transcript", v.transcript)
	b.attachment("patch", v.patch)
	b.worktree(f.Worktree)
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
