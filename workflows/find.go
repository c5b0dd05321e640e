package workflows

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// Folder is where a workspace keeps its workflows, relative to it and with slashes.
const Folder = ".assent/workflows"

// extensions are those of scripts, in the order in which they win.
var extensions = []string{".ts", ".mts", ".js", ".mjs"}

// Workflow is a saved workflow.
type Workflow struct {
	Name string
	// Path is that of the script, below the workspace as it was given.
	Path string
}

// List gives the saved workflows of a workspace, sorted by name. A workspace without the folder
// has none.
func List(workspace string) ([]Workflow, error) {
	dir := filepath.Join(workspace, filepath.FromSlash(Folder))
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the workflows: %w", err)
	}
	best := map[string]int{} // name to the index of its extension
	for _, entry := range entries {
		extension := filepath.Ext(entry.Name())
		rank := slices.Index(extensions, extension)
		name := strings.TrimSuffix(entry.Name(), extension)
		if rank < 0 || name == "" || strings.HasSuffix(name, ".d") {
			continue // a file of types is no script
		}
		if info, err := os.Stat(filepath.Join(dir, entry.Name())); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if before, ok := best[name]; !ok || rank < before {
			best[name] = rank
		}
	}
	list := make([]Workflow, 0, len(best))
	for name, rank := range best {
		list = append(list, Workflow{Name: name, Path: filepath.Join(dir, name+extensions[rank])})
	}
	slices.SortFunc(list, func(a, b Workflow) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Find gives the path of the saved workflow of that name, or WORKFLOW_UNKNOWN, which lists those
// that are there and names the nearest.
func Find(workspace, name string) (string, error) {
	list, err := List(workspace)
	if err != nil {
		return "", err
	}
	names := make([]string, len(list))
	for i, w := range list {
		if w.Name == name {
			return w.Path, nil
		}
		names[i] = w.Name
	}
	if len(list) == 0 {
		return "", fault.New(fault.WorkflowUnknown,
			fmt.Sprintf("there is no workflow %q: %s has none", name, filepath.Join(workspace, filepath.FromSlash(Folder))),
			"assent init   # writes a first one; a script elsewhere is run by its path, such as ./deliver.js")
	}
	next := "name one of these, or give the path of a script"
	bare := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) // as if it had been given as a name
	if near := options.Nearest(bare, names); near != "" {
		next = fmt.Sprintf("did you mean %s?", near)
	}
	return "", fault.New(fault.WorkflowUnknown,
		fmt.Sprintf("there is no workflow %q; %s has: %s", name, Folder, strings.Join(names, ", ")), next)
}
