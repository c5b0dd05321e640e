package issuedelivery

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/journal"
)

// stopOptions are those of delivery.stop. What the table says of the stop stands where they say nothing.
type stopOptions struct {
	By         string `json:"by"`
	Reason     string `json:"reason"`
	NextAction string `json:"nextAction"`
	Status     string `json:"status"`
	// Step is the one that stopped, Findings what was found wrong, the oldest first.
	Step     string     `json:"step"`
	Findings []string   `json:"findings"`
	Attempts []stepTold `json:"attempts"`
	// Plan and Approval are given back with the result.
	Plan     json.RawMessage `json:"plan"`
	Approval json.RawMessage `json:"approval"`
	Branch   string          `json:"branch"`
	Commit   string          `json:"commit"`
	// Repair is the working tree in which a person can repair it: the run asks whether they did.
	Repair  *repairPlace `json:"repair"`
	Details string       `json:"details"`
}

// stepTold is how far a step came.
type stepTold struct {
	Step  string `json:"step"`
	Tries int    `json:"tries"`
	State string `json:"state"`
}

type repairPlace struct {
	Path   string `json:"path"`
	Branch string `json:"branch"`
}

// stopResult is what a delivery that stopped comes to.
type stopResult struct {
	Success    bool   `json:"success"`
	StoppedBy  string `json:"stoppedBy"`
	Status     string `json:"status"`
	Reason     string `json:"reason"`
	NextAction string `json:"nextAction"`
	// Next is the command that goes on.
	Next     string `json:"next,omitempty"`
	Handover string `json:"handover"`
	// Finding is the beginning of what was found wrong last.
	Finding  string          `json:"finding,omitempty"`
	Step     string          `json:"step,omitempty"`
	Branch   string          `json:"branch,omitempty"`
	Commit   string          `json:"commit,omitempty"`
	Plan     json.RawMessage `json:"plan,omitempty"`
	Approval json.RawMessage `json:"approval,omitempty"`
}

// statuses are those of setSemanticStatus.
var statuses = []string{"spawned", "workflow-running", "workflow-complete-pane-open", "needs-finalize", "finalizing", "completed", "failed", "needs-human"}

// stop says what a stop means, and writes the hand-over note.
func (h *Host) stop() engine.Primitive {
	return function[stopOptions]{
		name:   "delivery.stop",
		effect: always[stopOptions](reads),
		label:  func(in stopOptions) string { return "stopped by " + in.By },
		check: func(in stopOptions) error {
			for name, given := range map[string]struct {
				value string
				known []string
			}{"by": {in.By, stopNames()}, "status": {cmp.Or(in.Status, statuses[0]), statuses}} {
				if slices.Contains(given.known, given.value) {
					continue
				}
				next := "it is one of " + strings.Join(given.known, ", ")
				if near := options.Nearest(given.value, given.known); near != "" {
					next = fmt.Sprintf("did you mean %q?", near)
				}
				return fault.New(fault.OptionInvalid, fmt.Sprintf("delivery.stop: the option %q is %q", name, given.value), next)
			}
			return nil
		},
		do: h.doStop,
	}
}

func (h *Host) doStop(ctx context.Context, c call, in stopOptions) (any, error) {
	visit, err := h.Store.Visit(ctx, c.Run)
	if err != nil {
		return nil, err
	}
	st := visit.State()
	visit.Close() // a visit that only read has nothing to lose
	row, _ := stopOf(in.By, whenOf(in.By, in.Status, in.Repair != nil, in.Repair != nil, st), lastApproved(st) != nil)
	if in.Repair == nil {
		row = row.unaided()
	}
	r := stopResult{
		StoppedBy: in.By, Status: cmp.Or(in.Status, row.Status), Reason: cmp.Or(in.Reason, row.Reason), NextAction: cmp.Or(in.NextAction, row.NextAction),
		Next: command(row.Next, c.Run, taskOf(st.Started.Args)), Step: in.Step, Branch: in.Branch, Commit: in.Commit, Plan: in.Plan, Approval: in.Approval,
	}
	if n := len(in.Findings); n > 0 {
		found := in.Findings[n-1:] // of attempts the last one counts, of a plan all that is wrong with it
		if in.By == "plan-validation" {
			found = in.Findings
		}
		r.Finding = beginningOf(redact.Text(strings.Join(found, "\n"), h.environ()))
	}
	r.Handover, err = h.writeHandover(ctx, st, in, r)
	return r, err
}

// foundLines and foundBytes cap what a result says of a finding; the note has all of it.
const foundLines, foundBytes = 4, 600

// beginningOf is the beginning of a finding, without lines that it repeats.
func beginningOf(finding string) string {
	var lines []string
	for line := range strings.Lines(finding) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(lines, line) && len(lines) < foundLines {
			lines = append(lines, line)
		}
	}
	return cutText(strings.Join(lines, "\n"), foundBytes)
}

// whenOf tells the rows of one stop apart. asked says that the run asks, or asked, whether it was
// repaired, open that it can still be said.
func whenOf(by, status string, asked, open bool, st *journal.State) string {
	switch by {
	case "plan-approval", "base-moved":
		return unanswered(st)
	case "plan-conformance":
		if g := lastPlan(st); !open && g != nil && (g.State == journal.Defaulted || g.State == journal.Expired) {
			return whenUnanswered // of files that a repair changed beyond the plan
		}
	case "verifier":
		if !asked {
			return whenSilent
		}
	case "finalization":
		if status == "needs-finalize" {
			return whenOpen
		}
	}
	return ""
}
