package repository

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
)

const (
	// fileRead caps a file that is read.
	fileRead = 1 << 20
	// linksFollowed caps how often one name leads to another, as systems do.
	linksFollowed = 10
)

// Files is a commit as a file system to read: its folders, and its files up to 1 MiB each. Links are followed
// as far as they stay in it. Git is asked for a folder when somebody looks into it, so the size of the whole
// does not count.
func (r *Repository) Files(ctx context.Context, commit string) (fs.FS, error) {
	if err := r.known(ctx, commit); err != nil {
		return nil, err
	}
	return &files{ctx: ctx, r: r, root: entry{mode: modeFolder, id: commit}, folders: map[string]map[string]entry{}}, nil
}

// files reads a commit on demand. Its context is that of the call which it was made for.
type files struct {
	ctx  context.Context //nolint:containedctx // fs.FS has no place for one
	r    *Repository
	root entry

	mu      sync.Mutex
	folders map[string]map[string]entry // guarded by mu; by the id of the folder
}

// entry is what a folder has under a name.
type entry struct{ mode, id string }

var (
	_ fs.ReadDirFS = (*files)(nil)
	_ fs.StatFS    = (*files)(nil)
)

// Open opens a file or a folder.
func (f *files) Open(name string) (fs.File, error) {
	e, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	if e.mode == modeFolder {
		list, err := f.ReadDir(name)
		return &folder{info: info{name: path.Base(name), mode: fs.ModeDir | 0o555}, rest: list}, err
	}
	text, err := f.read(e)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{info: info{name: path.Base(name), size: int64(len(text)), mode: 0o444}, Reader: strings.NewReader(text)}, nil
}

// Stat tells of a file or a folder without reading it.
func (f *files) Stat(name string) (fs.FileInfo, error) {
	e, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	if e.mode == modeFolder {
		return info{name: path.Base(name), mode: fs.ModeDir | 0o555}, nil
	}
	size, err := f.size(e)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return info{name: path.Base(name), size: size, mode: 0o444}, nil
}

// size is how much a file or a link has.
func (f *files) size(e entry) (int64, error) {
	text, err := f.r.ask(f.ctx, "cat-file", "-s", e.id)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// listed is an entry of a folder, whose size is asked for when somebody wants it.
type listed struct {
	info
	entry
	of *files
}

func (l listed) Type() fs.FileMode { return l.info.mode.Type() }

func (l listed) Info() (fs.FileInfo, error) {
	if l.IsDir() {
		return l.info, nil
	}
	var err error
	l.size, err = l.of.size(l.entry)
	return l.info, err
}

// ReadDir lists a folder, without the submodules in it.
func (f *files) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := f.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if e.mode != modeFolder {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("it is no folder")}
	}
	entries, err := f.list(e.id)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	var list []fs.DirEntry
	for _, n := range slices.Sorted(maps.Keys(entries)) {
		mode := fs.FileMode(0o444)
		switch entries[n].mode {
		case modeFolder:
			mode = fs.ModeDir | 0o555
		case modeLink:
			mode = fs.ModeSymlink | 0o777
		}
		list = append(list, listed{info{name: n, mode: mode}, entries[n], f})
	}
	return list, nil
}

// find is the file or the folder that a name leads to.
func (f *files) find(op, name string) (entry, error) {
	if !fs.ValidPath(name) {
		return entry{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	e, err := f.follow(name, linksFollowed)
	if err != nil {
		return entry{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return e, nil
}

// follow walks down a name, and on to where a link on the way leads. One that leads out leads nowhere.
func (f *files) follow(name string, links int) (entry, error) {
	at := f.root
	if name == "." {
		return at, nil
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if at.mode != modeFolder {
			return entry{}, fs.ErrNotExist
		}
		entries, err := f.list(at.id)
		if err != nil {
			return entry{}, err
		}
		var ok bool
		if at, ok = entries[part]; !ok {
			return entry{}, fs.ErrNotExist
		}
		if at.mode != modeLink {
			continue
		}
		target, err := f.read(at)
		if err != nil {
			return entry{}, err
		}
		to := path.Join(path.Join(parts[:i]...), target, path.Join(parts[i+1:]...))
		if links == 0 || path.IsAbs(target) || !fs.ValidPath(to) {
			return entry{}, fs.ErrNotExist
		}
		return f.follow(to, links-1)
	}
	return at, nil
}

// list is what stands in a folder.
func (f *files) list(id string) (map[string]entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := f.folders[id]; ok {
		return known, nil
	}
	out, err := f.r.do(f.ctx, git.Command{Step: "ls-tree", Args: []string{"ls-tree", "-z", "--full-tree", id}})
	if err != nil {
		return nil, err
	}
	entries := map[string]entry{}
	for line := range strings.SplitSeq(out, "\x00") {
		mode, name, ok := entryOf(line)
		if !ok || mode == modeSubmodule {
			continue
		}
		head, _, _ := strings.Cut(line, "\t")
		entries[name] = entry{mode, head[strings.LastIndexByte(head, ' ')+1:]}
	}
	f.folders[id] = entries
	return entries, nil
}

// read is the text of a file, or what a link says.
func (f *files) read(e entry) (string, error) {
	text, err := f.r.git.Do(f.ctx, git.Command{Step: "cat-file", Args: []string{"cat-file", "blob", e.id}})
	if failed, ok := errors.AsType[*git.StepError](err); ok && failed.TooMuch || len(text) > fileRead {
		return "", errors.New("the file is too large to be read")
	}
	return string(text), err
}

type file struct {
	info
	io.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// folder is an open folder, and what of it was not listed yet.
type folder struct {
	info
	rest []fs.DirEntry
}

var _ fs.ReadDirFile = (*folder)(nil)

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error)   { return 0, errors.New("a folder has no text") }

func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(f.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.rest) {
		n = len(f.rest)
	}
	list := f.rest[:n]
	f.rest = f.rest[n:]
	return list, nil
}

type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) Sys() any           { return nil }
