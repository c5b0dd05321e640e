package vm

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Most of a text cannot start a match. Where it cannot is told by the pattern's first instructions, or by the characters that it can start with,
// and is passed over without executing anything.

// search notes what a match starts with.
func (w *regexpWriter) search(tree *node) {
	w.measure(tree)
	w.units = tree.units
	pc := 0
	for w.code[pc].op == opSave {
		pc++
	}
	w.anchored = w.code[pc].op == opStart && !w.code[pc].multiline
	narrow := true
	for ; w.code[pc].op == opChar || w.code[pc].op == opSave; pc++ {
		if i := &w.code[pc]; i.op == opChar {
			w.prefix = append(w.prefix, uint16(i.char))
			narrow = narrow && i.char < utf8.RuneSelf
		}
	}
	if narrow {
		var text strings.Builder
		for _, unit := range w.prefix {
			text.WriteByte(byte(unit))
		}
		w.ascii = text.String()
	}
	if set, empty, known := w.firsts(tree); known && !empty && w.prefix == nil {
		w.first = newMatchSet(set, false, nil)
	}
}

// candidate gives the first place from start on at which a match may start; -1 if there is none.
func (m *matcher) candidate(start int) int {
	switch {
	case m.prefix != nil && m.wide == nil:
		if m.ascii == "" {
			return -1 // it starts with what no text in ASCII has
		}
		if at := strings.Index(m.narrow[start:], m.ascii); at >= 0 {
			return start + at
		}
		return -1
	case m.prefix != nil:
		for rest := start; rest < m.size; rest += checkEvery {
			if at := slices.Index(m.wide[rest:min(rest+checkEvery, m.size)], m.prefix[0]); at >= 0 {
				return rest + at
			}
			if !m.mayGoOn(checkEvery / 8) {
				return -1
			}
		}
		return -1
	case m.first == nil:
		return start
	}
	for passed := 1; start < m.size; start, passed = start+1, passed+1 {
		if passed%checkEvery == 0 && !m.mayGoOn(checkEvery/4) {
			return -1
		}
		if m.first.has(m.peek(start)) || m.unicode && m.pairAt(start-1) {
			return start
		}
		if m.unicode && m.pairAt(start) {
			start++
		}
	}
	return -1
}

// find looks for a match from start on, or just at start. It gives the places where the groups start and end, -1 for those that
// took no part, until it is called again; nil if there is no match.
func (m *matcher) find(start int, sticky bool) ([]int32, error) {
	m.reset()
	for start <= m.size {
		if m.size-start < m.units-1 { // it may start one unit before
			return nil, nil
		}
		if !sticky && !m.anchored {
			if start = m.candidate(start); start < 0 {
				return nil, m.err
			}
		}
		at := start
		if m.unicode && m.pairAt(start-1) {
			at-- // an index in the middle of a character means the character
		}
		if m.anchored && at > 0 || m.size-at < m.units {
			return nil, nil
		}
		// A run that fails leaves no trace.
		if m.run(at) {
			m.captures[0] = int32(start)
			return m.captures, nil
		}
		if sticky || m.err != nil {
			return nil, m.err
		}
		if m.unicode && m.pairAt(start) {
			start++
		}
		start++
	}
	return nil, nil
}

// mostUnits is more than any text has.
const mostUnits = 1 << 30

// measure says of a part whether it can match the empty text, whether it never matches anything else (it stands still), and how many units
// it takes at least.
func (w *regexpWriter) measure(n *node) {
	if n.measured {
		return
	}
	n.measured = true
	for _, part := range n.parts {
		w.measure(part)
	}
	all := func(is func(*node) bool) bool {
		return !slices.ContainsFunc(n.parts, func(part *node) bool { return !is(part) })
	}
	nullable := func(part *node) bool { return part.nullable }
	still := func(part *node) bool { return part.still }
	switch n.kind {
	case nodeSet:
		n.units = 1
	case nodeAll, nodeGroup:
		n.nullable, n.still = all(nullable), all(still)
		for _, part := range n.parts {
			n.units = min(n.units+part.units, mostUnits)
		}
	case nodeOne:
		n.nullable, n.still = slices.ContainsFunc(n.parts, nullable), all(still)
		n.units = mostUnits
		for _, part := range n.parts {
			n.units = min(n.units, part.units)
		}
	case nodeRepeat:
		n.nullable, n.still = n.least == 0 || all(nullable), n.most == 0 || all(still)
		if n.units = mostUnits; n.parts[0].units == 0 || n.least <= mostUnits/n.parts[0].units {
			n.units = n.least * n.parts[0].units
		}
	case nodeBack:
		n.nullable = true
	default: // it looks only, or is empty
		n.nullable, n.still = true, true
	}
}

// firsts gives the characters that a match can start with, and whether it can be empty. It is not known if letter case or what
// is captured matters, or would take long to tell.
func (w *regexpWriter) firsts(n *node) (set runeSet, empty, known bool) {
	const most = 200
	w.spend(1+len(n.parts), 0)
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
			w.spend(len(more)+len(set), 0)
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
			w.spend(len(more)+len(set), 0)
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
