package lint

import (
	"slices"
	"sort"

	"github.com/dop251/goja/ast"
)

// unchecked looks for work behind a planApprove whose answer nobody looks at. Whoever hands the approval on, to a function, to a log or
// as under, is taken to look: only an approval of which nothing but the plan is used is one that surely nobody looked at.
func (r *report) unchecked(n *node, call *ast.CallExpression) {
	if k := r.kind(call); k.what != approval || !k.promise || k.list || r.checked.Program != nil && r.checked.Program.Meta().PlanFirst {
		return // with planFirst the engine itself refuses such work
	}
	if r.followed(n, call) {
		return
	}
	awaited := n.up
	if _, ok := awaited.syntax.(*ast.AwaitExpression); !ok {
		return
	}
	var refusals []*node
	if !r.dropped(awaited) && !r.ignored(awaited) {
		if refusals = r.onlyRefusals(awaited); len(refusals) == 0 {
			return
		}
	}
	first := sort.Search(len(r.effects), func(i int) bool { return r.effects[i].syntax.Idx0() > n.syntax.Idx0() })
	for _, effect := range r.effects[first:min(first+maxCompared, len(r.effects))] {
		switch {
		case !within(effect, n.function) || r.apart(n, effect):
		case refusals == nil:
			r.unguarded(n, call, effect)
			return
		case r.textComesTo(effect, refusals):
			r.halfGuarded(refusals[0], effect)
			return
		}
	}
}

// followed reports work in a handler of .then that does not even take the approval.
func (r *report) followed(n *node, call *ast.CallExpression) bool {
	method, ok := n.up.syntax.(*ast.DotExpression)
	then, called := n.up.up.syntax.(*ast.CallExpression)
	if !ok || !called || method.Identifier.Name != "then" || then.Callee != n.up.syntax || len(then.ArgumentList) == 0 {
		return false
	}
	handler, ok := r.unwrap(then.ArgumentList[0]).(*ast.ArrowFunctionLiteral)
	if !ok || len(handler.ParameterList.List) > 0 || handler.ParameterList.Rest != nil {
		return false
	}
	for _, effect := range r.effects {
		if within(effect, r.nodes[handler]) {
			r.unguarded(n, call, effect)
			break
		}
	}
	return true
}

func (r *report) unguarded(n *node, call *ast.CallExpression, effect *node) {
	at, ok := r.checked.Place(effect.syntax.Idx0())
	if !ok {
		return
	}
	r.say(n, Error, UncheckedApproval, "", "nobody looks at what "+r.spelled(call.Callee)+"() gave, and the work "+inLine(at.Line)+" is done also if the plan was declined",
		"const approval = await planApprove(…); if (approval.decision !== true) return …; then agent(…, { under: approval })")
}

// harmless are the members of an approval that say nothing of the decision.
var harmless = []string{"plan", "checksum", "approvedAt", "approvedBy", "permissionMode", "replayed"}

// ignored says that an approval is kept under a name, and that only its harmless members are read.
func (r *report) ignored(n *node) bool {
	declared, ok := n.up.syntax.(*ast.Binding)
	if !ok || declared.Initializer != n.syntax {
		return false
	}
	switch target := declared.Target.(type) {
	case *ast.Identifier:
		b := r.bound[target]
		return b != nil && !b.unsure && len(b.values) == 1 && !slices.ContainsFunc(b.reads, func(read *node) bool {
			dot, ok := read.up.syntax.(*ast.DotExpression)
			return !ok || !slices.Contains(harmless, name(dot.Identifier.Name))
		})
	case *ast.ObjectPattern:
		return target.Rest == nil && !slices.ContainsFunc(target.Properties, func(p ast.Property) bool {
			short, ok := p.(*ast.PropertyShort)
			return !ok || !slices.Contains(harmless, name(short.Name.Name))
		})
	}
	return false
}

// effect says that a call does work that a plan may be about. Options that are not written down at the call could hold readOnly or
// under, so nothing is said of them; and what is done under an approval is refused by the engine unless that was given.
func (r *report) effect(call *ast.CallExpression) bool {
	switch r.global(call.Callee) {
	case "workflow":
		return true
	case "agent":
	default:
		return false
	}
	if len(call.ArgumentList) < 2 {
		return true
	}
	options, ok := call.ArgumentList[1].(*ast.ObjectLiteral)
	if !ok {
		return false // who knows
	}
	for _, p := range options.Value {
		if _, spread := p.(*ast.SpreadElement); spread {
			return false
		}
	}
	if property(options, "under") != nil || short(options, "under") {
		return false
	}
	readOnly := property(options, "readOnly")
	if readOnly == nil {
		return !short(options, "readOnly")
	}
	truth, ok := readOnly.(*ast.BooleanLiteral)
	return ok && !truth.Value
}

// swallowed looks for a gate in a try whose catch does nothing.
func (r *report) swallowed(n *node, call *ast.CallExpression) {
	if !r.kind(call).gate() || r.dropped(n) {
		return
	}
	for inner, up := n, n.up; up.syntax != nil && r.functions[inner] == nil; inner, up = up, up.up {
		t, ok := up.syntax.(*ast.TryStatement)
		if !ok || t.Catch == nil || inner.syntax != ast.Node(t.Body) {
			continue
		}
		if len(t.Catch.Body.List) == 0 {
			r.say(n, Warning, SwallowedGate, "", "the empty catch around it hides what this gate throws: a question that timed out, or a run that is to stop",
				"take the gate out of the try, or throw the error again")
		}
		return
	}
}
