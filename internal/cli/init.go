package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/workflows"
)

func newInitCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a configuration and a first workflow",
		Long: "Writes .assent/ into the workspace, which is the top of the git working tree, or else this\n" +
			"folder: a configuration, a first workflow with its tests, the answers of a scripted agent in\n" +
			"place of a model, and types for the editor. Files that are there are left as they are, but the\n" +
			"types of another version of assent.",
		Example: "  assent init\n  assent run first\n  assent test",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return a.init() },
	}
}

// init writes what is not there, and says what to type next.
func (a *app) init() error {
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	wrote, kept, err := writeNew(workspace, workflows.Start())
	if err != nil {
		return err
	}
	updated, kept, err := updateTypes(workspace, kept)
	if err != nil {
		return err
	}
	next := "assent run first"
	for _, name := range kept {
		a.say("left as it is: " + a.shortPath(workspace, name))
		if c, err := a.config(workspace); name == configName && (err != nil || c.agent != "first") {
			// Another agent does not know the first workflow.
			next += " --agent " + scriptPrefix + a.shortPath(workspace, ".assent/first.answers.toml")
		}
	}
	for _, name := range wrote {
		a.say("wrote " + a.shortPath(workspace, name))
	}
	for _, name := range updated {
		a.say("wrote anew, as this version has it: " + a.shortPath(workspace, name))
	}
	if !a.interactive(driveFlags{}) {
		next += " --on-gate suspend" // nobody could answer its question here
	}
	if a.json {
		return a.emit(struct {
			Format  int      `json:"format"`
			Wrote   []string `json:"wrote"`
			Updated []string `json:"updated"`
			Kept    []string `json:"kept"`
			Next    string   `json:"next"`
		}{jsonFormat, wrote, updated, kept, next})
	}
	a.next(next)
	return nil
}

// typesName is the file of the globals' types. It is not the user's: they would miss what is new.
const typesName = ".assent/assent.d.ts"

// updateTypes writes the file of types anew if it was kept and another version wrote it, which its
// first line says. It follows no link.
func updateTypes(workspace string, kept []string) (updated, left []string, err error) {
	updated = []string{}
	at := slices.Index(kept, typesName)
	if at < 0 {
		return updated, kept, nil
	}
	start := workflows.Start()
	now := start[slices.IndexFunc(start, func(f workflows.File) bool { return f.Path == typesName })]
	mark, _, _ := strings.Cut(now.Text, "\n")
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return updated, kept, fmt.Errorf("open the folder: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	name := filepath.FromSlash(typesName)
	before, err := regular.ReadIn(root, name, maxTypes)
	if err != nil || string(before) == now.Text || !strings.HasPrefix(string(before), mark+"\n") {
		return updated, kept, nil // somebody's own
	}
	if err := root.Remove(name); err != nil {
		return updated, kept, fmt.Errorf("write %s: %w", typesName, err)
	}
	if err := createIn(root, name, now.Text); err != nil {
		return updated, kept, fmt.Errorf("write %s: %w", typesName, err)
	}
	return append(updated, typesName), slices.Delete(slices.Clone(kept), at, at+1), nil
}

// maxTypes is far more than the file of types has in any version.
const maxTypes = 1 << 20

// shortPath is a file of the workspace as it is typed in the current folder.
func (a *app) shortPath(workspace, name string) string {
	full := filepath.Join(workspace, filepath.FromSlash(name))
	if dir, err := filepath.EvalSymlinks(a.Dir); err == nil {
		if rel, err := filepath.Rel(dir, full); err == nil {
			return rel
		}
	}
	return full
}

// writeNew writes the files that are not there into a folder. No link is followed out of it,
// and no file is replaced.
func writeNew(folder string, files []workflows.File) (wrote, kept []string, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, fmt.Errorf("open the folder: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	wrote, kept = []string{}, []string{}
	for _, file := range files {
		name := filepath.FromSlash(file.Path)
		if err := root.MkdirAll(filepath.FromSlash(path.Dir(file.Path)), 0o755); err != nil {
			return wrote, kept, fmt.Errorf("make the folder of %s: %w", file.Path, err)
		}
		switch err := createIn(root, name, file.Text); {
		case err == nil:
			wrote = append(wrote, file.Path)
		case errors.Is(err, fs.ErrExist):
			kept = append(kept, file.Path)
		default:
			return wrote, kept, fmt.Errorf("write %s: %w", file.Path, err)
		}
	}
	return wrote, kept, nil
}

// createIn writes a file that must not be there, whole or not at all.
func createIn(root *os.Root, name, text string) error {
	dir, err := root.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(durable.CreateIn(dir, filepath.Base(name), []byte(text), 0o644), dir.Close())
}
