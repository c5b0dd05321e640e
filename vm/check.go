package vm

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// Checked is what Check found.
type Checked struct {
	// Program is nil if the script is refused.
	Program *Program
	// Refusals are all reasons that could be found; the first is the one that Compile gives.
	Refusals []*Error
	// Tree is the script and its imports in one, as the engine reads them; nil if it could not be read. Whoever looks at it must
	// change nothing.
	Tree *ast.Program

	reader *reader
	name   string
	code   string
	places *positions
	lines  []int // where the lines of code begin
}

// Check does what Compile does, and goes on where Compile stops.
func Check(fsys fs.FS, name string) *Checked {
	c := &Checked{reader: newReader(fsys), name: name}
	c.check()
	return c
}

func (c *Checked) check() {
	refuse := func(wrong ...*Error) {
		for _, e := range wrong {
			if !slices.ContainsFunc(c.Refusals, func(said *Error) bool {
				return said.Message == e.Message && said.File == e.File && said.Line == e.Line && said.Column == e.Column
			}) {
				c.Refusals = append(c.Refusals, e)
			}
		}
	}
	if wrong := checkName(c.name); wrong != nil {
		refuse(wrong)
		return
	}
	original, wrong := c.reader.read(c.name)
	if wrong != nil {
		refuse(wrong)
		return
	}
	// Offsets of mistakes count from behind a byte order mark, and so do columns in editors.
	visible := strings.TrimPrefix(original, "\uFEFF")
	text, bad := clean(original)
	if bad != nil {
		refuse(bad.in(c.name, visible))
		return
	}
	header, bad := readHeader(text, isTypeScript(c.name))
	for _, m := range header.wrong {
		refuse(m.in(c.name, visible))
	}
	if bad != nil {
		refuse(bad.in(c.name, visible))
		if header.absent {
			c.bundle(&bundler{reader: c.reader, entry: c.name, layout: arrangeWithout(text, header)}, header, refuse)
		}
		return
	}
	arranged, bad := arrange(text, header)
	if bad != nil {
		refuse(bad.in(c.name, visible))
		return
	}
	c.bundle(&bundler{reader: c.reader, entry: c.name, layout: arranged}, header, refuse)
}

// bundle checks the body, and everything imported.
func (c *Checked) bundle(b *bundler, header header, refuse func(...*Error)) {
	code, sourceMap, several := b.bundle()
	if several != nil {
		refuse(several...)
		return
	}
	if wrong := b.shadowed(header); wrong != nil {
		refuse(wrong)
	}
	p := &Program{name: c.name, meta: header.meta, argsAt: header.args, sources: sourcesOf(c.reader, c.name)}
	p.hash = hashOf(c.name, p.sources)
	refuse(c.load(p, code, sourceMap, b)...)
	if len(c.Refusals) == 0 {
		c.Program = p
	}
}

// Sources gives the files that were read, the entry first.
func (c *Checked) Sources() []Source { return sourcesOf(c.reader, c.name) }

// Place gives the author's place of a position in Tree. It is false for code that the bundler made.
func (c *Checked) Place(at file.Idx) (Position, bool) {
	offset := int(at) - 1
	if c.places == nil || offset < 0 || offset > len(c.code) {
		return Position{}, false
	}
	if c.lines == nil {
		c.lines = []int{0}
		for i := range len(c.code) {
			if c.code[i] == '\n' {
				c.lines = append(c.lines, i+1)
			}
		}
	}
	line, exact := slices.BinarySearch(c.lines, offset)
	if !exact {
		line--
	}
	return c.places.find(line+1, offset-c.lines[line]+1)
}

// Comment is a comment of a source, with its signs.
type Comment struct {
	At   Position
	Text string
	// Alone says that nothing stands before it in its line.
	Alone bool
}

// Comments gives the comments of a source that have the word in them, as far as comments can be told from code without a parser.
func (s Source) Comments(word string) []Comment {
	text := strings.TrimPrefix(s.Text, "\uFEFF")
	if !strings.Contains(text, word) {
		return nil
	}
	var found []Comment
	from, line := 0, 1 // the line that begins at from is known
	_, _ = checkNesting(text, func(start, end int) {
		if !strings.Contains(text[start:end], word) {
			return
		}
		down, column := placeOf(text[from:], start-from)
		line += down - 1
		before := lastLine(text[from:start])
		from = start - len(before)
		found = append(found, Comment{
			At: Position{File: s.Path, Line: line, Column: column}, Text: text[start:end], Alone: strings.TrimSpace(before) == "",
		})
	})
	return found
}

// lastLine gives what stands behind the last end of a line.
func lastLine(text string) string {
	for _, end := range []string{"\n", "\r", "\u2028", "\u2029"} {
		if at := strings.LastIndex(text, end); at >= 0 {
			text = text[at+len(end):]
		}
	}
	return text
}
