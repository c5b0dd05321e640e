package cli

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// What a report shows of a long text; the journal has all of it.
const (
	reportPrompt = 1200
	reportAnswer = 4000
	reportEvents = 2000
)

// report is a run as a person reads it later, and elsewhere.
type report struct {
	markdownText
	st    *journal.State
	owned bool
}

// markdownOf makes a report of a run. Times are in UTC: who reads it sits anywhere.
func markdownOf(st *journal.State, entries []journal.Entry, owned bool, key []byte) (string, error) {
	r := &report{st: st, owned: owned}
	r.b.WriteString("# " + plainMarkdown(cmp.Or(st.Started.Title, "Run "+st.ID)) + "\n\n")
	r.facts()
	r.heading(2, "Arguments")
	r.b.WriteString("As the script got them:\n")
	r.fence("json", readable(st.Started.Args))
	if st.Finished != nil && len(st.Finished.Result) > 0 {
		r.heading(2, "Result")
		r.b.WriteString("As the script returned it:\n")
		r.fence("json", shortened(readable(st.Finished.Result), reportAnswer))
	}
	r.gates()
	r.phases()
	r.calls()
	if err := r.timeline(entries); err != nil {
		return "", err
	}
	r.proof(hex.EncodeToString(key))
	return r.b.String(), nil
}

func (r *report) facts() {
	st := r.st
	r.fact("Run", code(st.ID))
	r.fact("State", plainMarkdown(st.StatusWith(r.owned)))
	if why := whyEnded(st); why != "" {
		r.fact("Why", plainMarkdown(why))
	}
	r.fact("Workspace", code(st.Workspace))
	r.fact("Script", code(st.Program.Name)+", SHA-256 over all source "+code(st.Program.Hash))
	r.fact("Agent", code(st.Agent))
	r.fact("Started", utc(st.StartedAt)+" by "+plainMarkdown(st.Started.Owner.User+"@"+st.Started.Owner.Host))
	r.fact("Last entry", utc(st.HeadAt))
	r.fact("Attempts", strconv.Itoa(len(st.Attempts)))
	r.fact("Usage", usageOfRunText(st))
	if st.Settings.Simulated {
		r.fact("Simulated", "yes: nobody's word stands in it")
	}
	if i := st.Imported; i != nil {
		r.fact("Imported", fmt.Sprintf("at entry %d; the entries before it have the seals of the key %s", st.ImportedSeq, code(i.Key)))
	}
	if !st.Proven {
		r.fact("Unproven", plainMarkdown(st.Unproven)+"; approvals in it do not count")
	}
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// shortened cuts a text, and says so.
func shortened(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s\n… (%d more characters)", string(runes[:most]), len(runes)-most)
}

// gates are the plans and the questions, whole: they are what a person answered for.
func (r *report) gates() {
	for i, id := range r.st.GateOrder {
		if i == 0 {
			r.heading(2, "Plans and questions")
		}
		g := r.st.Gates[id]
		what := "Question"
		if g.Asked.Kind == string(checkpoint.KindPlan) {
			what = "Plan"
		}
		r.heading(3, fmt.Sprintf("%s %d: %s", what, i+1, short(firstLine(g.Asked.Prompt))))
		r.gate(g)
	}
}

func (r *report) gate(g *journal.Gate) {
	r.fact("Gate", code(g.Asked.Gate))
	r.fact("Asked", utc(g.At))
	r.fact("State", plainMarkdown(outcome(g)))
	if g.State != journal.Pending {
		r.fact("Answered", utc(g.AnswerAt))
	}
	if g.Revocation != nil {
		r.fact("Revoked", utc(g.RevokedAt))
	}
	if g.Asked.Revises != "" {
		r.fact("In place of", code(g.Asked.Revises)+" ("+plainMarkdown(g.Asked.Reason)+")")
	}
	if opinion := opinionText(g.Asked.Validation); opinion != "" {
		r.fact("Opinion", plainMarkdown(opinion))
	}
	r.fact("Checksum", code(g.Asked.Checksum))
	if g.Asked.Kind != string(checkpoint.KindPlan) {
		r.line("Asked:")
		r.fence("text", g.Asked.Prompt)
		if g.Answer != nil {
			r.line("Answer:")
			r.fence("text", readable(g.Answer.Decision))
		}
		return
	}
	if asked := g.Asked.Prompt; short(firstLine(asked)) != asked {
		r.line("Asked, in full:") // the heading has the beginning
		r.fence("text", asked)
	}
	if g.State == journal.ChangesRequested {
		r.line("What should change:")
		r.fence("text", readable(g.Answer.Decision))
	}
	if d, ok := planapprove.DocumentOf(g.Asked.Plan); ok {
		r.fact("Title", plainMarkdown(d.Title))
		r.fact("Question", plainMarkdown(d.Question))
		r.line("The plan, a document; the checksum is of its canonical form, title and question included:")
		r.fence("markdown", d.Markdown)
		return
	}
	r.line("The plan, indented for reading; the checksum is of its canonical form:")
	r.fence("json", readable([]byte(g.Asked.Plan)))
}

func (r *report) calls() {
	for i, c := range orderedCalls(r.st) {
		if i == 0 {
			r.heading(2, "Calls")
		}
		r.heading(3, fmt.Sprintf("%d. %s", i+1, labelled(c.Call.Label, c.Call.Name+" "+c.Key)))
		r.call(c)
	}
}

func (r *report) call(c *journal.CallState) {
	r.fact("Call", plainMarkdown(c.Call.Name)+" "+code(c.Key))
	r.fact("Phase", plainMarkdown(c.Call.Phase))
	r.fact("State", plainMarkdown(callState(c, r.owned)))
	if c.Call.ReadOnly {
		r.fact("Read-only", "yes")
	}
	r.fact("Under", code(c.Call.Under))
	f := c.Finish
	if c.Unfinished() {
		f = nil
	}
	if f != nil {
		r.fact("Ended", utc(f.At))
		if f.DurationMs > 0 {
			r.fact("Took", term.Duration(time.Duration(f.DurationMs)*time.Millisecond))
		}
		r.fact("Usage", usageOfCall(c.Call, f.Usage, f.Failure).text())
		r.fact("Note", plainMarkdown(f.Note))
		for i, a := range f.Attempts {
			name := attemptName(f.Attempts, i)
			r.fact(strings.ToUpper(name[:1])+name[1:], plainMarkdown(attemptText(a)))
		}
	}
	if len(c.Call.Args) > 0 {
		r.line("Asked:")
		r.fence("text", shortened(readable(c.Call.Args[0]), reportPrompt))
	}
	switch {
	case f == nil:
	case f.Failure != nil:
		r.line("Failure " + code(f.Failure.Code) + ":")
		r.fence("text", shortened(f.Failure.Message, reportAnswer))
	default:
		r.line("Answer:")
		r.fence("text", shortened(readable(f.Value), reportAnswer))
	}
}

// timeline is what happened, one line an entry.
func (r *report) timeline(entries []journal.Entry) error {
	r.heading(2, "Timeline")
	tell := newTeller()
	for i, e := range entries {
		if i == reportEvents {
			r.line(fmt.Sprintf("And %d more entries: %s lists them.", len(entries)-i, code("assent show "+r.st.ID+" --timeline")))
			break
		}
		ev, err := tell.tell(e, r.st)
		if err != nil {
			return err
		}
		fmt.Fprintf(&r.b, "- %s, entry %d: %s\n", utc(e.At), e.Seq, plainMarkdown(ev.text()))
	}
	return nil
}

// proof says how to check that all of this is so.
func (r *report) proof(key string) {
	id := r.st.ID
	r.heading(2, "How to verify")
	r.b.WriteString("This page proves nothing by itself. The journal does:\n")
	r.fence("sh", strings.Join([]string{
		"assent verify " + id + "   # where the run is",
		"assent export " + id + " --output run.ndjson",
		"assent verify --file run.ndjson --key " + key,
	}, "\n"))
	r.b.WriteString("\n")
	r.fact("Entries", strconv.FormatUint(r.st.Head, 10))
	r.fact("Hash of the last", code(r.st.HeadHash))
	r.fact("Key", code(key)+"; ask for it where the run is, a key that comes along proves nothing")
}
