package vm

import (
	"errors"
	"slices"
	"unicode/utf16"
)

// subject is a text to match, in 16-bit units; one of the two fields counts.
type subject struct {
	narrow string // all of it is ASCII
	wide   []uint16
	size   int
}

func (s *subject) at(i int) rune {
	if s.wide == nil {
		return rune(s.narrow[i])
	}
	return rune(s.wide[i])
}

// maxBacktrack is how many places to go back to a match may keep, at 16 bytes each. Other engines give up far earlier.
const maxBacktrack = 8 << 20

var errBacktrack = errors.New("the regular expression has too many ways to match this text; make it more exact, so that one part cannot match what the next one does")

// checkEvery is after how many steps a match asks whether it may go on.
const checkEvery = 1 << 14

type backtrack struct {
	kind    backKind
	a, b, c int32
}

type backKind int32

const (
	backChoice   backKind = iota // at instruction a, with place b
	backCapture                  // slot a was b
	backRegister                 // register a was b
	backRun                      // as a choice, and then again one character to the left, down to place c
)

// matcher executes a program on one text. What it needs is kept from match to match.
type matcher struct {
	*regexpProgram
	subject
	captures  []int32
	registers []int32
	stack     []backtrack
	steps     int
	check     func() error
	err       error // why the match did not come to its end
}

// reset makes m ready for a program and a text.
func (m *matcher) reset() {
	m.err = nil
	m.stack = m.stack[:0]
	m.captures = slices.Grow(m.captures[:0], 2*m.groups)[:2*m.groups]
	for i := range m.captures {
		m.captures[i] = -1
	}
	m.registers = slices.Grow(m.registers[:0], m.regexpProgram.registers)[:m.regexpProgram.registers]
	m.mayGoOn(m.groups)
}

// mayGoOn counts steps. Now and then it asks whether the match may go on; m.err says why not.
func (m *matcher) mayGoOn(steps int) bool {
	if m.steps += steps; m.steps < checkEvery {
		return true
	}
	m.steps = 0
	if m.err = m.check(); m.err == nil && len(m.stack) > maxBacktrack {
		m.err = errBacktrack
	}
	return m.err == nil
}

// pairAt says whether the units at i and behind it are one character.
func (m *matcher) pairAt(i int) bool {
	return m.wide != nil && i >= 0 && i+1 < m.size && m.wide[i]&0xFC00 == 0xD800 && m.wide[i+1]&0xFC00 == 0xDC00
}

// peek gives the character that starts at i.
func (m *matcher) peek(i int) rune {
	if m.unicode && m.pairAt(i) {
		return utf16.DecodeRune(rune(m.wide[i]), rune(m.wide[i+1]))
	}
	return m.at(i)
}

// step gives the next character in a direction, and the place behind it; -1 if there is none.
func (m *matcher) step(at int, back bool) (rune, int) {
	if back {
		if at == 0 {
			return -1, at
		}
		if m.unicode && m.pairAt(at-2) {
			return utf16.DecodeRune(rune(m.wide[at-2]), rune(m.wide[at-1])), at - 2
		}
		return m.at(at - 1), at - 1
	}
	if at >= m.size {
		return -1, at
	}
	if m.unicode && m.pairAt(at) {
		return utf16.DecodeRune(rune(m.wide[at]), rune(m.wide[at+1])), at + 2
	}
	return m.at(at), at + 1
}

func (m *matcher) push(kind backKind, a, b, c int) {
	m.stack = append(m.stack, backtrack{kind, int32(a), int32(b), int32(c)})
}

func (m *matcher) setRegister(i, value int) {
	m.push(backRegister, i, int(m.registers[i]), 0)
	m.registers[i] = int32(value)
}

func (m *matcher) capture(i, value int) {
	m.push(backCapture, i, int(m.captures[i]), 0)
	m.captures[i] = int32(value)
}

// restore undoes one entry, if it is one that undoes something.
func (m *matcher) restore(e backtrack) {
	switch e.kind {
	case backCapture:
		m.captures[e.a] = e.b
	case backRegister:
		m.registers[e.a] = e.b
	}
}

// fail goes back to the last choice.
func (m *matcher) fail() (pc, at int, ok bool) {
	for len(m.stack) > 0 {
		top := len(m.stack) - 1
		e := m.stack[top]
		switch e.kind {
		case backChoice:
			m.stack = m.stack[:top]
			return int(e.a), int(e.b), true
		case backRun:
			at := int(e.b) - 1
			if m.unicode && at > int(e.c) && m.pairAt(at-1) {
				at--
			}
			if at <= int(e.c) {
				m.stack = m.stack[:top]
			} else {
				m.stack[top].b = int32(at)
			}
			return int(e.a), at, true
		}
		m.restore(e)
		m.stack = m.stack[:top]
	}
	return 0, 0, false
}

// run executes the program from one place on. If it says no, m.err may say why.
func (m *matcher) run(at int) bool {
	pc := 0
	for {
		if m.steps++; m.steps >= checkEvery && !m.mayGoOn(0) {
			return false
		}
		i := &m.code[pc]
		pc++
		ok := true
		switch i.op {
		case opChar:
			if i.back {
				at--
				ok = at >= 0 && m.at(at) == i.char
			} else {
				ok = at < m.size && m.at(at) == i.char
				at++
			}
		case opSet:
			var c rune
			c, at = m.step(at, i.back)
			ok = c >= 0 && i.set.has(c)
		case opRun:
			at, ok = m.many(i, pc, at)
		case opStart:
			ok = at == 0 || i.multiline && lineEndSet.has(m.at(at-1))
		case opEnd:
			ok = at == m.size || i.multiline && lineEndSet.has(m.at(at))
		case opWord:
			before := at > 0 && i.set.has(m.at(at-1))
			after := at < m.size && i.set.has(m.at(at))
			ok = (before != after) != i.negative
		case opSplit:
			m.push(backChoice, i.target, at, 0)
		case opLazy:
			m.push(backChoice, pc, at, 0)
			pc = i.target
		case opJump:
			pc = i.target
		case opSave:
			m.capture(i.slot, at)
		case opReset:
			m.steps += i.last - i.first
			for slot := 2 * i.first; slot < 2*i.last; slot++ {
				if m.captures[slot] >= 0 {
					m.capture(slot, -1)
				}
			}
		case opCount:
			m.setRegister(i.slot, 0)
		case opMore:
			pc = m.more(i, pc, at)
		case opRound:
			m.setRegister(i.slot, int(m.registers[i.slot])+1)
		case opEnter:
			m.setRegister(i.slot, at)
		case opEmpty:
			ok = at != int(m.registers[i.slot+1]) || i.counted && int(m.registers[i.slot]) <= i.least
		case opLook:
			if i.negative {
				m.push(backChoice, i.target, at, 0)
			}
			m.registers[i.slot], m.registers[i.slot+1] = int32(len(m.stack)), int32(at)
		case opFound:
			at = m.found(i)
			ok = !i.negative
		case opBack:
			at, ok = m.again(i, at)
		case opMatch:
			m.captures[1] = int32(at)
			return true
		}
		if !ok {
			if m.err != nil {
				return false
			}
			if pc, at, ok = m.fail(); !ok {
				return false
			}
		}
	}
}

// many takes as many characters as it can, and notes that fewer would do.
func (m *matcher) many(i *instruction, pc, at int) (int, bool) {
	start, least := at, at
	if m.wide != nil && m.unicode {
		count := 0
		for i.most < 0 || count < i.most {
			c, next := m.step(at, false)
			if c < 0 || !i.set.has(c) {
				break
			}
			at = next
			if count++; count == i.least {
				least = at
			}
			if count%checkEvery == 0 && !m.mayGoOn(checkEvery/4) {
				return at, false
			}
		}
		if count < i.least {
			return at, false
		}
	} else {
		end := m.size
		if i.most >= 0 {
			end = min(end, at+i.most)
		}
		for at < end {
			stop := min(end, at+checkEvery)
			if at = m.passOver(i.set, at, stop); at < stop {
				break
			}
			if at < end && !m.mayGoOn(checkEvery/4) {
				return at, false
			}
		}
		if least = start + i.least; at < least {
			return at, false
		}
	}
	m.steps += (at - start) % checkEvery / 8
	if at > least {
		m.push(backRun, pc, at, least)
	}
	return at, true
}

// passOver passes over units of a set.
func (m *matcher) passOver(set *matchSet, at, stop int) int {
	if m.wide == nil {
		for at < stop && set.low[m.narrow[at]>>6]&(1<<(m.narrow[at]&63)) != 0 {
			at++
		}
		return at
	}
	for at < stop && set.has(rune(m.wide[at])) {
		at++
	}
	return at
}

// more says where a counted loop goes on.
func (m *matcher) more(i *instruction, pc, at int) int {
	switch count := int(m.registers[i.slot]); {
	case count < i.least:
		return pc
	case count == i.most:
		return i.target
	case i.lazy:
		m.push(backChoice, pc, at, 0)
		return i.target
	default:
		m.push(backChoice, i.target, at, 0)
		return pc
	}
}

// found ends a lookaround: none of its choices counts any more. Of one that wanted to find nothing, all is undone.
func (m *matcher) found(i *instruction) int {
	from := int(m.registers[i.slot])
	at := int(m.registers[i.slot+1])
	if i.negative {
		for len(m.stack) > from {
			m.restore(m.stack[len(m.stack)-1])
			m.stack = m.stack[:len(m.stack)-1]
		}
		m.stack = m.stack[:from-1]
		return at
	}
	m.steps += len(m.stack) - from
	kept := m.stack[:from]
	for _, e := range m.stack[from:] {
		if e.kind == backCapture || e.kind == backRegister {
			kept = append(kept, e)
		}
	}
	m.stack = kept
	return at
}

// again matches what a group has captured; a group that took no part matches the empty text.
func (m *matcher) again(i *instruction, at int) (int, bool) {
	m.steps += len(i.groups)
	for _, group := range i.groups {
		start, end := int(m.captures[2*group]), int(m.captures[2*group+1])
		if start < 0 || end < 0 {
			continue
		}
		if i.back {
			start, end = end, start
		}
		for count := 1; start != end; count++ {
			if count%64 == 0 && !m.mayGoOn(64) {
				return at, false
			}
			var want, have rune
			want, start = m.step(start, i.back)
			have, at = m.step(at, i.back)
			if have < 0 || want != have && (!i.ignoreCase || m.fold.of(want) != m.fold.of(have)) {
				return at, false
			}
		}
		return at, true
	}
	return at, true
}
