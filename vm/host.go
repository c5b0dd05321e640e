package vm

import (
	"math"
	"strconv"

	"github.com/dop251/goja"
)

// install builds the realm's guards and globals. It runs once, before any of the author's code, and leaves nothing for later: what
// the prelude replaces is out of reach, and what it captures is as the engine made it, whatever the script then does.
func (m *Machine) install() error {
	r := m.realm
	r.vm.SetAsyncContextTracker(m.tracker)
	r.vm.SetPromiseRejectionTracker(m.trackRejection)
	host := r.vm.CreateObject(nil)
	for _, functions := range []map[string]native{
		m.hostFunctions(), m.textFunctions(), m.qualityFunctions(), m.fatalFunctions(), m.es2025Functions(), m.dateFunctions(), m.regexpFunctions(),
		m.localeFunctions(), m.bufferFunctions(), m.webFunctions(),
	} {
		for name, f := range functions {
			must(host.Set(name, r.named(name, f)))
		}
	}
	must(host.Set("maxDepth", r.limits.JSONDepth))
	must(host.Set("maxString", r.limits.String))
	for _, name := range preludeOrder {
		if err := r.runPrelude(name, host); err != nil {
			return err
		}
	}
	if err := m.addFunctions(); err != nil {
		return err
	}
	m.installGlobals()
	return nil
}

// hostFunctions are what the prelude may ask of the machine. Scripts never see them.
func (m *Machine) hostFunctions() map[string]native {
	r := m.realm
	undefined := goja.Undefined()
	return map[string]native{
		// hide defines a property as built-ins have them, and named gives a function its name and length.
		"hide": func(call goja.FunctionCall) goja.Value {
			target := call.Argument(0).(*goja.Object)
			if symbol, ok := call.Argument(1).(*goja.Symbol); ok {
				must(target.DefineDataPropertySymbol(symbol, call.Argument(2), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
			} else {
				must(target.DefineDataProperty(call.Argument(1).String(), call.Argument(2), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
			}
			return undefined
		},
		"named": func(call goja.FunctionCall) goja.Value {
			f := call.Argument(0).(*goja.Object)
			must(f.DefineDataProperty("name", call.Argument(1), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
			must(f.DefineDataProperty("length", call.Argument(2), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
			return f
		},
		// Frames.
		"fan": func(call goja.FunctionCall) goja.Value {
			s := m.tracker.strand()
			if s == nil {
				panic(m.noFrame(call.Argument(0).String()))
			}
			return r.vm.ToValue(s.key(call.Argument(0).String()))
		},
		"enter": func(call goja.FunctionCall) goja.Value {
			path := branchPath(call.Argument(0).String(), int(call.Argument(1).ToInteger()))
			m.tracker.enter(m.tracker.frame().inner(path))
			return undefined
		},
		"enterRoot": func(goja.FunctionCall) goja.Value {
			m.tracker.enter(&frame{})
			return undefined
		},
		"enterWorkflow": func(goja.FunctionCall) goja.Value {
			m.tracker.enter(m.next)
			return undefined
		},
		"enterNone": func(goja.FunctionCall) goja.Value {
			m.tracker.detach()
			return undefined
		},
		"leave": func(goja.FunctionCall) goja.Value {
			m.tracker.leave()
			return undefined
		},
		"then": func(call goja.FunctionCall) goja.Value {
			return r.thenNative(goja.FunctionCall{This: call.Argument(0), Arguments: []goja.Value{
				r.named("", m.fulfilled), r.named("", m.failed),
			}})
		},
		"thenSettle": func(call goja.FunctionCall) goja.Value {
			return r.thenNative(goja.FunctionCall{This: call.Argument(0), Arguments: call.Arguments[1:]})
		},
		"helpers": func(call goja.FunctionCall) goja.Value {
			r.global("parallel", call.Argument(0))
			r.global("pipeline", call.Argument(1))
			m.start, _ = goja.AssertFunction(call.Argument(2))
			m.child, _ = goja.AssertFunction(call.Argument(3))
			return undefined
		},

		// Fan-out.
		"checkFanOut": func(call goja.FunctionCall) goja.Value {
			if n := call.Argument(0).ToInteger(); n > int64(r.limits.FanOut) {
				panic(r.limitError(codeFanOut, "a fan-out of %d items; at most %d may start at once", n, r.limits.FanOut))
			}
			return undefined
		},
		"nulls": func(call goja.FunctionCall) goja.Value {
			items := make([]any, call.Argument(0).ToInteger())
			for i := range items {
				items[i] = goja.Null()
			}
			return r.vm.NewArray(items...)
		},
		"failed": func(call goja.FunctionCall) goja.Value {
			path := branchPath(call.Argument(0).String(), int(call.Argument(1).ToInteger()))
			m.branchFailed(path, call.Argument(2))
			return undefined
		},
		"isPromise": func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(0).(*goja.Object)
			return r.vm.ToValue(ok && r.kind(o) == kindPromise)
		},
		"describe": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.describe(call.Argument(0)))
		},
		"typeError": func(call goja.FunctionCall) goja.Value {
			return r.typeError(codeArgument, "%s", call.Argument(0).String())
		},

		"unavailable": func(call goja.FunctionCall) goja.Value {
			panic(r.typeError(codeOptionLater, "%s is not available: a workflow knows one locale and one zone, so that it runs alike everywhere", call.Argument(0).String()))
		},

		// Guards.
		"parse": func(call goja.FunctionCall) goja.Value {
			v, bad := r.parse(call.Argument(0).(goja.String))
			switch {
			case bad == nil:
				return v
			case bad.code == codeJSONDepth:
				panic(r.limitError(bad.code, "JSON.parse: %s", bad.what))
			default:
				panic(r.errorNative["SyntaxError"](goja.FunctionCall{Arguments: []goja.Value{r.vm.ToValue("JSON.parse: " + bad.what)}}))
			}
		},
		"stringify": r.stringify,
		"keys": func(call goja.FunctionCall) goja.Value {
			return r.keysNative(goja.FunctionCall{Arguments: []goja.Value{call.Argument(0)}})
		},
		"indices": func(call goja.FunctionCall) goja.Value {
			items := make([]any, r.length(call.Argument(0).(*goja.Object)))
			for i := range items {
				items[i] = strconv.Itoa(i)
			}
			return r.vm.NewArray(items...)
		},
		"define": func(call goja.FunctionCall) goja.Value {
			o := call.Argument(0).(*goja.Object)
			descriptor := r.vm.CreateObject(nil)
			for _, name := range []string{"writable", "enumerable", "configurable"} {
				r.define(descriptor, name, r.vm.ToValue(true))
			}
			r.define(descriptor, "value", call.Argument(2))
			return r.defineNative(goja.FunctionCall{Arguments: []goja.Value{o, call.Argument(1), descriptor}})
		},
		"wellFormed": func(call goja.FunctionCall) goja.Value {
			return wellFormed(call.Argument(0).(goja.String))
		},
		"tooDeep": func(call goja.FunctionCall) goja.Value {
			panic(r.limitError(codeJSONDepth, "%s nests deeper than %d", call.Argument(0).String(), r.limits.JSONDepth))
		},
		"tooLong": func(call goja.FunctionCall) goja.Value {
			panic(r.limitError(codeString, "%s: the string would be longer than %d", call.Argument(0).String(), r.limits.String))
		},
	}
}

func branchPath(fan string, i int) string { return fan + "[" + strconv.Itoa(i) + "]" }

// finite says whether v is a number that JSON can hold.
func finite(v goja.Value) (float64, bool) {
	switch n := v.Export().(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	default:
		return 0, false
	}
}
