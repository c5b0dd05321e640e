package vm

import "github.com/dop251/goja"

// making counts what one step makes of a text: it has the limit of one string.
type making struct {
	m     *Machine
	what  string
	size  int
	added int  // how often
	wide  bool // the engine copies parts of the text; those of a text in ASCII take nothing
}

func (m *Machine) making(what string, s goja.String) *making {
	return &making{m: m, what: what, wide: m.lastSubject.of(s).wide != nil}
}

func (b *making) add(units int) {
	if b.added++; b.added%checkEvery == 0 && b.m.stopIfDue() {
		panic(b.m.realm.newError("RangeError", b.what+" was not made", mark{code: codeStopped}))
	}
	if b.size += units; b.size > b.m.realm.limits.String {
		panic(b.m.realm.limitError(codeString, "%s would be longer than %d", b.what, b.m.realm.limits.String))
	}
}

// unitsOfPart is what an element of a list counts for.
const unitsOfPart = 16

// part gives a part of s for a list.
func (b *making) part(s goja.String, start, end int) goja.Value {
	if b.add(unitsOfPart); b.wide {
		b.add(end - start)
	}
	return s.Substring(start, end)
}

// captures appends what the groups from one on captured. Groups often capture the same.
func (b *making) captures(list []any, s goja.String, groups []int32, first int) []any {
	for i := 2 * first; i < len(groups); i += 2 {
		switch start, end := groups[i], groups[i+1]; {
		case start < 0 || end < 0:
			list = append(list, goja.Undefined())
		case i > 2*first && start == groups[i-2] && end == groups[i-1]:
			list = append(list, list[len(list)-1])
		default:
			if end = max(start, end); b.wide {
				b.add(int(end - start))
			}
			list = append(list, s.Substring(int(start), int(end)))
		}
	}
	return list
}

// regexpTextFunctions do what String.prototype.replace, match and split do with an expression that nobody has changed.
func (m *Machine) regexpTextFunctions() map[string]native {
	r := m.realm
	return map[string]native{
		// regexpReplace takes a text that is a template, or a function.
		"regexpReplace": func(call goja.FunctionCall) goja.Value {
			x, s, by := m.receiver(call.Argument(0), "[Symbol.replace]"), call.Argument(1).(goja.String), call.Argument(2)
			if x.has("g") {
				out := m.replacing(x, s, by)
				m.eachMatch(x, s, x.has("y"), func(groups []int32) bool {
					out.match(groups)
					return true
				})
				return out.end()
			}
			x, run, groups := m.execute(call.Argument(0).(*goja.Object), s)
			defer m.done(run)
			if groups == nil {
				return s
			}
			out := m.replacing(x, s, by)
			out.match(groups)
			return out.end()
		},
		// substitute puts what an expression of the script's own found into a template.
		"substitute": func(call goja.FunctionCall) goja.Value {
			captures, named := call.Argument(3).(*goja.Object), call.Argument(4)
			s := call.Argument(1).(goja.String)
			count := int(captures.Get("length").ToInteger())
			out := &replacing{Machine: m, text: s, made: m.making("replace: the string", s)}
			group := func(n int) goja.Value { return captures.Get(r.vm.ToValue(n).String()) }
			at := int(call.Argument(2).ToInteger())
			for _, piece := range m.template(call.Argument(0).(goja.String), count, !goja.IsUndefined(named)) {
				out.piece(piece, at, min(at+group(0).(goja.String).Length(), s.Length()), group, named)
			}
			return out.out.String()
		},
		// joined puts texts together.
		"joined": func(call goja.FunctionCall) goja.Value {
			list := call.Argument(0).(*goja.Object)
			var out goja.StringBuilder
			made := &making{m: m, what: "replace: the string"}
			for i := range int(list.Get("length").ToInteger()) {
				text := list.Get(r.vm.ToValue(i).String()).(goja.String)
				made.add(text.Length())
				out.WriteString(text)
			}
			return out.String()
		},
		"regexpTexts": func(call goja.FunctionCall) goja.Value {
			x, s := m.receiver(call.Argument(0), "[Symbol.match]"), call.Argument(1).(goja.String)
			made := m.making("match: the texts together", s)
			var texts []any
			m.eachMatch(x, s, x.has("y"), func(groups []int32) bool {
				texts = append(texts, made.part(s, int(groups[0]), int(groups[1])))
				return true
			})
			if texts == nil {
				return goja.Null()
			}
			return r.vm.NewArray(texts...)
		},
		"replaceText": m.replaceText,
		"regexpSplit": func(call goja.FunctionCall) goja.Value {
			x := m.receiver(call.Argument(0), "[Symbol.split]")
			return r.vm.NewArray(m.splitBy(x, call.Argument(1).(goja.String), call.Argument(2).ToInteger())...)
		},
	}
}

// splitBy is RegExp.prototype[Symbol.split] (22.2.6.14).
func (m *Machine) splitBy(x *expression, s goja.String, most int64) []any {
	if most == 0 {
		return nil
	}
	var parts []any
	made := m.making("split: the parts together", s)
	last, full := 0, false
	m.eachMatch(x, s, false, func(groups []int32) bool {
		start, end := int(groups[0]), int(groups[1])
		if start >= s.Length() && s.Length() > 0 {
			return false
		}
		if s.Length() == 0 {
			full = true // it matches the empty text: there are no parts
			return false
		}
		if end == last {
			return true
		}
		parts = append(parts, made.part(s, last, start))
		made.add(unitsOfPart * (len(groups)/2 - 1))
		parts = made.captures(parts, s, groups, 1)
		last, full = end, int64(len(parts)) >= most
		return !full
	})
	if !full {
		return append(parts, made.part(s, last, s.Length()))
	}
	return parts[:min(int64(len(parts)), most)]
}

// replacing writes a text anew.
type replacing struct {
	*Machine
	x        *expression
	text     goja.String
	template []piece
	function goja.Value // in place of a template
	out      goja.StringBuilder
	made     *making
	done     int // of text
}

func (m *Machine) replacing(x *expression, s goja.String, by goja.Value) *replacing {
	out := &replacing{Machine: m, x: x, text: s, made: m.making("replace: the string", s)}
	if template, ok := by.(goja.String); ok {
		out.template = m.template(template, x.code.groups, len(x.code.names) > 0)
	} else {
		out.function = by
	}
	return out
}

// template reads one, and refuses it if its pieces would take more than a string may.
func (m *Machine) template(s goja.String, groups int, named bool) []piece {
	made := &making{m: m, what: "replace: the template"}
	return readTemplate(s, groups, named, func() { made.add(unitsOfPart) })
}

// write adds a part of a text, if that is in the limit.
func (p *replacing) write(s goja.String, start, end int) {
	p.made.add(end - start)
	p.out.WriteSubstring(s, start, end)
}

// match takes the next match.
func (p *replacing) match(groups []int32) {
	start, end := int(groups[0]), int(groups[1])
	p.write(p.text, p.done, start)
	p.done = end
	if p.function == nil {
		for _, piece := range p.template {
			p.piece(piece, start, end, func(n int) goja.Value { return p.capture(groups, n) }, nil)
		}
		return
	}
	args := make([]goja.Value, 0, len(groups)/2+3)
	for n := range len(groups) / 2 {
		args = append(args, p.capture(groups, n))
	}
	args = append(args, p.realm.vm.ToValue(start), p.text)
	if len(p.x.code.names) > 0 {
		args = append(args, p.byName(p.x, func(n int) goja.Value { return args[n] }))
	}
	by := p.realm.textOf(p.realm.call(p.function, goja.Undefined(), args...))
	p.write(by, 0, by.Length())
}

func (p *replacing) capture(groups []int32, n int) goja.Value {
	if start, end := int(groups[2*n]), int(groups[2*n+1]); start >= 0 && end >= 0 {
		return p.text.Substring(start, max(start, end))
	}
	return goja.Undefined()
}

// piece writes a piece of a template for a match from start to end. named is an object of the script's own; nil if names are
// those of the expression.
func (p *replacing) piece(t piece, start, end int, group func(int) goja.Value, named goja.Value) {
	value := goja.Undefined()
	switch t.kind {
	case pieceText:
		value = t.text
	case pieceBefore:
		p.write(p.text, 0, start)
	case pieceAfter:
		p.write(p.text, end, p.text.Length())
	case pieceGroup:
		value = group(t.group)
	case pieceNamed:
		if named != nil {
			value = p.realm.get(named.(*goja.Object), wtf8(t.text.(goja.String)))
			break
		}
		for _, name := range p.x.code.names {
			if name.name != t.text.String() {
				continue
			}
			for _, n := range name.numbers {
				if goja.IsUndefined(value) {
					value = group(n)
				}
			}
		}
	}
	if value != nil && !goja.IsUndefined(value) {
		text := p.realm.textOf(value)
		p.write(text, 0, text.Length())
	}
}

// end gives the whole.
func (p *replacing) end() goja.Value {
	p.write(p.text, p.done, p.text.Length())
	return p.out.String()
}
