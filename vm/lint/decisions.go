package lint

import (
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
)

// A decision is true, false, or a text with the change that a person wants. A text is truthy; so a truthy decision is no yes.
//
// Once a script has told true apart from the rest, the truth of what is left tells a text from false. So nothing is reported behind
// such a comparison, wherever it leads.

const decisionTruthy = "a text with the change that a person wants is truthy too, and approves nothing"

// decided is where a decision was first compared for what it is.
type decided map[*binding]file.Idx

// compared finds those places.
func (r *report) compared() decided {
	found := decided{}
	note := func(e ast.Expression) {
		if r.kind(e).what == decision {
			if b := r.origin(e); b != nil {
				if at, known := found[b]; !known || e.Idx0() < at {
					found[b] = e.Idx0()
				}
			}
		}
	}
	for syntax := range r.nodes {
		switch t := syntax.(type) {
		case *ast.BinaryExpression:
			if t.Operator == token.STRICT_EQUAL || t.Operator == token.STRICT_NOT_EQUAL {
				if isTrue(t.Right) {
					note(t.Left)
				}
				if isTrue(t.Left) {
					note(t.Right)
				}
			}
		case *ast.UnaryExpression:
			if t.Operator == token.TYPEOF {
				note(t.Operand)
			}
		case *ast.SwitchStatement:
			note(t.Discriminant)
		}
	}
	return found
}

func isTruth(e ast.Expression) bool {
	_, ok := e.(*ast.BooleanLiteral)
	return ok
}

func isTrue(e ast.Expression) bool {
	truth, ok := e.(*ast.BooleanLiteral)
	return ok && truth.Value
}

// origin is the name that a decision comes from: of the approval, or its own.
func (r *report) origin(e ast.Expression) *binding {
	for range 20 { // a chain of names longer than that is none that a person follows
		switch t := e.(type) {
		case *ast.DotExpression:
			e = t.Left
			continue
		case *ast.BracketExpression:
			e = t.Left
			continue
		case *ast.OptionalChain:
			e = t.Expression
			continue
		case *ast.Optional:
			e = t.Expression
			continue
		case *ast.Identifier:
			b := r.bound[t]
			if b == nil || len(b.values) != 1 {
				return b
			}
			switch value := b.values[0].(type) {
			case *ast.Identifier, *ast.DotExpression, *ast.BracketExpression, *ast.OptionalChain:
				e = value
				continue
			}
			return b
		}
		return nil
	}
	return nil
}

// decision looks at a place where a decision is read.
func (r *report) decision(n *node, e ast.Expression, before decided) {
	switch e.(type) {
	case *ast.DotExpression, *ast.BracketExpression, *ast.Identifier, *ast.OptionalChain:
	default:
		return
	}
	if _, inner := n.up.syntax.(*ast.OptionalChain); inner || r.kind(e).what != decision {
		return
	}
	spelled := r.spelled(e)
	if b, ok := n.up.syntax.(*ast.BinaryExpression); ok {
		other := b.Right
		if b.Right == n.syntax {
			other = b.Left
		}
		text, isText := other.(*ast.StringLiteral)
		loose := (b.Operator == token.EQUAL || b.Operator == token.NOT_EQUAL) && isTruth(other)
		switch {
		case isText && equality(b.Operator):
			said := text.Value.String()
			yes, meant := meantAs[strings.ToLower(strings.TrimSpace(said))]
			if !meant {
				break // a script may know some of the changes that people ask for
			}
			r.say(n, Error, TruthyDecision, "", spelled+" is compared with the text "+quoted(said)+"; a yes is true itself, a no is false, and a text asks for a change",
				fix(spelled, b.Operator, yes))
			return
		case loose:
			literal := other.(*ast.BooleanLiteral)
			r.say(n, Error, TruthyDecision, "", spelled+" is compared loosely: a text such as \"1\" equals true", fix(spelled, b.Operator, literal.Value))
			return
		}
	}
	whole, decides := r.condition(n)
	if !decides {
		return
	}
	if r.beside(n, e) {
		r.say(n, Error, TruthyDecision, "", spelled+" is used as a truth value behind its own comparison with true: "+decisionTruthy, "leave it out: "+spelled+" === true is all of a yes")
		return
	}
	if first, compared := before[r.origin(e)]; compared && r.origin(e) != nil && (first < n.syntax.Idx0() || first <= whole.syntax.Idx1() && first >= whole.syntax.Idx0()) {
		return
	}
	if not, ok := n.up.syntax.(*ast.UnaryExpression); ok && not.Operator == token.NOT {
		if again, ok := n.up.up.syntax.(*ast.UnaryExpression); !ok || again.Operator != token.NOT {
			r.say(n, Error, TruthyDecision, "", spelled+" is used as a truth value: "+decisionTruthy, "write "+spelled+" !== true in the place of !"+spelled)
			return
		}
	}
	r.say(n, Error, TruthyDecision, "", spelled+" is used as a truth value: "+decisionTruthy, "write "+spelled+" === true")
}

// meantAs are texts that are taken for a yes or a no.
var meantAs = map[string]bool{
	"true": true, "yes": true, "y": true, "ok": true, "okay": true, "approve": true, "approved": true, "accept": true, "accepted": true,
	"false": false, "no": false, "n": false, "reject": false, "rejected": false, "decline": false, "declined": false, "deny": false, "denied": false,
}

func equality(op token.Token) bool {
	return op == token.EQUAL || op == token.NOT_EQUAL || op == token.STRICT_EQUAL || op == token.STRICT_NOT_EQUAL
}

// beside says that a decision is one side of an || whose other sides have its comparison with true: a text passes all the same.
func (r *report) beside(n *node, e ast.Expression) bool {
	origin := r.origin(e)
	if origin == nil {
		return false
	}
	for up := n.up; up.syntax != nil; n, up = up, up.up {
		or, ok := up.syntax.(*ast.BinaryExpression)
		if !ok || or.Operator != token.LOGICAL_OR {
			return false
		}
		other := or.Left
		if other == n.syntax {
			other = or.Right
		}
		if r.asksForYes(other, origin) {
			return true
		}
	}
	return false
}

// asksForYes says that an expression is decision === true of a name, or an || of that.
func (r *report) asksForYes(e ast.Expression, origin *binding) bool {
	b, ok := e.(*ast.BinaryExpression)
	switch {
	case !ok:
		return false
	case b.Operator == token.LOGICAL_OR:
		return r.asksForYes(b.Left, origin) || r.asksForYes(b.Right, origin)
	case b.Operator != token.STRICT_EQUAL:
		return false
	}
	of := func(side, with ast.Expression) bool {
		return isTrue(with) && r.kind(side).what == decision && r.origin(side) == origin
	}
	return of(b.Left, b.Right) || of(b.Right, b.Left)
}

// fix is the comparison that was meant.
func fix(spelled string, op token.Token, with bool) string {
	equal := op == token.EQUAL || op == token.STRICT_EQUAL
	if equal == with {
		return "write " + spelled + " === true"
	}
	return "write " + spelled + " !== true"
}
