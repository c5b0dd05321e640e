package vm

import (
	"math"
	"reflect"
	"unicode/utf8"

	"github.com/dop251/goja"
)

var regexpFlagNames = []struct{ flag, name string }{
	{"d", "hasIndices"}, {"g", "global"}, {"i", "ignoreCase"}, {"m", "multiline"}, {"s", "dotAll"}, {"u", "unicode"}, {"v", "unicodeSets"}, {"y", "sticky"},
}

// regexpNatives makes those methods and accessors of RegExp.prototype that are called most.
func (m *Machine) regexpNatives(proto *goja.Object) {
	r := m.realm
	accessor := func(name string, get native) {
		must(proto.DefineAccessorProperty(name, r.named("get "+name, get), nil, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	for _, each := range regexpFlagNames {
		accessor(each.name, func(call goja.FunctionCall) goja.Value {
			if call.This == goja.Value(proto) {
				return goja.Undefined()
			}
			return r.vm.ToValue(m.receiver(call.This, each.name).has(each.flag))
		})
	}
	accessor("source", func(call goja.FunctionCall) goja.Value {
		if call.This == goja.Value(proto) {
			return r.vm.ToValue("(?:)")
		}
		return r.stringValue(shownPattern(m.receiver(call.This, "source").source))
	})
	accessor("flags", func(call goja.FunctionCall) goja.Value {
		o := m.objectOf(call.This, ".flags")
		flags := ""
		for _, each := range regexpFlagNames {
			if v := o.Get(each.name); v != nil && v.ToBoolean() {
				flags += each.flag
			}
		}
		return r.vm.ToValue(flags)
	})
	method := func(name string, f native) *goja.Object {
		o := r.function(name, 1, f)
		must(proto.DefineDataProperty(name, o, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		return o
	}
	m.execOwn = method("exec", func(call goja.FunctionCall) goja.Value {
		m.receiver(call.This, "exec")
		s := r.textOf(call.Argument(0))
		return m.executed(call.This.(*goja.Object), s)
	})
	method("test", func(call goja.FunctionCall) goja.Value {
		o := m.objectOf(call.This, ".test")
		s := r.textOf(call.Argument(0))
		exec := o.Get("exec")
		if f, own := exec.(*goja.Object); !own || f != m.execOwn {
			if _, callable := goja.AssertFunction(exec); callable {
				result := r.call(exec, o, s)
				if _, object := result.(*goja.Object); !object && !goja.IsNull(result) {
					panic(r.vm.NewTypeError("RegExp: exec() gave something that is neither an object nor null"))
				}
				return r.vm.ToValue(!goja.IsNull(result))
			}
		}
		m.receiver(o, "test")
		_, run, groups := m.execute(o, s)
		m.done(run)
		return r.vm.ToValue(groups != nil)
	})
}

func (m *Machine) objectOf(v goja.Value, method string) *goja.Object {
	o, ok := v.(*goja.Object)
	if !ok {
		panic(m.realm.vm.NewTypeError("RegExp.prototype%s was called on something that is no object", method))
	}
	return o
}

// textOf is ToString (7.1.17).
func (r *realm) textOf(v goja.Value) goja.String {
	if o, ok := v.(*goja.Object); ok {
		v = o.ToString() // a primitive value
	}
	switch v := v.(type) {
	case goja.String:
		return v
	case *goja.Symbol:
		panic(r.vm.NewTypeError("Cannot convert a Symbol value to a string"))
	}
	return r.vm.ToValue(v.String()).(goja.String)
}

// execute is RegExpBuiltinExec (22.2.7.2) up to the place where the result is made. The caller gives the matcher back.
func (m *Machine) execute(o *goja.Object, s goja.String) (*expression, *matcher, []int32) {
	at := o.Get("lastIndex")
	from, whole := int64(0), false
	if _, object := at.(*goja.Object); !object {
		from, whole = at.Export().(int64)
	}
	if !whole {
		if n := math.Trunc(at.ToNumber().ToFloat()); n > 0 {
			from = int64(min(n, float64(math.MaxInt32)))
		}
	}
	x := m.receiver(o, "exec") // now: telling the index may have changed it
	moves := x.has("g") || x.has("y")
	if !moves {
		from = 0
	}
	run := m.on(x, s)
	var groups []int32
	var err error
	if from <= int64(run.size) {
		groups, err = run.find(int(max(from, 0)), x.has("y"))
	}
	if err != nil {
		m.done(run)
		m.matchFailed(err)
		return x, run, nil
	}
	if moves {
		end := 0
		if groups != nil {
			end = int(groups[1])
		}
		if err := o.Set("lastIndex", end); err != nil {
			m.done(run)
			panic(err)
		}
	}
	return x, run, groups
}

// executed is RegExpBuiltinExec.
func (m *Machine) executed(o *goja.Object, s goja.String) goja.Value {
	x, run, groups := m.execute(o, s)
	defer m.done(run)
	if groups == nil {
		return goja.Null()
	}
	return m.matchResult(x, s, groups)
}

// matchResult makes what exec returns.
func (m *Machine) matchResult(x *expression, s goja.String, groups []int32) goja.Value {
	r := m.realm
	made := m.making("exec: what the groups captured", s)
	texts := made.captures(nil, s, groups, 0)
	result := r.vm.NewArray(texts...)
	r.define(result, "index", r.vm.ToValue(int(groups[0])))
	r.define(result, "input", s)
	r.define(result, "groups", m.byName(x, func(group int) goja.Value { return texts[group].(goja.Value) }))
	if x.has("d") {
		places := make([]any, len(groups)/2)
		for i := range places {
			places[i] = goja.Undefined()
			if start, end := int(groups[2*i]), int(groups[2*i+1]); start >= 0 && end >= 0 {
				places[i] = r.vm.NewArray(start, end)
			}
		}
		indices := r.vm.NewArray(places...)
		r.define(indices, "groups", m.byName(x, func(group int) goja.Value { return places[group].(goja.Value) }))
		r.define(result, "indices", indices)
	}
	return result
}

// byName gives an object without a prototype; of several groups with a name, the one that took part counts.
func (m *Machine) byName(x *expression, of func(group int) goja.Value) goja.Value {
	if len(x.code.names) == 0 {
		return goja.Undefined()
	}
	o := m.realm.vm.CreateObject(nil)
	for _, name := range x.code.names {
		value := goja.Undefined()
		for _, group := range name.numbers {
			if value = of(group); !goja.IsUndefined(value) {
				break
			}
		}
		m.realm.define(o, name.name, value)
	}
	return o
}

// lastSubject remembers the units of the text that was matched last, if they had to be made: a text is usually searched many times.
type lastSubject struct {
	text    goja.String // keeps the address in use
	address uintptr
	subject subject
}

var typeUnits = reflect.TypeFor[[]uint16]()

// of gives the units of a text. The engine has ASCII as a Go string, and other texts as units behind a mark; neither is copied.
func (l *lastSubject) of(s goja.String) subject {
	v := reflect.ValueOf(s)
	switch v.Kind() {
	case reflect.String:
		text := v.String()
		return subject{narrow: text, size: len(text)}
	case reflect.Slice:
		if units, ok := v.Convert(typeUnits).Interface().([]uint16); ok && len(units) == s.Length()+1 && units[0] == 0xFEFF {
			return subject{wide: units[1:], size: len(units) - 1}
		}
	}
	if v.Kind() == reflect.Pointer && l.text != nil && l.address == v.Pointer() {
		return l.subject
	}
	*l = lastSubject{subject: unitsOfText(s)}
	if v.Kind() == reflect.Pointer {
		l.text, l.address = s, v.Pointer()
	}
	return l.subject
}

// unitsOfText reads a text that the engine was given by Go.
func unitsOfText(s goja.String) subject {
	if text := s.String(); len(text) == s.Length() && isASCII(text) {
		return subject{narrow: text, size: len(text)}
	}
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	return subject{wide: units, size: len(units)}
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
