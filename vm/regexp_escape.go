package vm

import (
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// escape reads what follows a backslash outside of classes.
func (p *regexpReader) escape() (n *node, fixed bool) {
	c := p.peek(0)
	switch {
	case c < 0:
		p.fail("\\ at end of pattern")
	case c == 'b' || c == 'B':
		p.pos++
		return &node{kind: nodeWord, negative: c == 'B', mode: p.mode}, true
	case c == 'k' && p.named:
		p.pos++
		if !p.eat("<") {
			p.fail("Invalid named reference")
		}
		n := &node{kind: nodeBack, name: p.name(), mode: p.mode}
		p.backs = append(p.backs, n)
		return n, false
	case c >= '1' && c <= '9':
		if n := p.backReference(); n != nil {
			return n, false
		}
	}
	if set, ok := p.setEscape(); ok {
		return p.one(set, false), false
	}
	c = p.character(false)
	return p.one(runeSet{{c, c}}, false), false
}

// backReference reads \1 and the like; nil if it is something else: without u, an old octal number or just the digit.
func (p *regexpReader) backReference() *node {
	number, size := 0, 0
	for ; p.peek(size) >= '0' && p.peek(size) <= '9'; size++ {
		number = min(number*10+int(p.peek(size)-'0'), 1<<30)
	}
	if number > p.captures {
		if p.unicode {
			p.fail("Invalid escape")
		}
		return nil
	}
	p.pos += size
	return &node{kind: nodeBack, numbers: []int{number}, mode: p.mode}
}

// setEscape reads \d, \s, \w, \p{…} and their opposites. Sets are made once, and then the same ones.
func (p *regexpReader) setEscape() (set runeSet, ok bool) {
	c := p.peek(0)
	switch c {
	case 'd', 'D', 's', 'S', 'w', 'W':
	case 'p', 'P':
		if !p.unicode {
			return nil, false
		}
	default:
		return nil, false
	}
	p.pos++
	key := escapedSet{letter: c, ignoreCase: p.mode.ignoreCase, unicode: p.unicode, sets: p.sets}
	if c == 'p' || c == 'P' {
		key.property = p.property()
	}
	escapedSets.Lock()
	set, known := escapedSets.made[key]
	escapedSets.Unlock()
	p.spend(1, 0)
	if known {
		return set, true
	}
	set = p.makeSet(key)
	p.spend(len(set), 0)
	escapedSets.Lock()
	escapedSets.made[key] = set
	escapedSets.Unlock()
	return set, true
}

// escapedSet is what the characters of an escape depend on. There are as many as there are properties: those that do not exist are refused.
type escapedSet struct {
	letter                    rune
	property                  string
	ignoreCase, unicode, sets bool
}

// escapedSets are those that some pattern had, of the whole process.
var escapedSets = struct {
	sync.Mutex
	made map[escapedSet]runeSet
}{made: map[escapedSet]runeSet{}}

func (p *regexpReader) makeSet(key escapedSet) runeSet {
	var set runeSet
	switch key.letter | 0x20 {
	case 'd':
		set = digitSet
	case 's':
		set = spaceSet
	case 'w':
		set = wordsOf(p.mode, p.unicode)
	default:
		name, value, given := strings.Cut(key.property, "=")
		found, bad := propertySet(name, value, given)
		if bad != "" {
			panic(badPattern{refusedf(codeUnsupported, "\\p{%s} in a regular expression: %s", clip(key.property, 80), bad)})
		}
		if found == nil {
			p.fail("Invalid property name")
		}
		set = p.folded(found)
	}
	if key.letter < 'a' {
		set = p.complement(set)
	}
	return set
}

// wordsOf are the characters of \w: with the flags i and u two letters more fold to them.
func wordsOf(mode regexpMode, unicode bool) runeSet {
	if mode.ignoreCase && unicode {
		return foldedWords()
	}
	return wordSet
}

var foldedWords = sync.OnceValue(func() runeSet {
	f := unicodeFold()
	return f.everyone(f.set(wordSet))
})

// folded and complement are MaybeSimpleCaseFolding and CharacterComplement (22.2.2.9): with the flags v and i, sets are made of
// canonical forms only.
func (p *regexpReader) folded(set runeSet) runeSet {
	if p.sets && p.mode.ignoreCase {
		p.spend(unicodeFold().within(set), 0)
		return unicodeFold().set(set)
	}
	return set
}

func (p *regexpReader) complement(set runeSet) runeSet {
	p.spend(len(set), 0)
	return p.folded(allRunes).without(set)
}

var controls = map[rune]rune{'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// character reads an escape that stands for one character, in a class or outside.
func (p *regexpReader) character(class bool) rune {
	c := p.peek(0)
	p.pos++
	if to, ok := controls[c]; ok {
		return to
	}
	switch {
	case c < 0:
		p.fail("\\ at end of pattern")
	case c == 'b' && class:
		return '\b'
	case c == '-' && class && p.unicode:
		return c
	case c == 'c':
		letter := p.peek(0)
		if asciiLetter(letter) || class && !p.unicode && (letter >= '0' && letter <= '9' || letter == '_') {
			p.pos++
			return letter % 32
		}
		if !p.unicode {
			p.pos-- // the backslash stands for itself, and so does the c
			return '\\'
		}
	case c == 'x':
		if n, ok := p.hex(2); ok {
			return n
		}
	case c == 'u':
		if n, ok := p.unit(p.unicode); ok {
			return n
		}
	case c >= '0' && c <= '9':
		if c == '0' && (p.peek(0) < '0' || p.peek(0) > '9') {
			return 0
		}
		if !p.unicode {
			return p.octal(c)
		}
	case p.unicode && indexRune("^$\\.*+?()[]{}|/", c):
		return c
	case c == 'k' && p.named:
		p.fail("Invalid escape")
	}
	if p.unicode {
		p.fail("Invalid escape")
	}
	return c
}

func asciiLetter(c rune) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' && c < 0x80 }

func indexRune(text string, c rune) bool {
	for _, other := range text {
		if other == c {
			return true
		}
	}
	return false
}

// octal reads the rest of an old octal escape such as \101. \8 is the digit.
func (p *regexpReader) octal(c rune) rune {
	if c >= '8' {
		return c
	}
	value := c - '0'
	for i := 0; i < 2 && p.peek(0) >= '0' && p.peek(0) <= '7' && value*8+p.peek(0)-'0' <= 0xFF; i++ {
		value = value*8 + p.peek(0) - '0'
		p.pos++
	}
	return value
}

// hex reads exactly n digits.
func (p *regexpReader) hex(n int) (rune, bool) {
	value := rune(0)
	for i := range n {
		d := hexValue(p.peek(i))
		if d < 0 {
			return 0, false
		}
		value = value*16 + d
	}
	p.pos += n
	return value, true
}

func hexValue(c rune) rune {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return -1
}

// unit reads what follows \u. Whole says that {…} counts, and that two halves are one character.
func (p *regexpReader) unit(whole bool) (rune, bool) {
	start := p.pos
	if whole && p.eat("{") {
		value, digits := rune(0), 0
		for ; hexValue(p.peek(0)) >= 0; digits++ {
			value = min(value*16+hexValue(p.peek(0)), lastRune+1)
			p.pos++
		}
		if digits > 0 && value <= lastRune && p.eat("}") {
			return value, true
		}
		p.pos = start
		return 0, false
	}
	first, ok := p.hex(4)
	if !ok || !whole || !utf16.IsSurrogate(first) {
		return first, ok
	}
	start = p.pos
	if p.eat("\\u") {
		if second, ok := p.hex(4); ok {
			if both := utf16.DecodeRune(first, second); both != 0xFFFD {
				return both, true
			}
		}
	}
	p.pos = start
	return first, true
}

// textOf is the text of characters, in WTF-8.
func textOf(characters []rune) string {
	var out []byte
	for _, c := range characters {
		if utf16.IsSurrogate(c) {
			out = appendHalf(out, uint16(c))
		} else {
			out = utf8.AppendRune(out, c)
		}
	}
	return string(out)
}
