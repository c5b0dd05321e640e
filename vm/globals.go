package vm

import (
	"math"
	"strings"

	"github.com/dop251/goja"
)

// isoMilliseconds is how instants look in the script language.
const isoMilliseconds = "2006-01-02T15:04:05.000Z"

// installGlobals defines the language's own globals, but for parallel and pipeline (prelude/fanout.js)
// and args (Start). None can be replaced; any can be shadowed.
func (m *Machine) installGlobals() {
	r := m.realm
	text := func(s string) goja.Value { return r.vm.ToValue(strings.ToValidUTF8(s, "\uFFFD")) }
	function := func(name string, length int, f native) goja.Value {
		o := r.function(name, length, f)
		r.freeze(o)
		return o
	}
	object := func(members ...any) goja.Value {
		o := r.vm.NewObject()
		for i := 0; i < len(members); i += 2 {
			r.define(o, members[i].(string), members[i+1].(goja.Value))
		}
		r.freeze(o)
		return o
	}
	m.installFunctions()
	r.global("phase", function("phase", 1, m.phase))
	r.global("log", function("log", 1, m.logger("info")))
	r.global("setSemanticStatus", function("setSemanticStatus", 1, m.setSemanticStatus))
	r.global("console", object(
		"log", function("log", 0, m.logger("info")), "info", function("info", 0, m.logger("info")),
		"warn", function("warn", 0, m.logger("warn")), "error", function("error", 0, m.logger("error")),
		"debug", function("debug", 0, m.logger("debug")),
	))
	r.global("now", function("now", 0, func(goja.FunctionCall) goja.Value {
		return text(m.now.UTC().Format(isoMilliseconds))
	}))
	r.global("random", function("random", 0, func(goja.FunctionCall) goja.Value {
		return r.vm.ToValue(m.placed("random").random(m.config.Seed))
	}))
	r.global("uuid", function("uuid", 0, func(goja.FunctionCall) goja.Value {
		return text(m.placed("uuid").uuid(m.config.Seed))
	}))
	r.global("runId", text(m.config.RunID))
	r.global("workflowRunId", text(m.config.RunID))
	r.global("cwd", text(m.config.Cwd))
	r.global("process", object("cwd", function("cwd", 0, func(goja.FunctionCall) goja.Value { return text(m.config.Cwd) })))
	r.global("budget", m.budget())
}

// budget reads what At says, so its total is an accessor: a budget can be raised between two turns.
func (m *Machine) budget() goja.Value {
	r := m.realm
	o := r.vm.NewObject()
	method := func(name string, read func() goja.Value) goja.Value {
		f := r.function(name, 0, func(goja.FunctionCall) goja.Value { return read() })
		r.freeze(f)
		return f
	}
	total := method("total", func() goja.Value {
		if m.at.Total == nil {
			return goja.Null()
		}
		return r.vm.ToValue(*m.at.Total)
	})
	must(o.DefineAccessorProperty("total", total, nil, goja.FLAG_FALSE, goja.FLAG_TRUE))
	r.define(o, "spent", method("spent", func() goja.Value { return r.vm.ToValue(m.at.Spent) }))
	r.define(o, "remaining", method("remaining", func() goja.Value {
		if m.at.Total == nil {
			return r.vm.ToValue(math.Inf(1))
		}
		return r.vm.ToValue(max(0, *m.at.Total-m.at.Spent))
	}))
	r.freeze(o)
	return o
}

// placed gives the strand that executes; what depends on it cannot be had outside any frame.
func (m *Machine) placed(what string) *strand {
	s := m.tracker.strand()
	if s == nil {
		panic(m.noFrame(what))
	}
	return s
}

func (m *Machine) noFrame(what string) *goja.Object {
	return m.realm.newError("TypeError", what+"() was called where no frame of the script is known, such as in the then method of an object that is awaited; "+
		"call it from a function that the script calls or awaits", mark{code: codeNoFrame, fatal: true})
}

// setAt takes over what the script can see of the world. Time never goes back.
func (m *Machine) setAt(at At) {
	m.at = at
	if m.now.IsZero() || at.Now.After(m.now) {
		m.now = at.Now
	}
}
