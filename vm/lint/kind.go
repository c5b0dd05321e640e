package lint

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// kind is what is known for sure of an expression's value; the zero value is nothing.
type kind struct {
	what what
	// promise: it is a promise of that. list: it is an array of such promises.
	promise, list bool
	// from is the call that it comes from, as the author calls it.
	from string
}

type what int

const (
	unknown  what = iota
	approval      // what planApprove gives
	decision      // the member of an approval
	answer        // what checkpoint gives
	result        // anything else that a call gives
)

// promising are the globals of the script language that give a promise, whatever their arguments.
var promising = map[string]what{
	"planApprove": approval, "checkpoint": answer,
	"agent": result, "workflow": result, "sleep": result, "parallel": result, "pipeline": result, "dag": result, "retry": result, "gate": result,
	"verify": result, "judgePanel": result, "loopUntilDry": result, "completenessCheck": result,
}

// gate says that a call asks a person.
func (k kind) gate() bool { return k.promise && !k.list && (k.what == approval || k.what == answer) }

// kind finds what an expression gives.
func (s *script) kind(e ast.Expression) kind {
	if e == nil {
		return kind{}
	}
	if k, known := s.kinds[e]; known {
		return k
	}
	s.kinds[e] = kind{} // what depends on itself is not known
	k := s.find(e)
	s.kinds[e] = k
	return k
}

func (s *script) find(e ast.Expression) kind {
	switch t := e.(type) {
	case *ast.Identifier:
		if b := s.bound[t]; b != nil {
			return s.named(b)
		}
	case *ast.AwaitExpression:
		return awaited(s.kind(t.Argument))
	case *ast.YieldExpression:
		// The bundler's way to write an await in an async generator.
		if made, ok := t.Argument.(*ast.NewExpression); ok && s.isHelper(made.Callee, "__await") && len(made.ArgumentList) > 0 {
			return awaited(s.kind(made.ArgumentList[0]))
		}
	case *ast.DotExpression:
		return member(s.kind(t.Left), name(t.Identifier.Name))
	case *ast.BracketExpression:
		if key, ok := t.Member.(*ast.StringLiteral); ok {
			return member(s.kind(t.Left), name(key.Value))
		}
	case *ast.OptionalChain:
		return s.kind(t.Expression)
	case *ast.Optional:
		return s.kind(t.Expression)
	case *ast.SequenceExpression:
		return s.kind(t.Sequence[len(t.Sequence)-1])
	case *ast.AssignExpression:
		if t.Operator == token.ASSIGN {
			return s.kind(t.Right)
		}
	case *ast.ConditionalExpression:
		if k := s.kind(t.Consequent); k == s.kind(t.Alternate) {
			return k
		}
	case *ast.CallExpression:
		return s.called(t)
	}
	return kind{}
}

func awaited(k kind) kind {
	if k.list {
		return k // await does not look into arrays
	}
	return kind{what: k.what, from: k.from}
}

func member(k kind, key string) kind {
	if k.what == approval && !k.promise && key == "decision" {
		return kind{what: decision, from: k.from}
	}
	return kind{}
}

// named gives the kind of a name: that of all its values, if they agree.
func (s *script) named(b *binding) kind {
	if b.unsure {
		return kind{}
	}
	var k kind
	if b.of != nil {
		if len(b.values) > 0 {
			return kind{}
		}
		k = s.handed(b)
	}
	for i, value := range b.values {
		next := s.kind(value)
		if b.element > 0 {
			next = s.element(value, b.element-1)
		}
		if i > 0 && next != k {
			return kind{}
		}
		k = next
	}
	if b.key != "" {
		return member(k, b.key)
	}
	return k
}

// element gives the kind of an element of what Promise.all gives of an array that is written down.
func (s *script) element(e ast.Expression, place int) kind {
	waits, ok := e.(*ast.AwaitExpression)
	if !ok {
		return kind{}
	}
	call, ok := waits.Argument.(*ast.CallExpression)
	if !ok || len(call.ArgumentList) != 1 {
		return kind{}
	}
	method, ok := call.Callee.(*ast.DotExpression)
	if !ok || s.global(method.Left) != "Promise" || method.Identifier.Name != "all" {
		return kind{}
	}
	array, ok := call.ArgumentList[0].(*ast.ArrayLiteral)
	if !ok || len(array.Value) <= place || spreads(array.Value[:place+1]) {
		return kind{}
	}
	return awaited(s.kind(array.Value[place]))
}

// handed gives the kind of a parameter: it is known in a handler of .then.
func (s *script) handed(b *binding) kind {
	call, callback := s.callback(b.of)
	if call == nil || callback != 0 || b.place != 0 {
		return kind{}
	}
	if method, ok := call.Callee.(*ast.DotExpression); ok && method.Identifier.Name == "then" {
		if k := s.kind(method.Left); k.promise && !k.list {
			return awaited(k)
		}
	}
	return kind{}
}

// callback says that a function is written down as an argument of a call, and as which.
func (s *script) callback(f *node) (*ast.CallExpression, int) {
	call, ok := s.parent(f).syntax.(*ast.CallExpression)
	if !ok {
		return nil, 0
	}
	place := slices.IndexFunc(call.ArgumentList, func(e ast.Expression) bool { return s.unwrap(e) == f.syntax })
	if place < 0 {
		return nil, 0
	}
	return call, place
}

func (s *script) called(call *ast.CallExpression) kind {
	if s.isHelper(call.Callee, "__name") {
		return kind{}
	}
	if of, global, ok := s.promises(call.Callee); ok {
		return kind{what: of, promise: true, from: global}
	}
	if s.global(call.Callee) != "" {
		return kind{}
	}
	if method, ok := call.Callee.(*ast.DotExpression); ok && s.global(method.Left) == "Promise" && len(call.ArgumentList) > 0 {
		return s.together(name(method.Identifier.Name), call.ArgumentList[0])
	}
	if method, ok := call.Callee.(*ast.DotExpression); ok && method.Identifier.Name == "map" && len(call.ArgumentList) > 0 {
		k := s.gives(s.unwrap(call.ArgumentList[0]))
		if of, _, ok := s.promises(call.ArgumentList[0]); ok {
			k = kind{what: of, promise: true}
		}
		if k.promise && !k.list {
			return kind{what: k.what, promise: true, list: true, from: k.from}
		}
		return kind{}
	}
	if id, ok := call.Callee.(*ast.Identifier); ok {
		if b := s.bound[id]; b != nil && b.alone() {
			k := s.gives(s.unwrap(b.values[0]))
			if k.promise {
				k.from = s.spelled(id)
			}
			return k
		}
	}
	return kind{}
}

// promises says that a function is one of those that give a promise, what of, and how it is called.
func (s *script) promises(e ast.Expression) (of what, called string, ok bool) {
	called = s.global(e)
	if method, dotted := e.(*ast.DotExpression); dotted && s.global(method.Left) != "" {
		called = s.global(method.Left) + "." + name(method.Identifier.Name)
	}
	if of, ok = promising[called]; ok {
		return of, called, true
	}
	return result, called, s.promising[called]
}

// together is the kind of Promise.all and its like: a promise, if they are given any that is known; that of a gate if one of them is.
func (s *script) together(method string, of ast.Expression) kind {
	if !slices.Contains([]string{"all", "allSettled", "any", "race"}, method) {
		return kind{}
	}
	k := kind{what: result, promise: true, from: "Promise." + method}
	array, ok := of.(*ast.ArrayLiteral)
	if !ok {
		if s.kind(of).list {
			return k
		}
		return kind{}
	}
	known := false
	for _, element := range array.Value {
		one := s.kind(element)
		known = known || one.promise
		if one.gate() {
			k.what = answer
		}
	}
	if !known {
		return kind{}
	}
	return k
}

// gives is the kind of what a function gives when it is called.
func (s *script) gives(e ast.Expression) kind {
	n := s.nodes[e]
	f := s.functions[n]
	if n == nil || f == nil || f.generator {
		return kind{}
	}
	var k kind
	for i, value := range f.returns {
		next := s.kind(value)
		if i > 0 && next != k {
			k = kind{}
			break
		}
		k = next
	}
	if !f.async {
		return k
	}
	k = awaited(k)
	if k.what == unknown {
		k.what = result
	}
	return kind{what: k.what, promise: true, from: k.from}
}

// global gives the name of a global that an expression is, "" if it is none.
func (s *script) global(e ast.Expression) string {
	if id, ok := e.(*ast.Identifier); ok && s.bound[id] == nil {
		return name(id.Name)
	}
	return ""
}

// isHelper says that an expression is one of the bundler's own functions.
func (s *script) isHelper(e ast.Expression, helper string) bool {
	id, ok := e.(*ast.Identifier)
	return ok && name(id.Name) == helper && s.bound[id] != nil
}

// unwrap takes off what the bundler puts around functions so that they keep their names.
func (s *script) unwrap(e ast.Expression) ast.Expression {
	if call, ok := e.(*ast.CallExpression); ok && s.isHelper(call.Callee, "__name") && len(call.ArgumentList) > 0 {
		return call.ArgumentList[0]
	}
	return e
}

// parent is what a node stands in, as the author wrote it.
func (s *script) parent(n *node) *node {
	if call, ok := n.up.syntax.(*ast.CallExpression); ok && s.isHelper(call.Callee, "__name") {
		return n.up.up
	}
	return n.up
}
