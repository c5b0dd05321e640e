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

// scriptEndings are what a script's file name may end in.
var scriptEndings = []string{".js", ".mjs", ".ts", ".mts"}

// compile reads and checks the script that was named: the path of a file, or the name of a
// saved workflow. What looks like a path is one. It gives the path too.
func (a *app) compile(named, workspace string) (program *vm.Program, path string, err error) {
	path = a.path(named)
	if !looksLikePath(named) {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			if path, err = workflows.Find(workspace, named); err != nil {
				return nil, "", err
			}
		}
	}
	program, err = compileFile(path, workspace)
	return program, path, err
}

// typed is a file as it is typed in the current folder: below it by its path from there, else
// whole.
func (a *app) typed(path string) string {
	for _, dir := range []string{a.Dir, resolved(a.Dir)} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			path = rel
			break
		}
	}
	return quoteCommand([]string{path})
}

// resolved is a folder without links on its way.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

func looksLikePath(named string) bool {
	return hasFolder(named) || named == "." || named == ".." || slices.Contains(scriptEndings, filepath.Ext(named))
}

// compileFile compiles the script at path. A script inside the workspace is known by its path
// there, and may import what the workspace holds; another one by its name, and may import what
// lies in its folder.
func compileFile(path, workspace string) (*vm.Program, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.WorkflowUnknown, "there is no file "+path, otherScript(path))
	case err != nil:
		return nil, fault.Wrap(err, fault.WorkflowUnknown, "the script cannot be read", "")
	case !info.Mode().IsRegular():
		return nil, fault.New(fault.WorkflowUnknown, path+" is not a script but "+otherThing(info), "assent run FILE")
	}
	if !slices.Contains(scriptEndings, filepath.Ext(path)) {
		return nil, fault.New(fault.WorkflowUnknown, path+" is no script: the name of one ends in "+strings.Join(scriptEndings, ", "),
			"assent run FILE   # a program that answers agent() is given with --agent")
	}
	root, name := filepath.Split(path)
	root = resolved(root)
	if rel, err := filepath.Rel(workspace, filepath.Join(root, name)); err == nil && filepath.IsLocal(rel) {
		root, name = workspace, rel
	}
	folder, err := regular.OpenFolder(root)
	if err != nil {
		return nil, fault.Wrap(err, fault.WorkflowUnknown, "the script's folder cannot be read", "")
	}
	defer folder.Close()
	name = filepath.ToSlash(name)
	if _, err := folder.Stat(name); errors.Is(err, regular.ErrLeaves) {
		return nil, fault.New(fault.WorkflowUnknown, path+" is a link that leaves "+root, "name the file itself: "+resolved(path))
	}
	program, err := vm.Compile(folder, name)
	return program, leaving(err, folder.Left(), root)
}

// otherScript names the script beside path whose name is most like it.
func otherScript(path string) string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // without them there is none
	var names []string
	for _, e := range entries {
		if slices.Contains(scriptEndings, filepath.Ext(e.Name())) {
			names = append(names, e.Name())
		}
	}
	if near := options.Nearest(filepath.Base(path), names); near != "" {
		return "did you mean " + filepath.Join(filepath.Dir(path), near) + "?"
	}
	return "name a script, or a workflow in " + workflows.Folder
}

// otherThing says what stands where a file was named.
func otherThing(info fs.FileInfo) string {
	if info.IsDir() {
		return "a folder"
	}
	return "something else"
}

// leaving names the link behind an import that found nothing where it may look.
func leaving(err error, left []string, root string) error {
	e, ok := errors.AsType[*vm.Error](err)
	if !ok || e.Code != importLost {
		return err
	}
	for _, name := range left {
		if strings.Contains(e.Message, name) {
			refused := *e
			refused.Code, refused.Message = importRefused, "the import leads to "+name+", a link that leaves "+root
			return &refused
		}
	}
	return err
}

// The machine's codes for an import that finds no file, and for one that leads outside.
const (
	importLost    = "IMPORT_NOT_FOUND"
	importRefused = "IMPORT_REFUSED"
)

// changedOnDisk names the first file of a run's program that differs now from what the journal
// keeps, "" if none does. A file that is not in the workspace any more is no difference; what no
// script can be, such as a pipe, is one.
func changedOnDisk(st *journal.State) string {
	for _, source := range st.Program.Sources {
		path := filepath.FromSlash(source.Path)
		if !filepath.IsLocal(path) {
			continue
		}
		text, err := regular.Read(filepath.Join(st.Workspace, path), vm.MaxSource)
		switch {
		case errors.Is(err, regular.ErrKind), errors.Is(err, regular.ErrSize):
			return source.Path
		case err == nil && strings.TrimPrefix(string(text), "\ufeff") != strings.TrimPrefix(source.Text, "\ufeff"):
			return source.Path
		}
	}
	return ""
}
