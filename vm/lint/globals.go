package lint

import (
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/seed-8d4a6081/assent/vm"
)

// missing looks at the names that no scope has, and reports each that is no global either, once a file.
func (r *report) missing() {
	guarded := map[string]bool{} // a script that asks typeof knows that it may not be there
	for _, n := range r.script.globals {
		if u, ok := n.up.syntax.(*ast.UnaryExpression); ok && u.Operator == token.TYPEOF {
			guarded[r.global(n.syntax.(*ast.Identifier))] = true
		}
	}
	said := map[[2]string]bool{}
	for _, n := range r.script.globals {
		id := name(n.syntax.(*ast.Identifier).Name)
		at, ok := r.checked.Place(n.syntax.Idx0())
		if !ok || guarded[id] || said[[2]string{id, at.File}] || r.embedded(id) || vm.HasGlobal(id) {
			continue
		}
		said[[2]string{id, at.File}] = true
		fix := vm.Instead(id)
		if fix == "" {
			fix = "declare it, or see the globals: assent guide"
		}
		r.say(n, Warning, MissingGlobal, "", id+" is not defined: there is no global of that name", fix)
	}
}

// embedded says that a name is a global of the embedder's: a function, or an object that has some.
func (r *report) embedded(id string) bool {
	return slices.ContainsFunc(r.options.embedded(), func(f string) bool { return f == id || strings.HasPrefix(f, id+".") })
}

// embedded are the names of all functions of the embedder.
func (o Options) embedded() []string { return slices.Concat(o.Functions, o.Calculations) }

// method looks for a method that an object of the embedder's does not have.
func (r *report) method(n *node, dot *ast.DotExpression) {
	object := r.global(dot.Left)
	called := object + "." + name(dot.Identifier.Name)
	if object == "" || slices.Contains(r.options.embedded(), called) {
		return
	}
	var methods []string
	for _, f := range r.options.embedded() {
		if method, ok := strings.CutPrefix(f, object+"."); ok {
			methods = append(methods, method)
		}
	}
	if len(methods) == 0 {
		return
	}
	fix := object + " has " + strings.Join(methods, ", ")
	if near := vm.Nearest(name(dot.Identifier.Name), methods); near != "" {
		fix = "did you mean " + object + "." + near + "?"
	}
	r.say(n, Warning, MissingGlobal, "", called+" is undefined", fix)
}

// process looks for what the object process of other runtimes has, and ours does not.
func (r *report) process(n *node, dot *ast.DotExpression) {
	member := name(dot.Identifier.Name)
	if r.global(dot.Left) != "process" || member == "cwd" {
		return
	}
	switch up := n.up.syntax.(type) {
	case *ast.UnaryExpression:
		if up.Operator == token.TYPEOF {
			return
		}
	case *ast.Optional:
		return // the author knows that it may not be there
	}
	fix := "process has cwd() and nothing else"
	if member == "env" {
		fix = "a workflow sees no environment; pass what it needs as arguments: args"
	}
	r.say(n, Warning, MissingGlobal, "", "process."+member+" is undefined", fix)
}

// chance looks for what reads the clock or rolls dice. It throws; but a script may catch that, or have it in a branch that is never
// taken, as scripts for other runners do. So it is an error only where it surely runs.
func (r *report) chance(n *node) {
	what, instead := "", "now()"
	switch t := n.syntax.(type) {
	case *ast.NewExpression:
		if r.global(t.Callee) == "Date" && len(t.ArgumentList) == 0 {
			what = "new Date()"
			instead = "new Date(now())"
		}
	case *ast.CallExpression:
		method, ok := t.Callee.(*ast.DotExpression)
		switch {
		case r.global(t.Callee) == "Date":
			what = "Date()"
		case !ok:
		case r.global(method.Left) == "Date" && method.Identifier.Name == "now":
			what, instead = "Date.now()", "Date.parse(now())"
		case r.global(method.Left) == "Math" && method.Identifier.Name == "random":
			what, instead = "Math.random()", "random()"
		}
	}
	if what == "" {
		return
	}
	severity := Warning
	if r.sure(n) {
		severity = Error
	}
	r.say(n, severity, Nondeterministic, "NONDETERMINISTIC_API", what+" throws: a replay would get another value", "write "+instead)
}
