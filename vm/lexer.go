package vm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind says what a token is; operators stay whole only where somebody looks at them.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenNumber
	tokenString
	tokenTemplate // a whole template, or its last piece after a substitution
	tokenPiece    // a piece of a template that ends in ${
	tokenRegexp
	tokenPunct
	tokenBroken // an unterminated string, template, comment or regexp
	tokenUnsure // a slash that may be a division or a regexp
)

// token is a piece of source, with the white space and comments before it.
type token struct {
	kind       tokenKind
	start, end int
	newline    bool // a line ends between the token before and this one
	control    bool // a closing parenthesis of if, for, while or with
}

// lexer cuts JavaScript and TypeScript into tokens, for those questions that need no
// parser: where the header and the imports end, and how deep a text nests. It never recurses.
type lexer struct {
	src  string
	pos  int
	last token
	// before is the token before last; a word after a dot is a property, not a keyword.
	before token
	open   []opening
	// comment, if set, is told of every comment.
	comment func(start, end int)
}

// opening is a bracket that is not closed yet.
type opening struct {
	char    byte // one of ( [ { or $ for a template's substitution
	control bool
}

func (l *lexer) text(t token) string { return l.src[t.start:t.end] }

// next gives the next token; at the end it gives tokenEnd for ever.
func (l *lexer) next() token {
	newline, whole := l.skip()
	t := token{start: l.pos, end: l.pos, newline: newline}
	if !whole {
		t.kind, t.end = tokenBroken, len(l.src)
		l.pos = t.end
		return l.keep(t)
	}
	if l.pos >= len(l.src) {
		return l.keep(t)
	}
	switch c := l.src[l.pos]; {
	case c == '"' || c == '\'':
		t.kind = tokenBroken
		if l.quoted(c) {
			t.kind = tokenString
		}
	case c == '`':
		l.pos++
		t.kind = l.template()
	case digit(c) || c == '.' && l.pos+1 < len(l.src) && digit(l.src[l.pos+1]):
		t.kind = tokenNumber
		l.number()
	case wordByte(c):
		t.kind = tokenWord
		l.word()
	case c == '/':
		t.kind = l.slash()
	default:
		t.kind = tokenPunct
		l.punct(&t)
	}
	t.end = l.pos
	return l.keep(t)
}

func (l *lexer) keep(t token) token {
	l.before, l.last = l.last, t
	return t
}

// skip passes white space and comments. It says whether a line ended, and false if a comment does not end.
func (l *lexer) skip() (newline, whole bool) {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case c == '\n' || c == '\r':
			newline = true
			l.pos++
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			l.pos++
		case c == '/' && strings.HasPrefix(l.src[l.pos:], "//"):
			start := l.pos
			for l.pos < len(l.src) && !lineEnds(l.src[l.pos:]) {
				l.pos++
			}
			l.commented(start)
		case c == '/' && strings.HasPrefix(l.src[l.pos:], "/*"):
			start := l.pos
			length := strings.Index(l.src[l.pos+2:], "*/")
			if length < 0 {
				return newline, false
			}
			l.pos += length + 4
			newline = newline || strings.ContainsAny(l.src[start:l.pos], "\n\r\u2028\u2029")
			l.commented(start)
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(l.src[l.pos:])
			if r != '\uFEFF' && r != '\u2028' && r != '\u2029' && !unicode.Is(unicode.Zs, r) {
				return newline, true
			}
			newline = newline || r == '\u2028' || r == '\u2029'
			l.pos += size
		default:
			return newline, true
		}
	}
	return newline, true
}

func (l *lexer) commented(start int) {
	if l.comment != nil {
		l.comment(start, l.pos)
	}
}

func lineEnds(s string) bool {
	return s[0] == '\n' || s[0] == '\r' || strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")
}

// quoted passes a string literal, and says whether it ends on its line.
func (l *lexer) quoted(quote byte) bool {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == quote:
			l.pos++
			return true
		case c == '\\':
			l.pos++
			if strings.HasPrefix(l.src[min(l.pos, len(l.src)):], "\r\n") {
				l.pos++
			}
		case c == '\n' || c == '\r':
			return false
		}
	}
	l.pos = len(l.src)
	return false
}

// template passes a template up to its end or its next substitution.
func (l *lexer) template() tokenKind {
	for ; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == '`':
			l.pos++
			return tokenTemplate
		case c == '\\':
			l.pos++
		case c == '$' && strings.HasPrefix(l.src[l.pos:], "${"):
			l.pos += 2
			l.open = append(l.open, opening{char: '$'})
			return tokenPiece
		}
	}
	l.pos = len(l.src)
	return tokenBroken
}

func (l *lexer) number() {
	hex := strings.HasPrefix(l.src[l.pos:], "0x") || strings.HasPrefix(l.src[l.pos:], "0X")
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		l.pos++
		if (c == 'e' || c == 'E') && !hex && l.pos < len(l.src) && (l.src[l.pos] == '+' || l.src[l.pos] == '-') {
			l.pos++
			continue
		}
		if !digit(c) && !letter(c) && c != '.' && c != '_' {
			l.pos--
			return
		}
	}
}

func (l *lexer) word() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case c == '\\' && strings.HasPrefix(l.src[l.pos:], `\u{`):
			end := strings.IndexByte(l.src[l.pos:], '}')
			if end < 0 {
				l.pos = len(l.src)
				return
			}
			l.pos += end + 1
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(l.src[l.pos:])
			if r == '\uFEFF' || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Zs, r) {
				return
			}
			l.pos += size
		case wordByte(c) || digit(c):
			l.pos++
		default:
			return
		}
	}
}

func wordByte(c byte) bool {
	return letter(c) || c == '_' || c == '$' || c == '#' || c == '\\' || c >= utf8.RuneSelf
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (l *lexer) punct(t *token) {
	rest := l.src[l.pos:]
	for _, long := range []string{"=>", "++", "--", "?.", "..."} {
		if strings.HasPrefix(rest, long) {
			l.pos += len(long)
			return
		}
	}
	c := rest[0]
	l.pos++
	switch c {
	case '(', '[', '{':
		l.open = append(l.open, opening{char: c, control: c == '(' && l.heads()})
	case ')', ']', '}':
		if len(l.open) == 0 {
			return
		}
		top := l.open[len(l.open)-1]
		l.open = l.open[:len(l.open)-1]
		t.control = c == ')' && top.control
		if c == '}' && top.char == '$' {
			t.kind = l.template()
		}
	}
}

// heads says whether a parenthesis here is the head of a statement, after which an operand starts.
func (l *lexer) heads() bool {
	if l.last.kind != tokenWord || l.property() {
		return false
	}
	switch l.text(l.last) {
	case "if", "for", "while", "with":
		return true
	case "await":
		return l.before.kind == tokenWord && l.text(l.before) == "for"
	}
	return false
}

// property says whether the last word is the name of a property, as in a.return.
func (l *lexer) property() bool {
	if l.before.kind != tokenPunct {
		return false
	}
	dot := l.text(l.before)
	return dot == "." || dot == "?."
}

func (l *lexer) slash() tokenKind {
	switch l.ends() {
	case endsNot:
		if !l.regexp() {
			return tokenBroken
		}
		return tokenRegexp
	case endsOperand:
		l.pos++
		return tokenPunct
	}
	l.pos++
	return tokenUnsure
}

// regexp passes a regular expression literal and its flags.
func (l *lexer) regexp() bool {
	class := false
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == '\\':
			l.pos++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '\n' || c == '\r':
			return false
		case c == '/' && !class:
			l.pos++
			l.word()
			return true
		}
	}
	l.pos = len(l.src)
	return false
}
