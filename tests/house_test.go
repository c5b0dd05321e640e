package tests_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// plan says what each room of a module may do. It is checked on the text of the files, so that
// those of every operating system are seen on each of them.
type plan struct {
	module string
	// rooms holds, for each folder with a package, the folders it may import.
	rooms map[string][]string
	// libraries holds, for the import path of a library, the only folders that may see it. Test
	// files are bound too; those in tests/ alone are free.
	libraries map[string][]string
	// process holds, for a package of the standard library, the names in it that only
	// processRooms may use; "*" is all of them. Test files are free.
	process      map[string][]string
	processRooms []string
	// processToo holds, for another room, the names that it may use all the same.
	processToo map[string][]string
	// barred holds, for a room, what of the standard library it must do without, test files
	// excepted.
	barred map[string]map[string][]string
	// maxLines bounds files that are no tests.
	maxLines   int
	emptyNames []string
}

// source is one parsed file.
type source struct {
	room, name string
	test       bool
	lines      int
	tree       *ast.File
	set        *token.FileSet
}

// check reads all Go files below dir and returns what is against the plan, sorted.
func (p plan) check(dir string) ([]string, error) {
	sources, err := read(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	byRoom := map[string][]source{}
	for _, s := range sources {
		byRoom[s.room] = append(byRoom[s.room], s)
		found = append(found, p.checkFile(s)...)
	}
	for room, files := range byRoom {
		found = append(found, p.checkRoom(room, files)...)
	}
	slices.Sort(found)
	return found, nil
}

func read(dir string) ([]source, error) {
	var sources []source
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != dir && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		room, err := filepath.Rel(dir, filepath.Dir(file))
		if err != nil {
			return err
		}
		sources = append(sources, source{
			room: filepath.ToSlash(room), name: name, test: strings.HasSuffix(name, "_test.go"),
			lines: bytes.Count(text, []byte("\n")), tree: tree, set: set,
		})
		return nil
	})
	return sources, err
}

func (p plan) checkFile(s source) []string {
	var found []string
	report := func(format string, args ...any) {
		found = append(found, path.Join(s.room, s.name)+fmt.Sprintf(format, args...))
	}
	if !s.test && s.lines > p.maxLines {
		report(": %d lines, at most %d", s.lines, p.maxLines)
	}
	for _, spec := range s.tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			report(": %v", err)
			continue
		}
		if imported == "C" {
			report(": imports C; the project builds without cgo")
		}
		if ours, ok := strings.CutPrefix(imported, p.module+"/"); ok && !s.test && !slices.Contains(p.rooms[s.room], ours) {
			report(": %s may not import %s", s.room, ours)
		}
		for library, rooms := range p.libraries {
			if within(imported, library) && !slices.Contains(rooms, s.room) && s.room != "tests" {
				report(": %s belongs to %s", imported, strings.Join(rooms, ", "))
			}
		}
		if s.test {
			continue
		}
		if names, ok := p.process[imported]; ok && !slices.Contains(p.processRooms, s.room) {
			names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(p.processToo[s.room], imported+"."+name) })
			for _, use := range s.uses(spec, imported, names) {
				report("%s belongs to %s", use, p.processRooms[0])
			}
		}
		if names, ok := p.barred[s.room][imported]; ok {
			for _, use := range s.uses(spec, imported, names) {
				report("%s is barred from %s", use, s.room)
			}
		}
	}
	return found
}

// uses finds where a file names one of names of the package imported by spec; "*" is any.
func (s source) uses(spec *ast.ImportSpec, imported string, names []string) []string {
	local := path.Base(imported)
	if spec.Name != nil {
		local = spec.Name.Name
	}
	if local == "." {
		return []string{": all of " + imported + ", imported into the file's own names,"}
	}
	var found []string
	ast.Inspect(s.tree, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := selector.X.(*ast.Ident)
		if ok && x.Name == local && (slices.Contains(names, selector.Sel.Name) || slices.Contains(names, "*")) {
			line := s.set.Position(selector.Pos()).Line
			found = append(found, fmt.Sprintf(":%d: %s.%s", line, imported, selector.Sel.Name))
		}
		return true
	})
	return found
}

// within reports whether imported is library, one of its packages, or another major version.
func within(imported, library string) bool {
	return imported == library || strings.HasPrefix(imported, library+"/")
}

func (p plan) checkRoom(room string, files []source) []string {
	var found []string
	report := func(format string, args ...any) { found = append(found, room+": "+fmt.Sprintf(format, args...)) }
	if _, ok := p.rooms[room]; !ok {
		report("has no row in the plan of the house")
	}
	var commented []string
	for _, s := range files {
		if s.test {
			continue
		}
		name := s.tree.Name.Name
		if slices.Contains(p.emptyNames, name) || slices.Contains(p.emptyNames, path.Base(room)) {
			report("the name %s says nothing about what is in it", name)
		}
		if s.tree.Doc == nil {
			continue
		}
		commented = append(commented, s.name)
		if begin := "Package " + name; name != "main" && !strings.HasPrefix(s.tree.Doc.Text(), begin+" ") {
			report("the package comment of %s does not begin with %q", s.name, begin)
		}
	}
	switch slices.Sort(commented); len(commented) {
	case 0:
		report("no file has a package comment")
	case 1:
	default:
		report("%d files have a package comment (%s); one should", len(commented), strings.Join(commented, ", "))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// cycle returns a way through the rooms that ends where it began, or "".
func (p plan) cycle() string {
	var visit func(way []string) string
	done := map[string]bool{}
	visit = func(way []string) string {
		room := way[len(way)-1]
		if i := slices.Index(way, room); i < len(way)-1 {
			return strings.Join(way[i:], " -> ")
		}
		if done[room] {
			return ""
		}
		for _, next := range p.rooms[room] {
			if loop := visit(append(slices.Clone(way), next)); loop != "" {
				return loop
			}
		}
		done[room] = true
		return ""
	}
	for _, room := range slices.Sorted(maps.Keys(p.rooms)) {
		if loop := visit([]string{room}); loop != "" {
			return loop
		}
	}
	return ""
}
