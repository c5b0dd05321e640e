package planapprove

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

// ignoreAll is the .gitignore of the folder: copies are nobody's to commit.
const ignoreAll = "*\n"

// makeFolder opens the folder of copies, and makes what is missing below the workspace.
func makeFolder(workspace string) (*os.Root, error) {
	folder, err := walk(workspace, func(dir *os.Root, name string) (*os.Root, error) {
		return durable.MakeIn(dir, name, 0o700)
	})
	if err != nil {
		return nil, err
	}
	// A file of the user's own stays as it is.
	if err := durable.CreateIn(folder, ".gitignore", []byte(ignoreAll), 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// openFolder opens the folder of copies.
func openFolder(workspace string) (*os.Root, error) { return walk(workspace, durable.OpenIn) }

// walk goes from the workspace to the folder of copies, one real folder after the other.
func walk(workspace string, step func(dir *os.Root, name string) (*os.Root, error)) (*os.Root, error) {
	dir, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(ArtifactFolder, "/") {
		next, err := step(dir, name)
		if err := errors.Join(err, dir.Close()); err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}
