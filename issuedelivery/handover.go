package issuedelivery

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/markdown"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// The note is for a person: what nobody reads to its end is left out, and the journal has it all.
const (
	handoverName = "handover.md"
	mostFindings = 30
	mostSteps    = 100
	mostTrees    = 100
	// longestFinding and longestLine bound texts of others, in characters.
	longestFinding = 4000
	longestLine    = 300
)

// writeHandover writes the hand-over note of a run, and gives its path; "" if there is no place for it.
// The same run in the same state gives the same bytes.
func (h *Host) writeHandover(ctx context.Context, st *journal.State, in stopOptions, r stopResult) (string, error) {
	if h.Work == "" {
		return "", nil
	}
	trees, err := worktree.ListRun(ctx, h.Work, st.ID)
	if err != nil {
		return "", err
	}
	n := note{environ: h.Environ}
	if n.environ == nil {
		n.environ = process.Environ()
	}
	n.opening(st, in, r)
	n.goingOn(st, in, r)
	n.findings(in)
	n.steps(in)
	n.trees(trees)
	n.approvals(st)
	folder := h.folder(st.ID)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(folder, handoverName)
	return path, durable.WriteFile(path, []byte(n.String()), 0o600)
}

// note is the hand-over note as it is written.
type note struct {
	strings.Builder
	environ []string
}

// line is a text of others as one line in which nothing is markup.
func (n *note) line(text string) string {
	return markdown.Text(term.Escape(cutText(strings.Join(strings.Fields(redact.Text(text, n.environ)), " "), longestLine)))
}

// span is a name, a path or a command as a span of code: it is not cut, for people copy it.
func (n *note) span(text string) string {
	return markdown.Span(term.Escape(redact.Text(text, n.environ)))
}

// block is a text of others as a block of code.
func (n *note) block(language, text string) {
	for _, line := range markdown.Fence(language, term.EscapeBlock(cutText(strings.TrimSpace(redact.Text(text, n.environ)), longestFinding))) {
		n.say("%s", line)
	}
}

func (n *note) say(form string, args ...any) { fmt.Fprintf(n, form+"\n", args...) }

func (n *note) opening(st *journal.State, in stopOptions, r stopResult) {
	title := taskOf(st.Started.Args)
	if title == "" {
		title = "run " + st.ID
	}
	n.say("# Hand-over: %s\n", n.line(title))
	n.say("The delivery stopped by %s: %s\n", n.span(in.By), n.line(r.Reason))
	n.say("- run: %s", n.span(st.ID))
	n.say("- status: %s", n.span(r.Status))
	if in.Step != "" {
		n.say("- step: %s", n.span(in.Step))
	}
	if st.Workspace != "" {
		n.say("- repository: %s", n.span(st.Workspace))
	}
	if in.Branch != "" {
		n.say("- branch of the result: %s", n.span(in.Branch))
	}
	if in.Commit != "" {
		n.say("- commit: %s", n.span(in.Commit))
	}
}

// goingOn says how to finish, with the commands.
func (n *note) goingOn(st *journal.State, in stopOptions, r stopResult) {
	n.say("\n## How to go on\n")
	n.say("%s\n", n.line(r.NextAction))
	if in.Details != "" {
		n.say("%s\n", n.line(in.Details))
	}
	var commands []string
	if in.Repair != nil {
		n.say("It can be repaired in %s, on the branch %s. Only what is committed there counts. What follows are the checks, a verdict on the whole, and the delivery.\n", n.span(in.Repair.Path), n.span(in.Repair.Branch))
		commands = append(commands, "cd "+quoted(in.Repair.Path), "git add -A && git commit", "cd "+quoted(st.Workspace))
	}
	commands = append(commands, r.Next, "assent show "+st.ID+"   # what the run did")
	n.block("sh", strings.Join(commands, "\n"))
}

func (n *note) findings(in stopOptions) {
	if len(in.Findings) == 0 {
		return
	}
	n.say("\n## What was found")
	kept := in.Findings
	if left := len(kept) - mostFindings; left > 0 {
		kept = kept[left:] // the newest say how it is now
		n.say("\nThe first %d are left out.", left)
	}
	for i, finding := range kept {
		n.say("\n%d.\n", len(in.Findings)-len(kept)+i+1)
		n.block("text", finding)
	}
}

func (n *note) steps(in stopOptions) {
	if len(in.Attempts) == 0 {
		return
	}
	var plan approvedSteps
	_ = json.Unmarshal(in.Plan, &plan) // without one, the steps have no titles
	titles := map[string]string{}
	for _, s := range plan.Steps {
		titles[s.ID] = s.Title
	}
	n.say("\n## The steps\n")
	for i, a := range in.Attempts {
		if i == mostSteps {
			n.say("- and %d more", len(in.Attempts)-i)
			break
		}
		n.say("- %s %s: %s, after %s", n.span(a.Step), n.line(titles[a.Step]), n.line(a.State), attempts(a.Tries))
	}
}

func attempts(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

func (n *note) trees(trees []worktree.Listed) {
	if len(trees) == 0 {
		return
	}
	n.say("\n## Working trees of the agents\n")
	for i, t := range trees {
		if i == mostTrees {
			n.say("- and %d more: %s", len(trees)-i, n.span("assent worktrees ls"))
			break
		}
		text := fmt.Sprintf("- %s: %s, branch %s", n.line(t.Title()), n.span(t.Path), n.span(t.Branch))
		if t.Tip != "" {
			text += " at " + n.span(t.Tip)
		}
		switch {
		case t.Problem != "":
			text += "; " + n.line(t.Problem)
		case !t.Exists:
			text += "; the folder is gone"
		case t.Dirty != "":
			text += "; " + n.line(t.Dirty)
		}
		n.say("%s", text)
	}
}

// approvals says what persons said yes to, as the journal has it.
func (n *note) approvals(st *journal.State) {
	n.say("\n## What was approved\n")
	if !st.Proven {
		n.say("Nothing that counts: %s.", n.line(st.Unproven))
		return
	}
	none := true
	for _, id := range st.GateOrder {
		if g := st.Gates[id]; g.State == journal.Approved {
			a := planapprove.FromGate(g, true)
			n.say("- sha256 %s by %s at %s (gate %s, way in: %s)", n.span(a.Checksum), n.span(a.ApprovedBy), n.span(a.ApprovedAt), n.span(id), n.line(g.Answer.Who.Way))
			none = false
		}
	}
	if none {
		n.say("Nothing.")
		return
	}
	n.say("\nWhoever doubts it: %s checks the journal.", n.span("assent verify "+st.ID))
}
