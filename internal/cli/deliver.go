package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

// deliveryName is the built-in workflow that deliver starts.
const deliveryName = "issue-delivery"

// deliverFlags are those of deliver: what is to be done, how far, and how the run is driven.
type deliverFlags struct {
	driveFlags
	issues []int
	plan   string
	// lane is the one that a flag names, "" if none does.
	lane          string
	finish        string
	base          string
	allowNoChecks bool
	reviewers     []string
	labels        []string
	ready         bool
	maxSteps      int
	// given are the names of the flags on the line.
	given map[string]bool
	// words are the task.
	words []string
}

// lanes are the flags that say how far a delivery goes. Without any it ends in a pull request.
var lanes = []struct{ flag, about string }{
	{"no-pr", "stop at the branch, and print the command that merges it: no remote and no gh needed"},
	{"dry-run", "plan and ask, and do nothing, whatever the answer is"},
	{"prototype", "a quick try in a tree of its own: few steps, no push, no pull request"},
}

func newDeliverCommand(a *app) *cobra.Command {
	var f deliverFlags
	taken := make([]bool, len(lanes))
	cmd := &cobra.Command{
		Use:   "deliver [TASK...]",
		Short: "Bring a task or an issue to a pull request",
		Long: "Looks at the code, plans, asks you, and lets agents work: each step in a working tree of its own,\n" +
			"held against the plan, checked and verified. What passed becomes a branch and a pull request.\n" +
			"Your working tree, your index and your branch are never touched.\n\n" +
			"It starts the built-in workflow " + deliveryName + ": assent show, watch, review and resume take its\n" +
			"run as any other. Nothing is done before you have approved the plan, and no flag approves it.",
		Example: "  assent deliver 'Fix the login'\n  assent deliver --issue 12 --issue 14\n  assent deliver 'Fix the login' --no-pr\n" +
			"  assent deliver --plan plan.json --dry-run\n  assent deliver --finish 01JD",
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			f.words, f.given = words, map[string]bool{}
			cmd.Flags().Visit(func(flag *pflag.Flag) { f.given[flag.Name] = true })
			return a.deliver(cmd.Context(), f, taken)
		},
	}
	cmd.Flags().IntSliceVar(&f.issues, "issue", nil, "the number of an issue that the delivery closes (may be repeated)")
	cmd.Flags().StringVar(&f.plan, "plan", "", "a plan as a file of JSON, or - for standard input: it is checked, and asked about")
	for i, lane := range lanes {
		cmd.Flags().BoolVar(&taken[i], lane.flag, false, lane.about)
	}
	cmd.Flags().StringVar(&f.finish, "finish", "", "go on with this run of deliver, which stopped, after you have repaired its work by hand")
	cmd.Flags().StringVar(&f.base, "base", "", "the branch to begin at and to deliver to")
	cmd.Flags().BoolVar(&f.allowNoChecks, "allow-no-checks", false, "go on where no checks are found")
	cmd.Flags().StringArrayVar(&f.reviewers, "reviewer", nil, "ask for a review of the pull request: a user or a team (may be repeated)")
	cmd.Flags().StringArrayVar(&f.labels, "label", nil, "give the pull request a label (may be repeated)")
	cmd.Flags().BoolVar(&f.ready, "ready", false, "open the pull request as one that is ready, and not as a draft")
	cmd.Flags().IntVar(&f.maxSteps, "max-steps", 0, "how many steps the plan may have")
	f.register(cmd.Flags(), false)
	f.unseen(cmd)
	return cmd
}

func (a *app) deliver(ctx context.Context, f deliverFlags, taken []bool) error {
	for i, lane := range lanes {
		switch {
		case !taken[i]:
		case f.lane != "":
			return misused(fmt.Sprintf("--%s and --%s are two ends, and a delivery has one", f.lane, lane.flag), "take one of them out")
		default:
			f.lane = lane.flag
		}
	}
	if f.given["finish"] {
		if err := f.finishes(); err != nil {
			return err
		}
		return a.finish(ctx, f)
	}
	if err := f.plausible(); err != nil {
		return err
	}
	args, err := f.arguments(a)
	if err != nil {
		return err
	}
	return a.start(ctx, deliveryName, a.pipeline, f.driveFlags, argsFlags{set: args, pipe: f.plan == "-"})
}

// pipeline is the built-in workflow, whatever the workspace has of that name.
func (a *app) pipeline(_, workspace string, f driveFlags) (*vm.Program, string, error) {
	if w, err := a.saved(deliveryName, workspace); err == nil && w.Origin != workflows.BuiltIn && !f.quiet && f.report == 0 {
		a.say("deliver takes the workflow that comes with assent, and not " + a.fromHere(w.Path) + "; that one starts with assent run " + deliveryName)
	}
	program, err := a.compileSaved(workflows.Workflow{Name: deliveryName, Path: workflows.BuiltinFolder + "/" + deliveryName + ".js", Origin: workflows.BuiltIn}, workspace)
	return program, deliveryName, err
}

// dryRun says that a delivery is to do nothing: then the engine refuses whatever may change something, for
// good, and nothing has to be believed of the script.
func dryRun(program *vm.Program, args json.RawMessage) bool {
	var given struct {
		Lane string `json:"lane"`
	}
	return program.Meta().Name == deliveryName && json.Unmarshal(args, &given) == nil && given.Lane == "dry-run"
}

// plausible refuses what cannot be meant.
func (f deliverFlags) plausible() error {
	const help = "assent deliver --help"
	task := strings.TrimSpace(strings.Join(f.words, " "))
	switch {
	case len(f.words) > 0 && task == "":
		return misused("the task is empty", "assent deliver 'WHAT IS TO BE DONE'")
	case task == "" && len(f.issues) == 0 && f.plan == "":
		return fault.New(fault.TaskMissing, "deliver needs a task, an issue or a plan", "assent deliver 'WHAT IS TO BE DONE'   # or --issue NUMBER, or --plan FILE")
	case f.given["plan"] && f.plan == "":
		return misused("--plan names no file", help)
	case f.given["base"] && (f.base == "" || strings.HasPrefix(f.base, "-")):
		return misused(fmt.Sprintf("--base %q is no branch", f.base), help)
	case f.given["max-steps"] && (f.maxSteps < 1 || f.maxSteps > mostSteps):
		return misused(fmt.Sprintf("--max-steps is a number from 1 to %d, not %d", mostSteps, f.maxSteps), help)
	}
	for _, n := range f.issues {
		if n < 1 {
			return misused(fmt.Sprintf("--issue %d: issues count from 1", n), help)
		}
	}
	for _, flag := range []string{"reviewer", "label", "ready"} {
		if f.given[flag] && f.lane != "" {
			return misused(fmt.Sprintf("--%s is of a pull request, and --%s makes none", flag, f.lane), "take one of them out")
		}
	}
	return nil
}
