package lint

import "github.com/dop251/goja/ast"

// started looks for calls that were made where a function to make them is wanted. They would run all at once, outside of any branch,
// and the helper refuses them when they have begun.
func (r *report) started(call *ast.CallExpression) {
	global := r.global(call.Callee)
	switch {
	case global == "parallel" && len(call.ArgumentList) > 0:
		r.thunks(call.ArgumentList[0])
	case (global == "retry" || global == "gate") && len(call.ArgumentList) > 0:
		if k := r.kind(call.ArgumentList[0]); k.promise && !k.list {
			r.say(r.nodes[call.ArgumentList[0]], Error, PromiseInParallel, "ARGUMENT_INVALID",
				global+" is given a promise: the call was made already, and once", "pass a function: () => "+r.short(call.ArgumentList[0], k))
		}
	case global == "pipeline" && len(call.ArgumentList) > 1:
		for _, stage := range call.ArgumentList[1:] {
			if k := r.kind(stage); k.promise && !k.list {
				r.say(r.nodes[stage], Error, PromiseInParallel, "ARGUMENT_INVALID", "this stage is a promise: the call was made already", "pass a function: (previous, item) => "+r.short(stage, k))
			}
		}
	case global == "dag" && len(call.ArgumentList) > 0:
		for _, node := range objects(call.ArgumentList[0]) {
			if run := property(node, "run"); run != nil {
				if k := r.kind(run); k.promise && !k.list {
					r.say(r.nodes[run], Error, PromiseInParallel, "ARGUMENT_INVALID", "run is a promise: the call was made already", "pass a function: run: () => "+r.short(run, k))
				}
			}
		}
	}
}

func (r *report) thunks(list ast.Expression) {
	if k := r.kind(list); k.list {
		r.say(r.nodes[list], Error, PromiseInParallel, "ARGUMENT_INVALID",
			"parallel is given promises: the calls were made already", "give a function for each item: items.map((item) => () => …)")
		return
	}
	array, ok := list.(*ast.ArrayLiteral)
	if !ok {
		return
	}
	for _, element := range array.Value {
		if k := r.kind(element); k.promise && !k.list {
			r.say(r.nodes[element], Error, PromiseInParallel, "ARGUMENT_INVALID",
				"parallel is given a promise: the call was made already", "pass a function: () => "+r.short(element, k))
		}
	}
}

// short names a call in a fix.
func (r *report) short(e ast.Expression, k kind) string {
	if call, ok := e.(*ast.CallExpression); ok {
		return r.spelled(call.Callee) + "(…)"
	}
	return k.from + "(…)"
}

// forEach looks for a forEach whose function gives promises: forEach drops them.
func (r *report) forEach(n *node, call *ast.CallExpression) {
	method, ok := call.Callee.(*ast.DotExpression)
	if !ok || method.Identifier.Name != "forEach" || len(call.ArgumentList) == 0 {
		return
	}
	callback := r.unwrap(call.ArgumentList[0])
	f := r.functions[r.nodes[callback]]
	if f == nil {
		return
	}
	if k := r.gives(callback); k.promise && (!f.async || f.awaits || k.from != "") {
		r.say(n, Warning, ForEachPromises, "", "forEach drops the promises that this function gives; nobody waits for them",
			"write for (const item of items) { await … }, or await parallel(items.map((item) => () => …))")
	}
}
