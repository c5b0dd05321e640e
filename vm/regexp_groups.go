package vm

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// group reads everything that stands in parentheses.
func (p *regexpReader) group() (n *node, fixed bool) {
	p.pos++
	before := p.mode
	n = &node{kind: nodeEmpty}
	switch {
	case p.eat("?:"):
	case p.eat("?="):
		n, fixed = &node{kind: nodeLook}, p.unicode
	case p.eat("?!"):
		n, fixed = &node{kind: nodeLook, negative: true}, p.unicode
	case p.eat("?<="):
		n, fixed = &node{kind: nodeLook, behind: true}, true
	case p.eat("?<!"):
		n, fixed = &node{kind: nodeLook, behind: true, negative: true}, true
	case p.eat("?<"):
		p.opened++
		n = &node{kind: nodeGroup, number: p.opened}
		p.declare(p.name(), n.number)
	case p.eat("?"):
		p.modifiers()
	default:
		p.opened++
		n = &node{kind: nodeGroup, number: p.opened}
	}
	inner := p.disjunction()
	if !p.eat(")") {
		p.fail("Unterminated group")
	}
	p.mode = before
	if n.kind == nodeEmpty {
		return inner, false
	}
	n.parts = []*node{inner}
	return n, fixed
}

// declare gives a group its name. Two groups can have the same one if at most one of them takes part in a match.
func (p *regexpReader) declare(name string, number int) {
	group := groupName{name, number, p.scope}
	inside := map[int]int{} // the disjunctions around it, and in which of their alternatives it is
	for s := p.scope; s != nil && len(p.byName[name]) > 0; s = s.outer {
		p.spend(1, 0)
		inside[s.disjunction] = s.alternative
	}
	for _, other := range p.byName[name] {
		apart := false
		for s := other.scope; s != nil && !apart; s = s.outer {
			p.spend(1, 0)
			alternative, both := inside[s.disjunction]
			apart = both && alternative != s.alternative
		}
		if !apart {
			p.fail("Duplicate capture group name")
		}
	}
	p.names = append(p.names, group)
	p.byName[name] = append(p.byName[name], group)
}

// modifiers reads i-ms: and the like.
func (p *regexpReader) modifiers() {
	var given []rune
	on := true
	for ; p.peek(0) != ':'; p.pos++ {
		c := p.peek(0)
		target := map[rune]*bool{'i': &p.mode.ignoreCase, 'm': &p.mode.multiline, 's': &p.mode.dotAll}[c]
		switch {
		case c == '-' && on:
			on = false
			continue
		case target == nil || slices.Contains(given, c):
			p.fail("Invalid group")
		}
		*target = on
		given = append(given, c)
	}
	if len(given) == 0 {
		p.fail("Invalid group")
	}
	p.pos++
}

// name reads the rest of <name>.
func (p *regexpReader) name() string {
	var name []rune
	for {
		c := p.peek(0)
		p.pos++
		switch {
		case c == '>' && len(name) > 0:
			return string(name)
		case c == '\\' && p.peek(0) == 'u':
			p.pos++
			var ok bool
			if c, ok = p.unit(true); !ok {
				p.fail("Invalid capture group name")
			}
		case utf16.IsSurrogate(c):
			if c = utf16.DecodeRune(c, p.peek(0)); c != utf8.RuneError {
				p.pos++
			}
		}
		if c < 0 || c == utf8.RuneError || !identifierPart(c, len(name) == 0) {
			p.fail("Invalid capture group name")
		}
		name = append(name, c)
	}
}

func identifierPart(c rune, first bool) bool {
	if c < 0x80 {
		return c == '$' || c == '_' || asciiLetter(c) || !first && c >= '0' && c <= '9'
	}
	if first {
		return binaryProperty("ID_Start").has(c)
	}
	return c == 0x200C || c == 0x200D || binaryProperty("ID_Continue").has(c)
}

// resolve finds the groups of a reference by name.
func (p *regexpReader) resolve(back *node) {
	if back.numbers = p.numbers[back.name]; back.numbers != nil {
		return
	}
	for _, group := range p.byName[back.name] {
		back.numbers = append(back.numbers, group.number)
	}
	if len(back.numbers) == 0 {
		p.fail("Invalid named capture referenced")
	}
	p.numbers[back.name] = back.numbers
}
