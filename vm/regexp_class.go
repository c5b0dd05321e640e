package vm

import (
	"slices"
	"strings"
)

// elements are what a class matches: characters, and with the flag v also texts of another length.
type elements struct {
	runes runeSet
	texts []string
	wordy bool // it is written as if it could have texts, whatever is left of them
}

// class reads a class behind its [.
func (p *regexpReader) class() *node {
	if p.sets {
		return p.elements(p.setClass())
	}
	inverted := p.eat("^")
	var set runeSet
	for !p.eat("]") {
		if p.pos >= len(p.src) {
			p.fail("Unterminated character class")
		}
		low, single := p.member(&set)
		if p.peek(0) != '-' || p.peek(1) == ']' || p.peek(1) < 0 {
			if single {
				set = append(set, runeRange{low, low})
			}
			continue
		}
		p.pos++
		high, also := p.member(&set)
		switch {
		case single && also && low <= high:
			set = append(set, runeRange{low, high})
		case single && also:
			p.fail("Range out of order in character class")
		case p.unicode:
			p.fail("Invalid character class")
		default: // beside a set such as \d, a - stands for itself
			set = append(set, runeRange{'-', '-'})
			if single {
				set = append(set, runeRange{low, low})
			}
			if also {
				set = append(set, runeRange{high, high})
			}
		}
	}
	return p.one(set.tidy(), inverted)
}

// member reads one member of a class: a character, or a set, which it adds.
func (p *regexpReader) member(set *runeSet) (c rune, single bool) {
	if !p.eat("\\") {
		p.pos++
		return p.src[p.pos-1], true
	}
	if more, ok := p.setEscape(); ok {
		*set = append(*set, more...)
		return 0, false
	}
	return p.character(true), true
}

// setClass reads a class with the flag v: a union, or operands with && or -- between them.
func (p *regexpReader) setClass() elements {
	if p.depth++; p.depth > maxGroups {
		p.fail("classes nest too deep")
	}
	defer func() { p.depth-- }()
	inverted := p.eat("^")
	var all elements
	operator := ""
	for count := 0; !p.eat("]"); count++ {
		if p.pos >= len(p.src) {
			p.fail("Unterminated character class")
		}
		if count == 1 && (p.has("&&") || p.has("--")) {
			operator = string(p.src[p.pos : p.pos+2])
		}
		if operator != "" {
			if !p.eat(operator) || operator == "&&" && p.peek(0) == '&' {
				p.fail("Invalid set operation in character class")
			}
			operand, _ := p.operand()
			all = combine(all, operand, operator)
			continue
		}
		operand, c := p.operand()
		if p.peek(0) == '-' && p.peek(1) != '-' {
			p.pos++
			high := rune(-1)
			if p.peek(0) >= 0 {
				_, high = p.operand()
			}
			if c < 0 || high < c {
				p.fail("Range out of order in character class")
			}
			operand = elements{runes: p.folded(runeSet{{c, high}})}
			count++ // a range is no operand of an operator
		}
		all = combine(all, operand, "")
	}
	if inverted {
		if all.wordy {
			p.fail("Negated character class may contain strings")
		}
		all.runes = p.complement(all.runes)
	}
	return all
}

// combine joins two operands; operator is &&, -- or nothing for both together.
func combine(a, b elements, operator string) elements {
	in := func(text string) bool { return slices.Contains(b.texts, text) }
	switch operator {
	case "&&":
		return elements{a.runes.and(b.runes), slices.DeleteFunc(slices.Clone(a.texts), func(t string) bool { return !in(t) }), a.wordy && b.wordy}
	case "--":
		return elements{a.runes.without(b.runes), slices.DeleteFunc(slices.Clone(a.texts), in), a.wordy}
	}
	return elements{a.runes.with(b.runes), append(slices.DeleteFunc(slices.Clone(a.texts), in), b.texts...), a.wordy || b.wordy}
}

// operand reads an operand of a class with the flag v. c is -1 if it is not a single character.
func (p *regexpReader) operand() (set elements, c rune) {
	switch {
	case p.eat("["):
		return p.setClass(), -1
	case p.eat("\\q{"):
		return p.texts(), -1
	case p.has("\\p") || p.has("\\P") || p.has("\\d") || p.has("\\D") || p.has("\\s") || p.has("\\S") || p.has("\\w") || p.has("\\W"):
		p.pos++
		set, _ := p.setEscape()
		return elements{runes: p.folded(set)}, -1
	}
	c = p.setCharacter()
	return elements{runes: p.folded(runeSet{{c, c}})}, c
}

// setCharacter reads one character of a class with the flag v.
func (p *regexpReader) setCharacter() rune {
	c := p.peek(0)
	switch {
	case c < 0:
		p.fail("Unterminated character class")
	case c == '\\' && p.peek(1) >= 0 && indexRune("&-!#%,:;<=>@`~", p.peek(1)):
		p.pos += 2
		return p.src[p.pos-1]
	case c == '\\':
		p.pos++
		return p.character(true)
	case indexRune("()[]{}/-|", c), c == p.peek(1) && indexRune("&!#$%*+,.:;<=>?@^`~", c):
		p.fail("Invalid character in character class")
	}
	p.pos++
	return c
}

// texts reads the alternatives of \q{…}.
func (p *regexpReader) texts() elements {
	var all elements
	for {
		var text []rune
		for p.peek(0) != '|' && p.peek(0) != '}' {
			text = append(text, p.setCharacter())
		}
		if len(text) == 1 {
			all.runes = all.runes.with(p.folded(runeSet{{text[0], text[0]}}))
		} else {
			if p.mode.ignoreCase {
				for i, c := range text {
					text[i] = unicodeFold().of(c)
				}
			}
			all = combine(all, elements{texts: []string{textOf(text)}, wordy: true}, "")
		}
		p.pos++
		if p.src[p.pos-1] == '}' {
			return all
		}
	}
}

// elements gives the node of a class: its texts, the longest first, and its characters among them.
func (p *regexpReader) elements(set elements) *node {
	if len(set.texts) == 0 {
		return p.one(set.runes, false)
	}
	texts := slices.Clone(set.texts)
	slices.SortStableFunc(texts, func(a, b string) int { return len(runesOf(b, true)) - len(runesOf(a, true)) })
	choice := &node{kind: nodeOne}
	add := func(text string) {
		all := &node{kind: nodeAll}
		for _, c := range runesOf(text, true) {
			all.parts = append(all.parts, p.one(runeSet{{c, c}}, false))
		}
		choice.parts = append(choice.parts, all)
	}
	for _, text := range texts {
		if text != "" {
			add(text)
		}
	}
	choice.parts = append(choice.parts, p.one(set.runes, false))
	if slices.Contains(texts, "") {
		add("")
	}
	return choice
}

// property reads what follows \p, up to its }.
func (p *regexpReader) property() runeSet {
	if !p.eat("{") {
		p.fail("Invalid property name")
	}
	var text strings.Builder
	for p.peek(0) != '}' {
		c := p.peek(0)
		if c < 0 || c != '=' && c != '_' && !asciiLetter(c) && (c < '0' || c > '9') {
			p.fail("Invalid property name")
		}
		text.WriteRune(c)
		p.pos++
	}
	p.pos++
	name, value, given := strings.Cut(text.String(), "=")
	set, bad := propertySet(name, value, given)
	if bad != "" {
		panic(badPattern{refusedf(codeUnsupported, "\\p{%s} in a regular expression: %s", clip(text.String(), 80), bad)})
	}
	if set == nil {
		p.fail("Invalid property name")
	}
	return set
}
