package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// app is one execution of the program.
type app struct {
	System
	// json is --json: data as one JSON object.
	json bool
	// began is set when the arguments were understood and a command began; an error before
	// that is one of usage.
	began bool
	// late is why the help of a script could not be shown.
	late error
	// opened is the store that the command has opened, nil if it has none.
	opened *journal.Store
	// pace keeps the questions of this process apart.
	pace *pace
}

func newApp(s System) *app { return &app{System: s, pace: newPace(questionsApart)} }

// root makes the tree of commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assent",
		Short: "Run workflow scripts that stop for a person",
		Long: "Assent runs workflow scripts that stop for a person, and can prove afterwards what that\n" +
			"person said yes to. Without a command it shows what waits for you in this workspace.",
		Args:          a.knownCommand,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRun: func(*cobra.Command, []string) {
			a.began = true
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.home(cmd.Context()) },
	}
	root.SetFlagErrorFunc(a.flagMistake)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelpCommand())
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print data as one JSON object (docs/reference/json.md)")
	root.AddCommand(
		newRunCommand(a), newDeliverCommand(a), newResumeCommand(a), newLsCommand(a), newShowCommand(a), newWatchCommand(a),
		newReviewCommand(a), newApproveCommand(a), newRejectCommand(a), newAnswerCommand(a), newRevokeCommand(a), newCancelCommand(a),
		newHistoryCommand(a), newDiffCommand(a),
		newVerifyCommand(a), newReplayCommand(a), newExportCommand(a), newImportCommand(a), newPruneCommand(a), newCompactCommand(a), newWorktreesCommand(a), newInitCommand(a), newWorkflowsCommand(a), newAgentsCommand(a), newDoctorCommand(a), newTestCommand(a), newLintCommand(a), newDemoCommand(a), newGuideCommand(a), newExplainCommand(a), newCompletionCommand(a), newManCommand(a), newVersionCommand(a),
	)
	group(root)
	a.completions(root)
	return root
}

// atMostOne takes a run, or none.
func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return misused(fmt.Sprintf("%s takes at most one run, not %d", cmd.CommandPath(), len(args)), cmd.CommandPath()+" --help")
	}
	return nil
}

// first gives the first argument, or "".
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// usage makes the refusal of arguments that were not understood.
func usage(err error) error {
	if fault.CodeOf(err) != "" {
		return err
	}
	return misused(err.Error(), "assent --help")
}

// misused is a refusal of arguments that belong to no value.
func misused(what, next string) error { return fault.New(fault.Usage, what, next) }
