package vm

import (
	"slices"
	"sync"
	"unicode"
)

// fold says which characters match each other with the flag i (ECMA-262 22.2.2.7.3): with u or v by Unicode's simple case
// folding, without by the upper case of each 16-bit unit on its own.
type fold struct {
	canonical map[rune]rune   // of every character that is not its own canonical form
	members   map[rune][]rune // the others, by the canonical form of them all
	ordered   []rune          // those that are not their own, in order
}

func newFold() *fold { return &fold{canonical: map[rune]rune{}, members: map[rune][]rune{}} }

func (f *fold) add(c, canonical rune) {
	if _, known := f.canonical[c]; !known {
		at, _ := slices.BinarySearch(f.ordered, c)
		f.ordered = slices.Insert(f.ordered, at, c)
	}
	f.canonical[c] = canonical
	f.members[canonical] = append(f.members[canonical], c)
}

// of gives the canonical form.
func (f *fold) of(c rune) rune {
	if to, other := f.canonical[c]; other {
		return to
	}
	return c
}

// set gives the canonical forms of a set's characters.
func (f *fold) set(s runeSet) runeSet {
	if len(s) == 1 && s[0].low == s[0].high {
		return runeSet{{f.of(s[0].low), f.of(s[0].low)}}
	}
	var drop, add runeSet
	for _, r := range s {
		at, _ := slices.BinarySearch(f.ordered, r.low)
		for ; at < len(f.ordered) && f.ordered[at] <= r.high; at++ {
			from := f.ordered[at]
			to := f.canonical[from]
			drop, add = append(drop, runeRange{from, from}), append(add, runeRange{to, to})
		}
	}
	if drop == nil {
		return s
	}
	return s.without(drop.tidy()).with(add.tidy())
}

// within says how many steps set takes.
func (f *fold) within(s runeSet) int {
	steps := len(s)
	for _, r := range s {
		if r.low < r.high {
			from, _ := slices.BinarySearch(f.ordered, r.low)
			to, _ := slices.BinarySearch(f.ordered, r.high)
			steps += to - from
		}
	}
	return steps
}

// everyone gives the characters whose canonical form is in s.
func (f *fold) everyone(s runeSet) runeSet {
	var drop, add runeSet
	for from, to := range f.canonical {
		if s.has(to) {
			add = append(add, runeRange{from, from})
		} else {
			drop = append(drop, runeRange{from, from})
		}
	}
	return s.without(drop.tidy()).with(add.tidy())
}

// unicodeFold is simple case folding. Its canonical form is the first character of those that fold together, which is as good as any.
var unicodeFold = sync.OnceValue(func() *fold {
	f := newFold()
	eachCased(func(c rune) {
		if c == 0x130 || c == 0x131 {
			return // they fold in Turkic languages only
		}
		first := c
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			if other != 0x130 && other != 0x131 {
				first = min(first, other)
			}
		}
		if first != c {
			f.add(c, first)
		}
	})
	for _, pair := range laterFolds {
		f.add(max(pair[0], pair[1]), min(pair[0], pair[1]))
	}
	return f
})

// laterFolds fold together since Unicode 15.1.
var laterFolds = [][2]rune{{0x0390, 0x1FD3}, {0x03B0, 0x1FE3}, {0xFB05, 0xFB06}}

// upperFold is the upper case of units. A letter stays as it is if its upper case is not one unit, or is ASCII's and it is not.
var upperFold = sync.OnceValue(func() *fold {
	f := newFold()
	eachCased(func(c rune) {
		upper := unicode.ToUpper(c)
		if upper == c || c > 0xFFFF || upper > 0xFFFF || c >= 0x80 && upper < 0x80 || longUpper.has(c) {
			return
		}
		f.add(c, upper)
	})
	return f
})

// longUpper are letters that have an upper case of one letter, but an upper case text of several, which counts (SpecialCasing.txt).
var longUpper = setOf(0x1F80, 0x1F87, 0x1F90, 0x1F97, 0x1FA0, 0x1FA7, 0x1FB3, 0x1FB3, 0x1FC3, 0x1FC3, 0x1FF3, 0x1FF3)

func eachCased(f func(rune)) {
	for c := rune('A'); c <= 0x1FFFF; c++ {
		if unicode.SimpleFold(c) != c || unicode.ToUpper(c) != c {
			f(c)
		}
	}
}
