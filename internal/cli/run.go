package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/vm"
)

func newRunCommand(a *app) *cobra.Command {
	var f driveFlags
	var args argsFlags
	cmd := &cobra.Command{
		Use:   "run FILE|NAME [WORDS...]",
		Short: "Start a workflow script",
		Long: "Starts a script, given by its path or by the name it is saved under, and drives it until it ends\n" +
			"or only waits for a person. The result goes to standard output as JSON.\n\n" +
			"Words behind the script are its argument _raw, as one text. With --help behind a script, that\n" +
			"script's own description and arguments are shown; assent workflows lists the saved ones.\n\n" +
			"In a terminal it asks at gates itself. Elsewhere a configured asker is asked, or --on-gate says\n" +
			"what becomes of them.",
		Example: "  assent run first\n  assent run first --help\n  assent run deep-research how do bees find their way home\n" +
			"  assent run deliver.js --task 'Fix the login' --agent 'my-agent --json'\n  assent run deliver.js --detach",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused("run needs a script", "assent run FILE   # or the NAME of a saved workflow; assent workflows lists these")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			args.taskGiven, args.words = cmd.Flags().Changed("task"), names[1:]
			return a.start(cmd.Context(), names[0], a.checkedProgram, f, args)
		},
	}
	cmd.Flags().StringVar(&args.task, "task", "", "the argument task, as text")
	cmd.Flags().StringArrayVar(&args.pairs, "arg", nil, "an argument, NAME=VALUE, by its type; else JSON if it is JSON, and text if not (may be repeated)")
	cmd.Flags().Var(&args.objects, "args", "the arguments as one JSON object: itself, @FILE, or - for standard input")
	f.register(cmd.Flags(), false)
	f.unseen(cmd)
	a.scriptHelp(cmd)
	return cmd
}

// unseen adds the flags of a run that the demo starts.
func (f *driveFlags) unseen(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.simulated, "simulated", false, "")
	cmd.Flags().BoolVar(&f.hintless, "hintless", false, "")
	for _, name := range []string{"simulated", "hintless"} {
		_ = cmd.Flags().MarkHidden(name) // they were registered above
	}
}

// start begins a run of the script that was named, which load reads and checks.
func (a *app) start(
	ctx context.Context, named string, load func(named, workspace string, f driveFlags) (*vm.Program, string, error), f driveFlags, given argsFlags,
) error {
	if f.detach && given.stdin() {
		return misused("a run in the background has no standard input", "give --args a file")
	}
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	c, err := a.config(workspace)
	if err != nil {
		return err
	}
	settings, err := f.settings(c.settings)
	if err != nil {
		return err
	}
	program, path, err := load(named, workspace, f)
	if err != nil {
		return err
	}
	if program.Meta().Name == deliveryName {
		given.fallback = c.delivery.arguments()
	}
	args, err := a.arguments(given, program, named)
	if err != nil {
		return err
	}
	settings.ReadOnly = settings.ReadOnly || dryRun(program, args)
	agent, err := a.chosen(f, "", workspace, c, program)
	if err != nil {
		return err
	}
	agent = agent.ifAsked(program)
	settings.Tiers = c.tiersFor(agent.name)
	store, err := a.store()
	if err != nil {
		return err
	}
	if f.detach && f.report == 0 {
		return a.detach("")
	}
	o := engine.Options{
		Store: store, Agent: agent.runner, AgentName: agent.name, Args: args, Workspace: workspace, Settings: settings, Workflows: library{a, workspace},
	}
	if o, err = a.equipped(o, c, workspace); err != nil {
		return err
	}
	s := &session{config: c, title: program.Meta().Name, script: a.typed(path)}
	return a.drive(ctx, store, f, o, s, func(ctx context.Context, o engine.Options) (*engine.Result, error) {
		return engine.Run(ctx, program, o)
	})
}

// chosen is chooseAgent for an attempt: an agent that the flag names has to be there if the script, nil is
// the one that the run has, may ask it; and one that is started without the fence that it could have is
// warned of.
func (a *app) chosen(f driveFlags, recorded, workspace string, c config, program *vm.Program) (chosenAgent, error) {
	chosen, err := a.chooseAgent(f.agent, recorded, workspace, c)
	if err == nil && f.agent != "" && mayAsk(program) {
		err = a.startable(f.agent, workspace, c)
	}
	if warning := c.unfenced(chosen.name); err == nil && warning != "" && !f.quiet && f.report == 0 {
		a.say("warning: " + warning)
	}
	return chosen, err
}

// chooseAgent takes the agent of the flag, else the one that the run had (recorded), else the
// configuration's default, or the only one that it has; without a configuration, what is found on this
// machine. None is no error: a script may call none.
func (a *app) chooseAgent(flag, recorded, workspace string, c config) (chosenAgent, error) {
	switch {
	case flag != "":
		return a.agentFrom(flag, a.Dir, workspace, c)
	case recorded != "":
		return a.agentFrom(recorded, workspace, workspace, c)
	case c.agent != "":
		return a.configured(c.agent, workspace, c)
	case len(c.agents) == 1:
		for name := range c.agents {
			return a.configured(name, workspace, c)
		}
	}
	return a.discovered(workspace, c)
}
