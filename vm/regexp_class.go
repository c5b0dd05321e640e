package vm

import (
	"maps"
	"slices"
)

// elements are what a class matches: characters, and with the flag v also texts of another length.
type elements struct {
	runes runeSet
	texts map[string]bool
	wordy bool // it is written as if it could have texts, whatever is left of them
}

// union collects what stands side by side in a class, and is joined once.
type union struct {
	elements
	shared map[*runeRange]bool // sets that are there already, such as that of \p{L}
}

// add adds a set. Those that setEscape gives are the same ones every time.
func (u *union) add(set runeSet) {
	if len(set) > 8 {
		if u.shared[&set[0]] {
			return
		}
		if u.shared == nil {
			u.shared = map[*runeRange]bool{}
		}
		u.shared[&set[0]] = true
	}
	u.runes = append(u.runes, set...)
}

func (u *union) addElements(more elements) {
	u.add(more.runes)
	if u.texts == nil && len(more.texts) > 0 {
		u.texts = map[string]bool{}
	}
	for text := range more.texts {
		u.texts[text] = true
	}
	u.wordy = u.wordy || more.wordy
}

// joined gives the set of all.
func (p *regexpReader) joined(u *union) runeSet {
	p.spend(len(u.runes), 0)
	return u.runes.tidy()
}

// class reads a class behind its [.
func (p *regexpReader) class() *node {
	if p.sets {
		all := p.setClass()
		p.made(all.runes)
		return p.elements(all)
	}
	inverted := p.eat("^")
	var all union
	for !p.eat("]") {
		p.spend(1, 0)
		if p.pos >= len(p.src) {
			p.fail("Unterminated character class")
		}
		low, single := p.member(&all)
		if p.peek(0) != '-' || p.peek(1) == ']' || p.peek(1) < 0 {
			if single {
				all.runes = append(all.runes, runeRange{low, low})
			}
			continue
		}
		p.pos++
		high, also := p.member(&all)
		switch {
		case single && also && low <= high:
			all.runes = append(all.runes, runeRange{low, high})
		case single && also:
			p.fail("Range out of order in character class")
		case p.unicode:
			p.fail("Invalid character class")
		default: // beside a set such as \d, a - stands for itself
			all.runes = append(all.runes, runeRange{'-', '-'})
			if single {
				all.runes = append(all.runes, runeRange{low, low})
			}
			if also {
				all.runes = append(all.runes, runeRange{high, high})
			}
		}
	}
	return p.one(p.made(p.joined(&all)), inverted)
}

// member reads one member of a class: a character, or a set, which it adds.
func (p *regexpReader) member(all *union) (c rune, single bool) {
	if !p.eat("\\") {
		p.pos++
		return p.src[p.pos-1], true
	}
	if more, ok := p.setEscape(); ok {
		all.add(more)
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
	var all union
	var less union // what is taken away
	operator := ""
	for count := 0; !p.eat("]"); count++ {
		p.spend(1, 0)
		if p.pos >= len(p.src) {
			p.fail("Unterminated character class")
		}
		if count == 1 && (p.has("&&") || p.has("--")) {
			operator = string(p.src[p.pos : p.pos+2])
			all.runes = p.joined(&all)
		}
		if operator != "" {
			if !p.eat(operator) || operator == "&&" && p.peek(0) == '&' {
				p.fail("Invalid set operation in character class")
			}
			if operand, _ := p.operand(); operator == "--" {
				less.addElements(operand)
			} else {
				all.elements = p.common(all.elements, operand)
			}
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
		all.addElements(operand)
	}
	switch operator {
	case "":
		all.runes = p.joined(&all)
	case "--":
		p.spend(len(all.runes), 0)
		all.runes = all.runes.without(p.joined(&less))
		maps.DeleteFunc(all.texts, func(text string, _ bool) bool { return less.texts[text] })
	}
	if inverted {
		if all.wordy {
			p.fail("Negated character class may contain strings")
		}
		all.runes = p.complement(all.runes)
	}
	return all.elements
}

// common gives what is in both.
func (p *regexpReader) common(a, b elements) elements {
	p.spend(len(a.runes)+len(b.runes)+len(a.texts), 0)
	maps.DeleteFunc(a.texts, func(text string, _ bool) bool { return !b.texts[text] })
	return elements{a.runes.and(b.runes), a.texts, a.wordy && b.wordy}
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
	all := union{elements: elements{texts: map[string]bool{}}}
	for {
		var text []rune
		for p.peek(0) != '|' && p.peek(0) != '}' {
			text = append(text, p.setCharacter())
		}
		p.spend(1+len(text), 0)
		if len(text) == 1 {
			all.add(p.folded(runeSet{{text[0], text[0]}}))
		} else {
			if p.mode.ignoreCase {
				for i, c := range text {
					text[i] = unicodeFold().of(c)
				}
			}
			all.texts[textOf(text)], all.wordy = true, true
		}
		p.pos++
		if p.src[p.pos-1] == '}' {
			all.runes = p.joined(&all)
			return all.elements
		}
	}
}

// elements gives the node of a class: its texts, the longest first, and its characters among them.
func (p *regexpReader) elements(set elements) *node {
	if len(set.texts) == 0 {
		return p.one(set.runes, false)
	}
	var texts [][]rune
	for _, text := range slices.Sorted(maps.Keys(set.texts)) {
		texts = append(texts, runesOf(text, true))
	}
	slices.SortStableFunc(texts, func(a, b []rune) int { return len(b) - len(a) })
	choice := &node{kind: nodeOne}
	characters := false
	for _, text := range texts {
		if len(text) == 0 { // the only one shorter than a character
			choice.parts = append(choice.parts, p.one(set.runes, false))
			characters = true
		}
		all := &node{kind: nodeAll}
		for _, c := range text {
			all.parts = append(all.parts, p.one(runeSet{{c, c}}, false))
		}
		choice.parts = append(choice.parts, all)
	}
	if !characters {
		choice.parts = append(choice.parts, p.one(set.runes, false))
	}
	return choice
}

// property reads what follows \p, up to its }.
func (p *regexpReader) property() string {
	if !p.eat("{") {
		p.fail("Invalid property name")
	}
	start := p.pos
	for p.peek(0) != '}' {
		if c := p.peek(0); c < 0 || c != '=' && c != '_' && !asciiLetter(c) && (c < '0' || c > '9') {
			p.fail("Invalid property name")
		}
		p.pos++
	}
	p.pos++
	return string(p.src[start : p.pos-1])
}
