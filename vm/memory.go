package vm

import (
	"io/fs"
	"path"
	"strings"
	"time"
)

// memory is a file system of texts by path: what a journal kept of a program. It has files only.
type memory map[string]string

var _ fs.FS = memory(nil)

func (m memory) Open(name string) (fs.File, error) {
	text, found := m[name]
	if !found || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{name: path.Base(name), size: int64(len(text)), Reader: strings.NewReader(text)}, nil
}

type memoryFile struct {
	*strings.Reader
	name string
	size int64
}

var (
	_ fs.File     = (*memoryFile)(nil)
	_ fs.FileInfo = (*memoryFile)(nil)
)

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Name() string               { return f.name }
func (f *memoryFile) Size() int64                { return f.size }
func (f *memoryFile) Mode() fs.FileMode          { return 0o400 }
func (f *memoryFile) ModTime() time.Time         { return time.Time{} }
func (f *memoryFile) IsDir() bool                { return false }
func (f *memoryFile) Sys() any                   { return nil }
