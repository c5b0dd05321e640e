package vm

import "fmt"

// maxMetaDepth is how deep the header may nest.
const maxMetaDepth = 64

// literalParser reads one pure literal. What a pure literal is not, it names.
type literalParser struct {
	lexer *lexer
	ahead token
	depth int
}

func (p *literalParser) advance() { p.ahead = p.lexer.next() }

func (p *literalParser) is(punct string) bool {
	return p.ahead.kind == tokenPunct && p.lexer.text(p.ahead) == punct
}

func (p *literalParser) fail(format string, args ...any) *mistake {
	return mistakeAt(codeMeta, p.ahead.start, "meta has to be a pure literal: "+format, args...)
}

// found names the token ahead.
func (p *literalParser) found() string {
	switch p.ahead.kind {
	case tokenEnd:
		return "the end of the file"
	case tokenBroken:
		return "a text or comment that does not end"
	}
	return quoted(p.lexer.text(p.ahead))
}

// value reads the value that starts at the token ahead, and leaves the token after it ahead.
func (p *literalParser) value() (*literal, *mistake) {
	v := &literal{offset: p.ahead.start}
	switch p.ahead.kind {
	case tokenString, tokenTemplate:
		text, wrong := cook(p.lexer.text(p.ahead))
		if wrong != "" {
			return nil, p.fail("%s", wrong)
		}
		v.kind, v.text = literalText, text
		p.advance()
		return v, nil
	case tokenPiece:
		return nil, p.fail("a template with ${…} has to be computed; write the text out")
	case tokenNumber:
		return p.number(v, 1)
	case tokenWord:
		return p.word(v)
	case tokenPunct:
		switch p.lexer.text(p.ahead) {
		case "-":
			p.advance()
			if p.ahead.kind != tokenNumber {
				return nil, p.fail("a number has to follow -, not %s", p.found())
			}
			return p.number(v, -1)
		case "{", "[":
			return p.list(v)
		case "...":
			return nil, p.fail("spread (...) has to be computed; write the entries out")
		case "(":
			return nil, p.fail("no parentheses, functions or calls")
		}
	}
	return nil, p.fail("a text, number, true, false, null, [ or { has to stand here, not %s", p.found())
}

func (p *literalParser) number(v *literal, sign float64) (*literal, *mistake) {
	n, wrong := parseNumber(p.lexer.text(p.ahead))
	if wrong != "" {
		return nil, p.fail("%s: %s", p.found(), wrong)
	}
	v.kind, v.number = literalNumber, sign*n
	p.advance()
	return v, nil
}

func (p *literalParser) word(v *literal) (*literal, *mistake) {
	switch word := p.lexer.text(p.ahead); word {
	case "null":
	case "true", "false":
		v.kind, v.truth = literalTruth, word == "true"
	default:
		return nil, p.fail("%s is a name, and names are not looked up; write the value itself", p.found())
	}
	p.advance()
	return v, nil
}

func (p *literalParser) list(v *literal) (*literal, *mistake) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxMetaDepth {
		return nil, p.fail("it nests deeper than %d", maxMetaDepth)
	}
	v.kind = literalObject
	one, end := p.property, "}"
	if p.is("[") {
		v.kind = literalArray
		one, end = p.element, "]"
	}
	seen := map[string]bool{}
	for p.advance(); !p.is(end); {
		e, wrong := one()
		if wrong != nil {
			return nil, wrong
		}
		if v.kind == literalObject {
			if seen[e.key] {
				return nil, mistakeAt(codeMeta, e.offset, "the key %s stands twice in one object", quoted(e.key))
			}
			seen[e.key] = true
		}
		v.entries = append(v.entries, e)
		if p.is(end) {
			break
		}
		if !p.is(",") {
			return nil, p.fail("a , or %s has to follow a value, not %s", end, p.found())
		}
		p.advance()
	}
	p.advance()
	if v.kind == literalObject {
		v.order()
	}
	return v, nil
}

func (p *literalParser) element() (entry, *mistake) {
	if p.is(",") {
		return entry{}, p.fail("an array has no holes; write null")
	}
	value, wrong := p.value()
	return entry{value: value}, wrong
}

func (p *literalParser) property() (entry, *mistake) {
	e := entry{offset: p.ahead.start}
	text := p.lexer.text(p.ahead)
	switch p.ahead.kind {
	case tokenWord:
		if !plainWord(text) {
			return e, p.fail("the key %s has to be a plain name or a text in quotes", p.found())
		}
		e.key = text
	case tokenString:
		key, wrong := cook(text)
		if wrong != "" {
			return e, p.fail("%s", wrong)
		}
		e.key = key
	case tokenNumber:
		n, wrong := parseNumber(text)
		if wrong != "" {
			return e, p.fail("%s: %s", p.found(), wrong)
		}
		e.key = numberText(n)
	default:
		return e, p.fail("%s", p.noKey())
	}
	switch e.key {
	case "__proto__", "constructor", "prototype":
		return e, p.fail("the key %s is refused: it would reach into the object's type", quoted(e.key))
	}
	isWord := p.ahead.kind == tokenWord
	p.advance()
	if !p.is(":") {
		return e, p.fail("%s", p.noColon(e.key, isWord))
	}
	p.advance()
	value, wrong := p.value()
	e.value = value
	return e, wrong
}

func (p *literalParser) noKey() string {
	switch {
	case p.is("["):
		return "a computed key [...] has to be computed; write the name"
	case p.is("..."):
		return "spread (...) has to be computed; write the entries out"
	}
	return fmt.Sprintf("a key has to stand here, not %s", p.found())
}

func (p *literalParser) noColon(key string, isWord bool) string {
	switch {
	case p.is("("):
		return fmt.Sprintf("%s is a method; only data can stand here", quoted(key))
	case isWord && (key == "get" || key == "set" || key == "async") && p.ahead.kind != tokenPunct:
		return "no accessors or methods; only data can stand here"
	case isWord && (p.is(",") || p.is("}")):
		return fmt.Sprintf("%s is a name, and names are not looked up; write %s: and the value itself", quoted(key), key)
	}
	return fmt.Sprintf("a : has to follow the key %s, not %s", quoted(key), p.found())
}
