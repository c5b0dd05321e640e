package vm

import (
	"strconv"
	"strings"
)

// term is what matters of a part of a pattern when it repeats.
type term struct {
	nullable bool // it can match the empty text
	captures bool // it holds a group that captures
	loose    bool // one of these may be left out while the term matches, or is referred to before it is set
	shy      bool // it may match the empty text although it could match more
	fixed    bool // it cannot have a quantifier
}

// group is a group that is not closed yet. The fields of a term are those of what was read of it.
type group struct {
	opened   string // what opened it, such as (?=
	number   string // of a capturing group
	name     string
	nullable bool // the alternative that is being read, so far
	captures bool
	loose    bool
	shy      bool
	parted   bool // it has several alternatives
	empty    bool // one of those before the last can be empty
}

func (p *patternWriter) top() *group { return &p.groups[len(p.groups)-1] }

func (g *group) add(t term) {
	g.nullable = g.nullable && t.nullable
	g.captures = g.captures || t.captures
	g.loose = g.loose || t.loose
	g.shy = g.shy || t.shy
}

// alternative ends one alternative; another one follows.
func (g *group) alternative() {
	g.parted = true
	g.empty = g.empty || g.nullable
	g.nullable = true
}

// open reads what opens a group.
func (p *patternWriter) open() {
	opened := "("
	for _, kind := range []string{"(?:", "(?=", "(?!", "(?<=", "(?<!"} {
		if p.has(kind) {
			opened = kind
		}
	}
	switch {
	case opened != "(" || !p.has("(?"):
	case p.has("(?<"):
		name, _, found := strings.Cut(p.src[p.pos+3:], ">")
		if !found || name == "" || p.names[name] {
			p.syntax("a group needs a name of its own, as in (?<name>…)")
			return
		}
		p.names[name] = true
		p.out.WriteString("(?<" + name + ">")
		p.pos += len(name) + 4
		p.push(group{opened: opened, name: name})
		return
	default:
		p.syntax("Invalid group")
		return
	}
	p.out.WriteString(opened)
	p.pos += len(opened)
	p.push(group{opened: opened})
}

func (p *patternWriter) push(g group) {
	g.nullable = true
	if g.opened == "(" {
		p.opened++
		g.number = strconv.Itoa(p.opened)
	}
	p.groups = append(p.groups, g)
}

// close reads the end of a group.
func (p *patternWriter) close() {
	if len(p.groups) == 1 {
		p.syntax("Unmatched ')'")
		return
	}
	g := *p.top()
	p.groups = p.groups[:len(p.groups)-1]
	p.pos++
	p.out.WriteByte(')')
	t := term{nullable: g.nullable || g.empty, captures: g.captures, loose: g.loose || g.parted && g.captures, shy: g.shy || g.empty}
	switch g.opened {
	case "(":
		t.captures = true
		p.closed[g.number], p.closed[g.name] = true, true
	case "(?=":
		p.looked = p.looked || g.captures
		t.nullable, t.shy, t.fixed = true, false, p.unicode
	case "(?!":
		t = term{nullable: true, fixed: p.unicode} // what is in it never captures
	case "(?<=":
		p.looked = p.looked || g.captures
		t.nullable, t.shy, t.fixed = true, false, true
	case "(?<!":
		t = term{nullable: true, fixed: true}
	}
	p.quantify(t)
}

// quantify reads the quantifier of a term, if it has one, and refuses it where the engine gets captures or empty rounds wrong.
// ECMAScript forgets, at the start of each round, what the term captured; the engine keeps it. And ECMAScript
// takes no round that is empty unless it has to: it tries what else the term can match; the engine ends there.
func (p *patternWriter) quantify(t term) {
	least, most, size := 1, 1, 0
	switch {
	case p.has("*"):
		least, most, size = 0, -1, 1
	case p.has("+"):
		least, most, size = 1, -1, 1
	case p.has("?"):
		least, most, size = 0, 1, 1
	case p.has("{"):
		least, most, size = p.braces()
	}
	if size == 0 {
		p.top().add(t)
		return
	}
	p.choices = true
	if t.fixed {
		p.syntax("there is nothing to repeat before %s", p.src[p.pos:p.pos+size])
		return
	}
	lazy := strings.HasPrefix(p.src[p.pos+size:], "?")
	if lazy {
		size++
	}
	switch {
	case most != 1 && most != 0 && t.loose:
		p.unsupported("a regular expression in which a group repeats, and holds a capture that not every round sets: not supported here; " +
			"write (?:…) for every group whose text is not needed")
	case least != most && t.nullable && (t.captures || t.shy):
		p.unsupported("a regular expression in which a group can be empty, and is optional or repeats: not supported here if it captures or tries the empty text first; " +
			"leave out its quantifier, or see that it cannot be empty")
	}
	p.out.WriteString(p.src[p.pos : p.pos+size])
	p.pos += size
	p.top().add(term{
		nullable: t.nullable || least == 0, captures: t.captures,
		loose: t.loose || least == 0 && t.captures, shy: t.shy || lazy && least == 0,
	})
}
