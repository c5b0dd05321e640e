package cli

import (
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/workflows"
)

// copyName is the file of the project that a workflow's copy is written to, relative to the
// workspace.
func copyName(w workflows.Workflow) string {
	return workflows.Folder + "/" + w.Name + filepath.Ext(w.Path)
}

// copyWorkflow writes a workflow's text into the project's folder, under the same name, which is
// then the first that has it. A shell that redirects the text there would make the file before
// the text is looked for.
func (a *app) copyWorkflow(w workflows.Workflow, workspace string) error {
	text, err := sourceOf(w)
	if err != nil {
		return err
	}
	if w.Origin == "" {
		w.Name = strings.TrimSuffix(filepath.Base(w.Path), filepath.Ext(w.Path))
	}
	if bad := workflows.CheckName(w.Name); bad != "" {
		return fault.New(fault.WorkflowInvalid, quoteCommand([]string{w.Name})+" is no name of a workflow: "+bad, "rename the file first")
	}
	if program, err := a.compileSaved(w, workspace); err == nil && len(program.Sources()) > 1 {
		return misused(w.Path+" imports "+program.Sources()[1].Path+", which a copy elsewhere would not find", "move the script with what it imports")
	}
	name := copyName(w)
	wrote, _, err := writeNew(workspace, []workflows.File{{Path: name, Text: string(text)}})
	if err != nil {
		return err
	}
	here := a.shortPath(workspace, name)
	if len(wrote) == 0 {
		return misused(here+" is there already", "assent workflows "+w.Name+"   # what it is")
	}
	next := "assent run " + w.Name
	if a.json {
		return a.emit(struct {
			Format int    `json:"format"`
			Wrote  string `json:"wrote"`
			Next   string `json:"next"`
		}{jsonFormat, name, next})
	}
	a.say("wrote " + here)
	a.next(next)
	return nil
}
