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
	names     []groupName
	unicode   bool
	fold      *fold
	first     *matchSet // what a match starts with; nil if that is not known, or a match can be empty
}

// matchSet is a set made for looking up.
type matchSet struct {
	low      [4]uint64 // a bit for each of the first 256 characters
	set      runeSet
	inverted bool
	folded   *fold // set has canonical forms
}

func newMatchSet(set runeSet, inverted bool, folded *fold) *matchSet {
	s := &matchSet{set: set, inverted: inverted, folded: folded}
	for c := range rune(256) {
		if s.find(c) {
			s.low[c>>6] |= 1 << (c & 63)
		}
	}
	return s
}

func (s *matchSet) find(c rune) bool {
	if s.folded != nil {
		c = s.folded.of(c)
	}
	return s.set.has(c) != s.inverted
}

func (s *matchSet) has(c rune) bool {
	if c < 256 {
		return s.low[c>>6]&(1<<(c&63)) != 0
	}
	return s.find(c)
}

// regexpWriter makes instructions of a tree.
type regexpWriter struct{ regexpProgram }

// compileRegExp reads a pattern and makes a program of it. Source is WTF-8; flags are valid.
func compileRegExp(source, flags string) (*regexpProgram, *refused) {
	p := &regexpReader{
		mode: regexpMode{strings.Contains(flags, "i"), strings.Contains(flags, "m"), strings.Contains(flags, "s")},
		sets: strings.Contains(flags, "v"), unicode: strings.ContainsAny(flags, "uv"),
	}
	tree, bad := readRegExp(source, p)
	if bad != nil {
		return nil, bad
	}
	w := &regexpWriter{regexpProgram{groups: p.opened + 1, names: p.names, unicode: p.unicode}}
	if strings.Contains(flags, "i") || strings.Contains(source, "(?") {
		w.fold = upperFold()
		if p.unicode {
			w.fold = unicodeFold()
		}
	}
	w.node(tree, false)
	w.emit(instruction{op: opMatch})
	if set, empty, known := w.firsts(tree); known && !empty {
		w.first = newMatchSet(set, false, nil)
	}
	return &w.regexpProgram, nil
}

func (w *regexpWriter) emit(i instruction) int {
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
		w.emit(instruction{op: opWord, negative: n.negative, set: newMatchSet(wordsOf(n.mode, w.unicode), false, nil)})
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
	if n.mode.ignoreCase {
		return newMatchSet(w.fold.set(n.set), n.inverted, w.fold)
	}
	return newMatchSet(n.set, n.inverted, nil)
}

// repeat makes a loop. Each round forgets what the one before captured, and a round that is empty, and not needed, fails.
func (w *regexpWriter) repeat(n *node, back bool) {
	part := n.parts[0]
	switch {
	case n.most == 0:
		return
	case n.least == 1 && n.most == 1:
		w.node(part, back)
		return
	case part.kind == nodeSet && !back && !n.lazy:
		w.emit(instruction{op: opRun, set: w.matchSet(part), least: n.least, most: n.most})
		return
	}
	empty := w.nullable(part)
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

// nullable says whether n may match the empty text.
func (w *regexpWriter) nullable(n *node) bool {
	switch n.kind {
	case nodeSet:
		return false
	case nodeAll:
		for _, part := range n.parts {
			if !w.nullable(part) {
				return false
			}
		}
		return true
	case nodeOne:
		for _, part := range n.parts {
			if w.nullable(part) {
				return true
			}
		}
		return false
	case nodeGroup:
		return w.nullable(n.parts[0])
	case nodeRepeat:
		return n.least == 0 || w.nullable(n.parts[0])
	}
	return true
}

// firsts gives the characters that a match can start with, and whether it can be empty. It is not known if letter case or what
// is captured matters, or would take long to tell.
func (w *regexpWriter) firsts(n *node) (set runeSet, empty, known bool) {
	const most = 200
	switch n.kind {
	case nodeSet:
		if n.mode.ignoreCase || len(n.set) > most {
			return nil, false, false
		}
		if n.inverted {
			return n.set.not(), false, true
		}
		return n.set, false, true
	case nodeAll:
		for _, part := range n.parts {
			more, empty, known := w.firsts(part)
			if !known {
				return nil, false, false
			}
			if set = set.with(more); !empty {
				return set, false, true
			}
			if len(set) > most {
				return nil, false, false
			}
		}
		return set, true, true
	case nodeOne:
		for _, part := range n.parts {
			more, nothing, known := w.firsts(part)
			if !known || len(set) > most {
				return nil, false, false
			}
			set, empty = set.with(more), empty || nothing
		}
		return set, empty, true
	case nodeGroup:
		return w.firsts(n.parts[0])
	case nodeRepeat:
		if n.most == 0 {
			return nil, true, true
		}
		set, empty, known = w.firsts(n.parts[0])
		return set, empty || n.least == 0, known
	case nodeBack:
		return nil, false, false
	}
	return nil, true, true // it looks only, or is empty
}
