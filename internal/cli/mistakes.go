package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-8d4a6081/assent/internal/options"
)

// knownCommand refuses a command that there is not, and names the one that was meant.
func (a *app) knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommand(root, args[0], args[1:]...)
}

// unknownCommand keeps what was typed behind the command, so that the hint is whole.
func unknownCommand(root *cobra.Command, named string, behind ...string) error {
	next := "assent --help"
	if near := nearCommand(root, named); near != "" {
		next = quoteCommand(append([]string{"assent", near}, behind...)) + "   # did you mean that?"
	}
	return misused(fmt.Sprintf("unknown command %q", named), next)
}

// nearCommand is the command whose name is most like the one that was typed, or that it is
// another word for.
func nearCommand(root *cobra.Command, named string) string {
	var names []string
	for _, c := range root.Commands() {
		if slices.Contains(c.SuggestFor, strings.ToLower(named)) {
			return c.Name()
		}
		names = append(names, c.Name())
	}
	return options.Nearest(named, names)
}

// noArgs takes nothing.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misused(fmt.Sprintf("%s takes no arguments, and %q is one", cmd.CommandPath(), args[0]), cmd.CommandPath()+" --help")
	}
	return nil
}

// newHelpCommand is cobra's, but that a command that there is not is an error.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Say what a command is for, and its flags",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			found, rest, err := root.Find(args)
			if err != nil || found == root || len(rest) > 0 {
				return unknownCommand(root, strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// flagMistake says of a flag what it takes, or which one was meant.
func (a *app) flagMistake(cmd *cobra.Command, err error) error {
	if !cmd.HasParent() && len(a.Args) > 0 && !strings.HasPrefix(a.Args[0], "-") {
		return unknownCommand(cmd, a.Args[0], a.Args[1:]...) // so the flag is one of the command that was meant
	}
	help := cmd.CommandPath() + " --help"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if next := a.argumentFlag(cmd, unknown.GetSpecifiedName()); next != "" {
			return misused(err.Error(), next)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := options.Nearest(unknown.GetSpecifiedName(), names); near != "" && unknown.GetSpecifiedShortnames() == "" {
			return misused(err.Error(), help+"   # did you mean --"+near+"?")
		}
	}
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return misused(fmt.Sprintf("--%s takes %s, not %q", bad.GetFlag().Name, wanted(bad.GetFlag().Value.Type()), bad.GetValue()), help)
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok && missing.GetFlag() != nil {
		return misused(fmt.Sprintf("--%s needs a value: %s", missing.GetFlag().Name, missing.GetFlag().Usage), help)
	}
	return misused(err.Error(), help)
}

// wanted says what a value of that type looks like.
func wanted(kind string) string {
	switch kind {
	case "duration":
		return "a length of time such as 90s or 24h"
	case "age":
		return "a length of time such as 36h, 30d or 2w"
	case "int", "intSlice":
		return "a whole number such as 4"
	case "bool":
		return "true or false"
	default:
		return "something else"
	}
}
