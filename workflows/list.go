package workflows

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// Workflow is a saved workflow, or a file that would be one.
type Workflow struct {
	Name   string
	Origin Origin
	// Path is that of the script; of a built-in one, in [Builtin].
	Path string
	// HiddenBy is the path of the file that has the name instead, "" if this one has it.
	HiddenBy string
	// Err is why the file cannot be used by its name, WORKFLOW_INVALID; nil if it can. Whether
	// what stands in it is a script is another question.
	Err error
}

// List gives the workflows of all places, sorted by name, and those of one name in the order
// in which they win. A place that cannot be read is left out, and unread says why.
func List(places []Place) (list []Workflow, unread []error) {
	by := map[string]string{} // a name to the path of the file that has it
	for _, p := range places {
		found, err := p.list(func(string) bool { return true })
		if err != nil {
			unread = append(unread, err)
		}
		here := map[string]string{}
		for _, w := range found {
			w.HiddenBy = by[key(w.Name)]
			here[key(w.Name)] = w.Path
			list = append(list, w)
		}
		for name, path := range here {
			if by[name] == "" {
				by[name] = path
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Workflow) int { return strings.Compare(key(a.Name), key(b.Name)) })
	return list, unread
}

// list gives the files of a place whose names are wanted.
func (p Place) list(wanted func(name string) bool) (list []Workflow, err error) {
	err = p.visit(func(files []fs.DirEntry, stat func(string) (fs.FileInfo, error)) {
		same := map[string][]string{}
		for _, f := range files {
			if name, ok := nameOf(f.Name()); ok && wanted(name) {
				same[key(name)] = append(same[key(name)], f.Name())
			}
		}
		for _, f := range files {
			name, ok := nameOf(f.Name())
			if !ok || !wanted(name) {
				continue
			}
			w := Workflow{Name: name, Origin: p.Origin, Path: p.path(f.Name())}
			w.Err = p.wrong(name, f.Name(), same[key(name)], stat)
			list = append(list, w)
		}
	})
	return list, err
}

// wrong says why a file cannot be used by its name.
func (p Place) wrong(name, file string, same []string, stat func(string) (fs.FileInfo, error)) error {
	if bad := CheckName(name); bad != "" {
		return fault.New(fault.WorkflowInvalid, fmt.Sprintf("%q is no name of a workflow: %s", name, bad), "rename "+p.path(file)+", or run it by its path")
	}
	if len(same) > 1 {
		return fault.New(fault.WorkflowInvalid, fmt.Sprintf("%s has several files for the name %q: %s", p.Folder, name, strings.Join(same, ", ")),
			"remove or rename all but one; upper and lower case are the same name")
	}
	info, err := stat(file)
	switch {
	case errors.Is(err, regular.ErrLeaves):
		return fault.New(fault.WorkflowInvalid, p.path(file)+" is a link that leaves "+p.fence, "put the script itself there, or run it by its path")
	case err != nil:
		return fault.Wrap(err, fault.WorkflowInvalid, p.path(file)+" cannot be read", "")
	case info.IsDir():
		return fault.New(fault.WorkflowInvalid, p.path(file)+" is not a script but a folder", "rename it")
	case !info.Mode().IsRegular():
		return fault.New(fault.WorkflowInvalid, p.path(file)+" is not a script but something else", "remove it")
	}
	return nil
}
