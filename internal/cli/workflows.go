package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/workflows"
)

func newWorkflowsCommand(a *app) *cobra.Command {
	var source, copied bool
	cmd := &cobra.Command{
		Use:   "workflows [FILE|NAME]",
		Short: "List the saved workflows, or describe one",
		Long: "Lists the workflows that run takes by name: what they are for, where they come from, and their\n" +
			"arguments. A file that cannot be used is listed with what is wrong with it, and one whose name\n" +
			"another file has is marked. With a name it describes that one in full. No script is run.",
		Example: "  assent workflows\n  assent workflows deep-research\n  assent workflows deep-research --copy",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misused(fmt.Sprintf("workflows takes at most one script, not %d", len(args)), cmd.CommandPath()+" --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case source && copied:
				return misused("--source prints and --copy writes; one of them is enough", cmd.CommandPath()+" --help")
			case len(args) == 0 && (source || copied):
				return misused("--source and --copy need the name of a workflow", "assent workflows   # lists them")
			case len(args) == 0:
				return a.listWorkflows()
			case copied:
				w, workspace, err := a.namedWorkflow(args[0])
				if err != nil {
					return err
				}
				return a.copyWorkflow(w, workspace)
			}
			return a.showWorkflow(args[0], source)
		},
	}
	cmd.Flags().BoolVar(&source, "source", false, "print the script's text, and nothing else")
	cmd.Flags().BoolVar(&copied, "copy", false, "write a copy into the project's folder, to be edited; it then goes by the name")
	return cmd
}

// listWorkflows lists the files of all places.
func (a *app) listWorkflows() error {
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	places, err := a.places(workspace)
	if err != nil {
		return err
	}
	list, unread := workflows.List(places)
	rows := a.workflowRows(list, workspace)
	problems := []string{}
	for _, err := range unread {
		problems = append(problems, err.Error())
	}
	if a.json {
		return a.emit(struct {
			Format     int           `json:"format"`
			Workspace  string        `json:"workspace"`
			Workflows  []workflowRow `json:"workflows"`
			Unreadable []string      `json:"unreadable"`
		}{jsonFormat, workspace, rows, problems})
	}
	for _, p := range problems {
		a.say(p)
	}
	return a.print(a.workflowsText(rows))
}

// workflowsText is the list for people: of each its name, where it comes from and where it lies, and
// below that what it is for and takes, or why it cannot be used.
func (a *app) workflowsText(rows []workflowRow) string {
	var heads term.Table
	for _, r := range rows {
		origin := r.From
		if r.HiddenBy != "" {
			origin += ", hidden by " + a.typed(r.HiddenBy)
		}
		heads.Row(r.Name, origin, a.typedPath(r))
	}
	head := strings.Split(heads.String(), "\n")
	var b strings.Builder
	for i, r := range rows {
		b.WriteString(head[i] + "\n")
		for _, text := range []string{r.description(), r.usage(), r.trouble()} {
			if text != "" {
				b.WriteString(strings.Join(term.Wrap("  "+term.Escape(text), width(a.Out), "    "), "\n") + "\n")
			}
		}
	}
	return b.String()
}

// trouble says why a workflow cannot be used, and where; "" if it can.
func (r workflowRow) trouble() string {
	if r.Error == nil {
		return ""
	}
	text := "cannot be used: "
	for _, part := range []string{r.Error.Code, r.Error.place()} {
		if part != "" {
			text += part + ": "
		}
	}
	text += strings.ReplaceAll(r.Error.What, "\n", " ")
	if r.Error.Next != "" {
		text += " (" + r.Error.Next + ")"
	}
	return text
}

// typedPath is the path of a workflow as it is typed here; one that came with the program has none.
func (a *app) typedPath(r workflowRow) string {
	if r.From == string(workflows.BuiltIn) {
		return ""
	}
	return a.typed(r.Path)
}

// namedWorkflow is a saved workflow by its name, or any script by its path.
func (a *app) namedWorkflow(named string) (w workflows.Workflow, workspace string, err error) {
	if workspace, err = a.workspace(); err != nil {
		return w, "", err
	}
	if looksLikePath(named) {
		return workflows.Workflow{Name: named, Path: a.path(named)}, workspace, nil
	}
	w, err = a.saved(named, workspace)
	return w, workspace, err
}

// showWorkflow describes one workflow, or prints its text.
func (a *app) showWorkflow(named string, source bool) error {
	w, workspace, err := a.namedWorkflow(named)
	if err != nil {
		return err
	}
	var text []byte
	if source {
		if text, err = sourceOf(w); err != nil {
			return err
		}
	}
	if source && !a.json {
		if terminal(a.Out) != nil {
			return a.print(term.EscapeBlock(string(text)))
		}
		return a.print(string(text))
	}
	row, err := a.workflowRow(w, workspace)
	if err != nil && !source {
		return err
	}
	if a.json {
		return a.emit(struct {
			Format int `json:"format"`
			workflowRow
			Source string `json:"source,omitempty"`
		}{jsonFormat, row, string(text)})
	}
	return a.print(row.text(a.typedPath(row), width(a.Out)) + a.hides(w, workspace))
}

// hides names the files that a workflow hides.
func (a *app) hides(w workflows.Workflow, workspace string) string {
	places, err := a.places(workspace)
	if err != nil || w.Origin == "" {
		return ""
	}
	list, _ := workflows.List(places) // it hides what can be read
	var b strings.Builder
	for _, other := range list {
		if other.HiddenBy != "" && strings.EqualFold(other.Name, w.Name) {
			if b.Len() == 0 {
				b.WriteString("\nhides\n")
			}
			b.WriteString("  " + term.Escape(other.Path) + " (" + string(other.Origin) + ")\n")
		}
	}
	return b.String()
}
