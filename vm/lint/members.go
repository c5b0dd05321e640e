package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"

	"github.com/seed-8d4a6081/assent/vm"
)

// An approval is an object whatever the person said, so it is truthy, and a member that it does not have is undefined. A script that
// asks either for the answer goes one way always.

// inherited are names that every object has, or may be asked for.
var inherited = []string{
	"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf", "toJSON", "then", "__proto__",
}

// approved looks for an approval that is used as a truth value, or compared with one.
func (r *report) approved(n *node, e ast.Expression) {
	switch e.(type) {
	case *ast.AwaitExpression, *ast.YieldExpression, *ast.Identifier, *ast.AssignExpression, *ast.ConditionalExpression, *ast.SequenceExpression:
	default:
		return
	}
	if k := r.kind(e); k.what != approval || k.promise || k.list {
		return
	}
	what := ""
	if b, ok := n.up.syntax.(*ast.BinaryExpression); ok && equality(b.Operator) {
		other := b.Right
		if b.Right == n.syntax {
			other = b.Left
		}
		if _, text := other.(*ast.StringLiteral); text || isTruth(other) {
			what = " is an object, which equals no answer"
		}
	}
	if _, decides := r.condition(n); what == "" && decides {
		if id, named := e.(*ast.Identifier); named && !r.always(id) && r.bound[id].of == nil {
			return // whether anybody was asked is a fair question
		}
		what = " is an object, and truthy also if the plan was declined"
	}
	if what == "" {
		return
	}
	subject, decision := "what planApprove() gave", "(await …).decision"
	if id, named := e.(*ast.Identifier); named {
		subject = r.spelled(id)
		decision = subject + ".decision"
	}
	r.say(n, Error, TruthyDecision, "", subject+what, "write "+decision+" === true, or "+decision+" !== true for all that is no yes")
}

// memberOf looks at a member that is read from a value.
func (r *report) memberOf(n *node, of ast.Expression, key string) {
	if k := r.kind(of); k.what == approval && !k.promise && !k.list {
		r.noMember(n, r.spelled(of), key)
	}
}

// membersTaken looks at those that a pattern takes.
func (r *report) membersTaken(b *ast.Binding) {
	pattern, ok := b.Target.(*ast.ObjectPattern)
	if !ok {
		return
	}
	if k := r.kind(b.Initializer); k.what != approval || k.promise || k.list {
		return
	}
	for _, p := range pattern.Properties {
		switch p := p.(type) {
		case *ast.PropertyShort:
			r.noMember(&node{syntax: &p.Name}, "", name(p.Name.Name))
		case *ast.PropertyKeyed:
			if key := keyOf(p); !p.Computed && key != "" {
				r.noMember(&node{syntax: p.Key}, "", key)
			}
		}
	}
}

// noMember reports a member that no approval has.
func (r *report) noMember(n *node, of, key string) {
	known := append(slices.Clone(harmless), "decision")
	if slices.Contains(known, key) || slices.Contains(inherited, key) {
		return
	}
	fix := "did you mean decision? A yes is decision === true"
	// approved is nearer to when and by whom than to what is meant.
	if near := vm.Nearest(key, known); near != "" && near != "decision" && !strings.HasPrefix(near, key) {
		fix = fmt.Sprintf("did you mean %s?", near)
	} else if of != "" {
		fix = fmt.Sprintf("did you mean decision? A yes is %s.decision === true", of)
	}
	r.say(n, Error, UnknownMember, "", fmt.Sprintf("an approval has no member %s, so this is undefined whatever the answer was", quoted(key)), fix)
}
