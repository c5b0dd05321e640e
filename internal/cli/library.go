package cli

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/vm"
)

// library is what workflow() of a script finds: saved workflows by name, and files of the workspace by path.
type library struct {
	a         *app
	workspace string
}

var _ engine.Workflows = library{}

// Load compiles the workflow that ref names. A path that begins with ./ or ../ starts in the folder of the file that asks, as an
// import does; any other starts in the workspace. None leads out of it, also not by a link.
func (l library) Load(ref, from string) (*vm.Program, error) {
	refuse := func(what, next string) error {
		return fault.New(fault.WorkflowUnknown, "workflow("+ref+"): "+what, next)
	}
	if strings.Contains(ref, `\`) {
		return nil, refuse("a path is written with /, which works on every system", "workflow("+strings.ReplaceAll(ref, `\`, "/")+")")
	}
	if !looksLikePath(ref) {
		w, err := l.a.saved(ref, l.workspace)
		if err != nil {
			return nil, err
		}
		return l.a.compileSaved(w, l.workspace)
	}
	folder, err := regular.OpenFolder(l.workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.WorkflowUnknown, "the workspace cannot be read", "")
	}
	defer folder.Close()
	const inside = "name a file in the workspace, or a saved workflow"
	file := ref
	if strings.HasPrefix(file, "./") || strings.HasPrefix(file, "../") {
		// What lies elsewhere is known by the name of its file alone, and such a path would start in the wrong folder.
		if _, err := folder.Stat(from); err != nil {
			return nil, refuse(from+", which asks, has no files beside it here, because it does not lie in the workspace "+l.workspace,
				"write the path as it starts in the workspace, without ./, or name a saved workflow")
		}
		file = path.Join(path.Dir(from), file)
	}
	if file = path.Clean(file); !fs.ValidPath(file) || !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, refuse("the path leads out of the workspace "+l.workspace, inside)
	}
	if _, err := folder.Stat(file); errors.Is(err, regular.ErrLeaves) {
		return nil, refuse("a link in the path leads out of the workspace "+l.workspace, inside)
	}
	return l.a.compileFile(filepath.Join(l.workspace, filepath.FromSlash(file)), l.workspace)
}
