package vm

import (
	"slices"
	"strings"
)

// header is what stands before the body of a script.
type header struct {
	meta Meta
	// wrong is what is wrong with meta itself. Where it stands is known all the same.
	wrong []*mistake
	// absent says that there is no meta; the body starts at metaStart.
	absent    bool
	metaStart int
	metaEnd   int
	// imports are the import declarations after meta, which have to move out of the body.
	imports []span
	// bound are the names that imports declare, those before meta included.
	bound []string
	// body is where the body starts.
	body int
	// args is where meta has its args, -1 if it has none.
	args int
}

type span struct{ start, end int }

// headerReader finds the header: imports, `export const meta = {…}`, imports.
type headerReader struct {
	lexer      lexer
	ahead      token
	typescript bool
	bound      []string
}

const wantMeta = "a script starts with `export const meta = { name: \"…\", description: \"…\" }`"

// readHeader reads what can be read; a mistake is that nothing after it can be.
func readHeader(text string, typescript bool) (header, *mistake) {
	r := headerReader{lexer: lexer{src: text}, typescript: typescript}
	r.advance()
	if _, wrong := r.imports(); wrong != nil {
		return header{}, wrong
	}
	h := header{metaStart: r.ahead.start, absent: !r.isWord("export")}
	for _, word := range []string{"export", "const", "meta"} {
		if !r.isWord(word) {
			return h, mistakeAt(codeMeta, r.ahead.start, "%s; here stands %s", wantMeta, r.found())
		}
		r.advance()
	}
	if r.isPunct(":") && r.typescript {
		r.annotation()
	}
	if !r.isPunct("=") {
		return h, mistakeAt(codeMeta, r.ahead.start, "%s; a = has to stand here, not %s", wantMeta, r.found())
	}
	r.advance()
	if !r.isPunct("{") {
		return h, mistakeAt(codeMeta, r.ahead.start, "meta has to be a pure literal: { has to stand here, not %s", r.found())
	}
	brace := r.lexer
	brace.open = slices.Clone(brace.open)
	p := literalParser{lexer: &r.lexer, ahead: r.ahead}
	root, wrong := p.value()
	r.ahead = p.ahead
	if wrong != nil {
		h.wrong = append(h.wrong, wrong)
		if r.lexer = brace; !r.skipLiteral() {
			return h, wrong
		}
	}
	if wrong := r.endOfMeta(&h); wrong != nil {
		return h, wrong
	}
	if h.wrong == nil {
		h.meta, h.wrong = metaFrom(root)
		h.args = slices.IndexFunc(root.entries, func(e entry) bool { return e.key == "args" })
		if h.args >= 0 {
			h.args = root.entries[h.args].offset
		}
	}
	h.imports, wrong = r.imports()
	h.bound = r.bound
	h.body = r.ahead.start
	return h, wrong
}

func (r *headerReader) advance() { r.ahead = r.lexer.next() }

func (r *headerReader) isWord(word string) bool {
	return r.ahead.kind == tokenWord && r.lexer.text(r.ahead) == word
}

func (r *headerReader) isPunct(punct string) bool {
	return r.ahead.kind == tokenPunct && r.lexer.text(r.ahead) == punct
}

func (r *headerReader) found() string {
	p := literalParser{lexer: &r.lexer, ahead: r.ahead}
	return p.found()
}

// skipLiteral passes a literal whose { was read, whatever stands in it.
func (r *headerReader) skipLiteral() bool {
	depth := len(r.lexer.open)
	for r.advance(); len(r.lexer.open) >= depth; r.advance() {
		if r.ahead.kind == tokenEnd || r.ahead.kind == tokenBroken {
			return false
		}
	}
	r.advance()
	return true
}

// annotation passes a type, as in `meta: Meta = {…}`, up to its = sign.
func (r *headerReader) annotation() {
	depth := len(r.lexer.open)
	for r.advance(); r.ahead.kind != tokenEnd && r.ahead.kind != tokenBroken; r.advance() {
		if len(r.lexer.open) <= depth && r.isPunct("=") {
			return
		}
	}
}

// endOfMeta passes what may stand between the literal and the next statement.
func (r *headerReader) endOfMeta(h *header) *mistake {
	for r.typescript && !r.ahead.newline && (r.isWord("as") || r.isWord("satisfies")) {
		r.advance()
		r.typeName()
	}
	h.metaEnd = r.lexer.last.start
	if r.ahead.kind != tokenEnd {
		h.metaEnd = r.ahead.start
	}
	if r.isPunct(";") {
		h.metaEnd = r.ahead.end
		r.advance()
		return nil
	}
	text := r.lexer.text(r.ahead)
	switch {
	case r.ahead.kind == tokenEnd:
		return nil
	case r.ahead.kind == tokenPunct && !strings.ContainsAny(text[:1], "{}@") && text != "++" && text != "--",
		r.ahead.kind == tokenTemplate, r.ahead.kind == tokenPiece, r.ahead.kind == tokenUnsure, r.isWord("in"), r.isWord("instanceof"), !r.ahead.newline:
		return mistakeAt(codeMeta, r.ahead.start,
			"meta has to be a pure literal: after its } stands %s, which carries the expression on; write a ; after the }", r.found())
	}
	return nil
}

// typeName passes a type such as const, Meta or lib.Meta<{ a: string }>.
func (r *headerReader) typeName() {
	for r.ahead.kind == tokenWord {
		r.advance()
		if !r.isPunct(".") {
			break
		}
		r.advance()
	}
	angles := 0
	for r.isPunct("<") || angles > 0 && r.ahead.kind != tokenEnd && r.ahead.kind != tokenBroken {
		if r.isPunct("<") {
			angles++
		} else if r.isPunct(">") {
			angles--
		}
		r.advance()
	}
}

// imports passes import declarations, and gives their places.
func (r *headerReader) imports() ([]span, *mistake) {
	var found []span
	for r.isWord("import") {
		start := r.ahead.start
		before := r.lexer
		first := r.ahead
		r.advance()
		if r.isPunct("(") || r.isPunct(".") {
			// An expression; the body starts here, and what is wrong with it is said there.
			r.lexer, r.ahead = before, first
			return found, nil
		}
		end, wrong := r.declaration()
		if wrong != nil {
			return nil, wrong
		}
		found = append(found, span{start, end})
	}
	return found, nil
}

// declaration passes the rest of an import declaration, and gives its end.
func (r *headerReader) declaration() (int, *mistake) {
	var words []string
	for r.ahead.kind != tokenString {
		if r.ahead.kind != tokenWord && !r.isPunct("{") && !r.isPunct("}") && !r.isPunct(",") && !r.isPunct("*") {
			return 0, mistakeAt(codeSyntax, r.ahead.start,
				"an import has the form `import { name } from \"./file.js\"`; here stands %s", r.found())
		}
		words = append(words, r.lexer.text(r.ahead))
		r.advance()
	}
	r.bound = append(r.bound, boundNames(words, r.typescript)...)
	end := r.ahead.end
	r.advance()
	if (r.isWord("with") || r.isWord("assert")) && !r.ahead.newline {
		depth := len(r.lexer.open)
		for r.advance(); r.ahead.kind != tokenEnd && r.ahead.kind != tokenBroken; r.advance() {
			end = r.ahead.end
			if len(r.lexer.open) == depth {
				r.advance()
				break
			}
		}
	}
	if r.isPunct(";") {
		end = r.ahead.end
		r.advance()
	} else if r.ahead.kind != tokenEnd && !r.ahead.newline {
		return 0, mistakeAt(codeSyntax, r.ahead.start, "a ; or the end of the line has to follow an import, not %s", r.found())
	}
	return end, nil
}
