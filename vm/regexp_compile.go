package vm

import "strings"

type opcode uint8

const (
	opChar  opcode = iota // one unit that is char
	opSet                 // one character of set
	opStart               // ^
	opEnd                 // $
	opWord                // \b; \B if negative
	opSplit               // goes on; if that fails, to target
	opLazy                // goes to target; if that fails, on
	opJump                // to target
	opSave                // the place in slot
	opReset               // forgets the captures first <= number < last
	opCount               // sets register to 0
	opMore                // goes on with another round of a counted loop, or to target, or first the one and then the other
	opRound               // counts the round in register
	opEnter               // notes in register where a round starts
	opEmpty               // fails if a round was empty
	opLook                // starts a lookaround; if negative, target follows when it fails
	opFound               // ends one
	opBack                // what one of groups captured
	opRun                 // least to most characters of set, as many as possible, forward
	opMatch
)

type instruction struct {
	op          opcode
	back        bool // reads from right to left
	negative    bool
	lazy        bool
	counted     bool
	ignoreCase  bool
	multiline   bool
	char        rune
	target      int
	slot        int // of a capture, or the register
	first, last int
	least, most int // most is -1 if there is no limit
	groups      []int
	set         *matchSet
}

// regexpProgram executes a pattern.
type regexpProgram struct {
	code      []instruction
	groups    int // with the whole match
	registers int
	names     []groupNumbers
	unicode   bool
	fold      *fold
	bytes     int // that it takes, about

	// What a match starts with (regexp_search.go).
	first    *matchSet // nil if that is not known, or a match can be empty
	prefix   []uint16
	ascii    string // prefix, if it is ASCII
	anchored bool   // at the start of the text, or not at all
	units    int    // that a match takes at least
}

// regexpWriter makes instructions of a tree.
type regexpWriter struct {
	*effort
	regexpProgram
	sets map[setUse]*matchSet
}

// setUse is a set in a pattern. The same one is often there many times.
type setUse struct {
	first                *runeRange   // unless small says it all
	small                [4]runeRange // of a set with so few ranges
	size                 int
	inverted, ignoreCase bool
}

// compileRegExp reads a pattern and makes a program of it. Source is WTF-8; flags are valid.
func compileRegExp(source, flags string, e *effort) (program *regexpProgram, bad *refused) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case badPattern:
			bad = x.refused
		default:
			panic(x)
		}
	}()
	before := e.bytes
	e.spend(1, bytesOfExpression+3*len(source))
	p := &regexpReader{
		effort: e,
		mode:   regexpMode{strings.Contains(flags, "i"), strings.Contains(flags, "m"), strings.Contains(flags, "s")},
		sets:   strings.Contains(flags, "v"), unicode: strings.ContainsAny(flags, "uv"),
	}
	tree := p.read(source)
	w := &regexpWriter{effort: e, regexpProgram: regexpProgram{groups: p.opened + 1, names: namesOf(p.names), unicode: p.unicode}, sets: map[setUse]*matchSet{}}
	if strings.Contains(flags, "i") || strings.Contains(source, "(?") {
		w.fold = upperFold()
		if p.unicode {
			w.fold = unicodeFold()
		}
	}
	w.node(tree, false)
	w.emit(instruction{op: opMatch})
	w.search(tree)
	program = &w.regexpProgram
	program.bytes = before - e.bytes
	return program, nil
}

// groupNumbers are the groups of a name. At most one of them takes part in a match.
type groupNumbers struct {
	name    string
	numbers []int
}

func namesOf(groups []groupName) (names []groupNumbers) {
	at := map[string]int{}
	for _, group := range groups {
		i, known := at[group.name]
		if !known {
			i = len(names)
			at[group.name] = i
			names = append(names, groupNumbers{name: group.name})
		}
		names[i].numbers = append(names[i].numbers, group.number)
	}
	return names
}

func (w *regexpWriter) emit(i instruction) int {
	w.spend(1, bytesOfInstruction)
	w.code = append(w.code, i)
	return len(w.code) - 1
}

func (w *regexpWriter) here(at int) { w.code[at].target = len(w.code) }

func (w *regexpWriter) register(n int) int {
	w.registers += n
	return w.registers - n
}

func (w *regexpWriter) node(n *node, back bool) {
	switch n.kind {
	case nodeEmpty:
	case nodeSet:
		w.set(n, back)
	case nodeAll:
		for i := range n.parts {
			if back {
				i = len(n.parts) - 1 - i
			}
			w.node(n.parts[i], back)
		}
	case nodeOne:
		var ends []int
		for i, part := range n.parts {
			if i == len(n.parts)-1 {
				w.node(part, back)
				break
			}
			split := w.emit(instruction{op: opSplit})
			w.node(part, back)
			ends = append(ends, w.emit(instruction{op: opJump}))
			w.here(split)
		}
		for _, end := range ends {
			w.here(end)
		}
	case nodeGroup:
		before, after := 2*n.number, 2*n.number+1
		if back {
			before, after = after, before
		}
		w.emit(instruction{op: opSave, slot: before})
		w.node(n.parts[0], back)
		w.emit(instruction{op: opSave, slot: after})
	case nodeRepeat:
		w.repeat(n, back)
	case nodeLook:
		start := w.emit(instruction{op: opLook, slot: w.register(2), negative: n.negative})
		w.node(n.parts[0], n.behind)
		w.emit(instruction{op: opFound, slot: w.code[start].slot, negative: n.negative})
		w.here(start)
	case nodeBack:
		w.emit(instruction{op: opBack, groups: n.numbers, back: back, ignoreCase: n.mode.ignoreCase})
	case nodeStart:
		w.emit(instruction{op: opStart, multiline: n.mode.multiline})
	case nodeEnd:
		w.emit(instruction{op: opEnd, multiline: n.mode.multiline})
	case nodeWord:
		words := &node{kind: nodeSet, set: wordsOf(n.mode, w.unicode)}
		w.emit(instruction{op: opWord, negative: n.negative, set: w.matchSet(words)})
	}
}

// set matches one character. With the flag i, a character matches if its canonical form is the canonical form of one in the set.
func (w *regexpWriter) set(n *node, back bool) {
	if c := n.set; len(c) == 1 && c[0].low == c[0].high && !n.inverted && c[0].low <= 0xFFFF && !(w.unicode && c[0].low >= 0xD800 && c[0].low <= 0xDFFF) &&
		(!n.mode.ignoreCase || len(w.fold.members[w.fold.of(c[0].low)]) == 0) {
		w.emit(instruction{op: opChar, char: c[0].low, back: back})
		return
	}
	w.emit(instruction{op: opSet, set: w.matchSet(n), back: back})
}

func (w *regexpWriter) matchSet(n *node) *matchSet {
	use := setUse{size: len(n.set), inverted: n.inverted, ignoreCase: n.mode.ignoreCase}
	if copy(use.small[:], n.set) < len(n.set) {
		use.first = &n.set[0]
	}
	if known := w.sets[use]; known != nil {
		return known
	}
	set, fold := n.set, (*fold)(nil)
	w.spend(256, bytesOfMatchSet)
	if n.mode.ignoreCase {
		w.spend(w.fold.within(set), 0)
		set, fold = w.made(w.fold.set(set)), w.fold
	}
	w.sets[use] = newMatchSet(set, n.inverted, fold)
	return w.sets[use]
}

// repeat makes a loop. Each round forgets what the one before captured, and a round that is empty, and not needed, fails.
func (w *regexpWriter) repeat(n *node, back bool) {
	part := n.parts[0]
	w.measure(part)
	switch {
	case n.most == 0:
		return
	case n.least == 1 && n.most == 1, n.least > 0 && part.still:
		w.node(part, back) // what only looks finds the same again
		return
	case part.kind == nodeSet && !back && !n.lazy:
		w.emit(instruction{op: opRun, set: w.matchSet(part), least: n.least, most: n.most})
		return
	}
	empty := part.nullable
	counted := n.least > 0 || n.most > 1
	register := w.register(2)
	again := len(w.code)
	switch {
	case counted:
		w.emit(instruction{op: opCount, slot: register})
		again = w.emit(instruction{op: opMore, slot: register, least: n.least, most: n.most, lazy: n.lazy})
		w.emit(instruction{op: opRound, slot: register})
	case n.lazy:
		w.emit(instruction{op: opLazy})
	default:
		w.emit(instruction{op: opSplit})
	}
	if n.first < n.last {
		w.emit(instruction{op: opReset, first: n.first, last: n.last})
	}
	if empty {
		w.emit(instruction{op: opEnter, slot: register + 1})
	}
	w.node(part, back)
	if empty {
		w.emit(instruction{op: opEmpty, slot: register, counted: counted, least: n.least})
	}
	if counted || n.most < 0 {
		w.emit(instruction{op: opJump, target: again})
	}
	w.here(again)
}
