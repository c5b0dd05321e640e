package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/options"
)

// shells are those that completion writes for, with what makes it lasting.
var shells = []struct{ name, install string }{
	{"bash", "assent completion bash > ~/.local/share/bash-completion/completions/assent"},
	{"zsh", `assent completion zsh > "${fpath[1]}/_assent"`},
	{"fish", "assent completion fish > ~/.config/fish/completions/assent.fish"},
	{"powershell", "assent completion powershell >> $PROFILE"},
}

func newCompletionCommand(a *app) *cobra.Command {
	var names []string
	var example strings.Builder
	for _, s := range shells {
		names = append(names, s.name)
		example.WriteString("  " + s.install + "\n")
	}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write the completion of a shell: bash, zsh, fish or powershell",
		Long: "Writes the script with which a shell completes commands, flags, runs, gates, agents and workflows.\n" +
			"The script asks assent itself, so that it stays right when assent is updated. Nothing that answers\n" +
			"a question is completed: no checksum and no answer.",
		Example:   strings.TrimRight(example.String(), "\n"),
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return misused("completion takes one shell: "+strings.Join(names, ", "), "assent completion bash")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.completion(cmd.Root(), args[0], names) },
	}
}

func (a *app) completion(root *cobra.Command, shell string, names []string) error {
	var script bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&script, true)
	case "zsh":
		err = root.GenZshCompletion(&script)
	case "fish":
		if err = root.GenFishCompletion(&script, true); err == nil {
			err = quoteFishWords(&script)
		}
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&script)
	default:
		next := "assent completion bash"
		if near := options.Nearest(shell, names); near != "" {
			next = "assent completion " + near + "   # did you mean that?"
		}
		return misused(fmt.Sprintf("there is no completion for %q, only for %s", shell, strings.Join(names, ", ")), next)
	}
	if err != nil {
		return fmt.Errorf("writing the completion: %w", err)
	}
	return a.print(script.String())
}

// fishWords is where cobra's script for fish takes the words that stand already on the line: free
// of their quotes, and evaluated later. So a file name that fish had quoted would be run.
const fishWords = "set -l args (commandline -opc)\n"

// quoteFishWords quotes those words again.
func quoteFishWords(script *bytes.Buffer) error {
	text := script.String()
	if strings.Count(text, fishWords) != 1 || strings.Count(text, "(commandline ") != 3 {
		return errors.New("the script for fish is another one than what is known to be safe")
	}
	script.Reset()
	script.WriteString(strings.Replace(text, fishWords, "set -l args (string escape -- (commandline -opc))\n", 1))
	return nil
}

// completions says of every command and flag what may stand there. Where nothing is known, nothing
// is offered: a list of files where no file is meant helps nobody.
func (a *app) completions(root *cobra.Command) {
	none := cobra.NoFileCompletions
	flags := map[string]cobra.CompletionFunc{
		"agent": a.completeAgents,
		"arg":   a.completeArgs,
		"call":  a.completeCalls,
		"gate":  a.completeGates,
		"on-gate": cobra.FixedCompletions([]string{
			"default\ttakes the question's default; a plan is declined", "abort\tstops the run", "suspend\tleaves the question open",
		}, cobra.ShellCompDirectiveNoFileComp),
		"loop-guard": cobra.FixedCompletions([]string{
			"warn\tsays so once for each loop", "stop\tends the run", "off\tdoes not look",
		}, cobra.ShellCompDirectiveNoFileComp),
		"mode": cobra.FixedCompletions([]string{
			"ask\tthe agent asks before it changes something", "accept-edits\tit may edit files", "auto\tit may do what it finds right",
		}, cobra.ShellCompDirectiveNoFileComp),
		"script":  scriptFiles,
		"against": scriptFiles,
		"args":    anyFile,
		"plan":    anyFile,
		"finish":  a.completeFinish,
		"file":    anyFile,
		"output":  anyFile,
		"dir":     cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		// A checksum says that its plan was read. One that the shell filled in says nothing.
		"checksum": none,
	}
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			cmd.ValidArgsFunction = a.argumentsOf(cmd)
		}
		for name, complete := range flags {
			if flag := cmd.Flags().Lookup(name); flag != nil && flag.Value.Type() != "bool" {
				_ = cmd.RegisterFlagCompletionFunc(name, complete) // the flag is there, and this is the only place
			}
		}
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
}

// argumentsOf says what completes a command's arguments, by what its line of usage calls them.
func (a *app) argumentsOf(cmd *cobra.Command) cobra.CompletionFunc {
	_, words, _ := strings.Cut(cmd.Use, " ")
	word, _, _ := strings.Cut(words, " ")
	switch word = strings.Trim(word, "[]"); word {
	case "RUN":
		return a.completeRuns(cmd.Name(), 1)
	case "RUN...":
		return a.completeRuns(cmd.Name(), -1)
	case "FILE|NAME":
		return a.completeWorkflows
	case "FILE|NAME...", "FILE|NAME|FOLDER...":
		return a.completeTests
	case "FILE":
		return anyFile
	case "command", "COMMAND":
		return completeCommands
	}
	return cobra.NoFileCompletions
}

func scriptFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"js", "mjs", "ts", "mts"}, cobra.ShellCompDirectiveFilterFileExt
}

func anyFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func completeCommands(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, c := range cmd.Root().Commands() {
			if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), typed) {
				names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
