package issuedelivery

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/seed-8d4a6081/assent/agent/agenttype"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

// The lanes: how far a delivery goes.
const (
	// LanePullRequest ends in a pull request; it is the lane of a delivery that names none.
	LanePullRequest = "pull-request"
	// LaneNoPR ends in a local branch.
	LaneNoPR = "no-pr"
	// LaneDryRun ends with the plan: nothing is changed.
	LaneDryRun = "dry-run"
	// LanePrototype ends in a local branch, after few steps and few rounds.
	LanePrototype = "prototype"
)

// Options say what is to be delivered, and how. Engine needs Store, Agent, Workspace and Work; one of
// Task, Issues and Plan says what is to be done, unless a run goes on.
type Options struct {
	// Engine says how the run is driven. Its Primitives and Calculations are beside those of this package,
	// its Types are the ones of the workspace and of the program if it names none, and its Args are made
	// of what stands below.
	Engine engine.Options
	// Config says what the repository wants.
	Config Config
	// Program is another version of the pipeline; nil is the one that comes with the program.
	Program *vm.Program

	// Task is what is to be done. With Issues it says what of them, with Plan it is its heading.
	Task   string
	Issues []int
	// Plan is a plan that is there already. It is held against the rules, and asked about.
	Plan json.RawMessage
	// Lane is one of the lanes, Base the branch to deliver to; "" is found out.
	Lane, Base string
	// AllowNoChecks goes on where no checks are found.
	AllowNoChecks bool
	// Reviewers, Labels and Ready are of the pull request: who is asked, what it bears, and that it is no
	// draft.
	Reviewers, Labels []string
	Ready             bool
	// MaxSteps is how many steps a plan may have; 0 is the pipeline's own.
	MaxSteps int

	// Resume is the id of a run that goes on.
	Resume string
	// Finish is the id of a run that stopped where a person could repair something, and goes on because
	// Who says that they did.
	Finish string
	Who    journal.Who

	// functions are what the pipeline calls; nil are those of the host.
	functions func(h *Host) ([]engine.Primitive, []engine.Calculation)
}

// Program compiles the pipeline that comes with the program.
func Program() (*vm.Program, error) {
	return vm.Compile(workflows.Builtin(), workflows.BuiltinFolder+"/issue-delivery.js")
}

// Deliver starts a delivery, or goes on with one, and drives it until it ends, waits for a person, or ctx
// ends. How it ended is in the outcome; the error is nil whenever that could be read from the journal.
func Deliver(ctx context.Context, o Options) (Outcome, error) {
	args, err := o.arguments()
	if err != nil {
		return Outcome{}, err
	}
	e := o.Engine
	run := o.Resume + o.Finish // one of them is empty
	if run != "" {
		if e.Workspace, err = workspaceOf(ctx, e, run); err != nil {
			return Outcome{}, err
		}
	}
	if e.Workspace == "" || e.Work == "" {
		return Outcome{}, fault.New(fault.OptionInvalid, "a delivery needs a repository and a place for working trees", "set engine.Options.Workspace and engine.Options.Work")
	}
	host := &Host{Store: e.Store, Workspace: e.Workspace, Work: e.Work, Environ: e.Environ, Config: o.Config}
	functions, calculations := host.Functions(), Calculations()
	if o.functions != nil {
		functions, calculations = o.functions(host)
	}
	e.Primitives, e.Calculations = slices.Concat(e.Primitives, functions), slices.Concat(e.Calculations, calculations)
	if e.Types == nil {
		e.Types = agenttype.Load(slices.DeleteFunc(agenttype.Places(e.Workspace, ""), func(p agenttype.Place) bool { return p.Origin == agenttype.User }))
	}
	var result *engine.Result
	switch {
	case o.Finish != "":
		if e.Asker, err = finisher(ctx, e, o.Finish, o.Who); err == nil {
			result, err = engine.Resume(ctx, o.Finish, o.Program, e)
		}
	case o.Resume != "":
		result, err = engine.Resume(ctx, o.Resume, o.Program, e)
	default:
		program := o.Program
		if program == nil {
			program, err = Program()
		}
		if err == nil {
			e.Args = args
			// A dry run changes nothing, whatever the script says.
			e.Settings.ReadOnly = e.Settings.ReadOnly || o.Lane == LaneDryRun
			result, err = engine.Run(ctx, program, e)
		}
	}
	if err != nil {
		return Outcome{}, err
	}
	return Look(context.WithoutCancel(ctx), e.Store, result.Run)
}

// arguments are those of the script. Its errors are TASK_MISSING and USAGE.
func (o Options) arguments() (json.RawMessage, error) {
	plan := bytes.TrimSpace(o.Plan)
	given := o.Task != "" || len(o.Issues) > 0 || len(plan) > 0
	switch {
	case o.Resume != "" && o.Finish != "":
		return nil, fault.New(fault.Usage, "a run is resumed or finished, and not both", "leave out Resume: to finish a run resumes it")
	case (o.Resume != "" || o.Finish != "") && given:
		return nil, fault.New(fault.Usage, "a run that goes on has its task", "leave out Task, Issues and Plan")
	case o.Resume != "" || o.Finish != "":
		return nil, nil
	case !given:
		return nil, fault.New(fault.TaskMissing, "nothing says what is to be delivered", `assent deliver "TASK"   # or --issue N, or --plan FILE`)
	}
	args := struct {
		Task          string          `json:"task,omitempty"`
		Issues        []int           `json:"issues,omitempty"`
		Plan          json.RawMessage `json:"plan,omitempty"`
		Lane          string          `json:"lane,omitempty"`
		Base          string          `json:"base,omitempty"`
		AllowNoChecks bool            `json:"allowNoChecks,omitempty"`
		Reviewers     []string        `json:"reviewers,omitempty"`
		Labels        []string        `json:"labels,omitempty"`
		Ready         bool            `json:"ready,omitempty"`
		MaxSteps      int             `json:"maxSteps,omitempty"`
	}{o.Task, o.Issues, plan, o.Lane, o.Base, o.AllowNoChecks, o.Reviewers, o.Labels, o.Ready, o.MaxSteps}
	text, err := json.Marshal(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.ArgsInvalid, "the plan is not JSON", "give one JSON object")
	}
	return text, nil
}

// workspaceOf is the folder that a run belongs to, unless the caller names one.
func workspaceOf(ctx context.Context, e engine.Options, run string) (string, error) {
	if e.Workspace != "" {
		return e.Workspace, nil
	}
	visit, err := e.Store.Visit(ctx, run)
	if err != nil {
		return "", err
	}
	defer visit.Close() // a visit that only read has nothing to lose
	return visit.State().Workspace, nil
}
