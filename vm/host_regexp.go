package vm

import (
	"context"
	"reflect"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// regexpFunctions are what the prelude's RegExp needs.
func (m *Machine) regexpFunctions() map[string]native {
	r := m.realm
	proto := r.vm.GlobalObject().Get("RegExp").(*goja.Object).Get("prototype").(*goja.Object)
	getter, _ := r.descriptorOf(goja.FunctionCall{Arguments: []goja.Value{proto, r.vm.ToValue("source")}}).(*goja.Object)
	m.regexpSource = capture(getter, "get")
	of := func(call goja.FunctionCall) *expression {
		o, _ := call.Argument(0).(*goja.Object)
		return m.expression(o)
	}
	text := func(call goja.FunctionCall, i int) string { return wtf8(call.Argument(i).(goja.String)) }
	return map[string]native{
		"isRegExp": func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(0).(*goja.Object)
			return r.vm.ToValue(ok && r.kind(o) == kindRegExp)
		},
		// pattern gives the key for a pattern and flags.
		"pattern": func(call goja.FunctionCall) goja.Value {
			key, bad := m.expressions.add(text(call, 0), text(call, 1))
			if bad != nil {
				panic(r.newError("SyntaxError", bad.what, mark{code: bad.code}))
			}
			return r.stringValue(key)
		},
		"engineFlags": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(engineFlags(text(call, 0))) },
		// regexpFlags and regexpText are what the author wrote; undefined for what is no regular expression.
		"regexpFlags": func(call goja.FunctionCall) goja.Value {
			if x := of(call); x != nil {
				return r.vm.ToValue(x.flags)
			}
			return goja.Undefined()
		},
		"regexpHas": func(call goja.FunctionCall) goja.Value {
			if x := of(call); x != nil {
				return r.vm.ToValue(x.has(text(call, 1)))
			}
			return goja.Undefined()
		},
		// regexpMoves says whether lastIndex counts.
		"regexpMoves": func(call goja.FunctionCall) goja.Value {
			if x := of(call); x != nil {
				return r.vm.ToValue(x.has("g") || x.has("y"))
			}
			return goja.Undefined()
		},
		"regexpText": func(call goja.FunctionCall) goja.Value {
			if x := of(call); x != nil {
				return r.stringValue(x.source)
			}
			return goja.Undefined()
		},
		"regexpSource": func(call goja.FunctionCall) goja.Value {
			if x := of(call); x != nil {
				return r.stringValue(shownPattern(x.source))
			}
			return goja.Undefined()
		},
		"codePointAt": func(call goja.FunctionCall) goja.Value {
			s, i := call.Argument(0).(goja.String), int(call.Argument(1).ToInteger())
			if i+1 < s.Length() {
				if c := utf16.DecodeRune(rune(s.CharAt(i)), rune(s.CharAt(i+1))); c != utf8.RuneError {
					return r.vm.ToValue(c)
				}
			}
			return r.vm.ToValue(s.CharAt(i))
		},
		"indexOf": func(call goja.FunctionCall) goja.Value {
			s, c := call.Argument(0).(goja.String), call.Argument(1).(goja.String).CharAt(0)
			for i := int(call.Argument(2).ToInteger()); i < s.Length(); i++ {
				if s.CharAt(i) == c {
					return r.vm.ToValue(i)
				}
			}
			return r.vm.ToValue(-1)
		},
		// put appends to a list, whatever a script did to arrays.
		"put": func(call goja.FunctionCall) goja.Value {
			list := call.Argument(0).(*goja.Object)
			must(list.DefineDataProperty(list.Get("length").String(), call.Argument(1), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
			return goja.Undefined()
		},
		"object": func(call goja.FunctionCall) goja.Value { return call.Argument(0).ToObject(r.vm) },
		// These do what String.prototype.replace, match and split do with an expression that nobody has changed; all but the last one with
		// the flag g, and regexpReplace with a text that is no template.
		"regexpReplace": func(call goja.FunctionCall) goja.Value {
			s, by := call.Argument(1).(goja.String), call.Argument(2).(goja.String)
			var out goja.StringBuilder
			done := 0
			m.eachMatch(of(call), s, func(groups []int32) bool {
				out.WriteString(s.Substring(done, int(groups[0])))
				out.WriteString(by)
				done = int(groups[1])
				return true
			})
			out.WriteString(s.Substring(done, s.Length()))
			return out.String()
		},
		"regexpResults": func(call goja.FunctionCall) goja.Value {
			x, s := of(call), call.Argument(1).(goja.String)
			var results []any
			m.eachMatch(x, s, func(groups []int32) bool {
				results = append(results, m.matchResult(x, s, groups))
				return true
			})
			return r.vm.NewArray(results...)
		},
		"regexpTexts": func(call goja.FunctionCall) goja.Value {
			s := call.Argument(1).(goja.String)
			var texts []any
			m.eachMatch(of(call), s, func(groups []int32) bool {
				texts = append(texts, s.Substring(int(groups[0]), int(groups[1])))
				return true
			})
			if texts == nil {
				return goja.Null()
			}
			return r.vm.NewArray(texts...)
		},
		"regexpSplit": func(call goja.FunctionCall) goja.Value {
			return r.vm.NewArray(m.splitBy(of(call), call.Argument(1).(goja.String), call.Argument(2).ToInteger())...)
		},
		// regexpExec gives the result of a match from an index on, or null.
		"regexpExec": func(call goja.FunctionCall) goja.Value {
			x := of(call)
			s := call.Argument(1).(goja.String)
			groups, err := m.match(x, s, int(call.Argument(2).ToInteger()))
			m.matchFailed(err)
			if groups == nil || err != nil {
				return goja.Null()
			}
			return m.matchResult(x, s, groups)
		},
	}
}

// splitBy is RegExp.prototype[Symbol.split] (ECMA-262 22.2.6.14).
func (m *Machine) splitBy(x *expression, s goja.String, most int64) []any {
	var parts []any
	add := func(part any) bool {
		parts = append(parts, part)
		return int64(len(parts)) < most
	}
	searching := *x
	searching.flags = strings.ReplaceAll(x.flags, "y", "")
	last, full := 0, most == 0
	m.eachMatch(&searching, s, func(groups []int32) bool {
		start, end := int(groups[0]), int(groups[1])
		if full || start >= s.Length() && s.Length() > 0 {
			return false
		}
		if s.Length() == 0 {
			full = true // it matches the empty text: there are no parts
			return false
		}
		if end == last {
			return true
		}
		if full = !add(s.Substring(last, start)); full {
			return false
		}
		last = end
		for i := 2; i < len(groups) && !full; i += 2 {
			part := any(goja.Undefined())
			if groups[i] >= 0 && groups[i+1] >= 0 {
				part = s.Substring(int(groups[i]), int(groups[i+1]))
			}
			full = !add(part)
		}
		return !full
	})
	if !full {
		add(s.Substring(last, s.Length()))
	}
	return parts
}

// eachMatch calls f for all matches of x in s, as long as it returns true.
func (m *Machine) eachMatch(x *expression, s goja.String, f func(groups []int32) bool) {
	run := matcher{regexpProgram: x.code, subject: m.lastSubject.of(s), check: m.stretching.Err}
	for from := 0; ; {
		groups, err := run.find(from, x.has("y"))
		m.matchFailed(err)
		if groups == nil || err != nil || !f(groups) {
			return
		}
		if from = int(groups[1]); groups[0] == groups[1] {
			if x.code.unicode && run.pairAt(from) {
				from++
			}
			from++
		}
	}
}

// matchFailed tells the script, or stops it.
func (m *Machine) matchFailed(err error) {
	switch {
	case err == nil:
	case m.stretching.Err() != nil:
		m.realm.vm.Interrupt(context.Cause(m.stretching)) // nothing of the script runs any more
	default:
		panic(m.realm.newError("RangeError", err.Error(), mark{code: codeRegExp}))
	}
}

// match looks for x in s.
func (m *Machine) match(x *expression, s goja.String, start int) ([]int32, error) {
	run := matcher{regexpProgram: x.code, subject: m.lastSubject.of(s), check: m.stretching.Err}
	return run.find(start, x.has("y"))
}

// matchResult makes what exec returns (ECMA-262 22.2.7.2).
func (m *Machine) matchResult(x *expression, s goja.String, groups []int32) goja.Value {
	r := m.realm
	texts, places := make([]any, len(groups)/2), make([]any, len(groups)/2)
	for i := range texts {
		texts[i], places[i] = goja.Undefined(), goja.Undefined()
		if start, end := int(groups[2*i]), int(groups[2*i+1]); start >= 0 && end >= 0 {
			texts[i] = s.Substring(start, max(start, end))
			places[i] = []any{start, end}
		}
	}
	// byName gives an object without a prototype; of several groups with a name, one that took part counts.
	byName := func(values []any) goja.Value {
		if len(x.code.names) == 0 {
			return goja.Undefined()
		}
		o := r.vm.CreateObject(nil)
		for _, group := range x.code.names {
			if have := o.Get(group.name); have == nil || goja.IsUndefined(have) {
				r.define(o, group.name, r.vm.ToValue(values[group.number]))
			}
		}
		return o
	}
	result := r.vm.NewArray(texts...)
	r.define(result, "index", r.vm.ToValue(int(groups[0])))
	r.define(result, "input", s)
	r.define(result, "groups", byName(texts))
	if x.has("d") {
		for i, place := range places {
			if pair, ok := place.([]any); ok {
				places[i] = r.vm.NewArray(pair...)
			}
		}
		indices := r.vm.NewArray(places...)
		r.define(indices, "groups", byName(places))
		r.define(result, "indices", indices)
	}
	return result
}

// shownPattern is what source shows: a text that could stand between slashes (EscapeRegExpPattern).
func shownPattern(source string) string {
	if source == "" {
		return "(?:)"
	}
	if !strings.ContainsAny(source, "/\n\r\u2028\u2029") {
		return source
	}
	var out strings.Builder
	class, escaped := false, false
	names := map[rune]string{'\n': "n", '\r': "r", '\u2028': "u2028", '\u2029': "u2029"}
	for at := 0; at < len(source); {
		c, size := decodeWTF8(source[at:])
		name, ends := names[c]
		switch {
		case ends && escaped:
			out.WriteString(name)
		case ends:
			out.WriteString(`\` + name)
		case c == '/' && !class && !escaped:
			out.WriteString(`\/`)
		default:
			out.WriteString(source[at : at+size])
		}
		if !escaped {
			class = c == '[' || class && c != ']'
		}
		escaped = c == '\\' && !escaped
		at += size
	}
	return out.String()
}

// lastSubject remembers the units of the text that was matched last: a text is usually searched many times.
type lastSubject struct {
	text    goja.String // keeps the address in use
	address uintptr
	subject subject
}

var typeUnits = reflect.TypeFor[[]uint16]()

// of gives the units of a text. The engine has ASCII as a Go string, and other texts as units behind a mark; neither is copied.
func (l *lastSubject) of(s goja.String) *subject {
	v := reflect.ValueOf(s)
	switch v.Kind() {
	case reflect.String:
		text := v.String()
		return &subject{narrow: text, size: len(text)}
	case reflect.Slice:
		if units, ok := v.Convert(typeUnits).Interface().([]uint16); ok && len(units) == s.Length()+1 && units[0] == 0xFEFF {
			return &subject{wide: units[1:], size: len(units) - 1}
		}
	}
	if v.Kind() == reflect.Pointer && l.text != nil && l.address == v.Pointer() {
		return &l.subject
	}
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	*l = lastSubject{subject: subject{wide: units, size: len(units)}}
	if v.Kind() == reflect.Pointer {
		l.text, l.address = s, v.Pointer()
	}
	return &l.subject
}
