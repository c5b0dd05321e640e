package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// delivered is what a delivery came to, as far as people are told of it. All of it is what a script says
// and so what anybody may have written: commands are never taken from it.
type delivered struct {
	Success    bool   `json:"success"`
	StoppedBy  string `json:"stoppedBy"`
	Reason     string `json:"reason"`
	NextAction string `json:"nextAction"`
	// Finding is the beginning of what was found wrong last.
	Finding  string `json:"finding"`
	Next     string `json:"next"`
	Handover string `json:"handover"`
	Branch   string `json:"branch"`
	Commit   string `json:"commit"`
	Base     string `json:"base"`
	// Checks is the summary, or, of a dry run, what would have run.
	Checks json.RawMessage `json:"checks"`
	DryRun bool            `json:"dryRun"`
	Answer string          `json:"answer"`
	PR     *struct {
		Number int    `json:"number"`
		URL    string `json:"url"`
		Draft  bool   `json:"draft"`
	} `json:"pr"`
	Steps []json.RawMessage `json:"steps"`

	// task and issues are what the run was to deliver, and lane how far.
	task, lane string
	issues     []int
	// failure is what a function of the host said where that is the reason, mend the steps that it names.
	failure string
	mend    []hint
	// repair is the working tree in which a person can repair it, "" if there is none.
	repair string
}

// isDelivery says that a run is one of deliver, or of a copy of its workflow.
func isDelivery(st *journal.State) bool { return st.Started.Title == deliveryName }

// deliveryOf is what a delivery came to that has ended, or that waits to hear of a repair; nil of any other
// run.
func (a *app) deliveryOf(st *journal.State) *delivered {
	var said json.RawMessage
	switch {
	case !isDelivery(st):
	case st.Finished != nil:
		said = st.Finished.Result
	case canFinish(st):
		said = lastStop(st)
	}
	d := &delivered{}
	if len(said) == 0 || json.Unmarshal(said, d) != nil || d.StoppedBy == "" && !d.Success {
		return nil // a copy of the workflow may return anything
	}
	var args struct {
		Task   string `json:"task"`
		Raw    string `json:"_raw"`
		Issues []int  `json:"issues"`
		Lane   string `json:"lane"`
	}
	if json.Unmarshal(st.Started.Args, &args) == nil {
		d.task, d.issues, d.lane = args.Task+args.Raw, args.Issues, args.Lane
	}
	for _, c := range st.Calls {
		if f := failureOf(c); f != nil && f.Message == d.Reason && strings.HasPrefix(c.Call.Name, "delivery.") {
			d.failure = f.Message
			d.Reason, d.mend = withSteps(f.Message)
			break
		}
	}
	if f, err := a.folders(); err == nil {
		g := repairQuestion(st)
		refused := g != nil && g.State == journal.Answered && string(checkpoint.Decision(g)) != "true" // that stands
		if path := filepath.Join(f.work, st.ID, "repair"); isThere(path) && !refused {
			d.repair = path
		}
	}
	return d
}

// lastStop is what the host said last of why a delivery stops, nil if it did not.
func lastStop(st *journal.State) (said json.RawMessage) {
	last := uint64(0)
	for _, c := range st.Calls {
		if c.Call.Name == "delivery.stop" && c.Finish != nil && !c.Unfinished() && c.Finish.Seq > last {
			last, said = c.Finish.Seq, c.Finish.Value
		}
	}
	return said
}

// withSteps takes the steps out of what a function of the host said when it failed: each stands in
// parentheses behind what it mends, at the end or before a semicolon.
func withSteps(message string) (what string, steps []hint) {
	depth, from, kept := 0, 0, 0
	for i := range len(message) {
		switch message[i] {
		case '(':
			if depth++; depth == 1 {
				from = i
			}
		case ')':
			depth = max(0, depth-1)
			rest := message[i+1:]
			if depth > 0 || from == 0 || message[from-1] != ' ' || rest != "" && !strings.HasPrefix(rest, "; ") {
				continue
			}
			what += message[kept : from-1]
			kept = i + 1
			for line := range strings.SplitSeq(message[from+1:i], "\n") {
				steps = append(steps, stepOf(line))
			}
		}
	}
	return what + message[kept:], steps
}

// stepOf is a step of a refusal as a hint: a command with what it is for, or words.
func stepOf(line string) hint {
	command, why, _ := strings.Cut(line, " # ")
	if program, _, _ := strings.Cut(command, " "); slices.Contains([]string{"git", "gh", "assent", "apt-get", "brew"}, program) {
		return hint{strings.TrimSpace(command), why}
	}
	return hint{"", line}
}

// lines tell it to people.
func (d *delivered) lines() []string {
	var list []string
	say := func(there bool, form string, args ...any) {
		if there {
			list = append(list, strings.Join(strings.Fields(fmt.Sprintf(form, args...)), " "))
		}
	}
	switch {
	case d.DryRun:
		say(true, "dry run: nothing was done; what was answered to the plan: %s", d.Answer)
	case d.Success:
		what := "delivered"
		if len(d.Steps) > 1 {
			what = fmt.Sprintf("delivered in %d steps", len(d.Steps))
		}
		say(true, "%s: branch %s, commit %s, onto %s", what, d.Branch, abbreviated(d.Commit), d.Base)
		var summary string
		say(json.Unmarshal(d.Checks, &summary) == nil && summary != "", "%s", strings.Join(strings.Fields(summary), " "))
		if d.PR != nil {
			kind := "pull request"
			if d.PR.Draft {
				kind = "draft pull request"
			}
			say(true, "%s #%d: %s", kind, d.PR.Number, d.PR.URL)
		}
	default:
		say(d.StoppedBy != "plan-approval", "stopped by %s: %s", d.StoppedBy, d.Reason) // of a plan, the code says it
		for line := range strings.Lines(d.Finding) {
			say(strings.TrimSpace(line) != "", "  %s", line)
		}
		say(d.NextAction != "" && len(d.mend) == 0, "what to do: %s", d.NextAction)
		say(d.repair != "" && d.repairs(), "to be repaired in %s", d.repair)
		say(d.Handover != "", "hand-over note: %s", d.Handover)
	}
	return list
}

// stop is the row of the table for it: of several, that whose command the run names.
func (d *delivered) stop() (issuedelivery.Stop, bool) {
	var rows []issuedelivery.Stop
	for _, s := range issuedelivery.Stops() {
		if s.By == d.StoppedBy && s.State == journal.StatusStopped {
			rows = append(rows, s)
		}
	}
	if len(rows) == 0 {
		return issuedelivery.Stop{}, false
	}
	form := func(s issuedelivery.Stop) string { return strings.TrimRight(s.Next, `RUN"TASK `) }
	if i := slices.IndexFunc(rows, func(s issuedelivery.Stop) bool { return strings.HasPrefix(d.Next, form(s)) }); i >= 0 {
		return rows[i], true
	}
	return rows[0], true
}

// repairs says that a person can repair it, and finish the run.
func (d *delivered) repairs() bool {
	s, ok := d.stop()
	return ok && s.Finish
}

// afterDelivery are the commands that go on from a delivery that ended; nil where what holds of any run
// says more.
func (s standing) afterDelivery() []hint {
	d := s.delivery
	resume := "assent resume " + s.run
	switch {
	case d == nil:
		return nil
	case d.DryRun:
		return []hint{{"assent show " + s.run + " --result > plan.json", "keeps the plan, for assent deliver --plan plan.json"}, {d.anew(), "plans again, and does it"}}
	case d.Success && d.PR == nil && plainBranch(d.Branch):
		return []hint{{"git merge " + d.Branch, "on " + d.Base}}
	case d.Success:
		return []hint{}
	}
	stop, ok := d.stop()
	switch {
	case !ok:
		return nil
	case stop.Finish && d.repair != "":
		return []hint{{"assent deliver --finish " + s.run, "after you have repaired and committed it there"}}
	case strings.HasPrefix(stop.Next, "assent resume "):
		last := hint{resume, "after mending it"}
		steps := slices.DeleteFunc(slices.Clone(d.mend), func(h hint) bool { // said once, and last
			again := strings.HasPrefix(h.command, "assent resume ")
			if again && len(d.mend) == 1 {
				last.why = h.why
			}
			return again
		})
		return append(steps, last)
	}
	return []hint{{d.anew(), "begins another delivery"}}
}

// anew is the command that delivers the same once more.
func (d *delivered) anew() string {
	words := []string{"assent", "deliver"}
	if d.lane == issuedelivery.LaneNoPR || d.lane == issuedelivery.LanePrototype {
		words = append(words, "--"+d.lane)
	}
	for _, n := range d.issues {
		words = append(words, "--issue", strconv.Itoa(n))
	}
	switch {
	case strings.TrimSpace(d.task) != "":
		words = append(words, d.task)
	case len(d.issues) == 0:
		words = append(words, "--plan", "FILE")
	}
	return quoteCommand(words)
}

// plainBranch says that a name is one of the branches that deliveries make, and no option or command.
func plainBranch(name string) bool { return strings.HasPrefix(name, "assent/") && harmless(name) }
