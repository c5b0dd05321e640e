package vm

import (
	"context"
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
	undefined := goja.Undefined()
	functions := map[string]native{
		// regexpNatives makes the methods and accessors that are not written in JavaScript, and gives exec.
		"regexpNatives": func(goja.FunctionCall) goja.Value {
			m.regexpNatives(proto)
			return m.execOwn
		},
		"isRegExp": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(m.expressionIn(call.Argument(0)) != nil)
		},
		// pattern gives the key for a pattern and flags.
		"pattern": func(call goja.FunctionCall) goja.Value {
			source, flags := call.Argument(0).(goja.String), call.Argument(1).(goja.String)
			if bad := checkLength(source.Length()); bad != nil {
				m.refusedPattern(bad)
			}
			if n := flags.Length(); n > maxFlags {
				m.refusedPattern(refusedf(codeSyntax, "Invalid flags supplied to RegExp constructor: %d characters", n))
			}
			key, bad := m.expressions.add(wtf8(source), wtf8(flags))
			if bad != nil {
				m.refusedPattern(bad)
			}
			return r.stringValue(key)
		},
		"engineFlags": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(engineFlags(call.Argument(0).String())) },
		// regexpChanged is told when an object has become another expression.
		"regexpChanged": func(call goja.FunctionCall) goja.Value {
			m.recent.forget(call.Argument(0).(*goja.Object))
			return call.Argument(0)
		},
		// regexpFlags and regexpText are what the author wrote; undefined for what is no regular expression.
		"regexpFlags": func(call goja.FunctionCall) goja.Value {
			if x := m.expressionIn(call.Argument(0)); x != nil {
				return r.vm.ToValue(x.flags)
			}
			return undefined
		},
		"regexpText": func(call goja.FunctionCall) goja.Value {
			if x := m.expressionIn(call.Argument(0)); x != nil {
				return r.stringValue(x.source)
			}
			return undefined
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
			return undefined
		},
		"object": func(call goja.FunctionCall) goja.Value { return call.Argument(0).ToObject(r.vm) },
	}
	for name, f := range m.regexpTextFunctions() {
		functions[name] = f
	}
	return functions
}

// maxFlags is how many flags are read to say what is wrong with them.
const maxFlags = 40

// expressionIn is nil for whatever is no regular expression.
func (m *Machine) expressionIn(v goja.Value) *expression {
	o, _ := v.(*goja.Object)
	return m.expression(o)
}

// receiver gives an expression on which a method was called.
func (m *Machine) receiver(v goja.Value, method string) *expression {
	x := m.expressionIn(v)
	if x == nil {
		panic(m.realm.vm.NewTypeError("RegExp.prototype.%s: this is no regular expression", method))
	}
	return x
}

// mayGoOn says whether the script's stretch goes on; none is under way while the machine is made.
func (m *Machine) mayGoOn() error {
	if m.stretching == nil {
		return nil
	}
	return m.stretching.Err()
}

// refusedPattern tells the script, or stops it.
func (m *Machine) refusedPattern(bad *refused) {
	m.stopIfDue()
	panic(m.realm.newError("SyntaxError", bad.what, mark{code: bad.code}))
}

// matchFailed tells the script, or stops it.
func (m *Machine) matchFailed(err error) {
	if err != nil && !m.stopIfDue() {
		panic(m.realm.newError("RangeError", err.Error(), mark{code: codeRegExp}))
	}
}

// stopIfDue makes sure that nothing of the script runs any more once its stretch has ended.
func (m *Machine) stopIfDue() bool {
	due := m.mayGoOn() != nil
	if due {
		m.realm.vm.Interrupt(context.Cause(m.stretching))
	}
	return due
}

// on gives a matcher for x and s. done takes it back; until then another match gets another one.
func (m *Machine) on(x *expression, s goja.String) *matcher {
	run := m.spare
	if run == nil {
		run = &matcher{check: m.mayGoOn}
	}
	m.spare = nil
	run.regexpProgram, run.subject = x.code, m.lastSubject.of(s)
	return run
}

// maxSpare is how many places to go back to a matcher keeps room for while it does nothing.
const maxSpare = 64 << 10

func (m *Machine) done(run *matcher) {
	if cap(run.stack) <= maxSpare {
		run.subject = subject{}
		m.spare = run
	}
}

// eachMatch calls f for all matches of x in s, as long as it returns true. f must not keep the groups.
func (m *Machine) eachMatch(x *expression, s goja.String, sticky bool, f func(groups []int32) bool) {
	run := m.on(x, s)
	defer m.done(run)
	for from := 0; ; {
		groups, err := run.find(from, sticky)
		m.matchFailed(err)
		if groups == nil || err != nil {
			return
		}
		start, end := int(groups[0]), int(groups[1])
		if !f(groups) {
			return
		}
		if from = end; start == end {
			if x.code.unicode && run.pairAt(from) {
				from++
			}
			from++
		}
	}
}
