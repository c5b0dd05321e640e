package vm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The engine hands a regular expression to one of two libraries, and may change over from one to the other between two
// matches of the same expression. Both were made for other dialects, and each differs from ECMAScript in its own
// way, without saying so: \b and \w for them may be Unicode's, a line may end at \n only, [[:alpha:]] and
// [a-z-[x]] may mean something, \A and \z may be anchors. So every pattern is written anew, in terms that both take as
// ECMAScript means them, before the engine sees it. What neither can do is refused, for it would be silently wrong.
const (
	lineEnd    = `\n\r\u2028\u2029`
	notLineEnd = "[^" + lineEnd + "]"
	lineStart  = "(?<!" + notLineEnd + ")"
	lineStop   = "(?!" + notLineEnd + ")"

	wordChars = "0-9A-Za-z_"
	// With the flags i and u, two letters more fold to letters of words.
	foldedWordChars    = wordChars + `\u017f\u212a`
	notFoldedWordChars = `\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u017e\u0180-\u2129\u212b-\u{10ffff}`
)

// patternWriter reads an ECMAScript pattern and writes what the engine gets. It never recurses.
type patternWriter struct {
	src string // in WTF-8
	pos int
	out strings.Builder

	ignoreCase, multiline, dotAll, unicode bool

	captures int             // capturing groups in all
	names    map[string]bool // of groups, as far as they were met
	named    bool            // the pattern has named groups
	opened   int             // how many capturing groups were opened so far
	closed   map[string]bool // numbers and names of capturing groups that were closed so far
	halves   bool            // it has halves of surrogate pairs, or characters that become such
	choices  bool            // it is more than one fixed text
	looked   bool            // a lookahead or lookbehind captures
	groups   []group         // that are open; the first one is the pattern
	bad      *refused
}

// wordSet is the inside of a class that matches what \w does.
func (p *patternWriter) wordSet() string {
	if p.ignoreCase && p.unicode {
		return foldedWordChars
	}
	return wordChars
}

// rewriteRegExp gives the pattern that makes the engine do what ECMAScript says of src. Texts are WTF-8.
func rewriteRegExp(src, flags string) (string, *refused) {
	for _, flag := range "dv" {
		if strings.ContainsRune(flags, flag) {
			return "", refusedf(codeUnsupported, `The regular expression flag "%c": not supported here`, flag)
		}
	}
	p := &patternWriter{
		src: src, ignoreCase: strings.Contains(flags, "i"), multiline: strings.Contains(flags, "m"),
		dotAll: strings.Contains(flags, "s"), unicode: strings.Contains(flags, "u"),
	}
	if !p.write() {
		return "", p.bad
	}
	if p.named && p.unicode {
		return "(?=)" + p.out.String(), nil // of the two libraries, the other one would lose the names
	}
	return p.out.String(), nil
}

// write does the work, and says whether it went well.
func (p *patternWriter) write() bool {
	p.names, p.closed, p.groups = map[string]bool{}, map[string]bool{}, []group{{nullable: true}}
	p.count()
	for p.pos < len(p.src) && p.bad == nil {
		p.term()
	}
	switch {
	case p.bad != nil:
	case len(p.groups) > 1:
		p.syntax("a group is not closed")
	case p.halves && p.choices:
		// Both libraries make UTF-8 of some halves, and then take all of them for the same one.
		p.unsupported("a regular expression with characters beyond U+FFFF, or halves of them, and without the flag u: not supported here unless it is a plain text; add the flag u")
	case p.looked && p.captures > 1:
		// The engine drops a capture that lies before the one that has the number before its own.
		p.unsupported("a regular expression that captures in a lookahead or lookbehind, and captures something else too: not supported here; use two expressions")
	}
	return p.bad == nil
}

func (p *patternWriter) syntax(format string, args ...any) {
	p.bad = refusedf(codeSyntax, "Invalid regular expression /%s/: %s", clip(p.src, 200), fmt.Sprintf(format, args...))
}

func (p *patternWriter) unsupported(what string) { p.bad = refusedf(codeUnsupported, "%s", what) }

func (p *patternWriter) has(prefix string) bool { return strings.HasPrefix(p.src[p.pos:], prefix) }

// count finds how many groups capture: only then is it known what \2 means.
func (p *patternWriter) count() {
	class := false
	for i := 0; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '(':
			if class {
				continue
			}
			rest := p.src[i+1:]
			name := strings.HasPrefix(rest, "?<") && !strings.HasPrefix(rest, "?<=") && !strings.HasPrefix(rest, "?<!")
			p.named = p.named || name
			if name || !strings.HasPrefix(rest, "?") {
				p.captures++
			}
		}
	}
}

// term reads one term with its quantifier, or what opens, parts or closes a group.
func (p *patternWriter) term() {
	c := p.src[p.pos]
	p.choices = p.choices || strings.IndexByte("(|[.*+?{", c) >= 0
	switch c {
	case '(':
		p.open()
		return
	case '|':
		p.pos++
		p.out.WriteByte('|')
		p.top().alternative()
		return
	case ')':
		p.close()
		return
	case '^', '$':
		p.pos++
		switch {
		case !p.multiline:
			p.out.WriteByte(c)
		case c == '^':
			p.out.WriteString(lineStart)
		default:
			p.out.WriteString(lineStop)
		}
		p.quantify(term{nullable: true, fixed: true})
		return
	case '[':
		p.class()
	case '.':
		p.pos++
		if p.dotAll {
			p.out.WriteString(`[\s\S]`)
		} else {
			p.out.WriteString(notLineEnd)
		}
	case '\\':
		t := p.escape()
		if p.bad == nil {
			p.quantify(t)
		}
		return
	case '*', '+', '?':
		p.syntax("there is nothing to repeat before %c", c)
	case '{', '}', ']':
		if p.unicode {
			p.syntax("%c stands alone; write \\%c", c, c)
			return
		}
		if _, _, size := p.braces(); c == '{' && size > 0 {
			p.syntax("there is nothing to repeat before {")
			return
		}
		p.pos++
		p.out.WriteByte('\\')
		p.out.WriteByte(c)
	default:
		p.literal()
	}
	if p.bad == nil {
		p.quantify(term{})
	}
}

// literal passes one character that stands for itself.
func (p *patternWriter) literal() {
	size := p.size()
	p.halves = p.halves || p.half() || size == 4 && !p.unicode
	p.out.WriteString(p.src[p.pos : p.pos+size])
	p.pos += size
}

// size gives the bytes of the character at pos; half of a pair has three in WTF-8.
func (p *patternWriter) size() int {
	if p.half() {
		return 3
	}
	_, size := utf8.DecodeRuneInString(p.src[p.pos:])
	return size
}

// half says whether half of a pair stands at pos.
func (p *patternWriter) half() bool {
	return p.pos+2 < len(p.src) && p.src[p.pos] == 0xED && p.src[p.pos+1] >= 0xA0
}

// braces reads {n}, {n,} or {n,m} at pos; size is 0 if it is none. There is no upper limit if max is negative.
func (p *patternWriter) braces() (least, most, size int) {
	end := strings.IndexByte(p.src[p.pos:], '}')
	if end < 0 || p.src[p.pos] != '{' {
		return 0, 0, 0
	}
	low, high, both := strings.Cut(p.src[p.pos+1:p.pos+end], ",")
	number := func(s string) (int, bool) {
		for i := range len(s) {
			if !digit(s[i]) {
				return 0, false
			}
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			n = 1 << 31 // the engine will say that this is too much
		}
		return n, s != ""
	}
	least, ok := number(low)
	if !ok {
		return 0, 0, 0
	}
	most = least
	if both {
		most = -1
		if high != "" {
			if most, ok = number(high); !ok {
				return 0, 0, 0
			}
		}
	}
	return least, most, end + 1
}
