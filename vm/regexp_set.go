package vm

import (
	"slices"
	"unicode"
)

const lastRune = unicode.MaxRune

// runeSet is a set of characters: ranges in order that neither overlap nor touch. Functions never change what they are given.
type runeSet []runeRange

type runeRange struct{ low, high rune }

var allRunes = runeSet{{0, lastRune}}

// setOf makes a set of ranges in any order: pairs of the first and the last character.
func setOf(pairs ...rune) runeSet {
	set := make(runeSet, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		set = append(set, runeRange{pairs[i], pairs[i+1]})
	}
	return set.tidy()
}

// tidy puts the ranges in order and joins them, in place.
func (s runeSet) tidy() runeSet {
	slices.SortFunc(s, func(a, b runeRange) int { return int(a.low - b.low) })
	out := s[:0]
	for _, r := range s {
		if last := len(out) - 1; last >= 0 && r.low <= out[last].high+1 {
			out[last].high = max(out[last].high, r.high)
			continue
		}
		out = append(out, r)
	}
	return out
}

// with joins two sets. Like all operations it goes through both once.
func (s runeSet) with(other runeSet) runeSet {
	out := make(runeSet, 0, len(s)+len(other))
	for len(s) > 0 || len(other) > 0 {
		var r runeRange
		if len(other) == 0 || len(s) > 0 && s[0].low <= other[0].low {
			r, s = s[0], s[1:]
		} else {
			r, other = other[0], other[1:]
		}
		if last := len(out) - 1; last >= 0 && r.low <= out[last].high+1 {
			out[last].high = max(out[last].high, r.high)
		} else {
			out = append(out, r)
		}
	}
	return out
}

func (s runeSet) not() runeSet {
	var out runeSet
	next := rune(0)
	for _, r := range s {
		if r.low > next {
			out = append(out, runeRange{next, r.low - 1})
		}
		next = r.high + 1
	}
	if next <= lastRune {
		out = append(out, runeRange{next, lastRune})
	}
	return out
}

func (s runeSet) without(other runeSet) runeSet { return s.and(other.not()) }

func (s runeSet) and(other runeSet) runeSet {
	var out runeSet
	for len(s) > 0 && len(other) > 0 {
		if low, high := max(s[0].low, other[0].low), min(s[0].high, other[0].high); low <= high {
			out = append(out, runeRange{low, high})
		}
		if s[0].high < other[0].high {
			s = s[1:]
		} else {
			other = other[1:]
		}
	}
	return out
}

func (s runeSet) has(c rune) bool {
	low, high := 0, len(s)
	for low < high {
		middle := int(uint(low+high) >> 1)
		switch r := s[middle]; {
		case c < r.low:
			high = middle
		case c > r.high:
			low = middle + 1
		default:
			return true
		}
	}
	return false
}

// fromTables joins Go's tables to a set.
func fromTables(tables ...*unicode.RangeTable) runeSet {
	var set runeSet
	add := func(low, high, stride rune) {
		if stride == 1 {
			set = append(set, runeRange{low, high})
			return
		}
		for c := low; c <= high; c += stride {
			set = append(set, runeRange{c, c})
		}
	}
	for _, table := range tables {
		for _, r := range table.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return set.tidy()
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

var (
	digitSet   = setOf('0', '9')
	wordSet    = setOf('0', '9', 'A', 'Z', 'a', 'z', '_', '_')
	lineEndSet = setOf('\n', '\n', '\r', '\r', 0x2028, 0x2029)
	dotSet     = lineEndSet.not()
	// White space and line ends of ECMA-262 12.2 and 12.3.
	spaceSet = fromTables(unicode.Zs).with(setOf('\t', '\r', 0x2028, 0x2029, 0xFEFF, 0xFEFF))
)
