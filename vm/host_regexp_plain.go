package vm

import (
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// plainText stands for a text in the place of an expression.
var plainText = &expression{code: &regexpProgram{groups: 1}}

// replaceText is String.prototype.replace, and replaceAll, with a text to look for (22.1.3.19 and 20).
func (m *Machine) replaceText(call goja.FunctionCall) goja.Value {
	s, what, by, all := call.Argument(0).(goja.String), call.Argument(1).(goja.String), call.Argument(2), call.Argument(3).ToBoolean()
	search := &textSearch{Machine: m, text: m.lastSubject.of(s), what: unitsOfText(what)}
	at := search.next(0)
	if at < 0 {
		return s
	}
	out := m.replacing(plainText, s, by)
	for ; at >= 0; at = search.next(at + max(1, search.what.size)) {
		out.match([]int32{int32(at), int32(at + search.what.size)})
		if !all {
			break
		}
	}
	return out.end()
}

// textSearch looks for a text in another one.
type textSearch struct {
	*Machine
	text, what subject
	steps      int
}

// next gives the first place from a place on; -1 if there is none.
func (t *textSearch) next(from int) int {
	last := t.text.size - t.what.size
	switch {
	case from > last:
		return -1
	case t.what.size == 0:
		return from
	case t.text.wide == nil && t.what.wide == nil:
		if at := strings.Index(t.text.narrow[from:], t.what.narrow); at >= 0 {
			return from + at
		}
		return -1
	case t.text.wide == nil:
		return -1
	}
	first := uint16(t.what.at(0))
	for from <= last {
		at := slices.Index(t.text.wide[from:last+1], first)
		if at < 0 {
			return -1
		}
		from += at
		same := 1
		for same < t.what.size && t.text.wide[from+same] == uint16(t.what.at(same)) {
			same++
		}
		if same == t.what.size {
			return from
		}
		if t.steps += same; t.steps >= checkEvery {
			t.steps = 0
			if t.stopIfDue() {
				return -1
			}
		}
		from++
	}
	return -1
}
