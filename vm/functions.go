package vm

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/dop251/goja"
)

const agentName = "agent"

var functionName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)?$`)

// addFunctions takes over the caller's functions, whose names nothing else may have.
func (m *Machine) addFunctions() error {
	global := m.realm.vm.GlobalObject()
	taken := map[string]bool{}
	for _, name := range ownGlobals {
		taken[name] = true
	}
	objects := map[string]bool{}
	take := func(name string) bool {
		object, _, method := strings.Cut(name, ".")
		if !functionName.MatchString(name) || taken[name] || taken[object] || global.Get(object) != nil || objects[name] {
			return false
		}
		taken[name] = true
		if method {
			objects[object] = true
		}
		return true
	}
	for _, f := range m.config.Functions {
		if !take(f.Name) {
			return misuse("a host function cannot have the name %q", f.Name)
		}
		m.functions = append(m.functions, function{f, 0, readAny(f)})
	}
	for _, c := range m.config.Calculations {
		if !take(c.Name) {
			return misuse("a calculation cannot have the name %q", c.Name)
		}
	}
	return nil
}

// installFunctions defines them all, as globals or as methods of frozen globals.
func (m *Machine) installFunctions() {
	r := m.realm
	objects := map[string]*goja.Object{}
	var order []string
	install := func(name string, arity int, f native) {
		object, method, dotted := strings.Cut(name, ".")
		if !dotted {
			method = name
		}
		o := r.function(method, arity, f)
		r.freeze(o)
		if !dotted {
			r.global(name, o)
			return
		}
		if objects[object] == nil {
			objects[object] = r.vm.NewObject()
			order = append(order, object)
		}
		r.define(objects[object], method, o)
	}
	for _, f := range m.functions {
		install(f.Name, f.arity, func(call goja.FunctionCall) goja.Value { return m.call(f, call) })
	}
	for _, c := range m.config.Calculations {
		install(c.Name, 0, func(call goja.FunctionCall) goja.Value { return m.calculate(c, call.Arguments) })
	}
	for _, name := range order {
		r.freeze(objects[name])
		r.global(name, objects[name])
	}
}

// readAny takes all arguments as they are; undefined ones at the end are left out.
func readAny(f Function) func(m *Machine, c *Call, _ *pending, args []goja.Value) *goja.Object {
	return func(m *Machine, c *Call, _ *pending, args []goja.Value) *goja.Object {
		for i, v := range given(args) {
			var bad *goja.Object
			if o := object(v); o != nil && f.Approved && m.realm.kind(o) == kindPlain {
				bad = m.addApproved(c, ordinal(i), v, nil)
			} else {
				bad = m.addArgument(c, ordinal(i), v)
			}
			if bad != nil {
				return bad
			}
		}
		return nil
	}
}

// given are the arguments without undefined ones at the end.
func given(args []goja.Value) []goja.Value {
	for len(args) > 0 && goja.IsUndefined(args[len(args)-1]) {
		args = args[:len(args)-1]
	}
	return args
}

// calculate answers a calculation.
func (m *Machine) calculate(c Calculation, args []goja.Value) goja.Value {
	r := m.realm
	var texts []json.RawMessage
	for i, v := range given(args) {
		text, bad := r.snapshot(v, r.valueRules(codeValue))
		if bad != nil {
			panic(r.refusalError(c.Name+": "+ordinal(i), bad))
		}
		texts = append(texts, text)
	}
	value, err := c.Do(texts)
	if err != nil {
		panic(r.checkError(err))
	}
	v, bad := r.decode(value, false)
	if bad != nil {
		panic(r.refusalError(c.Name+": what it gives", bad))
	}
	return v
}
