package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// resumeFlags are those of resume alone.
type resumeFlags struct {
	driveFlags
	script           string
	dryRun           bool
	retryFailed      bool
	rerunInterrupted bool
	rerunChanged     bool
	tiers            bool
}

func newResumeCommand(a *app) *cobra.Command {
	var f resumeFlags
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with a run",
		Long: "Executes the script again from the top; every call that the journal has an answer to gets that\n" +
			"answer. Only what has none, or depends on something that ran again, is done.\n\n" +
			"The script is the one kept in the journal, unless --script names another.",
		Example: "  assent resume\n  assent resume 01JD --rerun-interrupted\n  assent resume 01JD --script deliver.js --dry-run",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			return a.resume(cmd.Context(), first(args), f)
		},
	}
	cmd.Flags().StringVar(&f.script, "script", "", "go on with this script instead, such as an edited one")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would run, and do nothing")
	cmd.Flags().BoolVar(&f.retryFailed, "retry-failed", false, "run failed calls again although something else is unfinished")
	cmd.Flags().BoolVar(&f.rerunInterrupted, "rerun-interrupted", false, "run calls again that were cut off and may have changed something")
	cmd.Flags().BoolVar(&f.rerunChanged, "rerun-changed", false, "run finished calls again that may have changed something, where what they depend on changed")
	cmd.Flags().BoolVar(&f.tiers, "tiers", false, "from now on, tiers stand for what the configuration says now")
	f.register(cmd.Flags(), true)
	return cmd
}

func (a *app) resume(ctx context.Context, named string, f resumeFlags) error {
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.pickResume(ctx, store, named, f)
	if err != nil {
		return err
	}
	return a.resumeRun(ctx, store, id, f, nil)
}

// goesOn fits runs that are not over for good.
func goesOn(s journal.Summary) bool {
	return s.State != journal.StatusCompleted && s.State != journal.StatusCancelled
}

// busy refuses to take a run from a living process.
func busy(id string, owner journal.Process) error {
	return fault.New(fault.RunBusy, fmt.Sprintf("run %s is executed by process %d on %s", id, owner.PID, owner.Host), "assent watch "+id+"   # shows it as it goes")
}

// resumeRun goes on with a run. said is an answer that was recorded just before.
func (a *app) resumeRun(ctx context.Context, store *journal.Store, id string, f resumeFlags, said *recordedAnswer) error {
	before, err := a.before(ctx, store, id)
	if err != nil {
		return err
	}
	var program *vm.Program
	script := ""
	if f.script != "" {
		if program, script, err = a.compile(f.script, before.workspace); err != nil {
			return err
		}
	} else if before.changed != "" && !f.quiet {
		a.say(fmt.Sprintf("%s has changed since; --script FILE runs the edited one", before.changed))
	}
	if before.unproven != "" {
		a.say("warning: no answer in this run counts, so nobody is asked: " + before.unproven)
	}
	c, err := a.config(before.workspace)
	if err != nil {
		return err
	}
	settings, err := f.settings(journal.Settings{}) // those of the run hold, unless a flag says otherwise
	if err != nil {
		return err
	}
	chosen, err := a.chosen(f.driveFlags, before.agent, before.workspace, c, program)
	if err != nil {
		return err
	}
	if f.tiers {
		if settings.Tiers, err = c.tiersNow(chosen.name); err != nil {
			return err
		}
	}
	chosen = chosen.ifAsked(program)
	o := engine.Options{
		Store: store, Agent: chosen.runner, AgentName: chosen.name, Workspace: before.workspace, Settings: settings, Workflows: library{a, before.workspace},
		RetryFailed: f.retryFailed, RerunInterrupted: f.rerunInterrupted, RerunChanged: f.rerunChanged,
	}
	if o, err = a.equipped(o, c, before.workspace); err != nil {
		return err
	}
	if f.dryRun {
		asks := a.interactive(f.driveFlags) || a.attached(f.driveFlags, c) && before.unproven == ""
		return a.forecast(ctx, store, id, program, f, o, asks)
	}
	if f.detach && f.report == 0 {
		return a.detach(id)
	}
	s := &session{config: c, title: before.title, said: said, unproven: before.unproven != "", waited: before.waited}
	if script != "" {
		s.script = a.typed(script)
	}
	return a.drive(ctx, store, f.driveFlags, o, s, func(ctx context.Context, o engine.Options) (*engine.Result, error) {
		return engine.Resume(ctx, id, program, o)
	})
}

// earlier is what a resume needs to know of the run.
type earlier struct {
	workspace, title, agent string
	// changed is a file of the script that differs on disk now.
	changed string
	// unproven says why no answer in the journal counts; "" if they do.
	unproven string
	// waited are the gates that wait already.
	waited []string
}

func (a *app) before(ctx context.Context, store *journal.Store, id string) (earlier, error) {
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return earlier{}, err
	}
	defer visit.Close()
	if owner, alive := visit.Owner(); alive {
		return earlier{}, busy(id, owner)
	}
	st := visit.State()
	var waited []string
	for _, g := range st.Pending() {
		waited = append(waited, g.Asked.Gate)
	}
	return earlier{
		waited: waited, workspace: st.Workspace, title: st.Started.Title, agent: st.Agent, changed: a.changedOnDisk(st),
		unproven: st.Unproven,
	}, nil
}

// forecast prints what a resume would do; asks says that it would put questions to a person.
func (a *app) forecast(ctx context.Context, store *journal.Store, id string, program *vm.Program, f resumeFlags, o engine.Options, asks bool) error {
	o.Store, o.OnGate, o.Now = store, f.rule(), a.Now
	if asks {
		// A person would be asked: what was settled without one would be asked again.
		o.Asker = checkpoint.AskerFunc(func(context.Context, checkpoint.Asked) (checkpoint.Answer, error) {
			return checkpoint.Answer{Later: true}, nil
		})
	}
	forecast, err := engine.DryRun(ctx, id, program, o)
	if err != nil {
		return err
	}
	falling, err := fallingGates(ctx, store, id, forecast.Falling, o)
	if err != nil {
		return err
	}
	if a.json {
		return a.emit(struct {
			Format   int          `json:"format"`
			Run      string       `json:"run"`
			Ends     bool         `json:"ends"`
			Replayed int          `json:"replayed"`
			Again    []repeatRow  `json:"again"`
			New      []repeatRow  `json:"new"`
			Falling  []fallingRow `json:"falling"`
			Waiting  []repeatRow  `json:"waiting"`
			Behind   []followRow  `json:"behind"`
			Refused  fault.Code   `json:"refused,omitempty"`
		}{
			jsonFormat, id, forecast.Ends, forecast.Replayed,
			repeatRows(forecast.Again), repeatRows(forecast.New), falling, repeatRows(forecast.Waiting),
			followRows(forecast.Behind), forecast.Refused,
		})
	}
	return a.print(forecastText(forecast, falling))
}
