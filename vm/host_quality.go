package vm

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// qualityFunctions are what dag and the helpers made of agent() may ask of the machine. They read
// own data properties only, so that nothing a script does to a prototype reaches a helper.
func (m *Machine) qualityFunctions() map[string]native {
	r := m.realm
	undefined := goja.Undefined()
	return map[string]native{
		"global": func(call goja.FunctionCall) goja.Value {
			f := call.Argument(1).(*goja.Object)
			must(f.DefineDataProperty("name", call.Argument(0), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
			must(f.DefineDataProperty("length", call.Argument(2), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
			r.global(call.Argument(0).String(), f)
			return undefined
		},
		// options reads the named options and refuses all others; undefined is none.
		"options": func(call goja.FunctionCall) goja.Value {
			return r.members(call, func(o *goja.Object, subject string, names []string) {
				for _, key := range o.Keys() {
					if !slices.Contains(names, key) {
						panic(r.typeError(codeOptionUnknown, "%s: unknown option %s%s; the options are %s", subject, quoteJSON(key), suggest(key, names), strings.Join(names, ", ")))
					}
				}
			})
		},
		// fields reads the named members and passes over all others.
		"fields": func(call goja.FunctionCall) goja.Value {
			return r.members(call, func(*goja.Object, string, []string) {})
		},
		// texts reads a text or an array of texts.
		"texts": func(call goja.FunctionCall) goja.Value { return r.texts(call.Argument(0).String(), call.Argument(1)) },
		// text is how a value stands in a prompt: a text as itself, data as JSON.
		"text": func(call goja.FunctionCall) goja.Value {
			v := call.Argument(0)
			if _, ok := v.(goja.String); ok {
				return v
			}
			if text := r.stringify(goja.FunctionCall{Arguments: []goja.Value{v}}); !goja.IsUndefined(text) {
				return text
			}
			return r.vm.ToValue(r.print(v, r.limits.String))
		},
		"isArray": func(call goja.FunctionCall) goja.Value {
			return r.isArrayNative(goja.FunctionCall{Arguments: []goja.Value{call.Argument(0)}})
		},
		"message": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(r.print(call.Argument(0), maxMessage)) },
		// present gives a list without what is null.
		"present": func(call goja.FunctionCall) goja.Value {
			var kept []any
			for _, v := range r.elements(call.Argument(0).(*goja.Object)) {
				if !goja.IsNull(v) {
					kept = append(kept, v)
				}
			}
			return r.vm.NewArray(kept...)
		},
		"candidates": func(call goja.FunctionCall) goja.Value {
			return r.candidates(call.Argument(0).String(), call.Argument(1))
		},
		"collection": func(goja.FunctionCall) goja.Value { return r.collection() },
		// room refuses, before any of them starts, more calls than the run may still make.
		"room": func(call goja.FunctionCall) goja.Value {
			if n := int(call.Argument(1).ToInteger()); m.counted+n > r.limits.Calls {
				panic(r.limitError(codeCalls, "%s needs %d calls, and the script may make %d more", call.Argument(0).String(), n, max(0, r.limits.Calls-m.counted)))
			}
			return undefined
		},
		// at gives an own element of an array; what is not there, or is an accessor, is undefined.
		"at": func(call goja.FunctionCall) goja.Value {
			if v, ok := r.own(call.Argument(0).(*goja.Object), call.Argument(1).String()); ok {
				return v
			}
			return undefined
		},
		// elements copies the own elements of an array; what is not there, or is an accessor, is null.
		"elements": func(call goja.FunctionCall) goja.Value {
			var list []any
			for _, v := range r.elements(call.Argument(0).(*goja.Object)) {
				list = append(list, v)
			}
			return r.vm.NewArray(list...)
		},
		// nearest suggests one of an object's names for one that it does not have.
		"nearest": func(call goja.FunctionCall) goja.Value {
			name, ok := call.Argument(0).(goja.String)
			if !ok || name.Length() < 4 {
				return r.vm.ToValue("")
			}
			return r.vm.ToValue(suggest(name.String(), call.Argument(1).(*goja.Object).Keys()))
		},
		// frameHere keeps what nodes inherit: they start later, and outside of any frame.
		"frameHere": func(call goja.FunctionCall) goja.Value {
			m.fans[call.Argument(0).String()] = m.tracker.frame().inner("")
			return undefined
		},
		"enterNode": func(call goja.FunctionCall) goja.Value {
			fan := call.Argument(0).String()
			inner := m.fans[fan].inner(nodePath(fan, call.Argument(1).String()))
			inner.throws = true
			m.tracker.enter(inner)
			return undefined
		},
		"nodeFailed": func(call goja.FunctionCall) goja.Value {
			m.partFailed(nodePath(call.Argument(0).String(), call.Argument(1).String()), "failed, and what depends on it is skipped", call.Argument(2))
			return undefined
		},
	}
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// nodePath is the frame of a dag's node. An id that could be taken for something else is quoted.
func nodePath(fan, id string) string {
	if !plainID.MatchString(id) {
		id = quoteJSON(id)
	}
	return fan + "[" + id + "]"
}

// members makes an object without a prototype of the named own data properties of a plain object.
func (r *realm) members(call goja.FunctionCall, check func(o *goja.Object, subject string, names []string)) goja.Value {
	subject := call.Argument(0).String()
	var names []string
	for _, name := range call.Arguments[2:] {
		names = append(names, name.String())
	}
	read := r.vm.CreateObject(nil)
	if goja.IsUndefined(call.Argument(1)) {
		return read
	}
	o, ok := call.Argument(1).(*goja.Object)
	if !ok || r.kind(o) != kindPlain {
		panic(r.typeError(codeOptionInvalid, "%s: %s has to be a plain object {%s}", subject, r.describe(call.Argument(1)), strings.Join(names, ", ")))
	}
	check(o, subject, names)
	for _, name := range names {
		v, ok := r.own(o, name)
		if !ok {
			panic(r.typeError(codeOptionInvalid, "%s: %s is an accessor; it has to be a value", subject, name))
		}
		r.define(read, name, v)
	}
	return read
}

func (r *realm) texts(what string, v goja.Value) goja.Value {
	refuse := func() {
		panic(r.typeError(codeOptionInvalid, "%s is %s; it has to be a text or an array of texts", what, r.describe(v)))
	}
	var list []any
	switch o, isObject := v.(*goja.Object); {
	case goja.IsUndefined(v):
	case isObject && r.kind(o) == kindArray:
		for _, element := range r.elements(o) {
			if _, ok := element.(goja.String); !ok {
				refuse()
			}
			list = append(list, element)
		}
	default:
		if _, ok := v.(goja.String); !ok {
			refuse()
		}
		list = append(list, v)
	}
	return r.vm.NewArray(list...)
}

// elements are the own elements of an array; a hole or an accessor is null.
func (r *realm) elements(array *goja.Object) []goja.Value {
	n := r.length(array)
	if n > r.limits.FanOut {
		panic(r.limitError(codeFanOut, "a list of %d; at most %d are taken", n, r.limits.FanOut))
	}
	list := make([]goja.Value, n)
	for i := range list {
		list[i] = goja.Null()
		if v, ok := r.own(array, strconv.Itoa(i)); ok && !goja.IsUndefined(v) {
			list[i] = v
		}
	}
	return list
}

// candidates gives {index, value} for what is there in a list.
func (r *realm) candidates(subject string, v goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok || r.kind(o) != kindArray {
		panic(r.typeError(codeArgument, "%s: the first argument is %s; it has to be an array", subject, r.describe(v)))
	}
	var list []any
	for i, value := range r.elements(o) {
		if goja.IsNull(value) {
			continue
		}
		row := r.vm.CreateObject(nil)
		r.define(row, "index", r.vm.ToValue(i))
		r.define(row, "value", value)
		list = append(list, row)
	}
	return r.vm.NewArray(list...)
}

// collection keeps things, each key once: {add(key, item), all()}.
func (r *realm) collection() goja.Value {
	seen := map[string]bool{}
	var items []any
	o := r.vm.CreateObject(nil)
	r.define(o, "add", r.named("add", func(call goja.FunctionCall) goja.Value {
		key := wtf8(call.Argument(0).(goja.String))
		if seen[key] {
			return r.vm.ToValue(false)
		}
		seen[key] = true
		items = append(items, call.Argument(1))
		return r.vm.ToValue(true)
	}))
	r.define(o, "all", r.named("all", func(goja.FunctionCall) goja.Value { return r.vm.NewArray(items...) }))
	return o
}
