package agenttype

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// ending is that of the file of a type.
const ending = ".md"

// Origin says what kind of place a type was found in.
type Origin string

// The origins.
const (
	Project Origin = "project"
	Claude  Origin = ".claude"
	Pi      Origin = ".pi"
	User    Origin = "user"
	BuiltIn Origin = "built-in"
)

// Place is a folder of agent types, with its sub-folders.
type Place struct {
	Origin Origin
	// Dir is its path. The built-in types have none.
	Dir string
	// Fence is the folder that no link may leave; "" is Dir.
	Fence string
}

// Places are all places, in the order in which they win. config is the user's folder for assent, such
// as ~/.config/assent.
func Places(workspace, config string) []Place {
	in := func(folder string) string { return filepath.Join(workspace, folder, "agents") }
	return []Place{
		{Project, in(".assent"), workspace},
		{Claude, in(".claude"), workspace},
		{Pi, in(".pi"), workspace},
		{User, filepath.Join(config, "agents"), ""},
		{Origin: BuiltIn},
	}
}

// found is a file of a place. Either data or err is there.
type found struct {
	path string
	data []byte
	err  error
}

// files reads the files of a place. One that is not there has none.
func (p Place) files() (list []found, err error) {
	if p.Origin == BuiltIn {
		list, err = walk(builtin, builtinFolder, "", func(file string) string { return file })
		for i := range list { // the same bytes, whatever a checkout did to the ends of lines
			list[i].data = bytes.ReplaceAll(list[i].data, []byte("\r\n"), []byte("\n"))
		}
		return list, err
	}
	fence := cmp.Or(p.Fence, p.Dir)
	inside, err := filepath.Rel(fence, p.Dir)
	if err != nil || !filepath.IsLocal(inside) {
		return nil, place(p.Dir).at(0, "the folder is not in "+fence, "")
	}
	folder, err := regular.OpenFolder(fence)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, place(fence).unreadable(err)
	}
	defer folder.Close()
	return walk(folder, filepath.ToSlash(inside), fence, func(file string) string { return filepath.Join(fence, filepath.FromSlash(file)) })
}

// walk reads the files below a folder of fsys. fence and full are for people: the folder that no link
// may leave, and the path of a file.
func walk(fsys fs.FS, top, fence string, full func(file string) string) (list []found, err error) {
	var visit func(dir string, depth int) error
	visit = func(dir string, depth int) error {
		entries, err := fs.ReadDir(fsys, dir)
		if depth == 0 && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return place(full(dir)).unreadable(err)
		}
		for _, e := range entries {
			file := path.Join(dir, e.Name())
			switch {
			case strings.HasPrefix(e.Name(), "."):
			case e.IsDir() && depth < maxFolders:
				if err := visit(file, depth+1); err != nil {
					list = append(list, found{path: full(file), err: err})
				}
			case !strings.HasSuffix(e.Name(), ending) || strings.EqualFold(e.Name(), "readme"+ending):
			case len(list) == maxFiles:
				return place(full(top)).at(0, fmt.Sprintf("the folder has more than %d files", maxFiles), "keep there what agent types are, and nothing else")
			default:
				list = append(list, read(fsys, file, full(file), fence))
			}
		}
		return nil
	}
	err = visit(top, 0)
	return list, err
}

// read reads one file until it is longer than a type may be; Parse refuses it then.
func read(fsys fs.FS, file, full, fence string) found {
	f := found{path: full}
	p := place(full)
	opened, err := fsys.Open(file)
	if err == nil {
		f.data, err = io.ReadAll(io.LimitReader(opened, maxFile+1))
		err = errors.Join(err, opened.Close())
	}
	switch {
	case err == nil:
	case errors.Is(err, regular.ErrLeaves):
		f.err = p.at(0, "the file is a link that leaves "+fence, "put the file itself there")
	case errors.Is(err, regular.ErrKind):
		f.err = p.at(0, "this is not a file", "rename or remove it")
	default:
		f.err = p.unreadable(err)
	}
	return f
}

// unreadable is what the system refused.
func (p place) unreadable(err error) error {
	return fault.Wrap(err, fault.AgentTypeInvalid, "the agent types cannot be read: "+string(p), "")
}
