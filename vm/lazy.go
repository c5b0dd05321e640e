package vm

import (
	"regexp"

	"github.com/dop251/goja"
)

// lazyPrelude is a prelude file that many scripts do not need; all of them together are most of a machine's start. It runs before the
// script does if the script's text has one of the words that lead to what it makes. A text that has none can only get there by
// code that it makes while it runs, and before that, all files run.
type lazyPrelude struct {
	words   *regexp.Regexp
	methods []string // of iterators: any object may turn out to be one
	host    func(*Machine) map[string]native
}

// dynamic are the ways to globals that need not name them.
const dynamic = `\b(globalThis|eval|Function)\b|\.\s*constructor\b|["'` + "`" + `]constructor["'` + "`]"

func words(list string) *regexp.Regexp { return regexp.MustCompile(dynamic + `|\b(` + list + `)\b`) }

var lazyPreludes = map[string]lazyPrelude{
	"date":    {words: words(`Date|` + webNames), host: (*Machine).dateFunctions},
	"regexp":  {words: words(`RegExp|match|matchAll|search|` + webNames), host: (*Machine).regexpFunctions},
	"proxies": {words: words(`Proxy`)},
	"locale":  {words: words(`toLocaleString|toLocaleLowerCase|toLocaleUpperCase|localeCompare`), host: (*Machine).localeFunctions},
	"buffers": {words: words(`\w*ArrayBuffer|DataView|\w+\d\w*Array|buffer|` + webNames), host: (*Machine).bufferFunctions},
	"iterators": {
		words:   regexp.MustCompile(dynamic + `|\b(Iterator|Reflect|getPrototypeOf|__proto__|take|drop|toArray|values|keys|entries|matchAll|next)\b|\bSymbol\s*\.\s*iterator\b|\bfunction\s*\*|[{,;*]\s*\*`),
		methods: []string{"map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find"},
	},
	"web": {words: words(webNames), host: (*Machine).webFunctions},
}

const webNames = `structuredClone|URL|URLSearchParams|TextEncoder|TextDecoder|atob|btoa`

// mentions says which of the lazy files a program's text may need.
func mentions(code string) map[string]bool {
	found := map[string]bool{}
	for name, lazy := range lazyPreludes {
		found[name] = lazy.words.MatchString(code)
	}
	return found
}

// runPrelude runs a file.
func (m *Machine) runPrelude(name string) error {
	m.provide(lazyPreludes[name].functions(m))
	return m.realm.runPrelude(name, m.host)
}

func (lazy lazyPrelude) functions(m *Machine) map[string]native {
	if lazy.host == nil {
		return nil
	}
	return lazy.host(m)
}

// pendingPrelude is a file that was left out.
type pendingPrelude struct {
	name string
	f    goja.Value
}

// runPending runs the files that were left out, as built-ins call functions: no microtask runs before its time.
func (m *Machine) runPending() {
	for len(m.pending) > 0 {
		next := m.pending[0]
		m.pending = m.pending[1:]
		m.provide(lazyPreludes[next.name].functions(m))
		m.realm.call(next.f, goja.Undefined(), m.host)
	}
}

// wait leaves a file out. In the place of methods that it makes stand accessors that run it.
func (m *Machine) wait(name string, lazy lazyPrelude) {
	r := m.realm
	f, err := r.vm.RunProgram(prelude()[name])
	must(err)
	m.pending = append(m.pending, pendingPrelude{name, f})
	if len(lazy.methods) == 0 {
		return
	}
	list := r.vm.NewArray()
	values, _ := goja.AssertFunction(list.Get("values"))
	iterator, err := values(list)
	must(err)
	proto := iterator.(*goja.Object).Prototype().Prototype()
	for _, key := range lazy.methods {
		get := r.named("get "+key, func(goja.FunctionCall) goja.Value {
			m.runPending()
			return proto.Get(key)
		})
		set := r.named("set "+key, func(call goja.FunctionCall) goja.Value {
			m.runPending()
			must(call.This.ToObject(r.vm).Set(key, call.Argument(0)))
			return goja.Undefined()
		})
		must(proto.DefineAccessorProperty(key, get, set, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
}
