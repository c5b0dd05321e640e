package vm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// Language is the version of the script language. It is part of every program's hash.
const Language = 1

// Program is a script that was read, checked and compiled. It does not change, and any
// number of machines can share it.
type Program struct {
	name    string
	hash    string
	sources []Source
	meta    Meta
	// compiled evaluates to the body: a function without parameters that gives a promise. All imported files are
	// inside of it, so that nothing of the author's runs before it is called.
	compiled *goja.Program
	// files maps a file's name, as the engine shows it, to the path of the source.
	files map[string]string
	// children are the workflows that With added, by name.
	children map[string]*Program
	// expressions are the regular expressions in the text.
	expressions *expressions
	// argsAt is where the entry file has meta.args.
	argsAt int
}

// Name is the path of the entry file.
func (p *Program) Name() string { return p.name }

// Hash identifies the program: the hex SHA-256 of
//
//	"assent/program/1\n"
//	number Language
//	text   path of the entry file
//	number how many sources there are
//	for each source, in the byte order of their paths:
//	text   its path
//	text   its bytes, as they are in the file
//
// where a number has 8 bytes, the highest first, and a text is its length in bytes as a number and then
// its bytes. Where the file system lies is not part of it. A file that is imported only
// for its types is no part of the program: types are removed before anything is read.
func (p *Program) Hash() string { return p.hash }

// SourcesHash is the hash that the program of these sources has. Whether they make a program is
// another question, and so is whether the program needs all of them.
func SourcesHash(name string, sources []Source) string { return hashOf(name, sources) }

// Sources gives the entry file and then all files that it imports, by path. The caller owns the slice.
func (p *Program) Sources() []Source { return slices.Clone(p.sources) }

// Meta is the script's header.
func (p *Program) Meta() Meta { return p.meta }

// ArgsAt is where the script has its meta.args; only if it has any.
func (p *Program) ArgsAt() Position {
	line, column := placeOf(strings.TrimPrefix(p.sources[0].Text, "\uFEFF"), p.argsAt)
	return Position{File: p.name, Line: line, Column: column}
}

// Compile reads the script called name, and all files that it imports, from fsys, and makes a program of
// them. It runs nothing, and touches no file outside of fsys. Every error is an *Error that
// names the author's file and, where there is one, line and column.
//
// Whether links are followed is for fsys to decide: os.DirFS does, os.Root.FS stays inside its folder.
func Compile(fsys fs.FS, name string) (*Program, error) {
	p, err := compile(newReader(fsys), name)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// FromSources makes the program again that sources were taken from, as a journal has them.
func FromSources(name string, sources []Source) (*Program, error) {
	files := memory{}
	for _, s := range sources {
		if _, twice := files[s.Path]; twice || !fs.ValidPath(s.Path) {
			return nil, &Error{Code: codeSourceName, Message: "the sources have a path twice, or one that is not valid", File: s.Path}
		}
		files[s.Path] = s.Text
	}
	p, err := Compile(files, name)
	if _, has := files[childrenList]; err != nil || !has {
		return p, err
	}
	children, err := childrenOf(files)
	if err != nil {
		return nil, err
	}
	return p.With(children), nil
}

func compile(r *reader, name string) (*Program, *Error) {
	c := &Checked{reader: r, name: name}
	c.check()
	if len(c.Refusals) > 0 {
		return nil, c.Refusals[0]
	}
	return c.Program, nil
}

// file gives the path of the source that the engine shows as name in a stack, and "" for code that is no
// author's. Lines and columns that the engine shows are the author's as they are.
func (p *Program) file(name string) string { return p.files[name] }

// sourcesOf lists what was read: the entry first, then the imports by path.
func sourcesOf(r *reader, name string) []Source {
	sources := make([]Source, 0, len(r.texts))
	for path, text := range r.texts {
		sources = append(sources, Source{Path: path, Text: text})
	}
	slices.SortFunc(sources, func(a, b Source) int {
		if (a.Path == name) != (b.Path == name) {
			if a.Path == name {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	return sources
}

func hashOf(name string, sources []Source) string {
	sum := sha256.New()
	number := func(n int) {
		var bytes [8]byte
		binary.BigEndian.PutUint64(bytes[:], uint64(n))
		sum.Write(bytes[:])
	}
	text := func(s string) {
		number(len(s))
		_, _ = io.WriteString(sum, s) // a hash does not fail
	}
	_, _ = io.WriteString(sum, "assent/program/1\n")
	number(Language)
	text(name)
	number(len(sources))
	sorted := slices.SortedFunc(slices.Values(sources), func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	for _, s := range sorted {
		text(s.Path)
		text(s.Text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
