package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// scriptHelp lets --help behind a script tell of that script. It is read, and not run.
func (a *app) scriptHelp(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		named := first(cmd.Flags().Args())
		if named == "" {
			cmd.Root().HelpFunc()(cmd, args)
			return
		}
		a.began = true
		a.late = a.helpOf(cmd, named)
	})
}

// helpOf prints what a script is for, its arguments and phases, and the flags of the command.
func (a *app) helpOf(cmd *cobra.Command, named string) error {
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	program, path, err := a.compile(named, workspace)
	if err != nil {
		return err
	}
	row, wrong := scriptRow(named, path, program)
	columns := width(a.Out)
	var b strings.Builder
	b.WriteString(strings.Join(term.Wrap(term.Escape(strings.Join(strings.Fields(row.Description), " ")), columns, ""), "\n") + "\n")
	usage := "  assent run " + term.Escape(quoteCommand([]string{named}))
	if row.words {
		usage += " [WORDS...]"
	}
	if len(row.Arguments) > 0 {
		usage += " [--arg NAME=VALUE]..."
	}
	b.WriteString("\nUsage:\n" + usage + " [FLAGS]\n")
	title := "Arguments, each as --arg NAME=VALUE:"
	if row.takesWords() {
		title = "Arguments, each as --arg NAME=VALUE, but WORDS:"
	}
	writePairs(&b, title, row.argumentPairs(), columns)
	var phases []pair
	for _, p := range row.Phases {
		phases = append(phases, pair{p.Title, p.Detail})
	}
	writePairs(&b, "Phases:", phases, columns)
	b.WriteString("\nFlags of assent run:\n" + cmd.LocalFlags().FlagUsagesWrapped(columns))
	if err := a.print(b.String()); err != nil {
		return err
	}
	return wrong
}

// argumentFlag says how an argument is given that was typed as if it were a flag; "" if the script on
// the line has none of that name.
func (a *app) argumentFlag(cmd *cobra.Command, name string) string {
	workspace, err := a.workspace()
	at := slices.IndexFunc(a.Args, func(word string) bool { return word == cmd.Name() })
	if err != nil || cmd.Name() != "run" || at < 0 {
		return ""
	}
	for _, word := range a.Args[at+1:] {
		if strings.HasPrefix(word, "-") {
			continue
		}
		program, _, err := a.compile(word, workspace)
		if err != nil {
			return "" // it is the value of a flag, or there is more that is wrong
		}
		form := argumentsIn(program.Meta().ArgsSchema)
		if p, there := form.find(name); there && harmless(name) {
			return quoteCommand([]string{"assent", "run", word, "--arg"}) + " " + p.Name + "=VALUE   # " + p.about()
		}
		return ""
	}
	return ""
}
