package lint

import (
	"fmt"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// A script that forgets an await goes on, and its calls are cut off when it ends. Of an agent that is lost work; a gate that nobody
// waits for stops nothing, which is what it is there for.

// unawaited looks for a call whose promise nobody waits for.
func (r *report) unawaited(n *node, call *ast.CallExpression) {
	k := r.kind(call)
	if !k.promise {
		return
	}
	if !k.list && !r.waits(call, k) {
		return
	}
	var what string
	switch {
	case r.dropped(n):
		what = "nobody waits for " + r.calls(call, k)
	case r.unread(n):
		what = "nobody waits for " + r.calls(call, k) + ": what it gives is kept and never used"
	default:
		return
	}
	if k.list {
		r.say(n, Warning, UnawaitedCall, "", what, "use await parallel(items.map((item) => () => …)), or await Promise.all(…)")
		return
	}
	r.forgotten(n, k, what, "write await before it")
}

// forgotten reports a missing await.
func (r *report) forgotten(n *node, k kind, what, fix string) {
	if k.gate() {
		r.say(n, Error, UnawaitedGate, "", what+"; the script goes on without an answer", fix)
	} else {
		r.say(n, Warning, UnawaitedCall, "", what, fix)
	}
}

// waits says that there is something to wait for: a function of the author's may be async for no reason.
func (r *report) waits(call *ast.CallExpression, k kind) bool {
	id, ok := call.Callee.(*ast.Identifier)
	if b := r.bound[id]; ok && b != nil && k.what == result && len(b.values) == 1 {
		callback := r.unwrap(b.values[0])
		if f := r.functions[r.nodes[callback]]; f != nil {
			return f.awaits || r.gives(callback).from != ""
		}
	}
	return true
}

// calls names a call in a message.
func (r *report) calls(call *ast.CallExpression, k kind) string {
	if k.list {
		return "these promises"
	}
	return r.spelled(call.Callee) + "()"
}

// unread says that an expression is the value of a name that nobody reads.
func (r *report) unread(n *node) bool {
	var id *ast.Identifier
	switch t := n.up.syntax.(type) {
	case *ast.Binding:
		if t.Initializer == n.syntax {
			id, _ = t.Target.(*ast.Identifier)
		}
	case *ast.AssignExpression:
		if t.Operator == token.ASSIGN && r.dropped(n.up) {
			id, _ = t.Left.(*ast.Identifier)
		}
	}
	if id == nil {
		return false
	}
	b := r.bound[id]
	return b != nil && len(b.reads) == 0
}

// ofPromise looks for a member of a promise that only its value has. It is the commonest way to see a forgotten await: the name is
// read, and so it is not one that nobody uses.
func (r *report) ofPromise(n *node, dot *ast.DotExpression) {
	k := r.kind(dot.Left)
	key := name(dot.Identifier.Name)
	if !k.promise || k.list || key == "then" || key == "catch" || key == "finally" || key == "constructor" {
		return
	}
	r.forgotten(n, k, fmt.Sprintf("%s is a promise here, so its %s is undefined", r.subject(dot.Left, k), key), "write (await …)."+key+", or await the call before")
}

// subject names a value in a message: by its name, or by the call that it comes from.
func (r *report) subject(e ast.Expression, k kind) string {
	if _, named := e.(*ast.Identifier); !named && k.from != "" {
		return "what " + k.from + "() gives"
	}
	return r.spelled(e)
}

// truthy looks for a promise that is taken for what it will give: in a condition, a comparison or a text. Only calls and names are
// looked at, for what is made of them stands around them and would be said twice.
func (r *report) truthy(n *node, e ast.Expression) {
	switch e.(type) {
	case *ast.CallExpression, *ast.Identifier:
	default:
		return
	}
	k := r.kind(e)
	if !k.promise || k.list {
		return
	}
	what := ""
	inText := func() {
		r.forgotten(n, k, r.subject(e, k)+" is a promise here, so the text says [object Promise]", "write await before it")
	}
	switch up := n.up.syntax.(type) {
	case *ast.TemplateLiteral:
		if up.Tag == nil {
			inText()
		}
		return
	case *ast.BinaryExpression:
		switch up.Operator {
		case token.PLUS:
			inText()
			return
		case token.STRICT_EQUAL, token.EQUAL, token.STRICT_NOT_EQUAL, token.NOT_EQUAL, token.LESS, token.GREATER, token.LESS_OR_EQUAL, token.GREATER_OR_EQUAL:
			if r.isEmpty(up.Left) || r.isEmpty(up.Right) {
				return // whether there is a promise is a fair question
			}
			what = " is a promise here, and no promise equals what it will give"
		}
	}
	if _, decides := r.condition(n); what == "" && decides {
		if id, named := e.(*ast.Identifier); named && !r.always(id) {
			return
		}
		what = " is a promise here, and a promise is always truthy"
	}
	if what == "" {
		return
	}
	severity := Warning
	if k.gate() {
		severity = Error
	}
	r.say(n, severity, PromiseCondition, "", r.subject(e, k)+what, "write await before it")
}

// always says that a name is a promise wherever it is read: one that is declared with it. One that is set later may still be empty,
// and then a condition asks whether the call was made.
func (r *report) always(id *ast.Identifier) bool {
	b := r.bound[id]
	return b != nil && len(b.values) == 1 && r.isInitial(b)
}

func (r *report) isInitial(b *binding) bool {
	n := r.nodes[b.values[0]]
	if n == nil {
		return false
	}
	_, declared := n.up.syntax.(*ast.Binding)
	return declared
}

// isEmpty says that an expression is null or undefined.
func (r *report) isEmpty(e ast.Expression) bool {
	if _, null := e.(*ast.NullLiteral); null {
		return true
	}
	if u, ok := e.(*ast.UnaryExpression); ok && u.Operator == token.VOID {
		return true
	}
	return r.global(e) == "undefined"
}

// awaitedList looks for an await that waits for nothing: that of an array of promises.
func (r *report) awaitedList(n *node, t *ast.AwaitExpression) {
	if k := r.kind(t.Argument); k.list {
		r.say(n, Warning, UnawaitedCall, "", "this await waits for nothing: an array of promises is no promise",
			"write await parallel(items.map((item) => () => …)), or await Promise.all(…)")
		return
	}
	list, ok := r.value(t.Argument).(*ast.ArrayLiteral)
	if !ok {
		return
	}
	var lost kind
	for _, element := range list.Value {
		if k := r.kind(element); k.promise && (!lost.promise || k.gate()) {
			lost = k
		}
	}
	if lost.promise {
		r.forgotten(n, lost, "this await waits for nothing: an array of promises is no promise", "write await Promise.all([…]), or await parallel([() => …, () => …])")
	}
}

// value is what an expression stands for: itself, or what a name is set to once and for all.
func (s *script) value(e ast.Expression) ast.Expression {
	if id, ok := e.(*ast.Identifier); ok {
		if b := s.bound[id]; b != nil && b.alone() {
			return b.values[0]
		}
	}
	return e
}
