package vm

import "unicode/utf16"

type nodeKind int

const (
	nodeEmpty  nodeKind = iota
	nodeSet             // one character of a set
	nodeAll             // its parts, one after the other
	nodeOne             // one of its parts, tried in order
	nodeGroup           // a group that captures
	nodeRepeat          // its part, least to most times
	nodeLook            // a lookahead or lookbehind
	nodeBack            // what groups have captured
	nodeStart           // ^
	nodeEnd             // $
	nodeWord            // \b; \B if it is negative
)

// node is a part of a pattern.
type node struct {
	kind  nodeKind
	parts []*node

	set      runeSet
	inverted bool // the set lists what does not match
	mode     regexpMode

	least, most int // most is -1 if there is no limit
	lazy        bool
	first, last int // the groups in a part that repeats: first <= number < last

	measured, nullable, still bool // what measure found
	units                     int

	number   int    // of a group
	name     string // that \k refers to
	numbers  []int  // of the groups that are referred to
	behind   bool
	negative bool
}

// regexpMode are the flags that can change within a pattern.
type regexpMode struct{ ignoreCase, multiline, dotAll bool }

// maxGroups bounds how deep groups nest: reading them follows them on Go's stack.
const maxGroups = 500

// regexpReader reads a pattern.
type regexpReader struct {
	*effort
	text string // for messages
	src  []rune // characters with the flag u or v, 16-bit units without
	pos  int

	mode          regexpMode
	unicode, sets bool // u or v; v

	captures int // capturing groups in all, as far as it matters before they were read
	named    bool
	opened   int
	names    []groupName
	byName   map[string][]groupName
	numbers  map[string][]int // of the groups with a name that is referred to
	scope    *scope
	scopes   int
	backs    []*node
	depth    int
}

type groupName struct {
	name   string
	number int
	scope  *scope
}

// scope is an alternative that is being read.
type scope struct {
	outer                    *scope
	disjunction, alternative int
}

// badPattern is what reading panics with; it never leaves compileRegExp.
type badPattern struct{ *refused }

func (p *regexpReader) fail(what string) {
	panic(badPattern{refusedf(codeSyntax, "Invalid regular expression /%s/: %s", clip(p.text, 200), what)})
}

// read gives the tree of a pattern in WTF-8.
func (p *regexpReader) read(text string) *node {
	p.text, p.src, p.byName = text, runesOf(text, p.unicode), map[string][]groupName{}
	p.numbers = map[string][]int{}
	p.count()
	tree := p.disjunction()
	if p.pos < len(p.src) {
		p.fail("Unmatched ')'")
	}
	for _, back := range p.backs {
		p.resolve(back)
	}
	return tree
}

// runesOf gives characters, or 16-bit units.
func runesOf(text string, whole bool) []rune {
	out := make([]rune, 0, len(text))
	for i := 0; i < len(text); {
		c, size := decodeWTF8(text[i:])
		i += size
		if high, low := utf16.EncodeRune(c); !whole && c > 0xFFFF {
			out = append(out, high, low)
			continue
		}
		out = append(out, c)
	}
	return out
}

// count finds how many groups capture, and whether one has a name: only then is it known what \2 and \k mean.
func (p *regexpReader) count() {
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
			next := func(n int) rune {
				if i+n < len(p.src) {
					return p.src[i+n]
				}
				return 0
			}
			name := next(1) == '?' && next(2) == '<' && next(3) != '=' && next(3) != '!'
			if !class && (name || next(1) != '?') {
				p.captures++
				p.named = p.named || name
			}
		}
	}
	p.named = p.named || p.unicode
}

// peek gives the character n places on; -1 behind the end.
func (p *regexpReader) peek(n int) rune {
	if p.pos+n < len(p.src) {
		return p.src[p.pos+n]
	}
	return -1
}

func (p *regexpReader) has(text string) bool {
	for i, c := range text {
		if p.peek(i) != c {
			return false
		}
	}
	return true
}

func (p *regexpReader) eat(text string) bool {
	if !p.has(text) {
		return false
	}
	p.pos += len(text)
	return true
}

// disjunction reads alternatives, up to a ) or the end.
func (p *regexpReader) disjunction() *node {
	if p.depth++; p.depth > maxGroups {
		panic(badPattern{refusedf(codeUnsupported, "a regular expression with groups nested more than %d deep: not supported here", maxGroups)})
	}
	defer func() { p.depth-- }()
	p.scopes++
	outer, this := p.scope, p.scopes
	var alternatives []*node
	for {
		p.spend(1, 0)
		p.scope = &scope{outer, this, len(alternatives)}
		alternatives = append(alternatives, p.alternative())
		if !p.eat("|") {
			break
		}
	}
	p.scope = outer
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return &node{kind: nodeOne, parts: alternatives}
}

func (p *regexpReader) alternative() *node {
	all := &node{kind: nodeAll}
	for p.pos < len(p.src) && p.peek(0) != '|' && p.peek(0) != ')' {
		all.parts = append(all.parts, p.term())
	}
	if len(all.parts) == 1 {
		return all.parts[0]
	}
	return all
}

// term reads one term with its quantifier.
func (p *regexpReader) term() *node {
	p.spend(1, 0)
	first := p.opened
	n, fixed := p.atom()
	least, most, size := p.quantifier()
	if size == 0 {
		return n
	}
	if fixed {
		p.fail("Nothing to repeat")
	}
	if most >= 0 && least > most {
		p.fail("numbers out of order in {} quantifier")
	}
	p.pos += size
	lazy := p.eat("?")
	return &node{kind: nodeRepeat, parts: []*node{n}, least: least, most: most, lazy: lazy, first: first + 1, last: p.opened + 1}
}

// quantifier looks for one; size is 0 if there is none.
func (p *regexpReader) quantifier() (least, most, size int) {
	switch p.peek(0) {
	case '*':
		return 0, -1, 1
	case '+':
		return 1, -1, 1
	case '?':
		return 0, 1, 1
	case '{':
		return p.braces()
	}
	return 0, 0, 0
}

// braces looks for {n}, {n,} or {n,m}.
func (p *regexpReader) braces() (least, most, size int) {
	at := 1
	number := func() (int, bool) {
		start, n := at, 0
		for ; p.peek(at) >= '0' && p.peek(at) <= '9'; at++ {
			n = min(n*10+int(p.peek(at)-'0'), 1<<31-1)
		}
		return n, at > start
	}
	least, ok := number()
	if !ok {
		return 0, 0, 0
	}
	most = least
	if p.peek(at) == ',' {
		at++
		if most, ok = number(); !ok {
			most = -1
		}
	}
	if p.peek(at) != '}' {
		return 0, 0, 0
	}
	return least, most, at + 1
}

// atom reads what a quantifier can stand behind; fixed says that none can.
func (p *regexpReader) atom() (n *node, fixed bool) {
	switch c := p.peek(0); c {
	case '^':
		p.pos++
		return &node{kind: nodeStart, mode: p.mode}, true
	case '$':
		p.pos++
		return &node{kind: nodeEnd, mode: p.mode}, true
	case '(':
		return p.group()
	case '.':
		p.pos++
		if p.mode.dotAll {
			return p.one(allRunes, false), false
		}
		return p.one(dotSet, false), false
	case '[':
		p.pos++
		return p.class(), false
	case '\\':
		p.pos++
		return p.escape()
	case '*', '+', '?':
		p.fail("Nothing to repeat")
	case '{', '}', ']':
		if p.unicode {
			p.fail("Lone quantifier brackets")
		}
		if _, _, size := p.quantifier(); size > 0 {
			p.fail("Nothing to repeat")
		}
	}
	p.pos++
	c := p.src[p.pos-1]
	return p.one(runeSet{{c, c}}, false), false
}

// one matches a character of a set.
func (p *regexpReader) one(set runeSet, inverted bool) *node {
	return &node{kind: nodeSet, set: set, inverted: inverted, mode: p.mode}
}
