package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

// places are the folders in which saved workflows are looked for.
func (a *app) places(workspace string) ([]workflows.Place, error) {
	f, err := a.folders()
	if err != nil {
		return nil, err
	}
	return workflows.Places(workspace, filepath.Dir(f.config), f.home), nil
}

// saved finds the saved workflow of that name.
func (a *app) saved(named, workspace string) (workflows.Workflow, error) {
	places, err := a.places(workspace)
	if err != nil {
		return workflows.Workflow{}, err
	}
	w, err := workflows.Find(places, named)
	if fault.Is(err, fault.WorkflowUnknown) {
		switch info, no := os.Stat(a.path(named)); {
		case no == nil && info.Mode().IsRegular():
			return w, noScript(a.path(named))
		case no == nil && info.IsDir():
			return w, fault.New(fault.WorkflowUnknown, a.path(named)+" is not a script but a folder", "name the files in it: "+quoteCommand([]string{named + "/"})+"NAME.js")
		}
		err = a.unknownSaved(places, named, workspace)
	}
	return w, err
}

// unknownSaved says which saved workflows there are; one that is no script would not run either, and is left
// out. A script in the current folder that has the name was most likely meant.
func (a *app) unknownSaved(places []workflows.Place, named, workspace string) error {
	list, _ := workflows.List(places) // what cannot be read was told before
	list = slices.DeleteFunc(list, func(w workflows.Workflow) bool {
		_, err := a.compileSaved(w, workspace)
		return err != nil
	})
	err := workflows.Unknown(list, named)
	at := slices.Index(a.Args, named) // a script can ask for one too, and the first word is the command
	for _, ending := range workflows.Endings {
		info, no := os.Stat(a.path(named + ending))
		if at < 1 || no != nil || !info.Mode().IsRegular() {
			continue
		}
		words := slices.Clone(a.Args)
		words[at] = "./" + named + ending
		if e, ok := errors.AsType[*fault.Error](err); ok {
			e.Next = quoteCommand(append([]string{"assent"}, words...)) + "   # a script that is not saved is named by its path"
		}
		break
	}
	return err
}

// noScript refuses a file whose name is not that of a script.
func noScript(path string) error {
	return fault.New(fault.WorkflowUnknown, path+" is no script: the name of one ends in "+strings.Join(workflows.Endings, ", "),
		"assent run FILE   # a program that answers agent() is given with --agent")
}

// otherScript says what may have been meant by a path where no file is: a saved workflow that was
// named as its file is, or the script in the same folder whose name is most like it.
func (a *app) otherScript(path, workspace string) string {
	if filepath.Dir(path) == filepath.Clean(a.Dir) {
		if w, err := a.saved(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), workspace); err == nil {
			words := slices.Clone(a.Args)
			if i := slices.Index(words, filepath.Base(path)); i >= 0 {
				words[i] = w.Name
				return quoteCommand(append([]string{"assent"}, words...)) + "   # a saved workflow goes by its name"
			}
		}
	}
	entries, _ := os.ReadDir(filepath.Dir(path)) // without them there is none
	var names []string
	for _, e := range entries {
		if slices.Contains(workflows.Endings, filepath.Ext(e.Name())) {
			names = append(names, e.Name())
		}
	}
	if near := options.Nearest(filepath.Base(path), names); near != "" {
		return "did you mean " + filepath.Join(filepath.Dir(path), near) + "?"
	}
	return "assent workflows   # lists the saved ones; any other script is named by its path"
}

// compileSaved reads and checks a saved workflow. A built-in one is known as builtin/NAME.js, and
// any other as it would be if it were named by its path.
func (a *app) compileSaved(w workflows.Workflow, workspace string) (*vm.Program, error) {
	return a.readSaved(w, workspace, vm.Compile)
}

func (a *app) readSaved(w workflows.Workflow, workspace string, read reading) (*vm.Program, error) {
	if w.Err != nil {
		return nil, w.Err
	}
	if w.Origin == workflows.BuiltIn {
		return read(workflows.Builtin(), w.Path)
	}
	return a.readFile(w.Path, workspace, read)
}

// sourceOf is the text of a saved workflow.
func sourceOf(w workflows.Workflow) ([]byte, error) {
	if w.Origin == workflows.BuiltIn {
		return fs.ReadFile(workflows.Builtin(), w.Path)
	}
	if w.Err != nil {
		return nil, w.Err
	}
	text, err := regular.Read(w.Path, vm.MaxSource)
	if err != nil {
		return nil, fault.Wrap(err, fault.WorkflowUnknown, "the script cannot be read", "")
	}
	return text, nil
}

// builtinOf is the name of the built-in workflow that a run executes, "" if it executes none. A
// file of the workspace at such a path is told from it by its text.
func builtinOf(st *journal.State) string {
	folder, file, _ := strings.Cut(st.Program.Name, "/")
	text, err := fs.ReadFile(workflows.Builtin(), st.Program.Name)
	if folder != workflows.BuiltinFolder || err != nil {
		return ""
	}
	for _, s := range st.Program.Sources {
		if s.Path == st.Program.Name && s.Text == string(text) {
			return strings.TrimSuffix(file, filepath.Ext(file))
		}
	}
	if _, err := os.Stat(filepath.Join(st.Workspace, filepath.FromSlash(st.Program.Name))); err == nil {
		return ""
	}
	return strings.TrimSuffix(file, filepath.Ext(file)) // of another version of the program
}

// changedOnDisk names the first file of a run's program that differs now from what the journal
// keeps, "" if none does. A file that is nowhere any more is no difference; what no script can
// be, such as a pipe, is one. The journal does not say where a script outside of the workspace
// lay, so it is unchanged if one of those that it may have been is.
func (a *app) changedOnDisk(st *journal.State) string {
	for _, source := range st.Program.Sources {
		path := filepath.FromSlash(source.Path)
		if !filepath.IsLocal(path) {
			continue
		}
		same, other := false, false
		compare := func(text []byte, err error) {
			switch {
			case errors.Is(err, regular.ErrKind), errors.Is(err, regular.ErrSize):
				other = true
			case err == nil && strings.TrimPrefix(string(text), "\ufeff") == strings.TrimPrefix(source.Text, "\ufeff"):
				same = true
			case err == nil:
				other = true
			}
		}
		compare(regular.Read(filepath.Join(st.Workspace, path), vm.MaxSource))
		if builtinOf(st) != "" {
			compare(fs.ReadFile(workflows.Builtin(), source.Path))
		}
		if places, err := a.places(st.Workspace); err == nil {
			for _, p := range places {
				rel, err := filepath.Rel(st.Workspace, p.Folder)
				if p.Origin != workflows.BuiltIn && (err != nil || !filepath.IsLocal(rel)) {
					compare(regular.Read(filepath.Join(p.Folder, path), vm.MaxSource))
				}
			}
		}
		if other && !same {
			return source.Path
		}
	}
	return ""
}
