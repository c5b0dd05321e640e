package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

// compile reads and checks the script that was named: the path of a file, or the name of a
// saved workflow. What looks like a path is one. It gives the path too; of a built-in workflow
// its name, which is as good on a command line.
func (a *app) compile(named, workspace string) (program *vm.Program, path string, err error) {
	return a.readScript(named, workspace, vm.Compile)
}

// reading reads a script from the folder that it may import from.
type reading func(folder fs.FS, name string) (*vm.Program, error)

// readScript reads the script that was named.
func (a *app) readScript(named, workspace string, read reading) (program *vm.Program, path string, err error) {
	if looksLikePath(named) {
		path = a.path(named)
		program, err = a.readFile(path, workspace, read)
		return program, path, err
	}
	w, err := a.saved(named, workspace)
	if err != nil {
		return nil, "", err
	}
	program, err = a.readSaved(w, workspace, read)
	if w.Origin == workflows.BuiltIn {
		return program, w.Name, err
	}
	return program, w.Path, err
}

// typed is a file as it is typed in the current folder.
func (a *app) typed(path string) string { return quoteCommand([]string{a.fromHere(path)}) }

// fromHere is the path of a file as the current folder sees it: below it from there, else whole.
func (a *app) fromHere(path string) string {
	for _, dir := range []string{a.Dir, resolved(a.Dir)} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// resolved is a folder without links on its way.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

func looksLikePath(named string) bool {
	return hasFolder(named) || named == "." || named == ".." || slices.Contains(workflows.Endings, filepath.Ext(named))
}

// compileFile compiles the script at path. A script inside the workspace is known by its path
// there, and may import what the workspace holds; another one by its name, and may import what
// lies in its folder.
func (a *app) compileFile(path, workspace string) (*vm.Program, error) {
	return a.readFile(path, workspace, vm.Compile)
}

func (a *app) readFile(path, workspace string, read reading) (*vm.Program, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.WorkflowUnknown, "there is no file "+path, a.otherScript(path, workspace))
	case err != nil:
		return nil, fault.Wrap(err, fault.WorkflowUnknown, "the script cannot be read", "")
	case !info.Mode().IsRegular():
		return nil, fault.New(fault.WorkflowUnknown, path+" is not a script but "+otherThing(info), "assent run FILE")
	}
	if !slices.Contains(workflows.Endings, filepath.Ext(path)) {
		return nil, noScript(path)
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
	program, err := read(folder, name)
	return program, leaving(err, folder.Left(), root)
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
