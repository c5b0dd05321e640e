package vm

import (
	"strconv"

	"github.com/dop251/goja"
)

// A fatal error is one that the machine made: a limit, or a failure that the engine calls fatal. It keeps what it is inside of
// another error: as one of the errors of Promise.any, as a cause, or as what a failing dispose pushed aside. A script cannot
// forge it, for the inner error has to be the very object that the machine marked. It can give it up, as everything else that it
// catches, by going on with something that does not have it inside.

// maxInside bounds how many errors inside of one are looked at.
const maxInside = 10_000

// fatalFunctions are what fan-outs and prelude/promises.js ask about errors.
func (m *Machine) fatalFunctions() map[string]native {
	r := m.realm
	return map[string]native{
		"isFatal": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(r.carried(call.Argument(0)).fatal) },
		// isLost says of a promise that it was rejected with a fatal error.
		"isLost": func(call goja.FunctionCall) goja.Value {
			p, ok := call.Argument(0).Export().(*goja.Promise)
			return r.vm.ToValue(ok && p.State() == goja.PromiseStateRejected && r.carried(p.Result()).fatal)
		},
		// isSpent says that an error means that there is nothing left to spend.
		"isSpent": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(spent(r.carried(call.Argument(0)).code))
		},
		// gathered marks the error of Promise.any as what its errors are, before any code of the script has seen it.
		"gathered": func(call goja.FunctionCall) goja.Value {
			if o := object(call.Argument(0)); o != nil {
				if _, known := r.marks[o]; !known {
					if inner := r.carried(o); inner.fatal {
						r.marks[o] = inner
					}
				}
			}
			return call.Argument(0)
		},
	}
}

// The engine's codes for a budget that is spent.
const (
	codeBudget      = "BUDGET_EXCEEDED"
	codePhaseBudget = "PHASE_BUDGET_EXCEEDED"
)

func spent(code string) bool {
	return code == codeCalls || code == codeBudget || code == codePhaseBudget
}

// carried gives what the machine knows of an error: its own mark, or else that of a fatal error inside of it. Of several fatal ones it
// is the first that more budget would not mend. Nothing of the script runs.
func (r *realm) carried(reason goja.Value) mark {
	first := object(reason)
	if first == nil {
		return mark{}
	}
	own := r.marks[first]
	if own.fatal || r.kind(first) != kindError {
		return own
	}
	var found *mark
	seen := map[*goja.Object]bool{first: true}
	queue := []*goja.Object{first}
	for i := 0; i < len(queue); i++ {
		if known, ok := r.marks[queue[i]]; ok && known.fatal {
			if found == nil || spent(found.code) && !spent(known.code) {
				found = &known
			}
			continue
		}
		for _, inner := range r.inside(queue[i]) {
			if !seen[inner] && len(queue) < maxInside {
				seen[inner] = true
				queue = append(queue, inner)
			}
		}
	}
	if found == nil {
		return own
	}
	return *found
}

// inside gives the errors that an error holds: its cause, the list of an AggregateError, and the two of a SuppressedError.
func (r *realm) inside(o *goja.Object) []*goja.Object {
	var list []*goja.Object
	add := func(holder *goja.Object, key string) {
		v, ok := r.own(holder, key)
		if inner := object(v); ok && inner != nil && r.kind(inner) == kindError {
			list = append(list, inner)
		}
	}
	for _, key := range []string{"cause", "error", "suppressed"} {
		add(o, key)
	}
	v, _ := r.own(o, "errors")
	if errors := object(v); errors != nil && r.kind(errors) == kindArray {
		for i := range min(r.length(errors), maxInside) {
			add(errors, strconv.Itoa(i))
		}
	}
	return list
}
