package vm

import (
	"embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// native is a built-in as Go can call it: directly, without goja's job queue being drained in between.
type native func(goja.FunctionCall) goja.Value

// realm is one set of ECMAScript built-ins, guarded, with the natives that the machine
// itself relies on captured before any script runs.
type realm struct {
	vm          *goja.Runtime
	limits      Limits
	objectProto *goja.Object
	arrayProto  *goja.Object
	promiseCtor *goja.Object

	freezeNative  native
	descriptorOf  native
	getNative     native
	defineNative  native
	keysNative    native
	isArrayNative native
	applyNative   native
	thenNative    native
	rejectNative  native
	errorNative   map[string]native

	marks map[*goja.Object]mark
}

// mark is what the machine knows of an error object that it made. It lives here and not on
// the object, so a script can neither forge nor wash it off.
type mark struct {
	code  string
	fatal bool
	pos   Position
}

//go:embed prelude/*.js
var preludeFiles embed.FS

// preludeName starts the file name of all our own JavaScript; such frames are left out of positions.
const preludeName = "assent:"

// preludeOrder is the order in which the files run: what one captures is what those before it made.
var preludeOrder = []string{"polyfills", "iterators", "date", "regexp", "proxies", "locale", "buffers", "promises", "guards", "fanout", "dag", "quality", "web", "clone"}

// prelude holds our JavaScript, compiled once for all machines.
var prelude = sync.OnceValue(func() map[string]*goja.Program {
	programs := map[string]*goja.Program{}
	for _, name := range preludeOrder {
		text, err := preludeFiles.ReadFile("prelude/" + name + ".js")
		if err != nil {
			panic(err) // embedded: cannot fail in a build that has tests
		}
		programs[name] = goja.MustCompile(preludeName+name, string(text), true)
	}
	return programs
})

// newRealm makes the built-ins of one machine. host gives prelude code its natives.
func newRealm(limits Limits) *realm {
	vm := goja.New()
	vm.SetMaxCallStackSize(limits.CallStack)
	r := &realm{vm: vm, limits: limits, marks: map[*goja.Object]mark{}}
	// The clock and the dice of goja itself are cut off, so that no built-in can reach them by any road.
	vm.SetRandSource(func() float64 {
		panic(r.nondeterministic("Math.random()", "random()"))
	})
	vm.SetTimeSource(r.noClock)

	global := vm.GlobalObject()
	object := global.Get("Object").(*goja.Object)
	reflect := global.Get("Reflect").(*goja.Object)
	array := global.Get("Array").(*goja.Object)
	r.promiseCtor = global.Get("Promise").(*goja.Object)
	r.objectProto = object.Get("prototype").(*goja.Object)
	r.arrayProto = array.Get("prototype").(*goja.Object)
	r.freezeNative = capture(object, "freeze")
	r.descriptorOf = capture(object, "getOwnPropertyDescriptor")
	r.keysNative = capture(object, "keys")
	r.getNative = capture(reflect, "get")
	r.defineNative = capture(reflect, "defineProperty")
	r.applyNative = capture(reflect, "apply")
	r.isArrayNative = capture(array, "isArray")
	r.thenNative = capture(r.promiseCtor.Get("prototype").(*goja.Object), "then")
	r.rejectNative = capture(r.promiseCtor, "reject")
	must(global.Delete("GoError")) // goja's own, and no part of the language
	// The engine does not know these, but the bundler's code for async generators, for await and using looks them up.
	symbol := global.Get("Symbol").(*goja.Object)
	for _, name := range []string{"asyncIterator", "dispose", "asyncDispose"} {
		must(symbol.DefineDataProperty(name, goja.NewSymbol("Symbol."+name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	}
	r.errorNative = map[string]native{}
	for _, name := range []string{"Error", "TypeError", "RangeError", "SyntaxError"} {
		r.errorNative[name] = capture(global, name)
	}
	return r
}

func capture(o *goja.Object, name string) native {
	return o.Get(name).Export().(func(goja.FunctionCall) goja.Value)
}

// runPrelude evaluates one prelude file, a function, and calls it with host.
func (r *realm) runPrelude(name string, host *goja.Object) error {
	v, err := r.vm.RunProgram(prelude()[name])
	if err != nil {
		return err
	}
	f, _ := goja.AssertFunction(v)
	_, err = f(goja.Undefined(), host)
	return err
}

// function makes a host function. It shows its JavaScript name and nothing of Go.
func (r *realm) function(name string, length int, f native) *goja.Object {
	o := r.named(name, f)
	must(o.DefineDataProperty("length", r.vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// named is a function for our own JavaScript. Its name shows in stacks, where goja would write Go's.
func (r *realm) named(name string, f native) *goja.Object {
	o := r.vm.ToValue((func(goja.FunctionCall) goja.Value)(f)).(*goja.Object)
	must(o.DefineDataProperty("name", r.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// global makes v a global that a script can shadow, but not replace.
func (r *realm) global(name string, v goja.Value) {
	r.freeze(v)
	must(r.vm.GlobalObject().DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
}

// must is for definitions on objects of our own, which cannot fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (r *realm) freeze(v goja.Value) {
	if _, ok := v.(*goja.Object); ok {
		r.freezeNative(goja.FunctionCall{Arguments: []goja.Value{v}})
	}
}

// define makes an own data property of an ordinary object, whatever the prototypes say.
func (r *realm) define(o *goja.Object, key string, v goja.Value) {
	if utf8.ValidString(key) {
		must(o.DefineDataProperty(key, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
		return
	}
	descriptor := r.vm.CreateObject(nil)
	for _, name := range []string{"writable", "enumerable", "configurable"} {
		must(descriptor.DefineDataProperty(name, r.vm.ToValue(true), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	must(descriptor.DefineDataProperty("value", v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	r.defineNative(goja.FunctionCall{Arguments: []goja.Value{o, r.stringValue(key), descriptor}})
}

// own reads an own property without running code: ok is false for an accessor. A property that
// is not there reads as undefined. (The engine makes its descriptor by assignment. So a setter that a script puts on Object.prototype
// under a name of a descriptor's parts does run, and can only make a value that is there be refused, or be another one of the script's.)
func (r *realm) own(o *goja.Object, key string) (v goja.Value, ok bool) {
	descriptor, found := r.descriptorOf(goja.FunctionCall{Arguments: []goja.Value{o, r.stringValue(key)}}).(*goja.Object)
	if !found {
		return goja.Undefined(), true
	}
	must(descriptor.SetPrototype(nil)) // else a changed Object.prototype would answer for it
	if value := descriptor.Get("value"); value != nil {
		return value, true
	}
	return nil, false
}

// ownString reads an own data property that holds a string.
func (r *realm) ownString(o *goja.Object, key string) (string, bool) {
	if r.kind(o) == kindProxy {
		return "", false
	}
	v, ok := r.own(o, key)
	if !ok {
		return "", false
	}
	s, ok := v.(goja.String)
	if !ok {
		return "", false
	}
	return s.String(), true
}

func (r *realm) hasMethod(o *goja.Object, key string) bool {
	v, ok := r.own(o, key)
	if !ok {
		return false
	}
	_, callable := goja.AssertFunction(v)
	return callable
}

// keys gives the own enumerable string keys, in the order of ECMAScript, in WTF-8 (see wtf8). Of a
// Proxy it asks the traps.
func (r *realm) keys(o *goja.Object) []string {
	keys := o.Keys()
	for i, key := range keys {
		if strings.ContainsRune(key, utf8.RuneError) { // it may stand for half of a pair
			all := r.keysNative(goja.FunctionCall{Arguments: []goja.Value{o}}).(*goja.Object)
			for j := i; j < len(keys); j++ {
				if exact, ok := all.Get(strconv.Itoa(j)).(goja.String); ok {
					keys[j] = wtf8(exact)
				}
			}
			break
		}
	}
	return keys
}

// get reads a property as the script would, running its code if need be. key is in WTF-8.
func (r *realm) get(o *goja.Object, key string) goja.Value {
	if utf8.ValidString(key) {
		return o.Get(key)
	}
	return r.getNative(goja.FunctionCall{Arguments: []goja.Value{o, r.stringValue(key)}})
}
