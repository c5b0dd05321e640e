package vm

import (
	"errors"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// load compiles the bundle for the engine.
func (p *Program) load(code string, sourceMap []byte, b *bundler) *Error {
	places, err := readPositions(sourceMap, code, func(source string, line int) int {
		if source == b.entry {
			return b.layout.line(line)
		}
		return line
	})
	if err != nil {
		return &Error{Code: codeFault, Message: "the source map: " + err.Error(), File: p.name, cause: err}
	}
	p.files = places.shown
	code, at, used := withoutRequire(code, places, b.reader.texts)
	if used {
		return &Error{Code: codeUnsupported, Message: "require is not supported; use an import declaration", File: at.File, Line: at.Line, Column: at.Column}
	}
	const link = "\n//# sourceMappingURL=map"
	tree, err := goja.Parse(codeName, strings.TrimRight(code, "\n")+link, parser.WithSourceMapLoader(func(string) ([]byte, error) {
		return places.engineMap(), nil
	}))
	if err == nil {
		if wrong := p.rewriteRegExps(tree, code); wrong != nil {
			return wrong
		}
		p.compiled, err = goja.CompileAST(tree, true)
	}
	if err != nil {
		return p.explain(err, places)
	}
	return nil
}

// explain gives the author's place of what the engine refuses.
func (p *Program) explain(err error, places *positions) *Error {
	e := &Error{Code: codeSyntax, Message: err.Error(), File: p.name, cause: err}
	var list parser.ErrorList
	var syntax *goja.CompilerSyntaxError
	var reference *goja.CompilerReferenceError
	switch {
	case errors.As(err, &list) && len(list) > 0:
		e.Message = list[0].Message
		// The engine's parser has no source map yet when it says this.
		if at, ok := places.find(list[0].Position.Line, list[0].Position.Column); ok {
			e.File, e.Line, e.Column = at.File, at.Line, at.Column
		}
	case errors.As(err, &syntax):
		p.place(e, syntax.CompilerError)
	case errors.As(err, &reference):
		p.place(e, reference.CompilerError)
	}
	return e
}

func (p *Program) place(e *Error, from goja.CompilerError) {
	e.Message = from.Message
	if from.File == nil {
		return
	}
	at := from.File.Position(from.Offset)
	if source := p.file(at.Filename); source != "" {
		e.File, e.Line, e.Column = source, at.Line, at.Column
	}
}

// shim is the function that the bundler puts in the place of a require that is no plain call. It would claim that there is one.
var shim = regexp.MustCompile(`var (__require[0-9]*)=\(`)

// withoutRequire lets typeof require say "undefined", as in a module, and finds any other use of require.
func withoutRequire(code string, places *positions, texts map[string]string) (string, Position, bool) {
	found := shim.FindStringSubmatch(code)
	if found == nil {
		return code, Position{}, false
	}
	name := found[1]
	out := []byte(code)
	for at := 0; ; at += len(name) {
		next := strings.Index(code[at:], name)
		if next < 0 {
			return string(out), Position{}, false
		}
		at += next
		line := 1 + strings.Count(code[:at], "\n")
		column := at - strings.LastIndexByte(code[:at], '\n')
		place, ok := places.find(line, column)
		if !ok || !strings.HasPrefix(textAt(texts[place.File], place), "require") {
			continue
		}
		rest := code[at+len(name):]
		if !strings.HasSuffix(code[:at], "typeof ") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "(") ||
			strings.HasPrefix(rest, "?.") || strings.HasPrefix(rest, "`") {
			return code, place, true
		}
		copy(out[at:], "undefined"+strings.Repeat(" ", len(name)-len("undefined"))) // no place in the code moves
	}
}

// textAt gives what stands in a source from a place on.
func textAt(text string, at Position) string {
	text = strings.TrimPrefix(text, "\uFEFF")
	line, column := 1, 1
	for i, c := range text {
		switch {
		case line == at.Line && column >= at.Column:
			return text[i:]
		case c == '\n', c == '\u2028', c == '\u2029', c == '\r' && !strings.HasPrefix(text[i+1:], "\n"):
			line, column = line+1, 1
		default:
			column += units(string(c))
		}
	}
	return ""
}
