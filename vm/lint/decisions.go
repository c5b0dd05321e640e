package lint

import (
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
				if isTruth(t.Right) {
					note(t.Left)
				}
				if isTruth(t.Left) {
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

// origin is the name that a decision comes from: of the approval, or its own.
func (r *report) origin(e ast.Expression) *binding {
	for range 20 { // a chain of names longer than that is none that a person follows
		switch t := e.(type) {
		case *ast.DotExpression:
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
			case *ast.Identifier, *ast.DotExpression, *ast.OptionalChain:
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
	case *ast.DotExpression, *ast.Identifier, *ast.OptionalChain:
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
		asText := isText && text.Value == "true" && (b.Operator == token.STRICT_EQUAL || b.Operator == token.EQUAL ||
			b.Operator == token.STRICT_NOT_EQUAL || b.Operator == token.NOT_EQUAL)
		switch {
		case asText:
			r.say(n, Error, TruthyDecision, "", spelled+` is compared with the text "true"; a yes is true itself`, fix(spelled, b.Operator, true))
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

// fix is the comparison that was meant.
func fix(spelled string, op token.Token, with bool) string {
	equal := op == token.EQUAL || op == token.STRICT_EQUAL
	if equal == with {
		return "write " + spelled + " === true"
	}
	return "write " + spelled + " !== true"
}
