package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/workflows"
)

// completeWorkflows offers the saved workflows and the scripts of the current folder; where nothing
// fits, the shell looks for scripts elsewhere.
func (a *app) completeWorkflows(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var offers []string
	for _, w := range a.savedList() {
		if strings.HasPrefix(w.Name, typed) && harmless(w.Name) {
			offers = append(offers, offer(w.Name, string(w.Origin)))
		}
	}
	entries, _ := os.ReadDir(a.Dir) // without them there are none
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, typed) && harmless(name) && slices.Contains(workflows.Endings, filepath.Ext(name)) {
			offers = append(offers, offer(name, "script"))
		}
	}
	if len(offers) > 0 {
		return offers, cobra.ShellCompDirectiveDefault
	}
	return scriptFiles(cmd, args, typed)
}

// completeFinish offers the runs that deliver --finish goes on with.
func (a *app) completeFinish(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return a.completeRuns("finish", -1)(cmd, nil, typed)
}

// savedList are the saved workflows that can be named.
func (a *app) savedList() (list []workflows.Workflow) {
	workspace, err := a.workspace()
	if err != nil {
		return nil
	}
	places, err := a.places(workspace)
	if err != nil {
		return nil
	}
	all, _ := workflows.List(places) // what cannot be listed is not offered
	for _, w := range all {
		if w.Err == nil && w.HiddenBy == "" {
			list = append(list, w)
		}
	}
	return list
}

// completeArgs offers the arguments of the script that is named on the line: NAME= first, and what
// may stand behind it where that is one of a few values. The script is read, and not run.
func (a *app) completeArgs(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	const nothing = cobra.ShellCompDirectiveNoFileComp
	workspace, err := a.workspace()
	if len(args) == 0 || err != nil {
		return nil, nothing
	}
	program, _, err := a.compile(args[0], workspace)
	if err != nil {
		return nil, nothing
	}
	name, _, behind := strings.Cut(typed, "=")
	var offers []string
	for _, arg := range argumentsIn(program.Meta().ArgsSchema).arguments {
		switch {
		case !harmless(arg.Name) || arg.Name == bareWords:
		case behind && arg.Name == name:
			for _, value := range arg.choices() {
				if whole := name + "=" + value; strings.HasPrefix(whole, typed) && harmless(whole) {
					offers = append(offers, offer(whole, arg.Description))
				}
			}
			return offers, nothing
		case !behind && strings.HasPrefix(arg.Name, typed):
			offers = append(offers, offer(arg.Name+"=", arg.about()))
		}
	}
	return offers, nothing | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}

// choices are the values that an argument may have, as they are typed, if these are few.
func (p argument) choices() []string {
	if len(p.Enum) == 0 && p.Type == "boolean" {
		return []string{"true", "false"}
	}
	var list []string
	for _, value := range p.Enum {
		list = append(list, typedValue(value))
	}
	return list
}

// typedValue is a JSON value as it is typed behind NAME=: a text without its quotes.
func typedValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && string(value) != "null" {
		return text
	}
	return string(value)
}
