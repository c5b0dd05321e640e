package issuedelivery

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
)

// beginOptions are those of delivery.begin.
type beginOptions struct {
	Task          string `json:"task"`
	Issues        []int  `json:"issues"`
	Base          string `json:"base"`
	Lane          string `json:"lane"`
	AllowNoChecks bool   `json:"allowNoChecks"`
}

// begun is what a delivery has to go by.
type begun struct {
	Task  string `json:"task"`
	Title string `json:"title"`
	Slug  string `json:"slug"`
	// Branch is the one that the result will be on.
	Branch string    `json:"branch"`
	Base   begunBase `json:"base"`
	// Here says that the user's tree shows exactly the base: nothing else is checked out, and nothing is
	// uncommitted.
	Here     bool           `json:"here"`
	Issues   []forge.Issue  `json:"issues"`
	Notes    []guidance     `json:"notes"`
	Template string         `json:"template,omitempty"`
	Checks   []checks.Check `json:"checks"`
	Setup    []checks.Check `json:"setup"`
	Warnings []string       `json:"warnings"`
}

type begunBase struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Remote string `json:"remote,omitempty"`
	URL    string `json:"url,omitempty"`
	// Settings is a digest of what the repository says of its remotes and of programs that git starts.
	Settings string `json:"settings,omitempty"`
}

// begin finds out whether everything is there that a delivery needs, before anything is spent.
func (h *Host) begin() engine.Primitive {
	return function[beginOptions]{
		name: "delivery.begin", effect: always[beginOptions](reads),
		label: func(in beginOptions) string { return "begin: " + titleOf(in.Task) },
		check: func(in beginOptions) error {
			lanes := []string{LanePullRequest, LaneNoPR, LaneDryRun, LanePrototype}
			switch {
			case !slices.Contains(lanes, in.Lane):
				return fault.New(fault.OptionInvalid, fmt.Sprintf("delivery.begin: the option \"lane\" is %.80q", in.Lane), "it is one of "+strings.Join(lanes, ", "))
			case oneLine(in.Task) == "" && len(in.Issues) == 0:
				return fault.New(fault.TaskMissing, "there is no task", `assent deliver "TASK"   # or --issue N`)
			case len(in.Task) > maxTask:
				return fault.New(fault.OptionInvalid, fmt.Sprintf("the task has %d bytes, and may have %d", len(in.Task), maxTask), "put the details into an issue, or into a file of the repository that the task names")
			case slices.ContainsFunc(in.Issues, func(n int) bool { return n < 1 }):
				return fault.New(fault.OptionInvalid, "delivery.begin: an issue has a number from 1 on", "")
			}
			return nil
		},
		do: h.doBegin,
	}
}

func (h *Host) doBegin(ctx context.Context, c call, in beginOptions) (any, error) {
	l := &looking{h: h, c: c, in: in, out: begun{Task: strings.TrimSpace(in.Task), Issues: []forge.Issue{}, Notes: []guidance{}, Checks: []checks.Check{}, Setup: []checks.Check{}, Warnings: []string{}}}
	if err := l.all(ctx); err != nil {
		return nil, err
	}
	if err := l.refusal(); err != nil {
		return nil, err
	}
	out := l.out
	if out.Task == "" { // what the issues say is the task
		var titles []string
		for _, issue := range out.Issues {
			titles = append(titles, oneLine(issue.Title))
		}
		out.Task = strings.Join(titles, "\n")
	}
	out.Title = cmp.Or(titleOf(out.Task), "Task")
	out.Slug = slugOf(out.Title)
	out.Branch = branchOf(c.Run, out.Slug)
	return out, nil
}
