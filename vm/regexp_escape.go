package vm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const noPropertyEscapes = "Unicode property escapes in regular expressions: not supported here"

// escape reads a backslash and what belongs to it, outside of classes.
func (p *patternWriter) escape() term {
	p.pos++
	if p.pos == len(p.src) {
		p.syntax("a \\ stands at the end")
		return term{}
	}
	c := p.src[p.pos]
	word := "[" + p.wordSet() + "]"
	p.choices = p.choices || strings.IndexByte("bBdDsSwWk123456789", c) >= 0
	switch {
	case c == 'b' || c == 'B':
		p.pos++
		inside, outside := "(?<="+word+")", "(?<!"+word+")"
		if c == 'b' {
			inside, outside = outside, inside
		}
		p.out.WriteString("(?:" + inside + "(?=" + word + ")|" + outside + "(?!" + word + "))")
		return term{nullable: true, fixed: true}
	case c == 'w' && p.ignoreCase && p.unicode:
		p.pos++
		p.out.WriteString(word)
	case p.ignoreCase && strings.IndexByte("WSD", c) >= 0:
		// As a set of its own, one of the libraries would fold it character by character, for tens of milliseconds.
		p.pos++
		p.out.WriteString("[^" + map[byte]string{'W': p.wordSet(), 'S': `\s`, 'D': "0-9"}[c] + "]")
	case c == 'k' && (p.unicode || p.named):
		name, _, found := strings.Cut(p.src[p.pos+1:], ">")
		if !found || !strings.HasPrefix(name, "<") {
			p.syntax("\\k has to name a group, as in \\k<name>")
			return term{}
		}
		p.out.WriteString("\\k" + name + ">")
		p.pos += len(name) + 2
		return term{nullable: true, loose: !p.closed[name[1:]]}
	case c >= '1' && c <= '9':
		number := p.backReference()
		return term{nullable: number != "", loose: number != "" && !p.closed[number]}
	default:
		p.character()
	}
	return term{}
}

// backReference reads \1 and the like, and gives the number. If there is no such group it is an octal number, or just
// the digit; the number is then empty.
func (p *patternWriter) backReference() string {
	end := p.pos
	for end < len(p.src) && digit(p.src[end]) {
		end++
	}
	number := p.src[p.pos:end]
	if n, err := strconv.Atoi(number); err == nil && n <= p.captures {
		// In parentheses, or a digit that follows would belong to it.
		p.out.WriteString("(?:\\" + number + ")")
		p.pos = end
		return number
	}
	if p.unicode {
		p.syntax("\\%s refers to a group that is not there", number)
		return ""
	}
	p.octal()
	return ""
}

// octal writes an old octal escape such as \101. \8 is the digit.
func (p *patternWriter) octal() {
	if p.src[p.pos] >= '8' {
		p.literal()
		return
	}
	value := 0
	for i := 0; i < 3 && p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '7' && value*8+int(p.src[p.pos]-'0') <= 0xFF; i++ {
		value = value*8 + int(p.src[p.pos]-'0')
		p.pos++
	}
	fmt.Fprintf(&p.out, "\\x%02x", value)
}

// character reads an escape that means the same in a class and outside: a character, or \d, \s, \w and their opposites.
func (p *patternWriter) character() {
	c := p.src[p.pos]
	rest := p.src[p.pos+1:]
	switch {
	case strings.IndexByte("dDsSwWfnrtv", c) >= 0:
		p.pass(1)
	case (c == 'p' || c == 'P') && p.unicode:
		p.unsupported(noPropertyEscapes)
	case c == '0' && p.unicode && rest != "" && digit(rest[0]):
		p.syntax("\\0 and a digit is no escape")
	case digit(c):
		p.octal()
	case c == 'c' && rest != "" && letter(rest[0]):
		fmt.Fprintf(&p.out, "\\x%02x", rest[0]%32)
		p.pos += 2
	case c == 'c' && !p.unicode:
		p.out.WriteString(`\\`) // the backslash itself; c is read as the next character
	case c == 'x' && hexDigits(rest) >= 2:
		p.pass(3)
	case c == 'u' && hexDigits(rest) >= 4:
		p.unit()
	case c == 'u' && p.unicode && strings.HasPrefix(rest, "{"):
		digits := hexDigits(rest[1:])
		value, err := strconv.ParseUint(rest[1:1+digits], 16, 64)
		if err != nil || value > 0x10FFFF || !strings.HasPrefix(rest[1+digits:], "}") {
			p.syntax("\\u{ needs the number of a character")
			return
		}
		fmt.Fprintf(&p.out, "\\u{%x}", value)
		p.pos += digits + 3
	case p.unicode && strings.IndexByte("^$\\.*+?()[]{}|/", c) < 0:
		p.syntax("\\%s is no escape", p.src[p.pos:p.pos+p.size()])
	case letter(c) || c == '_' || c >= 0x80:
		p.literal() // a letter for itself, which one of the libraries would take for something else
	default:
		p.pass(1)
	}
}

// unit reads an escape such as \u00e9. Two that make a pair are one character with the flag u.
func (p *patternWriter) unit() {
	value := func(at int) rune {
		if !strings.HasPrefix(p.src[at-1:], "\\u") || hexDigits(p.src[at+1:]) < 4 {
			return 0
		}
		n, _ := strconv.ParseUint(p.src[at+1:at+5], 16, 16)
		return rune(n)
	}
	first := value(p.pos)
	if !utf16.IsSurrogate(first) {
		p.pass(5)
		return
	}
	p.halves = true
	if second := p.pos + 6; p.unicode && second < len(p.src) {
		if whole := utf16.DecodeRune(first, value(second)); whole != utf8.RuneError {
			p.halves = false
			fmt.Fprintf(&p.out, "\\u{%x}", whole)
			p.pos += 11
			return
		}
	}
	p.pass(5)
}

// pass writes a backslash and the next n bytes as they are.
func (p *patternWriter) pass(n int) {
	p.out.WriteByte('\\')
	p.out.WriteString(p.src[p.pos : p.pos+n])
	p.pos += n
}

func hexDigits(s string) int {
	n := 0
	for n < len(s) && (digit(s[n]) || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'f') {
		n++
	}
	return n
}

// class reads a class, such as [^a-z\d].
func (p *patternWriter) class() {
	p.pos++
	switch {
	case p.has("^]"):
		p.pos += 2
		p.out.WriteString(`[\s\S]`)
		return
	case p.has("]"):
		p.pos++
		p.out.WriteString(`(?:(?!))`)
		return
	}
	if p.notOne() {
		return
	}
	p.out.WriteByte('[')
	if p.has("^") {
		p.pos++
		p.out.WriteByte('^')
	}
	for p.bad == nil && p.pos < len(p.src) && !p.has("]") {
		set := p.member()
		if !p.has("-") || p.has("-]") || p.bad != nil {
			continue
		}
		// Next to a set such as \d, a - stands for itself.
		set = set || p.pos+2 < len(p.src) && p.src[p.pos+1] == '\\' && strings.IndexByte("dDsSwW", p.src[p.pos+2]) >= 0
		if set && p.unicode {
			p.syntax("a range in a class starts and ends with one character")
			return
		}
		p.pos++
		if set {
			p.out.WriteString(`\x2d`)
		} else {
			p.out.WriteByte('-')
		}
		if p.pos < len(p.src) {
			p.member()
		}
	}
	if p.bad != nil {
		return
	}
	if p.pos == len(p.src) {
		p.syntax("a class is not closed")
		return
	}
	p.pos++
	p.out.WriteByte(']')
}

// notOne reads a class of all characters but one, such as [^"], if there is one. Where it stands beside other things that a
// match can start with, one of the libraries would exclude those too; it does not if the class lists what it takes.
func (p *patternWriter) notOne() bool {
	rest, found := strings.CutPrefix(p.src[p.pos:], "^")
	if !found {
		return false
	}
	c, size := excluded(rest)
	for c > 0 { // it may stand there twice, or as a range
		again, more := excluded(strings.TrimPrefix(rest[size:], "-"))
		if again != c || strings.HasPrefix(rest[size:], "]") {
			break
		}
		size += more + len(rest[size:]) - len(strings.TrimPrefix(rest[size:], "-"))
	}
	if c <= 0 || c > 0xFFFE || !strings.HasPrefix(rest[size:], "]") || p.ignoreCase && unicode.SimpleFold(c) != c {
		return false
	}
	p.pos += 2 + size
	if p.unicode {
		fmt.Fprintf(&p.out, `(?:[^\u%04x\u{10ffff}]|\u{10ffff})`, c)
	} else {
		fmt.Fprintf(&p.out, `[\u0000-\u%04x\u%04x-\uffff]`, c-1, c+1)
	}
	return true
}

// excluded reads one character of a class; it is 0 if that is none, or may mean something else.
func excluded(s string) (c rune, size int) {
	c, size = utf8.DecodeRuneInString(s)
	if c == utf8.RuneError || s == `\` {
		return 0, 0
	}
	if c != '\\' {
		return c, size
	}
	c, size = utf8.DecodeRuneInString(s[1:])
	hex := func(digits int) (rune, int) {
		if hexDigits(s[2:]) < digits {
			return 0, 0
		}
		n, _ := strconv.ParseUint(s[2:2+digits], 16, 16)
		return rune(n), 2 + digits
	}
	switch c {
	case 'n', 'r', 't', 'b', 'f', 'v':
		return rune("\n\r\t\b\f\v"[strings.IndexRune("nrtbfv", c)]), 2
	case 'x':
		return hex(2)
	case 'u':
		return hex(4)
	}
	if c == utf8.RuneError || c < utf8.RuneSelf && (letter(byte(c)) || digit(byte(c))) {
		return 0, 0
	}
	return c, 1 + size
}

// member reads one member of a class, and says whether it is a set such as \d.
func (p *patternWriter) member() (set bool) {
	c := p.src[p.pos]
	if c != '\\' {
		if strings.IndexByte("[^-", c) >= 0 {
			p.pos++
			fmt.Fprintf(&p.out, "\\x%02x", c)
			return false
		}
		p.literal()
		return false
	}
	p.pos++
	if p.pos == len(p.src) {
		p.syntax("a \\ stands at the end")
		return false
	}
	c = p.src[p.pos]
	rest := p.src[p.pos+1:]
	folded := p.ignoreCase && p.unicode
	switch {
	case c == 'b':
		p.pos++
		p.out.WriteString(`\x08`)
	case c == '-':
		p.pos++
		p.out.WriteString(`\x2d`)
	case c == 'w' && folded:
		p.pos++
		p.out.WriteString(foldedWordChars)
		return true
	case c == 'W' && folded:
		p.pos++
		p.out.WriteString(notFoldedWordChars)
		return true
	case c == 'c' && !p.unicode && rest != "" && (digit(rest[0]) || rest[0] == '_'):
		fmt.Fprintf(&p.out, "\\x%02x", rest[0]%32)
		p.pos += 2
	case digit(c) && c != '0' && p.unicode:
		p.syntax("\\%c is no escape in a class", c)
	default:
		set = strings.IndexByte("dDsSwW", c) >= 0
		p.character()
	}
	return set
}
