package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// ErrLeaves is for a link that leads out of its folder.
var ErrLeaves = errors.New("a link that leaves the folder")

// Folder is a file system of the regular files and the folders below one folder. Links are
// followed as long as they stay in it.
type Folder struct {
	dir  string
	root *os.Root

	mu   sync.Mutex
	left []string // guarded by mu; names whose links lead out
}

var _ fs.StatFS = (*Folder)(nil)

// OpenFolder opens a folder. Close closes it.
func OpenFolder(dir string) (*Folder, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{dir: dir, root: root}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Open opens a regular file, or a folder to be listed.
func (f *Folder) Open(name string) (fs.File, error) {
	inside, err := f.follow("open", name)
	if err != nil {
		return nil, err
	}
	stat := func() (fs.FileInfo, error) { return f.root.Stat(inside) }
	if info, err := stat(); err == nil && info.IsDir() {
		return f.root.Open(inside)
	}
	return open(name, func() (*os.File, error) { return f.root.OpenFile(inside, os.O_RDONLY|atOnce, 0) }, stat)
}

// Stat describes what a name leads to, without opening it.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	inside, err := f.follow("stat", name)
	if err != nil {
		return nil, err
	}
	return f.root.Stat(inside)
}

// Left are the names that were refused because their links lead out of the folder.
func (f *Folder) Left() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.left)
}

// follow gives the place in the folder that a name's links lead to. That nothing on the way
// changes afterwards is for the root to see to.
func (f *Folder) follow(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	real, err := filepath.EvalSymlinks(filepath.Join(f.dir, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	inside, err := filepath.Rel(f.dir, real)
	if err != nil || !filepath.IsLocal(inside) {
		f.mu.Lock()
		f.left = append(f.left, name)
		f.mu.Unlock()
		return "", &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("%w: it leads to %s", ErrLeaves, real)}
	}
	return inside, nil
}
