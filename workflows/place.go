package workflows

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// Folder is where a workspace keeps its workflows, relative to it and with slashes.
const Folder = ".assent/workflows"

// Origin says what kind of place a workflow was found in.
type Origin string

// The origins.
const (
	Project Origin = "project"
	User    Origin = "user"
	BuiltIn Origin = "built-in"
	// Claude and Pi are where other programs keep scripts of this kind.
	Claude Origin = ".claude"
	Pi     Origin = ".pi"
)

// Place is a folder of workflows.
type Place struct {
	Origin Origin
	// Folder is its path. That of the built-in ones is in [Builtin].
	Folder string
	// fence is the folder that no link may leave, inside the path from there.
	fence, inside string
}

// Places are all places, in the order in which they win. config is the user's folder for
// assent, such as ~/.config/assent. Where two are one folder, the first of them counts.
func Places(workspace, config, home string) []Place {
	all := []Place{
		within(Project, workspace, Folder),
		within(User, filepath.Join(config, "workflows"), "."),
		{Origin: BuiltIn, Folder: BuiltinFolder},
		within(Claude, workspace, ".claude/workflows"),
		within(Pi, workspace, ".pi/workflows"),
		within(Claude, filepath.Join(home, ".claude", "workflows"), "."),
		within(Pi, filepath.Join(home, ".pi", "workflows"), "."),
	}
	var places []Place
	seen := map[string]bool{}
	for _, p := range all {
		real := resolved(p.Folder)
		if seen[real] && p.Origin != BuiltIn {
			continue
		}
		places = append(places, p)
		// A link that leaves its fence is no place, so it takes the folder from nobody.
		if rel, err := filepath.Rel(resolved(p.fence), real); err == nil && filepath.IsLocal(rel) && p.Origin != BuiltIn {
			seen[real] = true
		}
	}
	return places
}

// resolved is a path without links on its way, as far as it is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func within(origin Origin, fence, inside string) Place {
	return Place{Origin: origin, Folder: filepath.Join(fence, filepath.FromSlash(inside)), fence: fence, inside: inside}
}

// path is the path of a file of the place.
func (p Place) path(file string) string {
	if p.Origin == BuiltIn {
		return p.Folder + "/" + file
	}
	return filepath.Join(p.Folder, file)
}

// visit calls look with the files of the place; a place that is not there has none. stat says
// what a file is, and follows no link out of the fence.
func (p Place) visit(look func(files []fs.DirEntry, stat func(file string) (fs.FileInfo, error))) error {
	fsys, inside := Builtin(), p.Folder
	if p.Origin != BuiltIn {
		folder, err := regular.OpenFolder(p.fence)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list the workflows: %w", err)
		}
		defer folder.Close()
		fsys, inside = folder, p.inside
	}
	files, err := fs.ReadDir(fsys, inside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list the workflows: %w", err)
	}
	look(files, func(file string) (fs.FileInfo, error) {
		name := inside + "/" + file
		if inside == "." {
			name = file
		}
		return fs.Stat(fsys, name)
	})
	return nil
}
