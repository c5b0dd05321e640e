package vm

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// load compiles the bundle for the engine.
func (c *Checked) load(p *Program, code string, sourceMap []byte, b *bundler) (wrong []*Error) {
	places, err := readPositions(sourceMap, code, func(source string, line int) int {
		if source == b.entry {
			return b.layout.line(line)
		}
		return line
	})
	if err != nil {
		return []*Error{{Code: codeFault, Message: "the source map: " + err.Error(), File: p.name, cause: err}}
	}
	c.places = places
	p.files = places.shown
	code, used := withoutRequire(code, places, b.reader.texts)
	for _, at := range used {
		wrong = append(wrong, &Error{Code: codeUnsupported, Message: "require is not supported; use an import declaration", File: at.File, Line: at.Line, Column: at.Column})
	}
	code = mendHelpers(code)
	const link = "\n//# sourceMappingURL=map"
	defer func() {
		if x := recover(); x != nil {
			c.Tree = nil
			wrong = append(wrong, p.unreadable(x, code, places))
		}
	}()
	tree, err := parser.ParseFile(nil, codeName, strings.TrimRight(code, "\n")+link, 0, parser.WithSourceMapLoader(func(string) ([]byte, error) {
		return places.engineMap(), nil
	}))
	if err == nil {
		c.Tree, c.code = tree, code
		wrong = append(wrong, p.readRegExps(tree, code)...)
		if wrong != nil {
			return wrong
		}
		p.compiled, err = goja.CompileAST(tree, true)
	}
	if err != nil {
		wrong = append(wrong, p.explain(err, places, b.reader.texts))
	}
	return wrong
}

// mendHelpers corrects the bundler's code for async generators: after an await in a finally block that return() has led to, it would
// return once more, and so leave out the rest of the block. No place in the code moves.
func mendHelpers(code string) string {
	const (
		wrong = `resume(k==="return"?k:"next",v[1]?{done:y.done,value:y.value}:y,yes,no)`
		right = `resume(v[1]&&k<"t"?k:"next",v[1]?{done:y.done,value:y.value}:y,yes,no)` // k is next, return or throw
	)
	code = strings.Replace(code, wrong, right+strings.Repeat(" ", len(wrong)-len(right)), 1)
	// The one that gives functions their names would take an accessor for what Object.prototype may have.
	const (
		naming = `=(target,value)=>__defProp(target,"name",{value,configurable:true})`
		named  = `=(t,v)=>__defProp(t,"name",{__proto__:null,value:v,configurable:1})`
	)
	return strings.Replace(code, naming, named, 1)
}

// lastEscape is what the engine's parser panics at, in a string or a template.
var lastEscape = regexp.MustCompile(`\\u\{0*10[fF]{4}\}`)

const noLastEscape = `\u{10FFFF}: not supported here in a template; write \uDBFF\uDFFF`

// unreadable says what the engine's parser panicked at.
func (p *Program) unreadable(x any, code string, places *positions) *Error {
	e := &Error{Code: codeFault, Message: fmt.Sprintf("the engine failed to read it: %v", x), File: p.name}
	if found := lastEscape.FindStringIndex(code); found != nil {
		e.Code, e.Message = codeUnsupported, noLastEscape
		before := code[:found[0]]
		if at, ok := places.find(1+strings.Count(before, "\n"), found[0]-strings.LastIndexByte(before, '\n')); ok {
			e.File, e.Line, e.Column = at.File, at.Line, at.Column
		}
	}
	return e
}

// explain gives the author's place of what the engine refuses.
func (p *Program) explain(err error, places *positions, texts map[string]string) *Error {
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
			e.Code, e.Message = unread(e.Message, textBefore(texts[at.File], at))
		}
	case errors.As(err, &syntax):
		p.place(e, syntax.CompilerError)
	case errors.As(err, &reference):
		p.place(e, reference.CompilerError)
	}
	return e
}

// unread says what the engine's parser stumbled over that the bundler's had let pass.
func unread(message, before string) (code, what string) {
	before = strings.TrimRight(before, " \t=")
	switch {
	case message == "Unexpected token =" && endsInWord(before, "get", "set", "async"):
		return codeUnsupported, `a field named get, set or async: not supported here; write its name as a text, as in "get" = 1`
	case message == "Unexpected identifier" && endsInWord(before, "using"):
		return codeUnsupported, "using in the head of a for loop: not supported here unless it is for … of; declare it before the loop"
	}
	return codeSyntax, message
}

// textBefore gives what stands in a source's line before a place.
func textBefore(text string, at Position) string {
	line, _, _ := strings.Cut(textAt(text, Position{Line: at.Line, Column: 1}), "\n")
	for i := range line {
		if units(line[:i]) == at.Column-1 {
			return line[:i]
		}
	}
	return line
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

// withoutRequire lets typeof require say "undefined", as in a module, and finds all other uses of require.
func withoutRequire(code string, places *positions, texts map[string]string) (_ string, used []Position) {
	found := shim.FindStringSubmatch(code)
	if found == nil {
		return code, nil
	}
	name := found[1]
	out := []byte(code)
	for at := 0; ; at += len(name) {
		next := strings.Index(code[at:], name)
		if next < 0 {
			return string(out), used
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
			used = append(used, place)
			continue
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
